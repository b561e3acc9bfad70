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
        set => SetSetting(ref Settings.AccessPattern, value, ref _order);
    }

    /// <summary>For <see cref="IoAccessPattern.PartRandom"/>: percentage of random I/Os, 1 to 100.</summary>
    public int RandomPercent
    {
        get => Settings.RandomPercent;
        set => SetSetting(ref Settings.RandomPercent, value, ref _order);
    }

    /// <summary>Alignment of random offsets in bytes; null = the block size.</summary>
    public long? Alignment
    {
        get => Settings.Alignment;
        set => SetSetting(ref Settings.Alignment, value, ref _order);
    }

    /// <summary>Distance in bytes from one sequential I/O to the next; null = the block size.</summary>
    public long? Stride
    {
        get => Settings.Stride;
        set => SetSetting(ref Settings.Stride, value, ref _order);
    }

    /// <summary>
    /// For <see cref="IoAccessPattern.Sequential"/>: distance in bytes between the first offsets of a target's threads; null = range /
    /// threads.
    /// </summary>
    public long? ThreadStride
    {
        get => Settings.ThreadStride;
        set => SetSetting(ref Settings.ThreadStride, value, ref _order);
    }

    /// <summary>For <see cref="IoAccessPattern.Stride"/>: blocks per row.</summary>
    public int StripeColumns
    {
        get => Settings.StripeColumns;
        set => SetSetting(ref Settings.StripeColumns, value, ref _order);
    }

    /// <summary>For <see cref="IoAccessPattern.Stride"/>: rows, which are the I/Os per column.</summary>
    public int StripeRows
    {
        get => Settings.StripeRows;
        set => SetSetting(ref Settings.StripeRows, value, ref _order);
    }

    /// <summary>For <see cref="IoAccessPattern.Stride"/>: whether the access stays on the first column.</summary>
    public bool StripeStays
    {
        get => Settings.StripeStays;
        set => SetSetting(ref Settings.StripeStays, value, ref _order);
    }

    /// <summary>Parts of the range with their percentage of the random I/Os; empty = uniform.</summary>
    public IoDistributionRanges Distribution
    {
        get => _ranges ??= new IoDistributionRanges(Settings.Distribution) { ChangeHandler = ApplyRanges };
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _ranges = new IoDistributionRanges(value) { ChangeHandler = ApplyRanges };
            ApplyRanges();
        }
    }

    /// <summary>True if the target parts of <see cref="Distribution"/> are bytes, false if they are percent of the range.</summary>
    public bool DistributionIsAbsolute
    {
        get => Settings.DistributionIsAbsolute;
        set => SetSetting(ref Settings.DistributionIsAbsolute, value, ref _order);
    }

    /// <summary>Theta of a Zipf distribution of random I/Os; null = no Zipf distribution.</summary>
    public double? ZipfTheta
    {
        get => Settings.ZipfTheta;
        set => SetSetting(ref Settings.ZipfTheta, value, ref _order);
    }

    /// <summary>Fraction of the blocks in a Pareto distribution, 0.2 for 80:20; null = no Pareto distribution.</summary>
    public double? ParetoShare
    {
        get => Settings.ParetoShare;
        set => SetSetting(ref Settings.ParetoShare, value, ref _order);
    }

    /// <summary>Replaces the distribution of random I/Os.</summary>
    public void SetDistribution(IoDistribution distribution)
    {
        ArgumentNullException.ThrowIfNull(distribution);
        Settings.Apply(distribution);
        _ranges = null;
        _order = null;
    }

    /// <summary>Name of <see cref="Content"/>.</summary>
    public IoWriteContentKind WriteContent
    {
        get => Settings.WriteContent;
        set => SetSetting(ref Settings.WriteContent, value, ref _content);
    }

    /// <summary>For <see cref="IoWriteContentKind.File"/>: path of the file that the bytes come from.</summary>
    public string? WriteContentFile
    {
        get => Settings.WriteContentFile;
        set => SetSetting(ref Settings.WriteContentFile, value, ref _content);
    }

    /// <summary>
    /// For <see cref="IoWriteContentKind.File"/>: number of bytes of the file to use; null = at least one block, at most 20 MB. Not used
    /// for other content.
    /// </summary>
    public long? WriteContentSize
    {
        get => Settings.WriteContentSize;
        set => SetSetting(ref Settings.WriteContentSize, value, ref _content);
    }

    /// <summary>Percentage of each written 4 KB that compresses, 0 to 100.</summary>
    public int CompressiblePercent
    {
        get => Settings.CompressiblePercent;
        set => SetSetting(ref Settings.CompressiblePercent, value, ref _content);
    }

    /// <summary>Percentage of the written 4 KB blocks that are copies of a few blocks, 0 to 100.</summary>
    public int DedupablePercent
    {
        get => Settings.DedupablePercent;
        set => SetSetting(ref Settings.DedupablePercent, value, ref _content);
    }

    /// <summary>I/Os per burst, per thread and target; 0 = no bursts.</summary>
    public int BurstSize
    {
        get => Settings.BurstSize;
        set => SetSetting(ref Settings.BurstSize, value, ref _pace);
    }

    /// <summary>Pause in milliseconds after each burst.</summary>
    public int ThinkTimeMs
    {
        get => Settings.ThinkTimeMs;
        set => SetSetting(ref Settings.ThinkTimeMs, value, ref _pace);
    }

    /// <summary>Closed-loop limit in I/Os per second, per thread and target; null = none.</summary>
    public double? MaxIopsPerThread
    {
        get => Settings.MaxIopsPerThread;
        set => SetSetting(ref Settings.MaxIopsPerThread, value, ref _pace);
    }

    /// <summary>Closed-loop limit in bytes per second, per thread and target; null = none.</summary>
    public double? MaxBytesPerSecondPerThread
    {
        get => Settings.MaxBytesPerSecondPerThread;
        set => SetSetting(ref Settings.MaxBytesPerSecondPerThread, value, ref _pace);
    }

    /// <summary>Open loop: I/Os per second of a target, over all of its threads; null = closed loop.</summary>
    public double? TargetIops
    {
        get => Settings.TargetIops;
        set => SetSetting(ref Settings.TargetIops, value, ref _pace);
    }

    /// <summary>Open loop: schedule of the I/Os.</summary>
    public IoArrivals Arrivals
    {
        get => Settings.Arrivals;
        set => SetSetting(ref Settings.Arrivals, value, ref _pace);
    }

    /// <summary>Whether the outstanding I/Os of a thread all start at the same offset.</summary>
    public bool ParallelSameOffset
    {
        get => Settings.ParallelSameOffset;
        set => SetSetting(ref Settings.ParallelSameOffset, value, ref _order);
    }

    private void ApplyRanges()
    {
        Settings.Distribution = [.. _ranges!];
        _order = null;
    }

    private static void SetSetting<T, TCase>(ref T setting, T value, ref TCase? madeOfIt)
        where TCase : class
    {
        if (EqualityComparer<T>.Default.Equals(setting, value))
            return;
        setting = value;
        madeOfIt = null;
    }
}
