namespace IoBench.Engine;

/// <summary>
/// Pace, order, and content as flat settings, with the names that JSON, tables, cmdlets, and other tools use. They can be set in any order,
/// and some have no effect together with others.
/// </summary>
internal sealed record PatternSettings
{
    public IoAccessPattern AccessPattern;
    public int RandomPercent = 100;
    public long? Alignment;
    public long? Stride;
    public long? ThreadStride;
    public bool ParallelSameOffset;
    public int StripeColumns = 64;
    public int StripeRows = 64;
    public bool StripeStays;
    public IReadOnlyList<IoDistributionRange> Distribution = [];
    public bool DistributionIsAbsolute;
    public double? ZipfTheta;
    public double? ParetoShare;
    public IoWriteContentKind WriteContent;
    public string? WriteContentFile;
    public long? WriteContentSize;
    public int CompressiblePercent;
    public int DedupablePercent;
    public int BurstSize;
    public int ThinkTimeMs;
    public double? MaxIopsPerThread;
    public double? MaxBytesPerSecondPerThread;
    public double? TargetIops;
    public IoArrivals Arrivals;

    public PatternSettings(IoPace pace, IoOrder order, IoContent content)
    {
        Apply(pace);
        Apply(order);
        Apply(content);
    }

    /// <summary>A target rate takes precedence over limits and bursts.</summary>
    public IoPace ToPace()
    {
        if (TargetIops is { } rate)
            return new IoPace.OpenLoop(rate, Arrivals);
        var limit =
            MaxIopsPerThread is null && MaxBytesPerSecondPerThread is null
                ? null
                : new IoRateLimit(MaxIopsPerThread, MaxBytesPerSecondPerThread);
        var burst = BurstSize > 0 && ThinkTimeMs > 0 ? new IoBurst(BurstSize, ThinkTimeMs) : null;
        return limit is null && burst is null ? IoPace.Unlimited : new IoPace.ClosedLoop(limit, burst);
    }

    public IoOrder ToOrder() =>
        AccessPattern switch
        {
            IoAccessPattern.Sequential => new IoOrder.Sequential(Stride, ThreadStride, ParallelSameOffset),
            IoAccessPattern.Interlocked => new IoOrder.Interlocked(Stride),
            IoAccessPattern.PartRandom => new IoOrder.PartRandom(RandomPercent, Alignment, Stride, ThreadStride, ToDistribution()),
            IoAccessPattern.Stride => new IoOrder.Stripe(StripeColumns, StripeRows, StripeStays),
            _ => Alignment is null && ToDistribution() is null ? IoOrder.Uniform : new IoOrder.RandomBlocks(Alignment, ToDistribution()),
        };

    public IoContent ToContent() =>
        WriteContent switch
        {
            IoWriteContentKind.Zero => new IoContent.Zeros(),
            IoWriteContentKind.Pattern => new IoContent.ByteSequence(),
            IoWriteContentKind.File => new IoContent.FileBytes(WriteContentFile ?? "", WriteContentSize),
            _ => CompressiblePercent == 0 && DedupablePercent == 0
                ? IoContent.Incompressible
                : new IoContent.RandomBytes(CompressiblePercent, DedupablePercent),
        };

    public void Apply(IoPace pace)
    {
        var closed = pace as IoPace.ClosedLoop;
        (TargetIops, Arrivals) = pace is IoPace.OpenLoop open ? ((double?)open.Iops, open.Arrivals) : (null, IoArrivals.Even);
        MaxIopsPerThread = closed?.Limit?.Iops;
        MaxBytesPerSecondPerThread = closed?.Limit?.BytesPerSecond;
        BurstSize = closed?.Burst?.Size ?? 0;
        ThinkTimeMs = closed?.Burst?.ThinkTimeMs ?? 0;
    }

    public void Apply(IoOrder order)
    {
        AccessPattern = order.Kind;
        (RandomPercent, Alignment, Stride, ThreadStride, ParallelSameOffset) = order switch
        {
            IoOrder.RandomBlocks o => (100, o.Alignment, null, null, false),
            IoOrder.Sequential o => (100, null, o.Stride, o.ThreadStride, o.SameOffset),
            IoOrder.Interlocked o => (100, null, o.Stride, null, false),
            IoOrder.PartRandom o => (o.Percent, o.Alignment, o.Stride, o.ThreadStride, false),
            _ => (100, (long?)null, (long?)null, (long?)null, false),
        };
        (StripeColumns, StripeRows, StripeStays) = order is IoOrder.Stripe stripe
            ? (stripe.Columns, stripe.Rows, stripe.Stays)
            : (64, 64, false);
        Apply(order.Spread);
    }

    public void Apply(IoDistribution distribution)
    {
        Distribution = distribution.Ranges;
        DistributionIsAbsolute = distribution is IoDistribution.AbsoluteRanges;
        ZipfTheta = (distribution as IoDistribution.Zipf)?.Theta;
        ParetoShare = (distribution as IoDistribution.Pareto)?.Share;
    }

    public void Apply(IoContent content)
    {
        WriteContent = content.Kind;
        DedupablePercent = (content as IoContent.RandomBytes)?.DedupablePercent ?? 0;
        CompressiblePercent = (content as IoContent.RandomBytes)?.CompressiblePercent ?? 0;
        WriteContentFile = (content as IoContent.FileBytes)?.Path;
        WriteContentSize = (content as IoContent.FileBytes)?.Size;
    }

    /// <summary>The record's own equality would compare the lists of parts by reference.</summary>
    public bool IsSame(PatternSettings other) =>
        this == (other with { Distribution = Distribution }) && Distribution.SequenceEqual(other.Distribution);

    private IoDistribution? ToDistribution()
    {
        if (ZipfTheta is { } theta)
            return new IoDistribution.Zipf(theta);
        if (ParetoShare is { } share)
            return new IoDistribution.Pareto(share);
        if (Distribution.Count == 0)
            return null;
        return DistributionIsAbsolute ? new IoDistribution.AbsoluteRanges(Distribution) : new IoDistribution.PercentRanges(Distribution);
    }
}
