using System.Text.Json.Serialization;

namespace IoBench.Engine;

/// <summary>
/// The pattern of I/Os on a target. A test has one pattern, and a target can have its own (concurrent workloads, a parameter file). Pace,
/// order, and content are records, one per kind, so that settings that cannot run together cannot be combined. Defaults: 8 KB random reads,
/// 4 threads x 8 outstanding I/Os, unbuffered and write-through.
/// </summary>
public partial class IoPattern
{
    // Created on first use: most patterns have none of these lists, and the engine never uses the flat settings.
    private List<int>? _processors;
    private List<IoObservedFile>? _observedFiles;
    private PatternSettings? _settings;
    private IoDistributionRanges? _ranges;

    // Null after one of the flat settings changed; then created again from the settings on the next use.
    private IoPace? _pace = IoPace.Unlimited;
    private IoOrder? _order = IoOrder.Uniform;
    private IoContent? _content = IoContent.Incompressible;

    public long BlockSize { get; set; } = 8192;

    /// <summary>Mix of several block sizes; null = every I/O has <see cref="BlockSize"/>.</summary>
    public IoBlockMix? BlockMix { get; set; }

    /// <summary>Threads per target (in a shared pool: threads of the whole run), 1 to 1,024.</summary>
    public int ThreadCount { get; set; } = 4;

    /// <summary>Outstanding I/Os per thread and target, 1 to 4,096. With separate depths for reads and writes, their sum.</summary>
    public int OutstandingIO { get; set; } = 8;

    /// <summary>Separate outstanding reads and writes; null = <see cref="OutstandingIO"/> for both together.</summary>
    public IoDepths? Depths { get; set; }

    /// <summary>Write percentage, 0 to 100.</summary>
    public int WritePercent { get; set; }

    [JsonIgnore]
    public IoOrder Order
    {
        get => _order ??= Settings.ToOrder();
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _order = value;
            _ranges = null;
            _settings?.Apply(value);
        }
    }

    public IoBuffering Buffering { get; set; } = IoBuffering.None;

    [JsonIgnore]
    public IoContent Content
    {
        get => _content ??= Settings.ToContent();
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _content = value;
            _settings?.Apply(value);
        }
    }

    [JsonIgnore]
    public IoPace Pace
    {
        get => _pace ??= Settings.ToPace();
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _pace = value;
            _settings?.Apply(value);
        }
    }

    /// <summary>Average latency that a server observed at this load, for comparison; null = not known. Does not affect the run.</summary>
    public double? ObservedLatencyMs { get; set; }

    /// <summary>Files of the captured workload, the busiest first; empty = not known. Does not affect the run.</summary>
    public List<IoObservedFile> ObservedFiles
    {
        get => _observedFiles ??= [];
        set => _observedFiles = value;
    }

    /// <summary>Number of writes of a thread after which it flushes (fdatasync, FlushFileBuffers); 0 = never.</summary>
    public int FlushEvery { get; set; }

    /// <summary>CPUs that the threads are bound to, in turn; empty = as <see cref="AffinityMode"/> specifies.</summary>
    public List<int> Processors
    {
        get => _processors ??= [];
        set => _processors = value;
    }

    /// <summary>How threads are bound to CPUs.</summary>
    public IoAffinityMode AffinityMode { get; set; } = IoAffinityMode.Off;

    /// <summary>Priority of the I/O; on Linux, only some schedulers support it.</summary>
    public IoPriority Priority { get; set; } = IoPriority.Normal;

    /// <summary>Whether buffers use large pages; without available large pages, the run is refused.</summary>
    public bool LargePages { get; set; }

    /// <summary>Whether files are opened with the sequential-scan hint.</summary>
    public bool SequentialScanHint { get; set; }

    /// <summary>Whether files are opened with the random-access hint.</summary>
    public bool RandomAccessHint { get; set; }

    /// <summary>Whether files are opened with the temporary-file attribute.</summary>
    public bool TemporaryHint { get; set; }

    /// <summary>Weight of a target in a shared pool with a request count.</summary>
    public int Weight { get; set; } = 1;

    /// <summary>Read, Write, or Mixed, depending on <see cref="WritePercent"/>.</summary>
    public IoOperation Operation =>
        WritePercent switch
        {
            0 => IoOperation.Read,
            100 => IoOperation.Write,
            _ => IoOperation.Mixed,
        };

    public double GetMeanBlockSize() => BlockMix?.GetMeanSize(WritePercent) ?? BlockSize;

    public void SetBlockMix(IoBlockMix mix)
    {
        ArgumentNullException.ThrowIfNull(mix);
        BlockMix = mix;
        BlockSize = mix.GetLargestSize();
    }

    /// <summary><see cref="OutstandingIO"/> becomes the sum, and <see cref="WritePercent"/> an estimate of the result.</summary>
    public void SetDepths(IoDepths depths)
    {
        ArgumentNullException.ThrowIfNull(depths);
        Depths = depths;
        OutstandingIO = depths.Reads + depths.Writes;
        WritePercent = Math.Clamp((int)Math.Round(100.0 * depths.Writes / Math.Max(1, OutstandingIO)), 1, 99);
    }

    public IoPattern ClonePattern()
    {
        var copy = (IoPattern)MemberwiseClone();
        copy._settings = _settings is null ? null : _settings with { };
        copy._observedFiles = _observedFiles?.ConvertAll(file => file with { });
        copy._ranges = null;
        copy._processors = _processors?.ToList();
        return copy;
    }

    /// <summary>Listed by hand, because parsers of other tools copy patterns often; a test checks that no setting is missing.</summary>
    private (
        long,
        IoBlockMix?,
        int,
        int,
        IoDepths?,
        int,
        IoBuffering,
        double?,
        int,
        IoAffinityMode,
        IoPriority,
        bool,
        int,
        bool,
        bool,
        bool
    ) SimpleSettings
    {
        get =>
            (
                BlockSize,
                BlockMix,
                ThreadCount,
                OutstandingIO,
                Depths,
                WritePercent,
                Buffering,
                ObservedLatencyMs,
                FlushEvery,
                AffinityMode,
                Priority,
                LargePages,
                Weight,
                SequentialScanHint,
                RandomAccessHint,
                TemporaryHint
            );
        set =>
            (
                BlockSize,
                BlockMix,
                ThreadCount,
                OutstandingIO,
                Depths,
                WritePercent,
                Buffering,
                ObservedLatencyMs,
                FlushEvery,
                AffinityMode,
                Priority,
                LargePages,
                Weight,
                SequentialScanHint,
                RandomAccessHint,
                TemporaryHint
            ) = value;
    }

    public void CopyPatternTo(IoPattern other)
    {
        ArgumentNullException.ThrowIfNull(other);
        var copy = ClonePattern();
        other._processors = copy._processors;
        other._observedFiles = copy._observedFiles;
        other._settings = copy._settings;
        other._ranges = null;
        other._pace = _pace;
        other._order = _order;
        other._content = _content;
        other.SimpleSettings = SimpleSettings;
    }

    public IoPattern ExtractPattern()
    {
        var pattern = new IoPattern();
        CopyPatternTo(pattern);
        return pattern;
    }

    /// <summary>Returns whether two patterns or tests have the same pattern settings.</summary>
    public bool HasSamePattern(IoPattern other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return SimpleSettings == other.SimpleSettings
            && Settings.IsSame(other.Settings)
            && Processors.SequenceEqual(other.Processors)
            && ObservedFiles.SequenceEqual(other.ObservedFiles);
    }

    private PatternSettings Settings => _settings ??= new PatternSettings(Pace, Order, Content);

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

    /// <summary>Bytes between the first offsets of a target's threads in sequential access; null = range / threads.</summary>
    public long? ThreadStride
    {
        get => Settings.ThreadStride;
        set => SetSetting(ref Settings.ThreadStride, value, ref _order);
    }

    /// <summary>Blocks per row.</summary>
    public int StripeColumns
    {
        get => Settings.StripeColumns;
        set => SetSetting(ref Settings.StripeColumns, value, ref _order);
    }

    /// <summary>Rows, which are the I/Os per column.</summary>
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

    public void SetDistribution(IoDistribution distribution)
    {
        ArgumentNullException.ThrowIfNull(distribution);
        Settings.Apply(distribution);
        _ranges = null;
        _order = null;
    }

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

    /// <summary>Number of bytes of the file to use; null = at least one block, at most 20 MB. Not used for other content.</summary>
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
