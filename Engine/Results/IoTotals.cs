namespace IoBench.Engine;

/// <summary>Count, bytes, and latency of one kind of I/O.</summary>
public class IoTotals
{
    /// <summary>Number of I/Os that ended in the measured time; null if unknown.</summary>
    public long? IOCount { get; set; }

    /// <summary>Bytes of these I/Os; null if unknown.</summary>
    public long? ByteCount { get; set; }

    public double? IOPS { get; set; }

    public double? MBps { get; set; }

    public double? AverageLatencyMs { get; set; }

    public double? MinLatencyMs { get; set; }

    public double? MaxLatencyMs { get; set; }

    public double? LatencyStdDevMs { get; set; }

    public double? IopsStdDev { get; set; }

    /// <summary>Open loop: average response time (from the scheduled start); null for a closed loop.</summary>
    public double? ResponseAverageMs { get; set; }

    /// <summary>Open loop, at least 1,000 I/Os.</summary>
    public double? ResponseP99Ms { get; set; }

    public double? ResponseMaxMs { get; set; }

    public override string ToString() =>
        IoTotals.Describe($"{(IOCount is { } count ? NumberFormat.Grouped(count) : "?")} I/Os", IOPS, AverageLatencyMs);

    internal static string Describe(string name, double? iops, double? latencyMs)
    {
        string?[] figures =
        [
            iops is null ? null : NumberFormat.Rate(iops) + " IOPS",
            latencyMs is { } ms ? NumberFormat.Milliseconds(ms) : null,
        ];
        return figures.All(figure => figure is null) ? name : $"{name}: {string.Join(", ", figures.Where(figure => figure is not null))}";
    }
}

/// <summary>Reads, writes, and their sum.</summary>
public class IoReadWriteTotals
{
    // Created on demand, as the lists of a result.
    private IoTotals? _total;
    private IoTotals? _read;
    private IoTotals? _write;

    /// <summary>Reads and writes together.</summary>
    public IoTotals Total
    {
        get => _total ??= new();
        set => _total = value;
    }

    /// <summary>Reads alone; without values if there were none or the source does not separate them.</summary>
    public IoTotals Read
    {
        get => _read ??= new();
        set => _read = value;
    }

    /// <summary>Writes alone; without values if there were none or the source does not separate them.</summary>
    public IoTotals Write
    {
        get => _write ??= new();
        set => _write = value;
    }

    public override string ToString() => Describe("all");

    private protected string Describe(string name) =>
        _total is { } total ? IoTotals.Describe(name, total.IOPS, total.AverageLatencyMs) : name;
}
