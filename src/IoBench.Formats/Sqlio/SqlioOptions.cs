namespace IoBench.Formats.Sqlio;

/// <summary>
/// What a SQLIO command line says beyond the I/O itself: what to measure and to print.
/// IoBench always measures latency; SQLIO's format shows what was asked for.
/// </summary>
public sealed record SqlioOptions
{
    /// <summary>Timer of the latencies: <c>S</c> (system) or <c>P</c> (processor); null = print no latency (<c>-L</c> absent).</summary>
    public char? LatencyTimer { get; set; }

    /// <summary>Print the time that starting an I/O takes (the <c>i</c> of <c>-LSi</c>).</summary>
    public bool InitiationLatency { get; set; }

    /// <summary>Print processor use (<c>-U</c>).</summary>
    public bool ProcessorUse { get; set; }

    /// <summary>Print the use of each processor (<c>-Up</c>).</summary>
    public bool ProcessorUseEach { get; set; }

    /// <summary><c>-B</c> was given: SQLIO prints a line on buffering only then.</summary>
    public bool BufferingGiven { get; set; }

    /// <summary><c>-o</c> was given: without it SQLIO is synchronous, a thread does one I/O on one of its files at a time.</summary>
    public bool OutstandingGiven { get; set; }

    /// <summary>The parameter file (<c>-F</c>) as it was named; null when there was none.</summary>
    public string? ParameterFile { get; set; }

    /// <summary>Options of the command line that have no effect, in plain words for the user; null when all have one.</summary>
    public string? Note { get; set; }
}
