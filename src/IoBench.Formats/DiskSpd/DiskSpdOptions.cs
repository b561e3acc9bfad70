namespace IoBench.Formats.DiskSpd;

/// <summary>
/// What a DiskSpd command line or profile says beyond the I/O itself: what to measure and to print.
/// IoBench always measures latency and rates; DiskSpd's formats show what was asked for.
/// </summary>
public sealed record DiskSpdOptions
{
    /// <summary>Print latency (<c>-L</c>).</summary>
    public bool MeasureLatency { get; set; }

    /// <summary>Print the standard deviation of IOPS over intervals (<c>-D</c>).</summary>
    public bool GatherIops { get; set; }

    /// <summary>Completion routines in place of completion ports (<c>-x</c>); the I/O is the same.</summary>
    public bool CompletionRoutines { get; set; }

    /// <summary>Say what is done while it is done (<c>-v</c>).</summary>
    public bool Verbose { get; set; }

    /// <summary>Print how often threads waited (<c>-vs</c>).</summary>
    public bool VerboseStatistics { get; set; }

    /// <summary>A dot of progress after every so many I/Os of a thread (<c>-P</c>); 0 = none.</summary>
    public int ProgressEvery { get; set; }

    /// <summary>DiskSpd's experimental behaviours as bits (<c>-:</c>); 0 = none.</summary>
    public int ExperimentFlags { get; set; }

    /// <summary><c>-c</c> was given: files are made. Without it DiskSpd takes only files that are there.</summary>
    public bool CreateFiles { get; set; }

    /// <summary>What only DiskSpd 2.3 says; null = nothing of it is said.</summary>
    public DiskSpd23Options? Version23 { get; set; }

    /// <summary>Options of the command line that have no effect, in plain words for the user; null when all have one.</summary>
    public string? Note { get; set; }
}
