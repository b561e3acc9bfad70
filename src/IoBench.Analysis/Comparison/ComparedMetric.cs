namespace IoBench.Analysis;

/// <summary>One metric of one pattern on both sides.</summary>
public sealed class ComparedMetric
{
    /// <summary>IOPS, BandwidthMBps, AverageLatencyMs, P99Ms, ResponseAverageMs, ResponseP99Ms, or LittlesLawLatencyMs where a side has SQLIO's cut average.</summary>
    public required string Metric { get; init; }
    /// <summary>The baseline's runs.</summary>
    public required SampleSummary Baseline { get; init; }
    /// <summary>The other side's runs.</summary>
    public required SampleSummary Current { get; init; }
    /// <summary>Change of the mean in percent of the baseline; null when the baseline's mean is 0.</summary>
    public double? ChangePercent { get; init; }
    /// <summary>Welch's p, adjusted by Holm over all patterns and metrics of the comparison; null without repeats on both sides.</summary>
    public double? AdjustedP { get; internal set; }
    /// <summary>What it says.</summary>
    public ComparisonVerdict Verdict { get; internal set; }

    internal double? RawP { get; init; }
    internal bool HigherIsBetter => Metric is "IOPS" or "BandwidthMBps";
}
