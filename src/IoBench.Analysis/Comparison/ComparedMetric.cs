using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>One metric of one pattern in the baseline results and the current results.</summary>
public sealed class ComparedMetric
{
    /// <summary>
    /// IOPS, BandwidthMBps, AverageLatencyMs, P99Ms, ResponseAverageMs, ResponseP99Ms, or LittlesLawLatencyMs if one of the results has
    /// SQLIO's truncated average.
    /// </summary>
    public required string Metric { get; init; }

    /// <summary>Values of the baseline runs.</summary>
    public required SampleSummary Baseline { get; init; }

    /// <summary>Values of the current runs.</summary>
    public required SampleSummary Current { get; init; }

    /// <summary>
    /// Change in percent of the baseline, from geometric means if all values are above 0; null if the mean of the baseline is 0.
    /// </summary>
    public double? ChangePercent { get; init; }

    /// <summary>Lower end of the interval of the change, in percent; null for a metric without a verdict.</summary>
    public double? ChangeLowPercent { get; internal set; }

    /// <summary>Upper end of the interval of the change, in percent; null for a metric without a verdict.</summary>
    public double? ChangeHighPercent { get; internal set; }

    /// <summary>Smallest detectable change for the worse, in percent; null for a metric without a verdict.</summary>
    public double? MinVisiblePercent { get; internal set; }

    /// <summary>Verdict; <see cref="ComparisonVerdict.NoVerdict"/> for a metric that is not compared.</summary>
    public ComparisonVerdict Verdict { get; internal set; } = ComparisonVerdict.NoVerdict;

    internal double? LogChange { get; init; }

    /// <inheritdoc/>
    public override string ToString() =>
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Metric} {ChangePercent:+0.0;-0.0;0.0} %");

    internal bool? IsBetter => ChangePercent is { } change ? MetricCatalog.Get(Metric).IsBetter(change) : null;
}

/// <summary>Verdict of a comparison.</summary>
public enum ComparisonVerdict
{
    /// <summary>Better than the baseline.</summary>
    Better,

    /// <summary>Worse than the baseline.</summary>
    Worse,

    /// <summary>No detectable change, or a change that is too small to matter.</summary>
    Noise,

    /// <summary>Inconclusive: single runs that differ by less than the smallest detectable change, or no values.</summary>
    NoVerdict,
}
