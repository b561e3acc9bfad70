namespace IoBench.Engine;

/// <summary>
/// Latency that tables, charts, and the live line display: response times of an open loop, because only they show stalls; otherwise
/// latency from submission.
/// </summary>
public readonly struct DisplayLatency
{
    private DisplayLatency(IoTestResult result)
    {
        IsResponse = result.ResponseAverageMs is not null;
        // Files of earlier versions contain only the average and the 99th percentile of an open loop. The other values are unknown; the
        // latency from submission does not replace them.
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

    /// <summary>Whether the values are response times; otherwise latency from submission.</summary>
    public bool IsResponse { get; }

    /// <summary>Label for a table or chart: <c>response</c>, or empty for latency from submission.</summary>
    public string Word => IsResponse ? "response" : "";

    /// <summary>Average in milliseconds; null if unknown, as all other values.</summary>
    public double? AverageMs { get; }

    /// <summary>Minimum in milliseconds.</summary>
    public double? MinMs { get; }

    /// <summary>Median in milliseconds.</summary>
    public double? P50Ms { get; }

    /// <summary>90th percentile in milliseconds.</summary>
    public double? P90Ms { get; }

    /// <summary>95th percentile in milliseconds.</summary>
    public double? P95Ms { get; }

    /// <summary>99th percentile in milliseconds.</summary>
    public double? P99Ms { get; }

    /// <summary>99.9th percentile in milliseconds.</summary>
    public double? P999Ms { get; }

    /// <summary>Maximum in milliseconds.</summary>
    public double? MaxMs { get; }

    /// <summary>Distribution of I/Os by latency.</summary>
    public IoHistogram? Histogram { get; }

    /// <summary>Returns the latency to display for a result.</summary>
    public static DisplayLatency FromResult(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return new DisplayLatency(result);
    }
}
