namespace IoBench.Engine;

/// <summary>
/// What is done to a target: sizes in bytes, counts a thread or a target as said at each property.
/// A test has one; a target may have its own (several workloads at once, a parameter file, a DiskSpd profile).
/// Defaults are those of a test: 8 KB random reads, 4 threads x 8 outstanding, unbuffered and write-through.
/// </summary>
public class IoPattern
{
    // Made when they are asked for: most patterns have none.
    private List<IoDistributionRange>? _distribution;
    private List<int>? _processors;

    /// <summary>Bytes per I/O; the target's sector size to 64 MB.</summary>
    public long BlockSize { get; set; } = 8192;

    /// <summary>Threads per target (in a shared pool: threads of the whole run), 1 to 1,024.</summary>
    public int ThreadCount { get; set; } = 4;

    /// <summary>Outstanding I/Os per thread and target, 1 to 4,096.</summary>
    public int OutstandingIO { get; set; } = 8;

    /// <summary>Share of writes in percent, 0 to 100.</summary>
    public int WritePercent { get; set; }

    /// <summary>The order of blocks.</summary>
    public IoAccessPattern AccessPattern { get; set; } = IoAccessPattern.Random;

    /// <summary>For <see cref="IoAccessPattern.PartRandom"/>: share of random I/Os in percent, 1 to 100.</summary>
    public int RandomPercent { get; set; } = 100;

    /// <summary>Alignment of random offsets in bytes; null = the block size.</summary>
    public long? Alignment { get; set; }

    /// <summary>Distance in bytes from one sequential I/O to the next; null = the block size.</summary>
    public long? Stride { get; set; }

    /// <summary>
    /// For <see cref="IoAccessPattern.Sequential"/>: distance in bytes between the first offsets of a target's threads.
    /// Null = range / threads, so that they never read the same blocks; 0 = all start at the same place (DiskSpd's <c>-s</c> without <c>-T</c>).
    /// </summary>
    public long? ThreadStride { get; set; }

    /// <summary>For <see cref="IoAccessPattern.Stride"/>: blocks a row (SQLIO's <c>-f&lt;n&gt;</c>).</summary>
    public int StripeColumns { get; set; } = 64;

    /// <summary>For <see cref="IoAccessPattern.Stride"/>: rows, the I/Os of a run (SQLIO's <c>-i&lt;n&gt;</c>).</summary>
    public int StripeRows { get; set; } = 64;

    /// <summary>For <see cref="IoAccessPattern.Stride"/>: stay on the first column for ever (SQLIO's <c>-v1.1.1</c>).</summary>
    public bool StripeStays { get; set; }

    /// <summary>Hot spots for random I/O; empty = uniform.</summary>
    public List<IoDistributionRange> Distribution { get => _distribution ??= []; set => _distribution = value; }

    /// <summary>True when <see cref="Distribution"/>'s target parts are bytes (<c>-rdabs</c>), false when percent of the range (<c>-rdpct</c>).</summary>
    public bool DistributionIsAbsolute { get; set; }

    /// <summary>Which caches may be used.</summary>
    public IoBuffering Buffering { get; set; } = IoBuffering.None;

    /// <summary>What writes consist of.</summary>
    public IoWriteContentKind WriteContent { get; set; } = IoWriteContentKind.Random;

    /// <summary>For <see cref="IoWriteContentKind.File"/>: the file the bytes come from.</summary>
    public string? WriteContentFile { get; set; }

    /// <summary>Size in bytes of the buffer that writes are cut from (DiskSpd's <c>-Zsize</c>); null = a block per I/O.</summary>
    public long? WriteContentSize { get; set; }

    /// <summary>Share of each written 4 KB that compresses, in percent, 0 to 100.</summary>
    public int CompressiblePercent { get; set; }

    /// <summary>I/Os per burst, per thread and target; 0 = no bursts.</summary>
    public int BurstSize { get; set; }

    /// <summary>Milliseconds of rest after each burst.</summary>
    public int ThinkTimeMs { get; set; }

    /// <summary>Closed-loop limit in I/Os per second, per thread and target (as DiskSpd's <c>-g…i</c>); null = none.</summary>
    public double? MaxIopsPerThread { get; set; }

    /// <summary>Closed-loop limit in bytes per second, per thread and target (as DiskSpd's <c>-g</c>); null = none.</summary>
    public double? MaxBytesPerSecondPerThread { get; set; }

    /// <summary>Open loop: I/Os per second for a target, all its threads together; null = closed loop.</summary>
    public double? TargetIops { get; set; }

    /// <summary>Open loop: when the I/Os are due.</summary>
    public IoArrivals Arrivals { get; set; }

    /// <summary>Average latency in milliseconds that a server saw at this load, to compare the measured one with; null = not known. Changes nothing of the run.</summary>
    public double? ObservedLatencyMs { get; set; }

    /// <summary>A flush (fdatasync, FlushFileBuffers) after every so many writes of a thread; 0 = never.</summary>
    public int FlushEvery { get; set; }

    /// <summary>Processors the threads are bound to, in turn; empty = as <see cref="AffinityMode"/> says.</summary>
    public List<int> Processors { get => _processors ??= []; set => _processors = value; }

    /// <summary>How threads are bound to processors.</summary>
    public IoAffinityMode AffinityMode { get; set; } = IoAffinityMode.Off;

    /// <summary>Priority of the I/O; on Linux only some schedulers heed it.</summary>
    public IoPriority Priority { get; set; } = IoPriority.Normal;

    /// <summary>
    /// Large pages for the buffers (DiskSpd's <c>-l</c>): on Windows the account needs the right to lock pages in memory, on Linux huge pages must be reserved
    /// (<c>vm.nr_hugepages</c>). Where there are none the run is refused.
    /// </summary>
    public bool LargePages { get; set; }

    /// <summary>Open with the sequential-scan hint (DiskSpd's <c>-fs</c>).</summary>
    public bool SequentialScanHint { get; set; }

    /// <summary>Open with the random-access hint (DiskSpd's <c>-fr</c>).</summary>
    public bool RandomAccessHint { get; set; }

    /// <summary>Open with the temporary-file attribute (DiskSpd's <c>-ft</c>).</summary>
    public bool TemporaryHint { get; set; }

    /// <summary>The outstanding I/Os of a thread all start at the same offset (DiskSpd's <c>-p</c>).</summary>
    public bool ParallelSameOffset { get; set; }

    /// <summary>Weight of a target in a shared pool with a request count (DiskSpd's <c>Weight</c>).</summary>
    public int Weight { get; set; } = 1;

    /// <summary>Read, Write or Mixed, from <see cref="WritePercent"/>.</summary>
    public IoOperation Operation => WritePercent switch { 0 => IoOperation.Read, 100 => IoOperation.Write, _ => IoOperation.Mixed };

    /// <summary>A copy that shares nothing with this one.</summary>
    public IoPattern ClonePattern()
    {
        var copy = (IoPattern)MemberwiseClone();
        copy.Distribution = [.. Distribution];
        copy.Processors = [.. Processors];
        return copy;
    }
}

/// <summary>How worker threads are bound to processors.</summary>
public enum IoAffinityMode
{
    /// <summary>The scheduler decides.</summary>
    Off,
    /// <summary>Thread by thread over all processors, those of one node of memory (NUMA) before the next's, or over <see cref="IoPattern.Processors"/> as listed.</summary>
    RoundRobin,
    /// <summary>Every thread may run on any of <see cref="IoPattern.Processors"/> (SQLIO's masks).</summary>
    Mask,
}

/// <summary>A part of the target and the share of I/Os that go there (DiskSpd's <c>-rd</c>).</summary>
/// <param name="IOPercent">Share of the I/Os in percent; 0 = a hole that is never touched.</param>
/// <param name="TargetPart">Percent of the range or bytes, as <see cref="IoPattern.DistributionIsAbsolute"/> says.</param>
public sealed record IoDistributionRange(int IOPercent, long TargetPart);
