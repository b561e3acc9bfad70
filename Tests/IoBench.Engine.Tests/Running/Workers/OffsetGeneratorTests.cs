namespace IoBench.Engine.Tests;

public class OffsetGeneratorTests
{
    private const int Block = 8192;

    [Fact]
    public void Random_offsets_are_uniform()
    {
        const int blocks = 1000,
            draws = 1_000_000;
        var counts = new int[blocks];
        foreach (var offset in GenerateOffsets(new IoPattern(), blocks * (long)Block, draws))
        {
            Assert.Equal(0, offset % Block);
            counts[offset / Block]++;
        }
        // Chi-square with 999 degrees of freedom: 0.1% of fair samples are above 1143.9.
        var expected = draws / (double)blocks;
        Assert.InRange(counts.Sum(c => (c - expected) * (c - expected) / expected), 850, 1143.9);
    }

    [Fact]
    public void Offsets_depend_on_the_seed_and_the_thread()
    {
        var first = GenerateOffsets(new IoPattern(), 1L << 30, 1000, seed: 7).ToArray();
        Assert.Equal(first, GenerateOffsets(new IoPattern(), 1L << 30, 1000, seed: 7));
        Assert.NotEqual(first, GenerateOffsets(new IoPattern(), 1L << 30, 1000, seed: 8));
        Assert.NotEqual(first, GenerateOffsets(new IoPattern(), 1L << 30, 1000, seed: 7, thread: 1));
    }

    [Fact]
    public void Fine_alignment_reaches_every_offset_within_the_file()
    {
        var offsets = GenerateOffsets(new IoPattern { Alignment = 512 }, 4 * Block, 20_000).ToHashSet();
        Assert.Equal(Enumerable.Range(0, (3 * Block / 512) + 1).Select(i => i * 512L).ToHashSet(), offsets);
    }

    [Fact]
    public void Base_and_maximum_offset_limit_every_pattern()
    {
        var target = new IoTargetSpecification("x") { BaseOffset = 3 * Block, MaxOffset = 7 * Block + 100 };
        foreach (var pattern in Enum.GetValues<IoAccessPattern>())
        {
            var p = new IoPattern
            {
                AccessPattern = pattern,
                RandomPercent = 30,
                StripeColumns = 2,
                StripeRows = 2,
            };
            var offsets = GenerateOffsets(p, 100 * Block, 500, target: target).ToHashSet();
            Assert.Equal(new HashSet<long> { 3 * Block, 4 * Block, 5 * Block, 6 * Block }, offsets);
        }
    }

    [Fact]
    public void Sequential_threads_start_apart_and_wrap_within_their_range()
    {
        var p = new IoPattern { AccessPattern = IoAccessPattern.Sequential };
        Assert.Equal([0, 1, 2, 3, 0, 1], ToBlocks(GenerateOffsets(p, 8 * Block, 6, thread: 0, threads: 2)));
        Assert.Equal([4, 5, 6, 7, 4, 5], ToBlocks(GenerateOffsets(p, 8 * Block, 6, thread: 1, threads: 2)));
        Assert.Equal([4, 5, 6, 7, 8, 4], ToBlocks(GenerateOffsets(p, 9 * Block + 512, 6, thread: 1, threads: 2)));
        // More threads than blocks.
        Assert.All(
            Enumerable.Range(0, 5),
            t => Assert.InRange(ToBlocks(GenerateOffsets(p, 2 * Block, 4, thread: t, threads: 5)).Max(), 0, 1)
        );
    }

    [Fact]
    public void Seed_determines_where_sequences_start()
    {
        long[] From(IoAccessPattern order, ulong seed, int thread)
        {
            var p = new IoPattern { AccessPattern = order };
            var generator = new OffsetGenerator(
                p,
                new TargetRange(new IoTargetSpecification("x"), p, 1000 * Block, "x"),
                thread,
                2,
                1,
                new RandomSource(seed, 0, 0)
            );
            var random = new RandomSource(1, 0, 0);
            return [.. Enumerable.Range(0, 500).Select(_ => generator.Next(ref random) / Block)];
        }
        foreach (var order in new[] { IoAccessPattern.Sequential, IoAccessPattern.Interlocked })
        {
            var starts = Enumerable.Range(0, 50).Select(seed => From(order, (ulong)seed, 0)[0]).ToList();
            Assert.True(starts.Distinct().Count() > 30);
            Assert.Equal(From(order, 7, 0), From(order, 7, 0));
        }
        // Each half is written completely, whichever block is first.
        Assert.Equal(Enumerable.Range(500, 500).Select(i => (long)i), From(IoAccessPattern.Sequential, 3, 1).Order());
    }

    [Fact]
    public void Stride_and_thread_stride_are_applied()
    {
        var p = new IoPattern
        {
            AccessPattern = IoAccessPattern.Sequential,
            Stride = 3 * Block,
            ThreadStride = Block,
        };
        Assert.Equal([0, 3, 6, 0], ToBlocks(GenerateOffsets(p, 8 * Block, 4, thread: 0, threads: 2)));
        Assert.Equal([1, 4, 7, 0], ToBlocks(GenerateOffsets(p, 8 * Block, 4, thread: 1, threads: 2)));
        p.ThreadStride = 3 * Block;
        Assert.Equal(
            [0, 3, 6, 0, 3],
            Enumerable.Range(0, 5).SelectMany(t => ToBlocks(GenerateOffsets(p, 8 * Block + 512, 1, thread: t, threads: 5)))
        );
        Assert.All(
            Enumerable.Range(0, 5).SelectMany(t => GenerateOffsets(p, 8 * Block + 512, 1, thread: t, threads: 5)),
            offset => Assert.Equal(0, offset % Block)
        );
        p.ThreadStride = 0;
        Assert.Equal([0, 3], ToBlocks(GenerateOffsets(p, 8 * Block, 2, thread: 1, threads: 2)));
    }

    [Fact]
    public void Interlocked_threads_share_one_sequence()
    {
        var p = new IoPattern { AccessPattern = IoAccessPattern.Interlocked };
        var range = new TargetRange(new IoTargetSpecification("x"), p, 8 * Block, "x");
        var one = new OffsetGenerator(p, range, 0, 2, 1);
        var two = new OffsetGenerator(p, range, 1, 2, 1);
        var random = new RandomSource(0, 0, 0);
        var offsets = new List<long>();
        for (var i = 0; i < 8; i++)
            offsets.Add((i % 3 == 0 ? two : one).Next(ref random));
        Assert.Equal([0, 1, 2, 3, 4, 5, 6, 7], ToBlocks(offsets));
        Assert.Equal(0, two.Next(ref random));
    }

    [Fact]
    public void SQLIO_stripe_follows_columns_that_threads_share()
    {
        var p = new IoPattern
        {
            AccessPattern = IoAccessPattern.Stride,
            StripeColumns = 4,
            StripeRows = 3,
        };
        Assert.Equal([0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, 0], ToBlocks(GenerateOffsets(p, 100 * Block, 13)));
        Assert.Equal([2, 6, 10, 3], ToBlocks(GenerateOffsets(p, 100 * Block, 4, thread: 1, threads: 2)));
        p.StripeStays = true;
        Assert.Equal([0, 4, 8, 0, 4, 8], ToBlocks(GenerateOffsets(p, 100 * Block, 6)));
        Assert.Equal("IoBench.TargetTooSmall", Assert.Throws<IoBenchException>(() => GenerateOffsets(p, 11 * Block, 1).ToArray()).ErrorId);
    }

    [Fact]
    public void Part_random_jumps_at_the_requested_percentage()
    {
        var p = new IoPattern { AccessPattern = IoAccessPattern.PartRandom, RandomPercent = 25 };
        var offsets = GenerateOffsets(p, 100_000L * Block, 100_000).ToArray();
        var jumps = offsets.Zip(offsets.Skip(1)).Count(pair => pair.Second != pair.First + Block);
        Assert.InRange(jumps / 100_000.0, 0.24, 0.26);
    }

    [Fact]
    public void Parallel_IO_repeats_each_offset_per_outstanding_IO()
    {
        var p = new IoPattern { AccessPattern = IoAccessPattern.Sequential, ParallelSameOffset = true };
        Assert.Equal([0, 0, 0, 1, 1, 1, 2], ToBlocks(GenerateOffsets(p, 8 * Block, 7, outstanding: 3)));
    }

    [Fact]
    public void Percent_distribution_gives_each_range_its_share()
    {
        // 90% to the first tenth, nothing to the next tenth, and the rest to the remaining blocks.
        var p = new IoPattern { Distribution = [new(90, 10), new(0, 10)] };
        var blocks = ToBlocks(GenerateOffsets(p, 1000L * Block, 100_000)).ToArray();
        Assert.InRange(blocks.Count(b => b < 100) / 100_000.0, 0.895, 0.905);
        Assert.Equal(0, blocks.Count(b => b is >= 100 and < 200));
        Assert.Equal(800, blocks.Where(b => b >= 200).Distinct().Count());
    }

    [Fact]
    public void Absolute_distribution_gives_each_range_its_share()
    {
        var p = new IoPattern { Distribution = [new(40, 10 * Block), new(60, 5 * Block)], DistributionIsAbsolute = true };
        var blocks = ToBlocks(GenerateOffsets(p, 1000L * Block, 50_000)).ToArray();
        Assert.InRange(blocks.Count(b => b < 10) / 50_000.0, 0.39, 0.41);
        Assert.Equal(14, blocks.Max());
        p.Distribution = [new(50, 1)];
        Assert.Single(
            ToBlocks(GenerateOffsets(new IoPattern { Distribution = [new(100, 1)], DistributionIsAbsolute = true }, 1000L * Block, 50))
                .Distinct()
        );
    }

    [Fact]
    public void Ranges_beyond_the_end_are_truncated_and_scaled_as_in_DiskSpd()
    {
        // 10% to 10 blocks, 10% to the next 10, and 80% beyond a file of 15 blocks: the first two ranges share evenly, and the second is
        // truncated to 5 blocks.
        var p = new IoPattern
        {
            Distribution = [new(10, 10 * Block), new(10, 10 * Block), new(80, 100 * Block)],
            DistributionIsAbsolute = true,
        };
        var blocks = ToBlocks(GenerateOffsets(p, 15 * Block, 50_000)).ToArray();
        Assert.InRange(blocks.Count(b => b < 10) / 50_000.0, 0.49, 0.51);
        Assert.Equal(14, blocks.Max());
        // No share remains for the blocks outside of all ranges.
        p.Distribution = [new(30, 10 * Block), new(0, 2 * Block), new(20, 100 * Block)];
        blocks = [.. ToBlocks(GenerateOffsets(p, 20 * Block, 50_000))];
        Assert.InRange(blocks.Count(b => b < 10) / 50_000.0, 0.59, 0.61);
        Assert.Equal(0, blocks.Count(b => b is 10 or 11));
        Assert.Equal(19, blocks.Max());
        // A distribution that leaves no possible offset is refused.
        p.Distribution = [new(0, 100 * Block), new(100, Block)];
        Assert.Equal(
            "IoBench.InvalidDistribution",
            Assert.Throws<IoBenchException>(() => GenerateOffsets(p, 20 * Block, 1).ToArray()).ErrorId
        );
    }

    [Fact]
    public void Range_smaller_than_one_block_is_refused() =>
        Assert.Equal(
            "IoBench.TargetTooSmall",
            Assert.Throws<IoBenchException>(() => GenerateOffsets(new IoPattern(), Block - 1, 1).ToArray()).ErrorId
        );

    private static IEnumerable<long> GenerateOffsets(
        IoPattern pattern,
        long size,
        int count,
        ulong seed = 0,
        int thread = 0,
        int threads = 1,
        int outstanding = 1,
        IoTargetSpecification? target = null
    )
    {
        var range = new TargetRange(target ?? new IoTargetSpecification("x"), pattern, size, "x");
        var generator = new OffsetGenerator(pattern, range, thread, threads, outstanding);
        var random = new RandomSource(seed, thread, 0);
        var result = new List<long>();
        for (var i = 0; i < count; i++)
            result.Add(generator.Next(ref random));
        return result;
    }

    private static IEnumerable<long> ToBlocks(IEnumerable<long> offsets) => offsets.Select(o => o / Block);
}
