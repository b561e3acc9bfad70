namespace IoBench.Engine;

/// <summary>Totals of one target.</summary>
public sealed class IoTargetResult : IoReadWriteTotals
{
    private List<IoPercentile>? _percentiles;
    private List<IoPercentile>? _responsePercentiles;

    /// <summary>Path of the target.</summary>
    public string Path { get; set; } = "";

    /// <summary>Size in MiB; null if unknown.</summary>
    public double? FileSizeMB { get; set; }

    /// <summary>Threads that access the target.</summary>
    public int? ThreadCount { get; set; }

    /// <summary>Role, if several workloads ran concurrently.</summary>
    public string? Role { get; set; }

    /// <summary>Description of the pattern.</summary>
    public string? IOPattern { get; set; }

    /// <summary>Open loop: I/Os completed in the measured time, in percent of those due in it; null for a closed loop.</summary>
    public double? RateReachedPercent { get; set; }

    /// <summary>File system, such as <c>xfs</c>; null for a raw device or if unknown.</summary>
    public string? FileSystem { get; set; }

    /// <summary>Device and model.</summary>
    public string? Device { get; set; }

    /// <summary>Logical sector size in bytes.</summary>
    public int? SectorSize { get; set; }

    /// <summary>Latency percentiles of this target, if known.</summary>
    public List<IoPercentile> Percentiles
    {
        get => _percentiles ??= [];
        set => _percentiles = value;
    }

    /// <summary>Latency histogram of this target, if known.</summary>
    public IoHistogram? Histogram { get; set; }

    /// <summary>Open loop: response time percentiles of this target; empty for a closed loop.</summary>
    public List<IoPercentile> ResponsePercentiles
    {
        get => _responsePercentiles ??= [];
        set => _responsePercentiles = value;
    }

    /// <summary>Open loop: response time histogram of this target; null for a closed loop.</summary>
    public IoHistogram? ResponseHistogram { get; set; }

    /// <summary>Returns a text such as <c>T:\iobench.dat: 12,172 IOPS, 0.082 ms</c>.</summary>
    public override string ToString() => Describe(Role is null ? Path : $"{Path} ({Role})");
}

/// <summary>Totals of one thread on one target.</summary>
public sealed class IoThreadResult : IoReadWriteTotals
{
    private List<IoTimelinePoint>? _timeline;

    /// <summary>Number of the thread, from 0.</summary>
    public int ThreadId { get; set; }

    /// <summary>Path of the target.</summary>
    public string? Path { get; set; }

    /// <summary>Values per interval; empty unless requested.</summary>
    public List<IoTimelinePoint> Timeline
    {
        get => _timeline ??= [];
        set => _timeline = value;
    }

    /// <summary>Returns a text such as <c>thread 0: 12,172 IOPS, 0.082 ms</c>.</summary>
    public override string ToString() => Describe(FormattableString.Invariant($"thread {ThreadId}"));
}
