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
    public void Order_of_setting_properties_does_not_matter()
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

    public static TheoryData<IoPace> Paces { get; } =
    [
        IoPace.Unlimited,
        new IoPace.OpenLoop(12.5),
        new IoPace.OpenLoop(7, IoArrivals.Poisson),
        new IoPace.ClosedLoop(new IoRateLimit(Iops: 3)),
        new IoPace.ClosedLoop(new IoRateLimit(BytesPerSecond: 4)),
        new IoPace.ClosedLoop(new IoRateLimit(3, 4), new IoBurst(5, 6)),
        new IoPace.ClosedLoop(Burst: new IoBurst(5, 6)),
    ];

    [Theory]
    [MemberData(nameof(Paces))]
    public void Pace_round_trips_through_flat_settings(IoPace pace)
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
        new IoOrder.RandomBlocks(512),
        new IoOrder.RandomBlocks(null, new IoDistribution.PercentRanges([new(90, 10), new(10, 90)])),
        new IoOrder.RandomBlocks(null, new IoDistribution.AbsoluteRanges([new(100, 4096)])),
        new IoOrder.Sequential(),
        new IoOrder.Sequential(1024, 0, true),
        new IoOrder.Interlocked(),
        new IoOrder.Interlocked(8192),
        new IoOrder.PartRandom(5, 1, 2, 3, new IoDistribution.PercentRanges([new(1, 2)])),
        new IoOrder.Stripe(),
        new IoOrder.Stripe(8, 9, true),
    ];

    [Theory]
    [MemberData(nameof(Orders))]
    public void Order_round_trips_through_flat_settings(IoOrder order)
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
        new IoContent.RandomBytes(40),
        new IoContent.RandomBytes(40, 20),
        new IoContent.Zeros(),
        new IoContent.ByteSequence(),
        new IoContent.FileBytes("a.bin", 4096),
    ];

    [Theory]
    [MemberData(nameof(Contents))]
    public void Content_round_trips_through_flat_settings(IoContent content)
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
    public void Content_size_applies_to_file_content_only()
    {
        var pattern = new IoPattern { WriteContentSize = 65536 };
        Assert.Equal((65536L, IoContent.Incompressible), (pattern.WriteContentSize, pattern.Content));
        Assert.Equal(65536, pattern.ClonePattern().WriteContentSize);
        (pattern.WriteContent, pattern.WriteContentFile) = (IoWriteContentKind.File, "a.bin");
        Assert.Equal(new IoContent.FileBytes("a.bin", 65536), pattern.Content);
    }

    [Fact]
    public void New_pace_and_order_replace_earlier_settings()
    {
        var pattern = new IoPattern
        {
            MaxIopsPerThread = 100,
            BurstSize = 3,
            ThinkTimeMs = 4,
            AccessPattern = IoAccessPattern.Stride,
            StripeColumns = 8,
        };
        pattern.Pace = new IoPace.OpenLoop(50);
        pattern.Order = IoOrder.Uniform;
        Assert.Equal((null, 0, 0, 50.0), (pattern.MaxIopsPerThread, pattern.BurstSize, pattern.ThinkTimeMs, pattern.TargetIops));
        Assert.Equal((IoAccessPattern.Random, 64), (pattern.AccessPattern, pattern.StripeColumns));
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
        pattern.Order = IoOrder.Uniform;
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
