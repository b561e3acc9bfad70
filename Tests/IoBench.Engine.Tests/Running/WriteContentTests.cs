using System.IO.Compression;

namespace IoBench.Engine.Tests;

public class WriteContentTests
{
    private const int Block = 8192;

    [Fact]
    public void Writes_carry_offset_and_sequence_and_nothing_beyond_the_range_changes()
    {
        using var file = new TestFile(128 * Block);
        TestFile.RunWithSeed(file.Specification(s =>
        {
            s.WritePercent = 100;
            s.AccessPattern = IoAccessPattern.Interlocked;
            s.Targets[0].BaseOffset = 16 * Block;
            s.Targets[0].MaxOffset = 112 * Block;
        }), seed: 42);
        var bytes = File.ReadAllBytes(file.Path);
        Assert.Equal(file.Original.AsSpan(0, 16 * Block), bytes.AsSpan(0, 16 * Block));
        Assert.Equal(file.Original.AsSpan(112 * Block), bytes.AsSpan(112 * Block));
        var sequences = new HashSet<(ulong, long)>();
        for (var at = 16 * Block; at < 112 * Block; at += 4096)
        {
            Assert.True(BlockStamp.IsOurs(bytes.AsSpan(at, 4096), 42, at, out var sequence), $"no stamp at {at}");
            Assert.True(sequences.Add((sequence, at)));
        }
    }

    [Fact]
    public void One_sequential_thread_writes_in_order()
    {
        using var file = new TestFile(1L << 20);
        TestFile.RunWithSeed(file.Specification(s =>
        {
            s.WritePercent = 100;
            s.ThreadCount = 1;
            s.AccessPattern = IoAccessPattern.Sequential;
            s.Backend = IoBackendKind.Threads;
            s.OutstandingIO = 1;
        }), seed: 42);
        var bytes = File.ReadAllBytes(file.Path);
        var sequences = Enumerable.Range(0, 128).Select(i =>
        {
            Assert.True(BlockStamp.IsOurs(bytes.AsSpan(i * Block, Block), 42, i * Block, out var sequence));
            return (long)sequence;
        }).ToArray();
        // The newest write may be anywhere; from block to block the number grows by one, or falls by a round less one.
        for (var i = 1; i < sequences.Length; i++)
            Assert.Contains(sequences[i] - sequences[i - 1], new[] { 1L, 1 - 128 });
    }

    [Fact]
    public void A_file_of_ours_is_known_again_after_its_writes()
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
            Assert.True(TestFiles.IsOurs(path, out var reason), reason);
            Assert.Equal(IoResultStatus.Complete, TestRun.Run(specification).Status);
        }
        finally
        {
            Directory.Delete(Path.GetDirectoryName(path)!, recursive: true);
        }
    }

    [Fact]
    public void Random_content_does_not_compress_nor_repeat()
    {
        var bytes = Written(s => s.AccessPattern = IoAccessPattern.Interlocked);
        Assert.True(Compressed(bytes) > bytes.Length * 0.99);
        Assert.Equal(bytes.Length / 4096, bytes.Chunk(4096).Select(Convert.ToBase64String).Distinct().Count());
    }

    [Fact]
    public void Compressible_content_compresses_as_asked()
    {
        var bytes = Written(s => (s.AccessPattern, s.CompressiblePercent) = (IoAccessPattern.Interlocked, 60));
        Assert.InRange(Compressed(bytes) / (double)bytes.Length, 0.39, 0.43);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(50)]
    public void Zero_and_pattern_stay_what_they_are_even_among_reads(int readPercent)
    {
        using var file = new TestFile(64 * Block);
        TestFile.Run(file.Specification(s => (s.WritePercent, s.WriteContent) = (100 - readPercent, IoWriteContentKind.Zero)));
        var blocks = File.ReadAllBytes(file.Path).Chunk(Block).ToArray();
        Assert.Contains(blocks, b => b.All(x => x == 0));
        for (var i = 0; i < blocks.Length; i++)
            Assert.True(blocks[i].All(x => x == 0) || blocks[i].AsSpan().SequenceEqual(file.Original.AsSpan(i * Block, Block)));

        TestFile.Run(file.Specification(s => (s.WritePercent, s.WriteContent) = (100 - readPercent, IoWriteContentKind.Pattern)));
        Assert.Contains(File.ReadAllBytes(file.Path).Chunk(Block), b => b.Select((x, i) => x == (byte)i).All(same => same));
    }

    [Fact]
    public void Content_from_a_file_is_that_files()
    {
        using var source = new TestFile(64 * 1024, "source.bin");
        using var file = new TestFile(32 * Block);
        TestFile.Run(file.Specification(s =>
        {
            s.WritePercent = 100;
            s.AccessPattern = IoAccessPattern.Interlocked;
            (s.WriteContent, s.WriteContentFile) = (IoWriteContentKind.File, source.Path);
        }));
        var parts = source.Original.Chunk(Block).Select(Convert.ToBase64String).ToHashSet();
        Assert.All(File.ReadAllBytes(file.Path).Chunk(Block), b => Assert.Contains(Convert.ToBase64String(b), parts));
    }

    private static byte[] Written(Action<IoTestSpecification> change)
    {
        using var file = new TestFile(128 * Block);
        TestFile.Run(file.Specification(s =>
        {
            s.WritePercent = 100;
            change(s);
        }));
        return File.ReadAllBytes(file.Path);
    }

    private static long Compressed(byte[] bytes)
    {
        using var memory = new MemoryStream();
        using (var brotli = new BrotliStream(memory, CompressionLevel.Optimal, leaveOpen: true))
            brotli.Write(bytes);
        return memory.Length;
    }
}
