using System.IO.Compression;

namespace IoBench.Engine.Tests;

public class WriteContentTests
{
    private const int Block = 8192;

    [Fact]
    public void Writes_contain_offset_and_sequence_and_stay_within_the_range()
    {
        using var file = new TemporaryTestFile(128 * Block);
        TemporaryTestFile.RunWithSeed(
            file.CreateSpecification(s =>
            {
                s.WritePercent = 100;
                s.AccessPattern = IoAccessPattern.Interlocked;
                s.Targets[0].BaseOffset = 16 * Block;
                s.Targets[0].MaxOffset = 112 * Block;
            }),
            seed: 42
        );
        var bytes = File.ReadAllBytes(file.Path);
        Assert.Equal(file.Original.AsSpan(0, 16 * Block), bytes.AsSpan(0, 16 * Block));
        Assert.Equal(file.Original.AsSpan(112 * Block), bytes.AsSpan(112 * Block));
        var sequences = new HashSet<(ulong, long)>();
        for (var at = 16 * Block; at < 112 * Block; at += 4096)
        {
            Assert.True(BlockHeader.Matches(bytes.AsSpan(at, 4096), 42, at, out var sequence), $"no stamp at {at}");
            Assert.True(sequences.Add((sequence, at)));
        }
    }

    [Fact]
    public void One_sequential_thread_writes_in_order()
    {
        using var file = new TemporaryTestFile(1L << 20);
        TemporaryTestFile.RunWithSeed(
            file.CreateSpecification(s =>
            {
                s.WritePercent = 100;
                s.ThreadCount = 1;
                s.AccessPattern = IoAccessPattern.Sequential;
                s.Backend = ThreadsBackend.Name;
                s.OutstandingIO = 1;
            }),
            seed: 42
        );
        var bytes = File.ReadAllBytes(file.Path);
        var sequences = Enumerable
            .Range(0, 128)
            .Select(i =>
            {
                Assert.True(BlockHeader.Matches(bytes.AsSpan(i * Block, Block), 42, i * Block, out var sequence));
                return (long)sequence;
            })
            .ToArray();
        // The newest write can be anywhere. From block to block, the number increases by one, or decreases by a pass minus one.
        for (var i = 1; i < sequences.Length; i++)
            Assert.Contains(sequences[i] - sequences[i - 1], new[] { 1L, 1 - 128 });
    }

    [Fact]
    public void Own_file_is_recognized_after_its_writes()
    {
        var path = Path.Combine(Directory.CreateTempSubdirectory("iobench-test-").FullName, "own.dat");
        try
        {
            var specification = new IoTestSpecification
            {
                Targets = [new IoTargetSpecification(path)],
                FileSize = 1 << 20,
                WritePercent = 50,
                Buffering = IoBuffering.Both,
                WarmUp = TimeSpan.Zero,
                Duration = TimeSpan.FromMilliseconds(100),
            };
            TestRun.Run(specification);
            Assert.True(TestFiles.IsOwnTestFile(path, out var reason), reason);
            Assert.Equal(IoResultStatus.Complete, TestRun.Run(specification).Status);
        }
        finally
        {
            Directory.Delete(Path.GetDirectoryName(path)!, recursive: true);
        }
    }

    [Fact]
    public void Random_content_neither_compresses_nor_repeats()
    {
        var bytes = GetWrittenBytes(s => s.AccessPattern = IoAccessPattern.Interlocked);
        Assert.True(GetCompressedLength(bytes) > bytes.Length * 0.99);
        Assert.Equal(bytes.Length / 4096, bytes.Chunk(4096).Select(Convert.ToBase64String).Distinct().Count());
    }

    [Fact]
    public void Compressible_content_compresses_to_the_requested_ratio()
    {
        var bytes = GetWrittenBytes(s => (s.AccessPattern, s.CompressiblePercent) = (IoAccessPattern.Interlocked, 60));
        Assert.InRange(GetCompressedLength(bytes) / (double)bytes.Length, 0.39, 0.43);
    }

    [Theory]
    [InlineData(30, 0)]
    [InlineData(100, 0)]
    [InlineData(50, 60)]
    public void Dedupable_content_repeats_as_requested_and_is_recognized(int dedupable, int compressible)
    {
        const int blocks = 4096;
        using var file = new TemporaryTestFile(blocks * 4096L);
        TemporaryTestFile.RunWithSeed(
            file.CreateSpecification(s =>
            {
                (s.WritePercent, s.AccessPattern, s.BlockSize) = (100, IoAccessPattern.Interlocked, 64 << 10);
                (s.DedupablePercent, s.CompressiblePercent) = (dedupable, compressible);
                (s.EndAfterPasses, s.Duration) = (2, TimeSpan.FromMinutes(5));
            }),
            seed: 42
        );
        var bytes = File.ReadAllBytes(file.Path);
        // The duplicates are copies of sixteen blocks. The range is five standard deviations.
        var distinct = bytes.Chunk(4096).Select(Convert.ToBase64String).Distinct().Count();
        var unique = blocks * (100 - dedupable) / 100.0;
        Assert.InRange(distinct, unique - 160, unique + 160 + 16);
        var mark = new OwnershipMarker
        {
            Id = "",
            State = OwnershipMarkerState.Open,
            Identity = "",
            Seed = 7,
            WriteSeeds = [42],
            Size = bytes.Length,
            FilledBytes = bytes.Length,
            HasCompressibleContent = compressible > 0,
        };
        var proof = new SectorVerifier(mark);
        for (var at = 0; at < bytes.Length; at += 4096)
            Assert.Equal(-1, proof.FindUnknownSector(bytes.AsSpan(at, 4096), at, zerosToo: false));
        if (compressible > 0)
            Assert.InRange(
                GetCompressedLength([.. bytes.Chunk(4096).Distinct(new ByteArrayComparer()).SelectMany(block => block)])
                    / (distinct * 4096.0),
                0.39,
                0.43
            );
    }

    [Fact]
    public void Two_files_share_no_duplicate_blocks()
    {
        var contents = new ulong[] { 42, 43 }
            .Select(seed =>
            {
                using var file = new TemporaryTestFile(1 << 20);
                TemporaryTestFile.RunWithSeed(
                    file.CreateSpecification(s =>
                        (s.WritePercent, s.AccessPattern, s.DedupablePercent, s.EndAfterPasses) = (100, IoAccessPattern.Interlocked, 100, 2)
                    ),
                    seed
                );
                return File.ReadAllBytes(file.Path).Chunk(4096).Select(Convert.ToBase64String).ToHashSet();
            })
            .ToList();
        Assert.Empty(contents[0].Intersect(contents[1]));
    }

    private sealed class ByteArrayComparer : IEqualityComparer<byte[]>
    {
        public bool Equals(byte[]? one, byte[]? other) => one.AsSpan().SequenceEqual(other);

        public int GetHashCode(byte[] bytes) => BitConverter.ToInt32(bytes, 0);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(50)]
    public void Zero_and_pattern_content_stays_unchanged_by_mixed_reads(int readPercent)
    {
        using var file = new TemporaryTestFile(64 * Block);
        TemporaryTestFile.Run(
            file.CreateSpecification(s => (s.WritePercent, s.WriteContent) = (100 - readPercent, IoWriteContentKind.Zero))
        );
        var blocks = File.ReadAllBytes(file.Path).Chunk(Block).ToArray();
        Assert.Contains(blocks, b => b.All(x => x == 0));
        for (var i = 0; i < blocks.Length; i++)
            Assert.True(blocks[i].All(x => x == 0) || blocks[i].AsSpan().SequenceEqual(file.Original.AsSpan(i * Block, Block)));

        TemporaryTestFile.Run(
            file.CreateSpecification(s => (s.WritePercent, s.WriteContent) = (100 - readPercent, IoWriteContentKind.Pattern))
        );
        Assert.Contains(File.ReadAllBytes(file.Path).Chunk(Block), b => b.Select((x, i) => x == (byte)i).All(same => same));
    }

    [Fact]
    public void Content_from_a_file_matches_that_file()
    {
        using var source = new TemporaryTestFile(64 * 1024, "source.bin");
        using var file = new TemporaryTestFile(32 * Block);
        TemporaryTestFile.Run(
            file.CreateSpecification(s =>
            {
                s.WritePercent = 100;
                s.AccessPattern = IoAccessPattern.Interlocked;
                (s.WriteContent, s.WriteContentFile) = (IoWriteContentKind.File, source.Path);
            })
        );
        var parts = source.Original.Chunk(Block).Select(Convert.ToBase64String).ToHashSet();
        Assert.All(File.ReadAllBytes(file.Path).Chunk(Block), b => Assert.Contains(Convert.ToBase64String(b), parts));
    }

    private static byte[] GetWrittenBytes(Action<IoTestSpecification> change)
    {
        using var file = new TemporaryTestFile(128 * Block);
        TemporaryTestFile.Run(
            file.CreateSpecification(s =>
            {
                s.WritePercent = 100;
                change(s);
            })
        );
        return File.ReadAllBytes(file.Path);
    }

    private static long GetCompressedLength(byte[] bytes)
    {
        using var memory = new MemoryStream();
        using (var brotli = new BrotliStream(memory, CompressionLevel.Optimal, leaveOpen: true))
            brotli.Write(bytes);
        return memory.Length;
    }
}
