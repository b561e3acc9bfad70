using System.Collections;
using System.Reflection;
using System.Text.Json.Serialization;

namespace IoBench.Engine;

/// <summary>
/// The pattern of I/Os on a target. A test has one pattern, and a target can have its own (concurrent workloads, a parameter file). The
/// settings can be set in any order, and some have no effect together with others. Defaults: 8 KB random reads, 4 threads x 8 outstanding
/// I/Os, unbuffered and write-through.
/// </summary>
public class IoPattern
{
    private static readonly (MethodInvoker Get, MethodInvoker Set)[] s_settings =
    [
        .. typeof(IoPattern)
            .GetProperties()
            .Where(property => property.CanWrite)
            .Select(property => (MethodInvoker.Create(property.GetMethod!), MethodInvoker.Create(property.SetMethod!))),
    ];

    // Created on first use: most patterns have none of these lists.
    private List<int>? _processors;
    private List<IoObservedFile>? _observedFiles;
    private List<IoDistributionRange>? _distribution;

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

    public IoBuffering Buffering { get; set; } = IoBuffering.None;

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
        copy.CopyLists();
        return copy;
    }

    public void CopyPatternTo(IoPattern other)
    {
        ArgumentNullException.ThrowIfNull(other);
        foreach (var (get, set) in s_settings)
            set.Invoke(other, get.Invoke(this));
        other.CopyLists();
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
        return Array.TrueForAll(s_settings, setting => IsSame(setting.Get.Invoke(this), setting.Get.Invoke(other)));

        static bool IsSame(object? a, object? b) =>
            Equals(a, b) || (a is IList list && b is IList others && list.Cast<object>().SequenceEqual(others.Cast<object>()));
    }

    private void CopyLists()
    {
        _processors = _processors?.ToList();
        _observedFiles = _observedFiles?.ConvertAll(file => file with { });
        _distribution = _distribution?.ToList();
    }

    /// <summary>Removes the target rate, the rate limits, and the bursts.</summary>
    public void RemoveRateLimits()
    {
        TargetIops = null;
        Arrivals = IoArrivals.Even;
        MaxIopsPerThread = null;
        MaxBytesPerSecondPerThread = null;
        BurstSize = 0;
        ThinkTimeMs = 0;
    }

    /// <summary>Sets random access with a uniform distribution over the blocks of the range.</summary>
    public void SetUniformAccess()
    {
        AccessPattern = IoAccessPattern.Random;
        RandomPercent = 100;
        Alignment = null;
        Stride = null;
        ThreadStride = null;
        ParallelSameOffset = false;
        SetDistribution(new IoDistribution());
    }

    /// <summary>Whether a target rate, a rate limit, or bursts slow down threads that could go faster.</summary>
    [JsonIgnore]
    public bool IsRateLimited =>
        TargetIops is not null || MaxIopsPerThread is not null || MaxBytesPerSecondPerThread is not null || HasBursts;

    /// <summary>Bursts need both a size and a pause. In an open loop, they have no effect.</summary>
    [JsonIgnore]
    public bool HasBursts => BurstSize > 0 && ThinkTimeMs > 0;

    /// <summary>Whether some or all offsets are random.</summary>
    [JsonIgnore]
    public bool HasRandomOffsets => AccessPattern is IoAccessPattern.Random or IoAccessPattern.PartRandom;

    /// <summary>Whether the outstanding I/Os of a thread start at the same offset, which only sequential access can do.</summary>
    [JsonIgnore]
    public bool HasSharedOffsets => ParallelSameOffset && AccessPattern == IoAccessPattern.Sequential;

    /// <summary>The distribution of random offsets that is in effect; uniform if no offset is random.</summary>
    public IoDistribution GetDistribution()
    {
        if (!HasRandomOffsets)
            return new IoDistribution();
        if (ZipfTheta is not null)
            return new IoDistribution { ZipfTheta = ZipfTheta };
        if (ParetoShare is not null)
            return new IoDistribution { ParetoShare = ParetoShare };
        return new IoDistribution { Ranges = _distribution ?? [], IsAbsolute = DistributionIsAbsolute };
    }

    public IoAccessPattern AccessPattern { get; set; }

    /// <summary>For <see cref="IoAccessPattern.PartRandom"/>: percentage of random I/Os, 1 to 100.</summary>
    public int RandomPercent { get; set; } = 100;

    /// <summary>Alignment of random offsets in bytes; null = the block size.</summary>
    public long? Alignment { get; set; }

    /// <summary>Distance in bytes from one sequential I/O to the next; null = the block size.</summary>
    public long? Stride { get; set; }

    /// <summary>Bytes between the first offsets of a target's threads in sequential access; null = range / threads.</summary>
    public long? ThreadStride { get; set; }

    /// <summary>Blocks per row.</summary>
    public int StripeColumns { get; set; } = 64;

    /// <summary>Rows, which are the I/Os per column.</summary>
    public int StripeRows { get; set; } = 64;

    /// <summary>For <see cref="IoAccessPattern.Stride"/>: whether the access stays on the first column.</summary>
    public bool StripeStays { get; set; }

    /// <summary>Ranges of a distribution of random I/Os; empty = none.</summary>
    public List<IoDistributionRange> Distribution
    {
        get => _distribution ??= [];
        set => _distribution = value;
    }

    /// <summary>True if the target parts of <see cref="Distribution"/> are bytes, false if they are percent of the range.</summary>
    public bool DistributionIsAbsolute { get; set; }

    /// <summary>Theta of a Zipf distribution of random I/Os; null = no Zipf distribution.</summary>
    public double? ZipfTheta { get; set; }

    /// <summary>Fraction of the blocks in a Pareto distribution, 0.2 for 80:20; null = no Pareto distribution.</summary>
    public double? ParetoShare { get; set; }

    public void SetDistribution(IoDistribution distribution)
    {
        ArgumentNullException.ThrowIfNull(distribution);
        _distribution = distribution.Ranges.Count == 0 ? null : [.. distribution.Ranges];
        DistributionIsAbsolute = distribution.IsAbsolute;
        ZipfTheta = distribution.ZipfTheta;
        ParetoShare = distribution.ParetoShare;
    }

    /// <summary>
    /// <see cref="IoWriteContentKind.Random"/> neither compresses nor deduplicates, has offset and sequence number in every 4 KB, and is
    /// the closest kind to SQL Server's pages.
    /// </summary>
    public IoWriteContentKind WriteContent { get; set; }

    /// <summary>For <see cref="IoWriteContentKind.File"/>: path of the file that the bytes come from.</summary>
    public string? WriteContentFile { get; set; }

    /// <summary>Number of bytes of the file to use; null = at least one block, at most 20 MB. Not used for other content.</summary>
    public long? WriteContentSize { get; set; }

    /// <summary>For random content: percentage of each written 4 KB that compresses, 0 to 100.</summary>
    public int CompressiblePercent { get; set; }

    /// <summary>For random content: percentage of the written 4 KB blocks that are copies of a few blocks, 0 to 100.</summary>
    public int DedupablePercent { get; set; }

    /// <summary>I/Os per burst, per thread and target; 0 = no bursts.</summary>
    public int BurstSize { get; set; }

    /// <summary>Pause in milliseconds after each burst.</summary>
    public int ThinkTimeMs { get; set; }

    /// <summary>Closed-loop limit in I/Os per second, per thread and target; null = none.</summary>
    public double? MaxIopsPerThread { get; set; }

    /// <summary>Closed-loop limit in bytes per second, per thread and target; null = none.</summary>
    public double? MaxBytesPerSecondPerThread { get; set; }

    /// <summary>Open loop: I/Os per second of a target, over all of its threads; null = closed loop.</summary>
    public double? TargetIops { get; set; }

    public IoArrivals Arrivals { get; set; }

    /// <summary>Whether the outstanding I/Os of a thread all start at the same offset.</summary>
    public bool ParallelSameOffset { get; set; }
}
