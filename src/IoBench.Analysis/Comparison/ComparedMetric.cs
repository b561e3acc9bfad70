namespace IoBench.Analysis.Comparison;

/// <summary>One metric of one pattern on both sides.</summary>
public sealed class ComparedMetric
{
    /// <summary>IOPS, BandwidthMBps, AverageLatencyMs, P99Ms, ResponseAverageMs, ResponseP99Ms, or LittlesLawLatencyMs where a side has SQLIO's cut average.</summary>
    public required string Metric { get; init; }

    /// <summary>The baseline's runs.</summary>
    public required SampleSummary Baseline { get; init; }

    /// <summary>The other side's runs.</summary>
    public required SampleSummary Current { get; init; }

    /// <summary>Change in percent of the baseline, of geometric means where all values are above 0; null when the baseline's mean is 0.</summary>
    public double? ChangePercent { get; init; }

    /// <summary>Lower end of the change's interval, in percent; null of a metric that is not judged.</summary>
    public double? ChangeLowPercent { get; internal set; }

    /// <summary>Its upper end, in percent.</summary>
    public double? ChangeHighPercent { get; internal set; }

    /// <summary>The smallest change to the worse, in percent, that these runs could have shown; null of a metric that is not judged.</summary>
    public double? MinVisiblePercent { get; internal set; }

    /// <summary>What it says; <see cref="ComparisonVerdict.NoVerdict"/> of a metric that is not judged.</summary>
    public ComparisonVerdict Verdict { get; internal set; } = ComparisonVerdict.NoVerdict;

    /// <summary>The change on the logarithmic scale; null where a value is not above 0.</summary>
    internal double? LogChange { get; init; }

    /// <inheritdoc/>
    public override string ToString() =>
        string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{Metric} {ChangePercent:+0.0;-0.0;0.0} %");

    internal bool? IsBetter => ChangePercent is { } change ? MetricCatalog.Get(Metric).IsBetter(change) : null;
}
