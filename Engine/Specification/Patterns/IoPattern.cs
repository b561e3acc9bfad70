using System.Text.Json.Serialization;

namespace IoBench.Engine.Specification.Patterns;

/// <summary>
/// What is done to a target: sizes in bytes, counts per thread or per target as each property says.
/// A test has one; a target may have its own (several workloads at once, a parameter file, a profile).
/// Pace, order and content are closed sets of cases: what cannot be run together cannot be held together.
/// Defaults are those of a test: 8 KB random reads, 4 threads x 8 outstanding, unbuffered and write-through.
/// </summary>
public partial class IoPattern
{
    // Made when they are asked for: most patterns have none, and the engine never asks for settings.
    private List<int>? _processors;
    private List<IoObservedFile>? _observedFiles;
    private PatternSettings? _settings;
    private IoDistributionRanges? _ranges;

    // Null after a setting of theirs was changed: then they are made of the settings, once they are asked for.
    private IoPace? _pace = IoPace.Unlimited;
    private IoOrder? _order = IoOrder.Uniform;
    private IoContent? _content = IoContent.Incompressible;

    /// <summary>Bytes per I/O; the target's sector size to 64 MB. Of a mix, the largest.</summary>
    public long BlockSize { get; set; } = 8192;

    /// <summary>Several block sizes at once; null = every I/O has <see cref="BlockSize"/>.</summary>
    public IoBlockMix? BlockMix { get; set; }

    /// <summary>Threads per target (in a shared pool: threads of the whole run), 1 to 1,024.</summary>
    public int ThreadCount { get; set; } = 4;

    /// <summary>Outstanding I/Os per thread and target, 1 to 4,096. Of reads and writes apart, their sum.</summary>
    public int OutstandingIO { get; set; } = 8;

    /// <summary>Reads and writes with outstanding I/Os of their own; null = <see cref="OutstandingIO"/> of either.</summary>
    public IoDepths? Depths { get; set; }

    /// <summary>Share of writes in percent, 0 to 100.</summary>
    public int WritePercent { get; set; }

    /// <summary>The order of blocks.</summary>
    [JsonIgnore]
    public IoOrder Order
    {
        get => _order ??= Settings.ToOrder();
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _order = value;
            _ranges = null;
            _settings?.Take(value);
        }
    }

    /// <summary>Which caches may be used.</summary>
    public IoBuffering Buffering { get; set; } = IoBuffering.None;

    /// <summary>What writes consist of.</summary>
    [JsonIgnore]
    public IoContent Content
    {
        get => _content ??= Settings.ToContent();
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _content = value;
            _settings?.Take(value);
        }
    }

    /// <summary>What decides when a thread starts its next I/O.</summary>
    [JsonIgnore]
    public IoPace Pace
    {
        get => _pace ??= Settings.ToPace();
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _pace = value;
            _settings?.Take(value);
        }
    }

    /// <summary>Average latency in milliseconds that a server saw at this load, to compare the measured one with; null = not known. Changes nothing of the run.</summary>
    public double? ObservedLatencyMs { get; set; }

    /// <summary>The files that this load was made of at a server, the busiest first; empty = not known. Changes nothing of the run.</summary>
    public List<IoObservedFile> ObservedFiles
    {
        get => _observedFiles ??= [];
        set => _observedFiles = value;
    }

    /// <summary>A flush (fdatasync, FlushFileBuffers) after every so many writes of a thread; 0 = never.</summary>
    public int FlushEvery { get; set; }

    /// <summary>Processors the threads are bound to, in turn; empty = as <see cref="AffinityMode"/> says.</summary>
    public List<int> Processors
    {
        get => _processors ??= [];
        set => _processors = value;
    }

    /// <summary>How threads are bound to processors.</summary>
    public IoAffinityMode AffinityMode { get; set; } = IoAffinityMode.Off;

    /// <summary>Priority of the I/O; on Linux only some schedulers honour it.</summary>
    public IoPriority Priority { get; set; } = IoPriority.Normal;

    /// <summary>
    /// Large pages for the buffers: on Windows the account needs the right to lock pages in memory, on Linux huge pages must be reserved
    /// (<c>vm.nr_hugepages</c>). Where there are none the run is refused.
    /// </summary>
    public bool LargePages { get; set; }

    /// <summary>Open with the sequential-scan hint.</summary>
    public bool SequentialScanHint { get; set; }

    /// <summary>Open with the random-access hint.</summary>
    public bool RandomAccessHint { get; set; }

    /// <summary>Open with the temporary-file attribute.</summary>
    public bool TemporaryHint { get; set; }

    /// <summary>Weight of a target in a shared pool with a request count.</summary>
    public int Weight { get; set; } = 1;

    /// <summary>Read, Write or Mixed, from <see cref="WritePercent"/>.</summary>
    public IoOperation Operation =>
        WritePercent switch
        {
            0 => IoOperation.Read,
            100 => IoOperation.Write,
            _ => IoOperation.Mixed,
        };

    /// <summary>Bytes of an I/O on average.</summary>
    public double MeanBlockSize() => BlockMix?.Mean(WritePercent) ?? BlockSize;

    /// <summary>Says a mix of block sizes; <see cref="BlockSize"/> becomes its largest.</summary>
    public void SetMix(IoBlockMix mix)
    {
        ArgumentNullException.ThrowIfNull(mix);
        (BlockMix, BlockSize) = (mix, mix.Largest());
    }

    /// <summary>Says outstanding reads and writes apart; <see cref="OutstandingIO"/> becomes their sum, and <see cref="WritePercent"/> a guess of what comes out.</summary>
    public void SetDepths(IoDepths depths)
    {
        ArgumentNullException.ThrowIfNull(depths);
        (Depths, OutstandingIO) = (depths, depths.Reads + depths.Writes);
        WritePercent = Math.Clamp((int)Math.Round(100.0 * depths.Writes / Math.Max(1, OutstandingIO)), 1, 99);
    }

    /// <summary>A copy that shares nothing with this one.</summary>
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
