namespace IoBench.Formats;

/// <summary>DiskSpd options beyond the I/O itself. IoBench always measures latency and rates, and prints what was requested.</summary>
public sealed record DiskSpdOptions
{
    /// <summary>Whether to print latency (<c>-L</c>).</summary>
    public bool MeasureLatency { get; set; }

    /// <summary>Whether to print the standard deviation of IOPS over intervals (<c>-D</c>).</summary>
    public bool GatherIops { get; set; }

    /// <summary>Whether DiskSpd uses completion routines instead of completion ports (<c>-x</c>). The I/O is the same.</summary>
    public bool CompletionRoutines { get; set; }

    /// <summary>Whether to print progress messages (<c>-v</c>).</summary>
    public bool Verbose { get; set; }

    /// <summary>Whether to print wait statistics (<c>-vs</c>).</summary>
    public bool VerboseStatistics { get; set; }

    /// <summary>Number of I/Os of a thread per progress dot (<c>-P</c>); 0 = no dots.</summary>
    public int ProgressEvery { get; set; }

    /// <summary>Bit mask of DiskSpd's experimental behaviors (<c>-:</c>); 0 = none.</summary>
    public int ExperimentFlags { get; set; }

    /// <summary>Whether <c>-c</c> was specified, which creates files. Without it, DiskSpd uses only existing files.</summary>
    public bool CreateFiles { get; set; }

    /// <summary>Settings that only DiskSpd 2.3 has; null if there are none.</summary>
    public DiskSpd23Options? Version23 { get; set; }

    /// <summary>Message for the user about options that have no effect; null if all have an effect.</summary>
    public string? Note { get; set; }
}
