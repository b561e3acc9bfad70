using System.Text.Json.Serialization;

namespace IoBench.Engine;

/// <summary>
/// The pattern of I/Os on a target. Sizes are in bytes; counts are per thread or per target as each property says.
/// A test has one pattern, and a target can have its own (concurrent workloads, a parameter file, a profile).
/// Pace, order, and content are records, one per kind, so that settings that cannot run together cannot be combined.
/// Defaults: 8 KB random reads, 4 threads x 8 outstanding I/Os, unbuffered and write-through.
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

    /// <summary>Bytes per I/O, from the target's sector size to 64 MB. For a mix of block sizes, the largest.</summary>
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

    /// <summary>Order in which blocks are accessed.</summary>
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

    /// <summary>Caches that an I/O may use.</summary>
    public IoBuffering Buffering { get; set; } = IoBuffering.None;

    /// <summary>Content of writes.</summary>
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

    /// <summary>Decides when a thread starts its next I/O.</summary>
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

    /// <summary>
    /// Average latency in milliseconds that a server observed at this load, for comparison with the measured latency; null = not known.
    /// Does not affect the run.
    /// </summary>
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

    /// <summary>
    /// Whether buffers use large pages. On Windows, the account needs the right to lock pages in memory; on Linux, huge pages must be
    /// reserved
    /// (<c>vm.nr_hugepages</c>). If there are none, the run is refused.
    /// </summary>
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

    /// <summary>Gets the mean size of an I/O in bytes.</summary>
    public double GetMeanBlockSize() => BlockMix?.GetMeanSize(WritePercent) ?? BlockSize;

    /// <summary>Sets a mix of block sizes; <see cref="BlockSize"/> becomes its largest size.</summary>
    public void SetBlockMix(IoBlockMix mix)
    {
        ArgumentNullException.ThrowIfNull(mix);
        (BlockMix, BlockSize) = (mix, mix.GetLargestSize());
    }

    /// <summary>
    /// Sets separate outstanding reads and writes. <see cref="OutstandingIO"/> becomes their sum, and <see cref="WritePercent"/> an
    /// estimate of the result.
    /// </summary>
    public void SetDepths(IoDepths depths)
    {
        ArgumentNullException.ThrowIfNull(depths);
        (Depths, OutstandingIO) = (depths, depths.Reads + depths.Writes);
        WritePercent = Math.Clamp((int)Math.Round(100.0 * depths.Writes / Math.Max(1, OutstandingIO)), 1, 99);
    }

    /// <summary>Creates a deep copy.</summary>
    public IoPattern ClonePattern()
    {
        var copy = (IoPattern)MemberwiseClone();
        copy._settings = _settings is null ? null : _settings with { };
        copy._observedFiles = _observedFiles?.ConvertAll(file => file with { });
        copy._ranges = null;
        copy._processors = _processors?.ToList();
        return copy;
    }
}
