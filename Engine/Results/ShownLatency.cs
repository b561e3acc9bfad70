namespace IoBench.Engine.Results;

/// <summary>
/// The latency that tables, charts and the live line show of a result: response times of an open loop, where alone a stall shows, else
/// service times.
/// </summary>
public readonly struct ShownLatency
{
    private ShownLatency(IoTestResult result)
    {
        IsResponse = result.ResponseAverageMs is not null;
        // Files of earlier versions have an open loop's average and 99th percentile only: the rest is not known, not the service time.
        (AverageMs, P50Ms, P90Ms, P95Ms, P99Ms, P999Ms, MaxMs) = IsResponse
            ? (
                result.ResponseAverageMs,
                result.ResponseP50Ms,
                result.ResponseP90Ms,
                result.ResponseP95Ms,
                result.ResponseP99Ms,
                result.ResponseP999Ms,
                result.ResponseMaxMs
            )
            : (result.AverageLatencyMs, result.P50Ms, result.P90Ms, result.P95Ms, result.P99Ms, result.P999Ms, result.MaxLatencyMs);
        MinMs = IsResponse ? result.ResponsePercentiles.Find(p => p.Percent == 0)?.TotalMs : result.MinLatencyMs;
        Histogram = IsResponse ? result.ResponseHistogram : result.Histogram;
    }

    /// <summary>Whether it is the response time; else the service time.</summary>
    public bool IsResponse { get; }

    /// <summary>Which it is, in a word for a table or chart: <c>response</c>; empty for the service time, which needs no word.</summary>
    public string Word => IsResponse ? "response" : "";

    /// <summary>Average in milliseconds; null when not known, as all the others.</summary>
    public double? AverageMs { get; }

    /// <summary>Lowest.</summary>
    public double? MinMs { get; }

    /// <summary>Median.</summary>
    public double? P50Ms { get; }

    /// <summary>90th percentile.</summary>
    public double? P90Ms { get; }

    /// <summary>95th percentile.</summary>
    public double? P95Ms { get; }

    /// <summary>99th percentile.</summary>
    public double? P99Ms { get; }

    /// <summary>99.9th percentile.</summary>
    public double? P999Ms { get; }

    /// <summary>Highest.</summary>
    public double? MaxMs { get; }

    /// <summary>Share of I/Os by latency.</summary>
    public IoHistogram? Histogram { get; }

    /// <summary>What is shown of a result.</summary>
    public static ShownLatency Of(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return new ShownLatency(result);
    }
}
