namespace IoBench.Engine.Results;

/// <summary>One target's totals.</summary>
public sealed class IoTargetResult : IoReadWriteTotals
{
    private List<IoPercentile>? _percentiles;
    private List<IoPercentile>? _responsePercentiles;

    /// <summary>Path of the target.</summary>
    public string Path { get; set; } = "";

    /// <summary>Size in MiB; null when not known.</summary>
    public double? FileSizeMB { get; set; }

    /// <summary>Threads on it.</summary>
    public int? ThreadCount { get; set; }

    /// <summary>Role, when several workloads ran at once.</summary>
    public string? Role { get; set; }

    /// <summary>Pattern in words.</summary>
    public string? IOPattern { get; set; }

    /// <summary>Open loop: I/Os that ended in the measured time in percent of those that were due in it; null for a closed loop.</summary>
    public double? RateReachedPercent { get; set; }

    /// <summary>File system that holds it, such as <c>xfs</c>; null for a raw device or when not known.</summary>
    public string? FileSystem { get; set; }

    /// <summary>Device and model.</summary>
    public string? Device { get; set; }

    /// <summary>Logical sector size in bytes.</summary>
    public int? SectorSize { get; set; }

    /// <summary>Percentiles of this target, where known.</summary>
    public List<IoPercentile> Percentiles
    {
        get => _percentiles ??= [];
        set => _percentiles = value;
    }

    /// <summary>Histogram of this target, where known.</summary>
    public IoHistogram? Histogram { get; set; }

    /// <summary>Open loop: percentiles of this target's response times; empty for a closed loop.</summary>
    public List<IoPercentile> ResponsePercentiles
    {
        get => _responsePercentiles ??= [];
        set => _responsePercentiles = value;
    }

    /// <summary>Open loop: histogram of this target's response times; null for a closed loop.</summary>
    public IoHistogram? ResponseHistogram { get; set; }

    /// <summary><c>T:\iobench.dat: 12,172 IOPS, 0.082 ms</c>.</summary>
    public override string ToString() => Words(Role is null ? Path : $"{Path} ({Role})");
}
