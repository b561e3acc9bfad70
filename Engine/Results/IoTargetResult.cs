namespace IoBench.Engine;

/// <summary>Totals of one target.</summary>
public sealed class IoTargetResult : IoReadWriteTotals
{
    private List<IoPercentile>? _percentiles;
    private List<IoPercentile>? _responsePercentiles;

    public string Path { get; set; } = "";

    /// <summary>Size in MiB; null if unknown.</summary>
    public double? FileSizeMB { get; set; }

    public int? ThreadCount { get; set; }

    /// <summary>Role, if several workloads ran concurrently.</summary>
    public string? Role { get; set; }

    /// <summary>Description of the pattern.</summary>
    public string? IOPattern { get; set; }

    /// <summary>Open loop: I/Os completed in the measured time, in percent of those due in it; null for a closed loop.</summary>
    public double? RateReachedPercent { get; set; }

    /// <summary>File system, such as <c>xfs</c>; null for a raw device or if unknown.</summary>
    public string? FileSystem { get; set; }

    public string? Device { get; set; }

    public int? SectorSize { get; set; }

    public List<IoPercentile> Percentiles
    {
        get => _percentiles ??= [];
        set => _percentiles = value;
    }

    public IoHistogram? Histogram { get; set; }

    public List<IoPercentile> ResponsePercentiles
    {
        get => _responsePercentiles ??= [];
        set => _responsePercentiles = value;
    }

    public IoHistogram? ResponseHistogram { get; set; }

    public override string ToString() => Describe(Role is null ? Path : $"{Path} ({Role})");
}

/// <summary>Totals of one thread on one target.</summary>
public sealed class IoThreadResult : IoReadWriteTotals
{
    private List<IoTimelinePoint>? _timeline;

    /// <summary>Number of the thread, from 0.</summary>
    public int ThreadId { get; set; }

    public string? Path { get; set; }

    /// <summary>Values per interval; empty unless requested.</summary>
    public List<IoTimelinePoint> Timeline
    {
        get => _timeline ??= [];
        set => _timeline = value;
    }

    public override string ToString() => Describe(FormattableString.Invariant($"thread {ThreadId}"));
}
