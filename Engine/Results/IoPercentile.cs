namespace IoBench.Engine.Results;

/// <summary>A percentile of latency in milliseconds; null where there were too few such I/Os or none.</summary>
public sealed class IoPercentile
{
    /// <summary>0 (the lowest) to 100 (the highest).</summary>
    public double Percent { get; set; }
    /// <summary>Latency of reads in milliseconds; null where there were too few of them or none.</summary>
    public double? ReadMs { get; set; }
    /// <summary>Latency of writes in milliseconds; null where there were too few of them or none.</summary>
    public double? WriteMs { get; set; }
    /// <summary>Latency of reads and writes together in milliseconds; null where there were too few of them or none.</summary>
    public double? TotalMs { get; set; }

    /// <summary><c>P99: 0.14 ms</c>.</summary>
    public override string ToString() => string.Create(System.Globalization.CultureInfo.InvariantCulture, $"P{Percent:0.#######}: {TotalMs ?? ReadMs ?? WriteMs:0.###} ms");
}
