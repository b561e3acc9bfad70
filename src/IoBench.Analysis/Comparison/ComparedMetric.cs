using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>One metric of one pattern in the baseline results and the current results.</summary>
public sealed class ComparedMetric
{
    /// <summary>Name of the metric; LittlesLawLatencyMs if one of the results has SQLIO's truncated average.</summary>
    public required string Metric { get; init; }

    public required SampleSummary Baseline { get; init; }

    public required SampleSummary Current { get; init; }

    /// <summary>In percent of the baseline, from geometric means if all values are above 0; null if the baseline's mean is 0.</summary>
    public double? ChangePercent { get; init; }

    /// <summary>Lower end of the interval of the change, in percent; null for a metric without a verdict.</summary>
    public double? ChangeLowPercent { get; internal set; }

    public double? ChangeHighPercent { get; internal set; }

    /// <summary>Smallest detectable change for the worse, in percent; null for a metric without a verdict.</summary>
    public double? MinVisiblePercent { get; internal set; }

    public ComparisonVerdict Verdict { get; internal set; } = ComparisonVerdict.NoVerdict;

    internal double? LogChange { get; init; }

    public override string ToString() =>
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Metric} {ChangePercent:+0.0;-0.0;0.0} %");

    internal bool? IsBetter => ChangePercent is { } change ? MetricCatalog.Get(Metric).IsBetter(change) : null;
}

public enum ComparisonVerdict
{
    Better,

    Worse,

    /// <summary>No detectable change, or a change that is too small to matter.</summary>
    Noise,

    /// <summary>Inconclusive: single runs that differ by less than the smallest detectable change, or no values.</summary>
    NoVerdict,
}
