using System.Net;
using System.Net.Sockets;
using System.Text;

namespace IoBench.Engine.Tests;

public class VerificationPartTests
{
    [Theory]
    [InlineData(512), InlineData(4096)]
    public void Checksum_detects_flipped_bits_and_reordering(int length)
    {
        var random = new Random(1);
        var bytes = new byte[length];
        random.NextBytes(bytes);
        var sum = BlockChecksum.Compute(bytes);
        Assert.Equal(sum, BlockChecksum.Compute((byte[])bytes.Clone()));
        for (var bit = 0; bit < 8 * length; bit++)
        {
            bytes[bit / 8] ^= (byte)(1 << bit % 8);
            Assert.NotEqual(sum, BlockChecksum.Compute(bytes));
            bytes[bit / 8] ^= (byte)(1 << bit % 8);
        }
        // Two bits at the upper ends of words, which a plain sum would miss.
        for (var i = 0; i < 1000; i++)
        {
            var (a, b) = (8 * random.Next(length / 8) + 7, 8 * random.Next(length / 8) + 7);
            if (a == b)
                continue;
            (bytes[a], bytes[b]) = ((byte)(bytes[a] ^ 0x80), (byte)(bytes[b] ^ 0x80));
            Assert.NotEqual(sum, BlockChecksum.Compute(bytes));
            (bytes[a], bytes[b]) = ((byte)(bytes[a] ^ 0x80), (byte)(bytes[b] ^ 0x80));
        }
        for (var at = 0; at + 128 <= length; at += 64)
        {
            var moved = (byte[])bytes.Clone();
            bytes.AsSpan(at, 64).CopyTo(moved.AsSpan(at + 64));
            bytes.AsSpan(at + 64, 64).CopyTo(moved.AsSpan(at));
            Assert.NotEqual(sum, BlockChecksum.Compute(moved));
        }
    }

    [Fact]
    public void Block_header_contains_offset_and_write_number()
    {
        var content = new VerifiableContent(seed: 42, run: 7, compressiblePercent: 0);
        var block = new byte[4096];
        var again = new byte[4096];
        content.Fill(block, 8192, 12345);
        content.Fill(again, 8192, 12345);
        Assert.Equal(block, again);
        for (var at = 0; at < block.Length; at += 512)
        {
            Assert.True(content.HasHeader(block.AsSpan(at, 512), out var offset, out var number));
            Assert.Equal((8192L + at, 12345UL), (offset, number));
            Assert.True(TestFileContent.MatchesPayload(block.AsSpan(at, 512), stamped: true, zerosAtEnd: false));
        }
        content.Fill(again, 8192, 12346);
        Assert.NotEqual(block, again);
        Assert.False(new VerifiableContent(42, 8, 0).HasHeader(block, out _, out _));
        Assert.False(new VerifiableContent(43, 7, 0).HasHeader(block, out _, out _));
        // The same with groups of one sector.
        var sector = new byte[512];
        content.Fill(sector, 8192 + 1024, 12345);
        Assert.True(content.HasHeader(sector, 8192 + 1024, out _));
    }

    [Fact]
    public void Unmix_reverses_Mix()
    {
        for (ulong value = 1; value < 1UL << 60; value = value * 3 + 1)
            Assert.Equal(value, SplitMix64.Unmix(SplitMix64.Mix(value)));
    }

    [Fact]
    public void Checksum_map_allows_one_outstanding_write_per_block()
    {
        using var map = new ChecksumMap(1 << 20, 4096);
        Assert.True(map.TryClaim(4, 4, out var newest));
        Assert.Equal(0UL, newest);
        Assert.False(map.TryClaim(7, 2, out _));
        Assert.True(map.TryClaim(8, 1, out _));
        for (var i = 4; i < 8; i++)
            map.Acknowledge(i, (ulong)i, 1024);
        Assert.Equal((4L, 4), map.FindExtent(6, 16));
        Assert.True(map.TryClaim(3, 2, out newest));
        Assert.Equal(1024UL, newest);
        map.ReleaseClaim(3, 2);
        Assert.Equal((4UL, 1024UL), (map.Read(4).Sum, map.Read(4).Number));
    }

    [Fact]
    public void Witness_log_returns_durable_writes()
    {
        var path = Path.GetTempFileName();
        try
        {
            WriteWitness(
                path,
                isWriteThrough: false,
                new(WitnessRecordKind.Write, 0, 1, 8192, 0, 1024),
                new(WitnessRecordKind.FlushBegun, 0, 1, 0, 0, 0),
                new(WitnessRecordKind.Write, 0, 1, 8192, 8192, 2048),
                new(WitnessRecordKind.Write, 0, 2, 8192, 16384, 1025),
                new(WitnessRecordKind.FlushDone, 0, 1, 0, 0, 0)
            );
            var promised = FindDurableWrites(path, out _, out var count);
            Assert.Equal(1, count);
            Assert.Equal([0L, 1L], promised.Keys.Order());

            WriteWitness(
                path,
                isWriteThrough: true,
                new(WitnessRecordKind.Write, 0, 1, 8192, 0, 1024),
                new(WitnessRecordKind.Write, 0, 1, 8192, 4096, 2048)
            );
            promised = FindDurableWrites(path, out var log, out count);
            Assert.Equal(2, count);
            Assert.Equal([1024UL, 2048UL, 2048UL], promised.OrderBy(p => p.Key).Select(p => p.Value.Write.Number));
            Assert.Equal((false, null), (log.IsEnded, log.Damage));

            // The computer under test wrote this log, and can have crashed while it wrote the last record.
            var bytes = File.ReadAllBytes(path);
            File.WriteAllBytes(path, bytes[..^5]);
            FindDurableWrites(path, out log, out _);
            Assert.Equal((1, null), (log.WriteCount, log.Damage));
            File.WriteAllText(path, "no witness\n");
            var wrong = Assert.Throws<IoBenchException>(() => WitnessLog.Open(path, out _));
            Assert.Equal("IoBench.InvalidWitness", wrong.ErrorId);
            Assert.Equal(["Witness"], wrong.Options);
            Assert.EndsWith("{!Witness} wrote.", wrong.Text.Template, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static Dictionary<long, (WitnessRecord Write, long Order)> FindDurableWrites(string path, out WitnessLog log, out long count)
    {
        using (log = WitnessLog.Open(path, out _)!)
            return log.FindDurableWrites(0, out count);
    }

    [Theory]
    [InlineData(-4096, 4096, "it describes 4,096 bytes at offset -4,096 of a file of 1,048,576 bytes")]
    [InlineData(1 << 20, 4096, "it describes 4,096 bytes at offset 1,048,576 of a file of 1,048,576 bytes")]
    [InlineData(0, int.MaxValue, "it describes a write of 2,147,483,647 bytes")]
    [InlineData(long.MaxValue, 4096, "it describes 4,096 bytes at offset 9,223,372,036,854,775,807 of a file of 1,048,576 bytes")]
    [InlineData(0, 1000, "it describes 1,000 bytes at offset 0, which are not multiples of 4,096")]
    public void Witness_log_names_the_first_damaged_record(long offset, int length, string reason)
    {
        var path = Path.GetTempFileName();
        try
        {
            var good = new WitnessRecord(WitnessRecordKind.Write, 0, 1, 8192, 0, 1024);
            WriteWitness(path, isWriteThrough: true, good, good with { Offset = offset, Length = length }, good);
            var at = new FileInfo(path).Length - 2 * WitnessRecord.Size;
            FindDurableWrites(path, out var log, out var count);
            Assert.Equal(1, count);
            Assert.Equal(
                $"The record at byte {at} is damaged: {reason}. IoBench used 1 valid record, and ignored the last 64 bytes.",
                log.Damage
            );

            var bytes = File.ReadAllBytes(path);
            bytes[at + 4] ^= 1;
            File.WriteAllBytes(path, bytes);
            FindDurableWrites(path, out log, out _);
            Assert.StartsWith($"The record at byte {at} is damaged: its checksum is wrong.", log.Damage, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void Witness_log_of_a_listener_without_its_last_record_was_cut_off()
    {
        var path = Path.GetTempFileName();
        try
        {
            var good = new WitnessRecord(WitnessRecordKind.Write, 0, 1, 8192, 0, 1024);
            WriteLog(path, isWriteThrough: true, isFromListener: true, good, new(WitnessRecordKind.Disconnected, 0, 0, 0, 0, 0));
            FindDurableWrites(path, out var log, out _);
            Assert.Null(log.Damage);
            var bytes = File.ReadAllBytes(path);
            File.WriteAllBytes(path, bytes[..^WitnessRecord.Size]);
            FindDurableWrites(path, out log, out _);
            Assert.Equal("The log is incomplete, because its last record is missing. IoBench used 1 valid record.", log.Damage);
            File.WriteAllBytes(path, [.. bytes, 0]);
            FindDurableWrites(path, out log, out _);
            Assert.Contains("after the last record", log.Damage, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Theory]
    [InlineData(0, "The witness is empty.")]
    [InlineData(60, "The header of the witness is incomplete, so the witness has no records.")]
    public void Check_after_a_crash_is_not_verified_without_a_header(int length, string reason)
    {
        var path = Path.GetTempFileName();
        try
        {
            WriteWitness(path, isWriteThrough: true);
            File.WriteAllBytes(path, File.ReadAllBytes(path)[..length]);
            var result = CrashVerification.Run(path, path);
            Assert.Equal((0, reason), (result.Integrity!.ErrorCount, result.Integrity.Crash!.NotVerifiedReason));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Theory]
    [InlineData("192.0.2.7:8433", "192.0.2.7", 8433), InlineData("[::1]:80", "::1", 80), InlineData("host:1", "host", 1)]
    [InlineData("host:1#ABCDEFGHIJKLMNOPQRSTUVWX27", "host", 1)]
    public void Witness_address_distinguishes_a_host_from_a_file(string text, string host, int port)
    {
        var place = WitnessAddress.Parse(text);
        Assert.Equal(((string?)null, host, port), (place.Path, place.Host, place.Port));
        // The secret is in no message.
        Assert.Equal(text.Split('#')[0], place.ToString());
        Assert.Equal(text.Contains('#', StringComparison.Ordinal) ? "ABCDEFGHIJKLMNOPQRSTUVWX27" : null, place.Secret);
        Assert.Equal("IoBench.InvalidWitness", Assert.Throws<IoBenchException>(() => WitnessAddress.Parse("host:1#SHORT")).ErrorId);
        Assert.NotNull(WitnessAddress.Parse("./w.log").Path);
        Assert.Equal("IoBench.InvalidWitness", Assert.Throws<IoBenchException>(() => WitnessAddress.Parse("host:99999")).ErrorId);
    }

    [Fact]
    public void Witness_error_distinguishes_a_file_from_a_host()
    {
        var path = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString("N"), "w.log");
        var error = Assert.Throws<IoBenchException>(() => WitnessAddress.Parse(path).CreateFile());
        Assert.Equal("IoBench.WitnessUnreachable", error.ErrorId);
        Assert.StartsWith($"IoBench cannot create the write witness {path}: ", error.Message, StringComparison.Ordinal);
        Assert.EndsWith(". Specify a file in a folder that you can write to.", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("..", error.Message, StringComparison.Ordinal);

        // No process listens on a port whose listener has just stopped.
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var place = $"127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}";
        listener.Stop();
        error = Assert.Throws<IoBenchException>(() =>
            (WitnessAddress.Parse(place) with { Secret = WitnessAddress.CreateSecret() }).Connect()
        );
        Assert.StartsWith($"IoBench cannot reach the write witness {place}: ", error.Message, StringComparison.Ordinal);
        Assert.EndsWith(". Start iobench witness on that host, and check that the port is open.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Witness_on_another_host_requires_its_secret()
    {
        Assert.Equal("IoBench.InvalidWitness", Assert.Throws<IoBenchException>(() => WitnessAddress.ParseWithSecret("host:1")).ErrorId);
        Assert.NotNull(WitnessAddress.ParseWithSecret("w.log").Path);
    }

    private static void WriteWitness(string path, bool isWriteThrough, params WitnessRecord[] records) =>
        WriteLog(path, isWriteThrough, isFromListener: false, records);

    private static void WriteLog(string path, bool isWriteThrough, bool isFromListener, params WitnessRecord[] records)
    {
        var head = new WitnessHeader
        {
            Run = 7,
            GroupSize = 4096,
            IsWriteThrough = isWriteThrough,
            IsFromListener = isFromListener,
            Computer = "SQL1",
            Time = DateTimeOffset.UnixEpoch,
            Targets =
            [
                new WitnessTarget(
                    "/mnt/a b=c.dat",
                    "id",
                    42,
                    1 << 20,
                    0,
                    new Dictionary<string, string> { ["Write cache"] = "write back" }
                ),
            ],
        };
        Assert.Equal("write back", WitnessHeader.Parse(head.ToText())!.Targets[0].Facts["Write cache"]);
        using var file = File.Create(path);
        file.Write(Encoding.UTF8.GetBytes(head.ToText()));
        var bytes = new byte[WitnessRecord.Size];
        foreach (var record in records)
        {
            record.WriteTo(bytes);
            file.Write(bytes);
        }
    }

    [Fact]
    public void Old_and_new_content_are_valid_after_a_failed_write_until_the_next()
    {
        using var map = new ChecksumMap(1 << 20, 4096);
        map.SetChecksum(5, 1);
        Assert.True(map.TryClaim(5, 1, out _));
        map.Acknowledge(5, sum: 2, number: 100);
        Assert.True(map.TryClaim(5, 1, out var newest));
        Assert.Equal(100UL, newest);
        map.SetClaimNumber(5, 1, 200);
        map.AbandonClaim(5, 1);
        var entry = map.Read(5);
        Assert.Equal(
            (2UL, 100UL, ChecksumMap.HasFailedWrites),
            (entry.Sum, ChecksumMap.GetWriteNumber(entry), entry.Number & ChecksumMap.Flags)
        );
        Assert.True(map.TryClaim(5, 1, out newest));
        Assert.Equal(100UL, newest);
        Assert.False(map.TryClaim(5, 1, out _));
        map.ReleaseClaim(5, 1);
        Assert.NotEqual(0UL, map.Read(5).Number & ChecksumMap.HasFailedWrites);
        Assert.True(map.TryClaim(5, 1, out _));
        map.Acknowledge(5, sum: 3, number: 300);
        Assert.Equal((3UL, 300UL), (map.Read(5).Sum, map.Read(5).Number));
    }

    /// <summary>Windows Server 2016 does not support the retry count. Any other socket error must be thrown.</summary>
    [Fact]
    public void Keep_alive_works_without_support_for_a_retry_count()
    {
        var asked = new List<SocketOptionName>();
        SecretChannel.EnableKeepAlive(
            (_, name, _) =>
            {
                asked.Add(name);
                if (name == SocketOptionName.TcpKeepAliveRetryCount)
                    throw new SocketException((int)SocketError.ProtocolOption);
            }
        );
        Assert.Equal(
            [
                SocketOptionName.KeepAlive,
                SocketOptionName.TcpKeepAliveTime,
                SocketOptionName.TcpKeepAliveInterval,
                SocketOptionName.TcpKeepAliveRetryCount,
            ],
            asked
        );
        Assert.Throws<SocketException>(() =>
            SecretChannel.EnableKeepAlive((_, _, _) => throw new SocketException((int)SocketError.AccessDenied))
        );
    }
}
