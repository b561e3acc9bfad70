using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>One metric of one pattern in the baseline results and the current results.</summary>
public sealed class ComparedMetric
{
    /// <summary>Name of the metric; LittlesLawLatencyMs if one of the results has SQLIO's truncated average.</summary>
    public required string Metric { get; init; }

    public required SampleSummary Baseline { get; init; }

    public required SampleSummary Current { get; init; }

    /// <summary>Change of the mean in percent of the baseline's mean; null if the baseline's mean is 0.</summary>
    public double? ChangePercent { get; init; }

    /// <summary>Lower end of the interval of the change, in percent; null for a metric without a verdict.</summary>
    public double? ChangeLowPercent { get; internal set; }

    public double? ChangeHighPercent { get; internal set; }

    /// <summary>Smallest detectable change for the worse, in percent; null for a metric without a verdict.</summary>
    public double? MinVisiblePercent { get; internal set; }

    public ComparisonVerdict Verdict { get; internal set; } = ComparisonVerdict.Inconclusive;

    /// <summary>Why the verdict is inconclusive although the change is beyond the interval; null if there is no such reason.</summary>
    public string? Doubt { get; internal set; }

    internal double? LogChange { get; init; }

    public override string ToString() => $"{Metric} {(ChangePercent is { } percent ? NumberFormat.Change(percent) : "?")}";

    internal bool? IsBetter => ChangePercent is { } change ? MetricCatalog.Get(Metric).IsBetter(change) : null;
}

public enum ComparisonVerdict : long
{
    Better,

    Worse,

    /// <summary>No change was detected although a change that matters would have been, or the change is too small to matter.</summary>
    NoDetectableChange,

    /// <summary>Single runs that differ by less than the smallest detectable change, or no values.</summary>
    Inconclusive,
}
