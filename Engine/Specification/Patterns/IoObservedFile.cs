namespace IoBench.Engine.Specification.Patterns;

/// <summary>What a server did to one of the files behind a load: it is shown beside the load and changes nothing of a run.</summary>
public sealed record IoObservedFile
{
    /// <summary>The file's name, or its numbers.</summary>
    public string File { get; set; } = "";

    /// <summary>I/Os per second, on average.</summary>
    public double IOPS { get; set; }

    /// <summary>Average size in KB.</summary>
    public double BlockSizeKB { get; set; }

    /// <summary>Average wait an I/O in milliseconds, as the server counted it.</summary>
    public double LatencyMs { get; set; }

    /// <summary>I/Os per second in the file's own busiest window; null of two snapshots.</summary>
    public double? BusiestIOPS { get; set; }

    /// <summary>Average wait in milliseconds in that window.</summary>
    public double? BusiestLatencyMs { get; set; }
}
