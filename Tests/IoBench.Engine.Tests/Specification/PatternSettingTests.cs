namespace IoBench.Engine.Tests;

public class PatternSettingTests
{
    [Fact]
    public void Default_pattern_is_unlimited_random_and_incompressible()
    {
        var pattern = new IoPattern();
        Assert.Equal((IoPace.Unlimited, IoOrder.Uniform, IoContent.Incompressible), (pattern.Pace, pattern.Order, pattern.Content));
        Assert.Equal(
            (IoAccessPattern.Random, IoWriteContentKind.Random, (double?)null),
            (pattern.AccessPattern, pattern.WriteContent, pattern.TargetIops)
        );
    }

    [Fact]
    public void Settings_can_be_set_in_any_order()
    {
        var one = new IoPattern
        {
            TargetIops = 500,
            Arrivals = IoArrivals.Poisson,
            AccessPattern = IoAccessPattern.PartRandom,
            RandomPercent = 30,
            Alignment = 4096,
        };
        var other = new IoPattern
        {
            Alignment = 4096,
            RandomPercent = 30,
            AccessPattern = IoAccessPattern.PartRandom,
            Arrivals = IoArrivals.Poisson,
            TargetIops = 500,
        };
        Assert.Equal(new IoPace.OpenLoop(500, IoArrivals.Poisson), one.Pace);
        Assert.Equal(new IoOrder.PartRandom(30, 4096), one.Order);
        Assert.Equal((one.Pace, one.Order), (other.Pace, other.Order));
    }

    public static TheoryData<IoPattern, object> Cases { get; } =
        new()
        {
            {
                new() { TargetIops = 12.5 },
                new IoPace.OpenLoop(12.5)
            },
            {
                new()
                {
                    TargetIops = 7,
                    Arrivals = IoArrivals.Poisson,
                    MaxIopsPerThread = 3,
                },
                new IoPace.OpenLoop(7, IoArrivals.Poisson)
            },
            {
                new() { MaxIopsPerThread = 3 },
                new IoPace.ClosedLoop(new IoRateLimit(Iops: 3))
            },
            {
                new() { MaxBytesPerSecondPerThread = 4 },
                new IoPace.ClosedLoop(new IoRateLimit(BytesPerSecond: 4))
            },
            {
                new() { BurstSize = 5, ThinkTimeMs = 6 },
                new IoPace.ClosedLoop(Burst: new IoBurst(5, 6))
            },
            {
                new() { BurstSize = 5 },
                IoPace.Unlimited
            },
            {
                new() { Alignment = 512, Stride = 1024 },
                new IoOrder.RandomBlocks(512)
            },
            {
                new() { Distribution = [new(90, 10)] },
                new IoOrder.RandomBlocks(null, new IoDistribution.PercentRanges([new(90, 10)]))
            },
            {
                new() { Distribution = [new(100, 4096)], DistributionIsAbsolute = true },
                new IoOrder.RandomBlocks(null, new IoDistribution.AbsoluteRanges([new(100, 4096)]))
            },
            {
                new()
                {
                    AccessPattern = IoAccessPattern.Sequential,
                    Stride = 1024,
                    ThreadStride = 0,
                    ParallelSameOffset = true,
                },
                new IoOrder.Sequential(1024, 0, true)
            },
            {
                new() { AccessPattern = IoAccessPattern.Interlocked, Stride = 8192 },
                new IoOrder.Interlocked(8192)
            },
            {
                new()
                {
                    AccessPattern = IoAccessPattern.PartRandom,
                    RandomPercent = 5,
                    Alignment = 1,
                    Stride = 2,
                    ThreadStride = 3,
                    ParetoShare = 0.2,
                },
                new IoOrder.PartRandom(5, 1, 2, 3, new IoDistribution.Pareto(0.2))
            },
            {
                new()
                {
                    AccessPattern = IoAccessPattern.Stride,
                    StripeColumns = 8,
                    StripeRows = 9,
                    StripeStays = true,
                },
                new IoOrder.Stripe(8, 9, true)
            },
            {
                new() { CompressiblePercent = 40, DedupablePercent = 20 },
                new IoContent.RandomBytes(40, 20)
            },
            {
                new() { WriteContent = IoWriteContentKind.Zero, CompressiblePercent = 40 },
                new IoContent.Zeros()
            },
            {
                new() { WriteContent = IoWriteContentKind.Pattern },
                new IoContent.ByteSequence()
            },
            {
                new()
                {
                    WriteContent = IoWriteContentKind.File,
                    WriteContentFile = "a.bin",
                    WriteContentSize = 4096,
                },
                new IoContent.FileBytes("a.bin", 4096)
            },
        };

    [Theory]
    [MemberData(nameof(Cases))]
    public void Settings_have_the_effect_of_their_case(IoPattern pattern, object expected)
    {
        object actual = expected switch
        {
            IoPace => pattern.Pace,
            IoOrder => pattern.Order,
            _ => pattern.Content,
        };
        Assert.Equal(expected, actual);
        Assert.Equal(expected.GetHashCode(), actual.GetHashCode());
    }

    /// <summary>A size that applies only to file content keeps its specified value and does not change the test.</summary>
    [Fact]
    public void Content_size_applies_to_file_content_only()
    {
        var pattern = new IoPattern { WriteContentSize = 65536 };
        Assert.Equal((65536L, IoContent.Incompressible), (pattern.WriteContentSize, pattern.Content));
        Assert.Equal(65536, pattern.ClonePattern().WriteContentSize);
        (pattern.WriteContent, pattern.WriteContentFile) = (IoWriteContentKind.File, "a.bin");
        Assert.Equal(new IoContent.FileBytes("a.bin", 65536), pattern.Content);
    }

    [Fact]
    public void Removed_settings_have_their_defaults_again()
    {
        var pattern = new IoPattern
        {
            MaxIopsPerThread = 100,
            BurstSize = 3,
            ThinkTimeMs = 4,
            AccessPattern = IoAccessPattern.Sequential,
            Stride = 16384,
            ZipfTheta = 1.1,
        };
        pattern.RemoveRateLimits();
        pattern.SetUniformAccess();
        Assert.Equal((IoPace.Unlimited, IoOrder.Uniform), (pattern.Pace, pattern.Order));
        Assert.True(pattern.HasSamePattern(new IoPattern()));
    }

    [Fact]
    public void Distribution_ranges_can_be_changed_in_place()
    {
        var pattern = new IoPattern { AccessPattern = IoAccessPattern.Random };
        pattern.Distribution.Add(new IoDistributionRange(80, 20));
        Assert.Equal(new IoDistribution.PercentRanges([new(80, 20)]), pattern.Order.Spread);
        var copy = pattern.ClonePattern();
        copy.Distribution.Clear();
        Assert.Equal((1, IoOrder.Uniform), (pattern.Distribution.Count, copy.Order));
        pattern.SetUniformAccess();
        Assert.Empty(pattern.Distribution);
    }

    [Fact]
    public void Copy_keeps_pending_settings_of_its_own()
    {
        var pattern = new IoPattern { Arrivals = IoArrivals.Poisson };
        var copy = pattern.ClonePattern();
        copy.TargetIops = 9;
        Assert.Equal(new IoPace.OpenLoop(9, IoArrivals.Poisson), copy.Pace);
        Assert.Equal((IoPace.Unlimited, (double?)null), (pattern.Pace, pattern.TargetIops));
    }
}
