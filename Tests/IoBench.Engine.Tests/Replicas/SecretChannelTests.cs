using System.Security.Cryptography;

namespace IoBench.Engine.Tests;

public class SecretChannelTests
{
    private static readonly byte[] s_key = RandomNumberGenerator.GetBytes(32);
    private static readonly byte[] s_otherKey = RandomNumberGenerator.GetBytes(32);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4096)]
    public void Frames_are_received_in_order_with_their_payload(int size)
    {
        var payloads = Enumerable.Range(0, 5).Select(_ => RandomNumberGenerator.GetBytes(size)).ToList();
        using var stream = new MemoryStream();
        using (var sender = CreateChannel(stream))
            foreach (var payload in payloads)
                sender.Send(ChannelFrameKind.Write, payload);
        using var receiver = CreateChannel(new MemoryStream(stream.ToArray()));
        foreach (var payload in payloads)
        {
            Assert.Equal(ChannelFrameKind.Write, receiver.Receive());
            Assert.Equal(payload, receiver.Payload.ToArray());
        }
        Assert.Throws<EndOfStreamException>(() => receiver.Receive());
    }

    [Fact]
    public void Replayed_omitted_and_reflected_frames_are_refused()
    {
        var (first, second) = (Create(0), Create(1));
        Assert.Null(FindError(first, second));
        Assert.Contains("in the wrong order", FindError(first, first), StringComparison.Ordinal);
        Assert.Contains("in the wrong order", FindError(second), StringComparison.Ordinal);
        Assert.Contains("not signed", FindError(Create(0, s_otherKey)), StringComparison.Ordinal);
    }

    [Fact]
    public void Oversize_frame_is_refused_before_its_payload_is_read()
    {
        var frame = Create(0, payload: 4096);
        using var stream = new MemoryStream(frame);
        using var channel = CreateChannel(stream);
        Assert.Contains("too large", Assert.ThrowsAny<IOException>(() => channel.Receive(4095)).Message, StringComparison.Ordinal);
        Assert.Equal(4095, new SecretChannelProbe(Create(0, payload: 4095)).Receive(4095));
        // A length of 4 GB is not a negative number.
        BitConverter.TryWriteBytes(frame.AsSpan(8), uint.MaxValue);
        Assert.Contains("too large", FindError(frame), StringComparison.Ordinal);
    }

    [Fact]
    public void Frame_that_is_truncated_at_any_byte_is_refused()
    {
        var frame = Create(0, payload: 24);
        for (var length = 0; length < frame.Length; length++)
        {
            using var channel = CreateChannel(new MemoryStream(frame, 0, length));
            Assert.Throws<EndOfStreamException>(() => channel.Receive());
        }
    }

    [Fact]
    public void Frame_with_any_changed_bit_is_refused()
    {
        var frame = Create(0, payload: 24);
        for (var bit = 0; bit < 8 * frame.Length; bit++)
        {
            var changed = (byte[])frame.Clone();
            changed[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.NotNull(FindError(changed));
        }
    }

    [Fact]
    public void Random_bytes_are_refused_and_never_throw_anything_else()
    {
        var random = new Random(20261128);
        for (var i = 0; i < 100_000; i++)
        {
            // Half of the inputs begin as a valid frame, so that the parser is entered deeper.
            var bytes = i % 2 == 0 ? Create(0, payload: random.Next(64)) : new byte[random.Next(200)];
            if (i % 2 == 1)
                random.NextBytes(bytes);
            else
                for (var changes = random.Next(1, 4); changes > 0; changes--)
                    bytes[random.Next(bytes.Length)] ^= (byte)random.Next(1, 256);
            var valid = i % 2 == 0 ? bytes : null;
            using var channel = CreateChannel(new MemoryStream(bytes));
            try
            {
                channel.Receive(random.Next(128));
                // Two changes of the same byte can cancel each other.
                Assert.NotNull(valid);
                Assert.True(IsSigned(valid));
            }
            catch (IOException)
            {
                // Refused.
            }
        }
    }

    [Fact]
    public void Random_payloads_are_parsed_or_refused()
    {
        var random = new Random(7);
        for (var i = 0; i < 100_000; i++)
        {
            var bytes = new byte[random.Next(3) == 0 ? ReplicaStream.Size : random.Next(64)];
            random.NextBytes(bytes);
            Try(() =>
            {
                var stream = ReplicaStream.Parse(bytes);
                Assert.InRange(stream.WriteSize, 512, ReplicaStream.MaxWriteSize);
                Assert.True(Enum.IsDefined(stream.Method));
            });
            Try(() => Assert.True(ReplicaAcknowledgment.Parse(bytes) is { Disk: >= 0, Overhead: >= 0 }));
            Try(() => Assert.NotNull(ReplicaFacts.Parse(bytes).Path));
        }

        static void Try(Action parse)
        {
            try
            {
                parse();
            }
            catch (IOException)
            {
                // Refused.
            }
        }
    }

    [Fact]
    public void Payloads_survive_the_round_trip()
    {
        var stream = new ReplicaStream(Guid.NewGuid(), CommitMethod.GroupedFlush, 61440, HasRedo: true);
        Assert.Equal(stream, ReplicaStream.Parse(stream.ToBytes()));
        var acknowledgment = new ReplicaAcknowledgment(123, 4);
        var bytes = new byte[ReplicaAcknowledgment.Size];
        acknowledgment.WriteTo(bytes);
        Assert.Equal(acknowledgment, ReplicaAcknowledgment.Parse(bytes));
        var facts = new ReplicaFacts
        {
            Host = "sql2",
            Path = "/data/a=b\nc.dat",
            IsWindows = true,
            FileSystem = "xfs",
            PhysicalSectorSize = 4096,
            IsInMemory = true,
        };
        Assert.Equal(facts with { Path = "/data/a=b c.dat" }, ReplicaFacts.Parse(facts.ToBytes()));
        Assert.InRange((facts with { Path = new string('\u20AC', 9999), Device = new string('\u20AC', 9999) }).ToBytes().Length, 1, 4096);
    }

    [Theory]
    [InlineData("192.0.2.7:8434", "192.0.2.7", 8434)]
    [InlineData("sql2.example.org:1", "sql2.example.org", 1)]
    [InlineData("[2001:db8::7]:65535", "2001:db8::7", 65535)]
    public void Endpoint_is_parsed_and_printed(string text, string host, int port)
    {
        var endpoint = ReplicaEndpoint.Parse(text);
        Assert.Equal((host, port), (endpoint.Host, endpoint.Port));
        Assert.Equal(text, endpoint.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("sql2")]
    [InlineData(":8434")]
    [InlineData("sql2:")]
    [InlineData("sql2:0")]
    [InlineData("sql2:65536")]
    [InlineData("sql2:-1")]
    [InlineData("2001:db8::7:8434")]
    [InlineData("sql2:8434#secret")]
    [InlineData("http://sql2:8434")]
    public void Endpoint_without_host_or_port_is_refused(string text) =>
        Assert.Equal("IoBench.InvalidReplica", Assert.Throws<IoBenchException>(() => ReplicaEndpoint.Parse(text)).ErrorId);

    private static SecretChannel CreateChannel(Stream stream) => new(stream, s_key, s_key, TimeSpan.FromSeconds(30));

    private static byte[] Create(ulong sequence, byte[]? key = null, int payload = 16)
    {
        var frame = new byte[SecretChannel.GetFrameSize(payload)];
        SecretChannel.SealFrame(frame, ChannelFrameKind.Write, sequence, key ?? s_key);
        return frame;
    }

    private static bool IsSigned(byte[] frame) =>
        HMACSHA256.HashData(s_key, frame.AsSpan(0, frame.Length - 32)).AsSpan().SequenceEqual(frame.AsSpan(frame.Length - 32));

    private static string? FindError(params byte[][] frames)
    {
        using var channel = CreateChannel(new MemoryStream([.. frames.SelectMany(frame => frame)]));
        try
        {
            foreach (var _ in frames)
                channel.Receive();
            return null;
        }
        catch (IOException e)
        {
            return e.Message;
        }
    }

    private sealed class SecretChannelProbe(byte[] frame)
    {
        public int Receive(int maxPayload)
        {
            using var channel = CreateChannel(new MemoryStream(frame));
            channel.Receive(maxPayload);
            return channel.Payload.Length;
        }
    }
}
