namespace IoBench.Engine;

/// <summary>Latency to display: response times of an open loop, because only they show stalls; otherwise latency from submission.</summary>
public readonly struct DisplayLatency
{
    private DisplayLatency(IoTestResult result)
    {
        IsResponse = result.ResponseAverageMs is not null;
        // Files of earlier versions contain only the average and the 99th percentile of an open loop. The other values are unknown; the
        // latency from submission does not replace them.
        AverageMs = IsResponse ? result.ResponseAverageMs : result.AverageLatencyMs;
        P50Ms = IsResponse ? result.ResponseP50Ms : result.P50Ms;
        P90Ms = IsResponse ? result.ResponseP90Ms : result.P90Ms;
        P95Ms = IsResponse ? result.ResponseP95Ms : result.P95Ms;
        P99Ms = IsResponse ? result.ResponseP99Ms : result.P99Ms;
        P999Ms = IsResponse ? result.ResponseP999Ms : result.P999Ms;
        MaxMs = IsResponse ? result.ResponseMaxMs : result.MaxLatencyMs;
        MinMs = IsResponse ? result.ResponsePercentiles.Find(p => p.Percent == 0)?.TotalMs : result.MinLatencyMs;
        Histogram = IsResponse ? result.ResponseHistogram : result.Histogram;
    }

    /// <summary>Whether the values are response times; otherwise latency from submission.</summary>
    public bool IsResponse { get; }

    public string Word => IsResponse ? "response" : "";

    public double? AverageMs { get; }

    public double? MinMs { get; }

    public double? P50Ms { get; }

    public double? P90Ms { get; }

    public double? P95Ms { get; }

    public double? P99Ms { get; }

    public double? P999Ms { get; }

    public double? MaxMs { get; }

    public IoHistogram? Histogram { get; }

    public static DisplayLatency FromResult(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return new DisplayLatency(result);
    }
}
