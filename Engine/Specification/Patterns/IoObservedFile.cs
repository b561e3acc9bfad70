namespace IoBench.Engine;

/// <summary>I/O of a server on one file of a captured workload. It is shown with the results and does not affect the run.</summary>
public sealed record IoObservedFile
{
    public string File { get; set; } = "";

    /// <summary>Average I/Os per second.</summary>
    public double IOPS { get; set; }

    /// <summary>Average I/O size in KB.</summary>
    public double BlockSizeKB { get; set; }

    /// <summary>Average latency in milliseconds, as the server counted it.</summary>
    public double LatencyMs { get; set; }

    /// <summary>I/Os per second in the busiest window of this file; null if there are only two snapshots.</summary>
    public double? BusiestIOPS { get; set; }

    /// <summary>Average latency in milliseconds in that window.</summary>
    public double? BusiestLatencyMs { get; set; }
}
