using System.IO.Compression;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace IoBench.Engine.Tests;

/// <summary>
/// Large writes do not get new content before each write. The written data must be unique, incompressible, and recognizable.
/// </summary>
public class LargeWriteTests
{
    private const ulong Seed = 42;

    public static TheoryData<int, int, IoAccessPattern> Writes =>
        new()
        {
            { (64 << 10) + 512, 1, IoAccessPattern.Sequential },
            { 128 << 10, 1, IoAccessPattern.Sequential },
            { 128 << 10, 8, IoAccessPattern.Random },
            { 1 << 20, 1, IoAccessPattern.Random },
            { 1 << 20, 8, IoAccessPattern.Interlocked },
            { 6 << 20, 2, IoAccessPattern.Sequential },
        };

    [Theory]
    [MemberData(nameof(Writes))]
    public void Every_sector_is_recognized_and_unique(int block, int outstanding, IoAccessPattern order)
    {
        var proof = new SectorVerifier(OwnershipMarker.CreateForNewFile("imagined", 1 << 30).WithWriteSeed(Seed));
        var seen = new HashSet<UInt128>();
        foreach (var (offset, bytes) in CaptureWrites(block, outstanding, order, 40 << 20))
        {
            for (var at = 0; at < bytes.Length; at += 512)
                Assert.True(
                    seen.Add(MemoryMarshal.Read<UInt128>(SHA256.HashData(bytes.AsSpan(at, 512)))),
                    $"the sector at {offset + at} was written before"
                );
            // The verifier checks blocks that start at a multiple of 4 KB.
            for (var at = (int)((4096 - offset % 4096) % 4096); at + 4096 <= bytes.Length; at += 4096)
                Assert.Equal(-1, proof.FindUnknownSector(bytes.AsSpan(at, 4096), offset + at, zerosToo: false));
        }
    }

    [Theory]
    [MemberData(nameof(Writes))]
    public void Sector_with_a_flipped_bit_is_not_recognized(int block, int outstanding, IoAccessPattern order)
    {
        var proof = new SectorVerifier(OwnershipMarker.CreateForNewFile("imagined", 1 << 30).WithWriteSeed(Seed));
        var random = new Random(1);
        foreach (var (offset, bytes) in CaptureWrites(block, outstanding, order, 8 << 20))
        {
            var at = (int)((4096 - offset % 4096) % 4096);
            var bit = random.Next(4096 * 8);
            bytes[at + bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.Equal(offset + at + bit / 8 / 512 * 512, proof.FindUnknownSector(bytes.AsSpan(at, 4096), offset + at, zerosToo: false));
        }
    }

    [Theory]
    [MemberData(nameof(Writes))]
    public void Adjacent_blocks_do_not_compress_together(int block, int outstanding, IoAccessPattern order)
    {
        var file = new SortedDictionary<long, byte[]>();
        foreach (var (offset, bytes) in CaptureWrites(block, outstanding, order, 40 << 20))
            file[offset] = bytes;
        // Sequential writes are compressed as one stream because adjacent blocks were written one after the other. Random writes are
        // compressed in units at least as large as those of storage.
        var unit = order == IoAccessPattern.Random ? Math.Max(block, 2 << 20) : int.MaxValue;
        foreach (var part in file.GroupBy(write => write.Key / unit))
        {
            using var compressed = new MemoryStream();
            // The window of the compressor is almost 4 MB.
            using (var brotli = new BrotliStream(compressed, CompressionLevel.Optimal, leaveOpen: true))
                foreach (var (_, bytes) in part)
                    brotli.Write(bytes);
            var length = part.Sum(write => (long)write.Value.Length);
            Assert.True(compressed.Length > length * 0.999, $"{compressed.Length} of {length} bytes");
        }
    }

    [Fact]
    public void Content_is_fully_replaced_after_32_rounds_of_the_buffers()
    {
        const int block = 1 << 20;
        var writes = CaptureWrites(block, 4, IoAccessPattern.Sequential, (32L * 16 + 1) * block, number => number % (32 * 16) == 0);
        var first = MemoryMarshal.Cast<byte, ulong>(writes[0].Bytes);
        var later = MemoryMarshal.Cast<byte, ulong>(writes[1].Bytes);
        var same = 0;
        for (var i = 0; i < first.Length; i++)
            same += i % 64 >= BlockHeader.Size / 8 && first[i] == later[i] ? 1 : 0;
        Assert.Equal(0, same);
    }

    [Fact]
    public void Small_and_compressible_blocks_are_not_large_writes()
    {
        static IoPattern Pattern(long block, int compressible = 0) =>
            new()
            {
                BlockSize = block,
                WritePercent = 100,
                CompressiblePercent = compressible,
            };
        Assert.False(WriteContent.IsLarge(Pattern(64 << 10)));
        Assert.True(WriteContent.IsLarge(Pattern((64 << 10) + 512)));
        Assert.False(WriteContent.IsLarge(Pattern(100_000)));
        Assert.False(WriteContent.IsLarge(Pattern(1 << 20, 50)));
    }

    private static List<(long Offset, byte[] Bytes)> CaptureWrites(
        int block,
        int outstanding,
        IoAccessPattern order,
        long bytes,
        Predicate<int>? keeps = null
    )
    {
        var device = new CapturingBackend(bytes, keeps ?? (_ => true));
        using var file = new TemporaryTestFile(64L << 20);
        TemporaryTestFile.RunWithSeed(
            new IoTestSpecification
            {
                Targets = [new IoTargetSpecification(file.Path)],
                Backend = NullBackend.Name,
                BlockSize = block,
                WritePercent = 100,
                AccessPattern = order,
                ThreadCount = 1,
                OutstandingIO = outstanding,
                WarmUp = TimeSpan.Zero,
                Duration = TimeSpan.FromMilliseconds(10 + bytes / block),
            },
            Seed,
            () => device,
            device.VirtualClock
        );
        Assert.True(device.RemainingBytes <= 0);
        return device.Writes;
    }

    private sealed unsafe class CapturingBackend(long most, Predicate<int> keeps) : IoBackend
    {
        private readonly Queue<int> _held = [];
        private readonly VirtualClock _clock = new();
        private IoSlot* _slots;
        private int _number;

        public long RemainingBytes { get; private set; } = most;
        public List<(long Offset, byte[] Bytes)> Writes { get; } = [];

        public override BackendDescriptor Kind => NullBackend.Descriptor;
        public override VirtualClock? VirtualClock => _clock;

        public override void Open(BackendSetup setup) => _slots = setup.Slots;

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
        {
            for (var i = 0; i < count; i++)
                _held.Enqueue(ready[i]);
            _clock.Now += 1_000_000;
            if (!_held.TryDequeue(out var slot))
                return 0;
            if (RemainingBytes > 0 && keeps(_number++))
                Writes.Add((_slots[slot].Offset, new Span<byte>(_slots[slot].Buffer, _slots[slot].Length).ToArray()));
            RemainingBytes -= _slots[slot].Length;
            completions[0] = new IoCompletion { Slot = slot, Result = _slots[slot].Length };
            return 1;
        }

        public override void Close() { }
    }
}
