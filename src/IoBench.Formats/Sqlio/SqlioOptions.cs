namespace IoBench.Formats;

/// <summary>SQLIO options about output, not I/O. IoBench always measures latency and shows what was requested.</summary>
public sealed record SqlioOptions
{
    /// <summary>Timer of the latencies: <c>S</c> (system) or <c>P</c> (processor); null = print no latency (no <c>-L</c>).</summary>
    public char? LatencyTimer { get; set; }

    /// <summary>Print the time to start an I/O (the <c>i</c> of <c>-LSi</c>).</summary>
    public bool InitiationLatency { get; set; }

    /// <summary>Print CPU usage (<c>-U</c>).</summary>
    public bool ProcessorUse { get; set; }

    /// <summary>Print the usage of each CPU (<c>-Up</c>).</summary>
    public bool ProcessorUseEach { get; set; }

    /// <summary>True if <c>-B</c> was specified. Otherwise, SQLIO does not print a line about buffering.</summary>
    public bool BufferingGiven { get; set; }

    /// <summary>Whether <c>-o</c> was specified. Otherwise, each thread does one I/O at a time on one of its files.</summary>
    public bool OutstandingGiven { get; set; }

    /// <summary>Name of the parameter file (<c>-F</c>) on the command line; null if there was none.</summary>
    public string? ParameterFile { get; set; }

    /// <summary>Message for the user about options without effect; null if there are none.</summary>
    public string? Note { get; set; }
}
