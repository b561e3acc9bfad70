namespace IoBench.Engine.Tests;

public class SkewedBlockGeneratorTests
{
    private const int DrawCount = 2_000_000;

    [Theory]
    // Shares of the first 1, 10, 1000, and 100000 ranks of a million: sums of k^-theta.
    [InlineData(0.5, 1_000_000, 0.000500365, 0.002512333, 0.030923076, 0.315728838)]
    [InlineData(0.99, 1_000_000, 0.064969449, 0.192056677, 0.502145833, 0.830201585)]
    [InlineData(1.0, 1_000_000, 0.069479538, 0.203503360, 0.520087055, 0.840017765)]
    [InlineData(1.1, 1_000_000, 0.123876408, 0.332007996, 0.690341749, 0.919432051)]
    [InlineData(2.0, 1_000_000, 0.607927471, 0.942146378, 0.999392984, 0.999994529)]
    public void Zipf_weights_match_exact_sums(double theta, long count, params double[] shares)
    {
        var getWeight = SkewedBlockGenerator.CreateZipfWeights(theta);
        var all = getWeight(0, count);
        long[] ends = [1, 10, 1000, 100_000];
        for (var i = 0; i < ends.Length; i++)
            Assert.Equal(shares[i], getWeight(0, ends[i]) / all, 1e-8);
    }

    [Theory]
    [InlineData(0.5)]
    [InlineData(1.0)]
    [InlineData(1.1)]
    [InlineData(2.0)]
    public void Zipf_ranks_follow_the_distribution(double theta)
    {
        const int count = 40_000;
        AssertRankFrequencies(SkewedBlockGenerator.CreateZipfWeights(theta), count, rank => Math.Pow(rank + 1, -theta));
    }

    [Theory]
    [InlineData(0.1)]
    [InlineData(0.2)]
    [InlineData(0.4)]
    public void Pareto_ranks_follow_the_distribution(double h)
    {
        const int count = 40_000;
        var power = Math.Log(1 - h) / Math.Log(h);
        AssertRankFrequencies(
            SkewedBlockGenerator.CreateParetoWeights(h, count),
            count,
            rank => Math.Pow((rank + 1.0) / count, power) - Math.Pow((double)rank / count, power)
        );
        Assert.Equal(1 - h, SkewedBlockGenerator.CreateParetoWeights(h, count)(0, (long)(h * count)), 1e-9);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(1000)]
    [InlineData(65_536)]
    [InlineData(65_537)]
    public void Block_permutation_is_complete_and_separates_neighbors(int count)
    {
        var scatter = new BlockPermutation(count, key: 5);
        var blocks = Enumerable.Range(0, count).Select(rank => scatter.GetBlock(rank)).ToArray();
        Assert.Equal(Enumerable.Range(0, count).Select(i => (long)i), blocks.Order());
        if (count < 1000)
            return;
        // In a random permutation, 2 of n pairs are adjacent on average.
        Assert.InRange(blocks.Zip(blocks.Skip(1)).Count(pair => Math.Abs(pair.First - pair.Second) == 1), 0, 20);
        // The hundred hottest blocks are in all tenths of the file.
        Assert.Equal(10, blocks.Take(100).Select(block => block * 10 / count).Distinct().Count());
        Assert.NotEqual(blocks, Enumerable.Range(0, count).Select(rank => new BlockPermutation(count, key: 6).GetBlock(rank)));
    }

    [Fact]
    public void Generator_reaches_the_last_ranks_of_a_petabyte()
    {
        const long count = 1L << 37;
        var blocks = new SkewedBlockGenerator(SkewedBlockGenerator.CreateZipfWeights(0.5), count, key: 1);
        var random = new RandomSource(1, 0, 0);
        long below = 0,
            highest = 0;
        for (var i = 0; i < 100_000; i++)
        {
            var rank = blocks.NextRank(ref random);
            highest = Math.Max(highest, rank);
            below += rank < count / 4 ? 1 : 0;
            Assert.InRange(blocks.NextBlock(ref random), 0, count - 1);
        }
        // A quarter of the ranks gets the square root of 1/4, that is, half of the I/Os.
        Assert.InRange(below, 49_000, 51_000);
        Assert.InRange(highest, count / 100 * 99, count - 1);
    }

    [Fact]
    public void Hot_blocks_are_equal_for_all_threads_and_differ_by_run()
    {
        Assert.Equal(Hottest(seed: 1, thread: 0), Hottest(seed: 1, thread: 3));
        Assert.NotEqual(Hottest(seed: 1, thread: 0), Hottest(seed: 2, thread: 0));

        static long[] Hottest(ulong seed, int thread)
        {
            var pattern = new IoPattern { ZipfTheta = 1.5 };
            var offsets = new OffsetGenerator(
                pattern,
                new TargetRange(new IoTargetSpecification("x"), pattern, 1 << 30, "x"),
                thread,
                4,
                1,
                hotKey: seed
            );
            var random = new RandomSource(seed, thread, 0);
            var counts = new Dictionary<long, int>();
            for (var i = 0; i < 100_000; i++)
            {
                var offset = offsets.Next(ref random);
                Assert.Equal(0, offset % 8192);
                counts[offset] = counts.GetValueOrDefault(offset) + 1;
            }
            return [.. counts.OrderByDescending(pair => pair.Value).Take(3).Select(pair => pair.Key)];
        }
    }

    [Fact]
    public void Distribution_is_parsed_validated_and_exclusive()
    {
        Assert.Equal(1.1, IoDistribution.Parse("zipf:1.1").ZipfTheta);
        Assert.Equal(0.2, IoDistribution.Parse("Pareto:0.2").ParetoShare);
        Assert.Equal([new(90, 10), new(10, 90)], IoDistribution.Parse("zoned:90/10:10/90").Ranges);
        foreach (var wrong in new[] { "zipf", "zipf:x", "normal:10", "zoned:", "zoned:90", "zipf:1:2", "" })
            Assert.Equal("IoBench.InvalidDistribution", Assert.Throws<IoBenchException>(() => IoDistribution.Parse(wrong)).ErrorId);
        foreach (
            var (id, distribution) in new (string, IoDistribution)[]
            {
                ("IoBench.InvalidDistribution", new() { ZipfTheta = 0 }),
                ("IoBench.InvalidDistribution", new() { ZipfTheta = 11 }),
                ("IoBench.InvalidDistribution", new() { ParetoShare = 0.5 }),
            }
        )
        {
            var test = new IoTestSpecification { Targets = [new("x")] };
            test.SetDistribution(distribution);
            Assert.Equal(id, Assert.Throws<IoBenchException>(() => SpecificationValidator.Validate(test)).ErrorId);
        }
        // Set on a sequential pattern, the distribution applies to a later random pattern, and validation refuses it if none is set.
        var pattern = new IoTestSpecification
        {
            Targets = [new("x")],
            AccessPattern = IoAccessPattern.Sequential,
            ZipfTheta = 1.1,
        };
        Assert.Equal("IoBench.ConflictingOptions", Assert.Throws<IoBenchException>(() => SpecificationValidator.Validate(pattern)).ErrorId);
        pattern.AccessPattern = IoAccessPattern.PartRandom;
        Assert.Equal(1.1, pattern.GetDistribution().ZipfTheta);
        pattern.SetDistribution(new IoDistribution { Ranges = [new(90, 10)] });
        Assert.Null(pattern.ZipfTheta);
        pattern.ParetoShare = 0.2;
        Assert.Equal("IoBench.ConflictingOptions", Assert.Throws<IoBenchException>(() => SpecificationValidator.Validate(pattern)).ErrorId);
    }

    // Chi-square over the first hundred ranks and fifty groups of the others, with the expected frequency of each rank.
    private static void AssertRankFrequencies(Func<long, long, double> getWeight, int count, Func<int, double> weight)
    {
        var blocks = new SkewedBlockGenerator(getWeight, count, key: 3);
        var random = new RandomSource(7, 0, 0);
        const int single = 100,
            groups = 50;
        var seen = new long[single + groups];
        var expected = new double[single + groups];
        for (var i = 0; i < DrawCount; i++)
            seen[Cell((int)blocks.NextRank(ref random))]++;
        for (var rank = 0; rank < count; rank++)
            expected[Cell(rank)] += weight(rank);
        var scale = DrawCount / expected.Sum();
        var chi = seen.Zip(expected, (s, e) => (s - e * scale) * (s - e * scale) / (e * scale)).Sum();
        // 149 degrees of freedom: 0.1% of fair samples are above 205.
        Assert.InRange(chi, 90, 205);

        int Cell(int rank) =>
            rank < single ? rank : single + (int)(groups * Math.Log((rank + 1.0) / single) / Math.Log((count + 1.0) / single));
    }
}
