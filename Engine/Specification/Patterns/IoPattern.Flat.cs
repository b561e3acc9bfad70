namespace IoBench.Engine;

/// <summary>
/// <see cref="Pace"/>, <see cref="Order"/> and <see cref="Content"/> as flat settings, as JSON, tables, <c>New-IoTestSpecification</c>, and
/// the texts of other
/// tools name them. Setting one changes the record. A setting that the record cannot hold is retained, and
/// <see cref="SpecificationValidator"/>
/// refuses a run whose settings contradict each other. The engine does not read these settings while it measures.
/// </summary>
public partial class IoPattern
{
    private PatternSettings Settings => _settings ??= new PatternSettings(Pace, Order, Content);

    /// <summary>Name of <see cref="Order"/>.</summary>
    public IoAccessPattern AccessPattern
    {
        get => Settings.AccessPattern;
        set => Say(ref Settings.AccessPattern, value, ref _order);
    }

    /// <summary>For <see cref="IoAccessPattern.PartRandom"/>: percentage of random I/Os, 1 to 100.</summary>
    public int RandomPercent
    {
        get => Settings.RandomPercent;
        set => Say(ref Settings.RandomPercent, value, ref _order);
    }

    /// <summary>Alignment of random offsets in bytes; null = the block size.</summary>
    public long? Alignment
    {
        get => Settings.Alignment;
        set => Say(ref Settings.Alignment, value, ref _order);
    }

    /// <summary>Distance in bytes from one sequential I/O to the next; null = the block size.</summary>
    public long? Stride
    {
        get => Settings.Stride;
        set => Say(ref Settings.Stride, value, ref _order);
    }

    /// <summary>
    /// For <see cref="IoAccessPattern.Sequential"/>: distance in bytes between the first offsets of a target's threads; null = range /
    /// threads.
    /// </summary>
    public long? ThreadStride
    {
        get => Settings.ThreadStride;
        set => Say(ref Settings.ThreadStride, value, ref _order);
    }

    /// <summary>For <see cref="IoAccessPattern.Stride"/>: blocks per row.</summary>
    public int StripeColumns
    {
        get => Settings.StripeColumns;
        set => Say(ref Settings.StripeColumns, value, ref _order);
    }

    /// <summary>For <see cref="IoAccessPattern.Stride"/>: rows, which are the I/Os per column.</summary>
    public int StripeRows
    {
        get => Settings.StripeRows;
        set => Say(ref Settings.StripeRows, value, ref _order);
    }

    /// <summary>For <see cref="IoAccessPattern.Stride"/>: whether the access stays on the first column.</summary>
    public bool StripeStays
    {
        get => Settings.StripeStays;
        set => Say(ref Settings.StripeStays, value, ref _order);
    }

    /// <summary>Parts of the range with their percentage of the random I/Os; empty = uniform.</summary>
    public IoDistributionRanges Distribution
    {
        get => _ranges ??= new IoDistributionRanges(Settings.Distribution) { Changed = TakeRanges };
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _ranges = new IoDistributionRanges(value) { Changed = TakeRanges };
            TakeRanges();
        }
    }

    /// <summary>True if the target parts of <see cref="Distribution"/> are bytes, false if they are percent of the range.</summary>
    public bool DistributionIsAbsolute
    {
        get => Settings.DistributionIsAbsolute;
        set => Say(ref Settings.DistributionIsAbsolute, value, ref _order);
    }

    /// <summary>Theta of a Zipf distribution of random I/Os; null = no Zipf distribution.</summary>
    public double? ZipfTheta
    {
        get => Settings.ZipfTheta;
        set => Say(ref Settings.ZipfTheta, value, ref _order);
    }

    /// <summary>Fraction of the blocks in a Pareto distribution, 0.2 for 80:20; null = no Pareto distribution.</summary>
    public double? ParetoShare
    {
        get => Settings.ParetoShare;
        set => Say(ref Settings.ParetoShare, value, ref _order);
    }

    /// <summary>Replaces the distribution of random I/Os.</summary>
    public void SetDistribution(IoDistribution distribution)
    {
        ArgumentNullException.ThrowIfNull(distribution);
        Settings.Take(distribution);
        _ranges = null;
        _order = null;
    }

    /// <summary>Name of <see cref="Content"/>.</summary>
    public IoWriteContentKind WriteContent
    {
        get => Settings.WriteContent;
        set => Say(ref Settings.WriteContent, value, ref _content);
    }

    /// <summary>For <see cref="IoWriteContentKind.File"/>: path of the file that the bytes come from.</summary>
    public string? WriteContentFile
    {
        get => Settings.WriteContentFile;
        set => Say(ref Settings.WriteContentFile, value, ref _content);
    }

    /// <summary>
    /// For <see cref="IoWriteContentKind.File"/>: number of bytes of the file to use; null = at least one block, at most 20 MB. Not used
    /// for other content.
    /// </summary>
    public long? WriteContentSize
    {
        get => Settings.WriteContentSize;
        set => Say(ref Settings.WriteContentSize, value, ref _content);
    }

    /// <summary>Percentage of each written 4 KB that compresses, 0 to 100.</summary>
    public int CompressiblePercent
    {
        get => Settings.CompressiblePercent;
        set => Say(ref Settings.CompressiblePercent, value, ref _content);
    }

    /// <summary>Percentage of the written 4 KB blocks that are copies of a few blocks, 0 to 100.</summary>
    public int DedupablePercent
    {
        get => Settings.DedupablePercent;
        set => Say(ref Settings.DedupablePercent, value, ref _content);
    }

    /// <summary>I/Os per burst, per thread and target; 0 = no bursts.</summary>
    public int BurstSize
    {
        get => Settings.BurstSize;
        set => Say(ref Settings.BurstSize, value, ref _pace);
    }

    /// <summary>Pause in milliseconds after each burst.</summary>
    public int ThinkTimeMs
    {
        get => Settings.ThinkTimeMs;
        set => Say(ref Settings.ThinkTimeMs, value, ref _pace);
    }

    /// <summary>Closed-loop limit in I/Os per second, per thread and target; null = none.</summary>
    public double? MaxIopsPerThread
    {
        get => Settings.MaxIopsPerThread;
        set => Say(ref Settings.MaxIopsPerThread, value, ref _pace);
    }

    /// <summary>Closed-loop limit in bytes per second, per thread and target; null = none.</summary>
    public double? MaxBytesPerSecondPerThread
    {
        get => Settings.MaxBytesPerSecondPerThread;
        set => Say(ref Settings.MaxBytesPerSecondPerThread, value, ref _pace);
    }

    /// <summary>Open loop: I/Os per second of a target, over all of its threads; null = closed loop.</summary>
    public double? TargetIops
    {
        get => Settings.TargetIops;
        set => Say(ref Settings.TargetIops, value, ref _pace);
    }

    /// <summary>Open loop: schedule of the I/Os.</summary>
    public IoArrivals Arrivals
    {
        get => Settings.Arrivals;
        set => Say(ref Settings.Arrivals, value, ref _pace);
    }

    /// <summary>Whether the outstanding I/Os of a thread all start at the same offset.</summary>
    public bool ParallelSameOffset
    {
        get => Settings.ParallelSameOffset;
        set => Say(ref Settings.ParallelSameOffset, value, ref _order);
    }

    private void TakeRanges()
    {
        Settings.Distribution = [.. _ranges!];
        _order = null;
    }

    private static void Say<T, TCase>(ref T setting, T value, ref TCase? madeOfIt)
        where TCase : class
    {
        if (EqualityComparer<T>.Default.Equals(setting, value))
            return;
        setting = value;
        madeOfIt = null;
    }
}
