namespace IoBench.Engine.Results;

/// <summary>Count, bytes and latency of one kind of I/O in one place.</summary>
public class IoTotals
{
    /// <summary>How many I/Os ended in the measured time; null when not known.</summary>
    public long? IOCount { get; set; }

    /// <summary>Bytes that those I/Os moved; null when not known.</summary>
    public long? ByteCount { get; set; }

    /// <summary>I/Os per second.</summary>
    public double? IOPS { get; set; }

    /// <summary>MiB per second.</summary>
    public double? MBps { get; set; }

    /// <summary>Average latency in milliseconds.</summary>
    public double? AverageLatencyMs { get; set; }

    /// <summary>Lowest latency in milliseconds.</summary>
    public double? MinLatencyMs { get; set; }

    /// <summary>Highest latency in milliseconds.</summary>
    public double? MaxLatencyMs { get; set; }

    /// <summary>Standard deviation of latency in milliseconds.</summary>
    public double? LatencyStdDevMs { get; set; }

    /// <summary>Standard deviation of IOPS over whole intervals.</summary>
    public double? IopsStdDev { get; set; }

    /// <summary>Open loop: average time from the intended start in milliseconds; null for a closed loop.</summary>
    public double? ResponseAverageMs { get; set; }

    /// <summary>Open loop: 99th percentile of it in milliseconds; null for a closed loop or with fewer than 1,000 I/Os.</summary>
    public double? ResponseP99Ms { get; set; }

    /// <summary>Open loop: longest of it in milliseconds; null for a closed loop.</summary>
    public double? ResponseMaxMs { get; set; }

    /// <inheritdoc/>
    public override string ToString() =>
        FigureWords.Of($"{(IOCount is { } count ? Figures.Grouped(count) : "?")} I/Os", IOPS, AverageLatencyMs);
}

/// <summary>Reads, writes and their sum.</summary>
public class IoReadWriteTotals
{
    // Made when they are asked for, as the lists of a result are.
    private IoTotals? _total;
    private IoTotals? _read;
    private IoTotals? _write;

    /// <summary>Reads and writes together.</summary>
    public IoTotals Total
    {
        get => _total ??= new();
        set => _total = value;
    }

    /// <summary>Reads alone; without figures where there were none or the source does not part them.</summary>
    public IoTotals Read
    {
        get => _read ??= new();
        set => _read = value;
    }

    /// <summary>Writes alone; without figures where there were none or the source does not part them.</summary>
    public IoTotals Write
    {
        get => _write ??= new();
        set => _write = value;
    }

    /// <inheritdoc/>
    public override string ToString() => Words("all");

    // Rate and latency, as far as they are known.
    private protected string Words(string name) => _total is { } total ? FigureWords.Of(name, total.IOPS, total.AverageLatencyMs) : name;
}
