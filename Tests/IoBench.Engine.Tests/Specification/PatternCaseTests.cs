namespace IoBench.Engine.Tests;

public class PatternCaseTests
{
    [Fact]
    public void A_pattern_that_says_nothing_reads_uniformly_as_fast_as_it_goes()
    {
        var pattern = new IoPattern();
        Assert.Equal((IoPace.Unlimited, IoOrder.Uniform, IoContent.Incompressible), (pattern.Pace, pattern.Order, pattern.Content));
        Assert.Equal(
            (IoAccessPattern.Random, IoWriteContentKind.Random, (double?)null),
            (pattern.AccessPattern, pattern.WriteContent, pattern.TargetIops)
        );
    }

    [Fact]
    public void Settings_mean_the_same_in_any_order()
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
        Assert.Equal(new IoPace.Open(500, IoArrivals.Poisson), one.Pace);
        Assert.Equal(new IoOrder.PartRandom(30, 4096), one.Order);
        Assert.Equal((one.Pace, one.Order), (other.Pace, other.Order));
    }

    public static TheoryData<IoPace> Paces { get; } =
    [
        IoPace.Unlimited,
        new IoPace.Open(12.5),
        new IoPace.Open(7, IoArrivals.Poisson),
        new IoPace.Closed(new IoRateLimit(Iops: 3)),
        new IoPace.Closed(new IoRateLimit(BytesPerSecond: 4)),
        new IoPace.Closed(new IoRateLimit(3, 4), new IoBurst(5, 6)),
        new IoPace.Closed(Burst: new IoBurst(5, 6)),
    ];

    [Theory]
    [MemberData(nameof(Paces))]
    public void A_pace_comes_back_from_its_settings(IoPace pace)
    {
        var from = new IoPattern { Pace = pace };
        var to = new IoPattern
        {
            TargetIops = from.TargetIops,
            Arrivals = from.Arrivals,
            MaxIopsPerThread = from.MaxIopsPerThread,
            MaxBytesPerSecondPerThread = from.MaxBytesPerSecondPerThread,
            BurstSize = from.BurstSize,
            ThinkTimeMs = from.ThinkTimeMs,
        };
        Assert.Equal(pace, to.Pace);
    }

    public static TheoryData<IoOrder> Orders { get; } =
    [
        new IoOrder.Random(512),
        new IoOrder.Random(null, new IoDistribution.Percent([new(90, 10), new(10, 90)])),
        new IoOrder.Random(null, new IoDistribution.Absolute([new(100, 4096)])),
        new IoOrder.Sequential(),
        new IoOrder.Sequential(1024, 0, true),
        new IoOrder.Interlocked(),
        new IoOrder.Interlocked(8192),
        new IoOrder.PartRandom(5, 1, 2, 3, new IoDistribution.Percent([new(1, 2)])),
        new IoOrder.Stripe(),
        new IoOrder.Stripe(8, 9, true),
    ];

    [Theory]
    [MemberData(nameof(Orders))]
    public void An_order_comes_back_from_its_settings(IoOrder order)
    {
        var from = new IoPattern { Order = order };
        var to = new IoPattern
        {
            AccessPattern = from.AccessPattern,
            RandomPercent = from.RandomPercent,
            Alignment = from.Alignment,
            Stride = from.Stride,
            ThreadStride = from.ThreadStride,
            ParallelSameOffset = from.ParallelSameOffset,
            StripeColumns = from.StripeColumns,
            StripeRows = from.StripeRows,
            StripeStays = from.StripeStays,
            Distribution = from.Distribution,
            DistributionIsAbsolute = from.DistributionIsAbsolute,
        };
        Assert.Equal(order, to.Order);
        Assert.Equal(order.GetHashCode(), to.Order.GetHashCode());
    }

    public static TheoryData<IoContent> Contents { get; } =
    [
        IoContent.Incompressible,
        new IoContent.Random(40),
        new IoContent.Random(40, 20),
        new IoContent.Zero(),
        new IoContent.ByteSequence(),
        new IoContent.FromFile("a.bin", 4096),
    ];

    [Theory]
    [MemberData(nameof(Contents))]
    public void A_content_comes_back_from_its_settings(IoContent content)
    {
        var from = new IoPattern { Content = content };
        var to = new IoPattern
        {
            WriteContent = from.WriteContent,
            WriteContentFile = from.WriteContentFile,
            WriteContentSize = from.WriteContentSize,
            CompressiblePercent = from.CompressiblePercent,
            DedupablePercent = from.DedupablePercent,
        };
        Assert.Equal(content, to.Content);
    }

    /// <summary>A size that applies only to file content keeps its specified value and does not change the test.</summary>
    [Fact]
    public void The_size_of_a_content_is_of_a_file()
    {
        var pattern = new IoPattern { WriteContentSize = 65536 };
        Assert.Equal((65536L, IoContent.Incompressible), (pattern.WriteContentSize, pattern.Content));
        Assert.Equal(65536, pattern.ClonePattern().WriteContentSize);
        (pattern.WriteContent, pattern.WriteContentFile) = (IoWriteContentKind.File, "a.bin");
        Assert.Equal(new IoContent.FromFile("a.bin", 65536), pattern.Content);
    }

    [Fact]
    public void A_case_takes_the_place_of_what_was_set_before()
    {
        var pattern = new IoPattern
        {
            MaxIopsPerThread = 100,
            BurstSize = 3,
            ThinkTimeMs = 4,
            AccessPattern = IoAccessPattern.Stride,
            StripeColumns = 8,
        };
        pattern.Pace = new IoPace.Open(50);
        pattern.Order = IoOrder.Uniform;
        Assert.Equal((null, 0, 0, 50.0), (pattern.MaxIopsPerThread, pattern.BurstSize, pattern.ThinkTimeMs, pattern.TargetIops));
        Assert.Equal((IoAccessPattern.Random, 64), (pattern.AccessPattern, pattern.StripeColumns));
    }

    [Fact]
    public void Parts_of_a_distribution_can_be_changed_in_place()
    {
        var pattern = new IoPattern { AccessPattern = IoAccessPattern.Random };
        pattern.Distribution.Add(new IoDistributionRange(80, 20));
        Assert.Equal(new IoDistribution.Percent([new(80, 20)]), pattern.Order.Spread);
        var copy = pattern.ClonePattern();
        copy.Distribution.Clear();
        Assert.Equal((1, IoOrder.Uniform), (pattern.Distribution.Count, copy.Order));
        pattern.Order = IoOrder.Uniform;
        Assert.Empty(pattern.Distribution);
    }

    [Fact]
    public void A_copy_keeps_its_own_settings()
    {
        var pattern = new IoPattern { Arrivals = IoArrivals.Poisson };
        var copy = pattern.ClonePattern();
        copy.TargetIops = 9;
        Assert.Equal(new IoPace.Open(9, IoArrivals.Poisson), copy.Pace);
        Assert.Equal((IoPace.Unlimited, (double?)null), (pattern.Pace, pattern.TargetIops));
    }
}
