using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Runs of one test in the baseline and the current results.</summary>
internal sealed record RunPair(IReadOnlyList<IoTestResult> Baseline, IReadOnlyList<IoTestResult> Current);

internal sealed record PatternChange(ComparedMetric Metric, SquaredDeviations Spread, int Baseline, int Current, double OwnVariance)
{
    public bool IsShort { get; init; }

    public bool IsBusy { get; init; }

    /// <summary>Longest CPU wait of the workers in percent of the duration; 0 if unknown. A closed loop can lose this share.</summary>
    public double CpuWaitPercent { get; init; }

    public static PatternChange? Create(
        ComparedMetric? metric,
        RunPair pair,
        Func<IoTestResult, double?> figure,
        Func<IoTestResult, double> ownVariance
    )
    {
        if (metric?.LogChange is null)
            return null;
        var a = GetLogs(pair.Baseline, figure);
        var b = GetLogs(pair.Current, figure);
        return new(
            metric,
            new(GetSumOfSquares(a) + GetSumOfSquares(b), a.Count + b.Count - 2),
            a.Count,
            b.Count,
            pair.Baseline.Concat(pair.Current).Average(ownVariance)
        )
        {
            IsShort = pair.Baseline.Concat(pair.Current).Any(run => run.DurationSeconds < RuleEvaluator.MinSeconds),
            IsBusy = pair.Baseline.Concat(pair.Current).Any(HasCpuContention),
            CpuWaitDifferencePercent = Math.Abs(GetMeanCpuWait(pair.Current) - GetMeanCpuWait(pair.Baseline)),
            CpuWaitPercent = pair.Baseline.Concat(pair.Current).Max(run => run.ProcessorWaitPercent ?? 0),
        };
    }

    // A busy host does no harm if workers get a CPU at once. Count it only if the CPU wait is high or unknown.
    private static bool HasCpuContention(IoTestResult run) =>
        run.HasWarning(WarningCodes.StolenTime)
        || run.HasWarning(WarningCodes.WaitedForProcessors)
        || run.ProcessorWaitPercent is null && run.HasWarning(WarningCodes.ProcessorsBusy);

    /// <summary>Difference of the mean CPU waits of both sides, in percent of the duration. A change can be no more than this
    /// share.</summary>
    public double CpuWaitDifferencePercent { get; init; }

    /// <summary>Logarithm of the ratio of the means; null if a value is missing or not above 0.</summary>
    public static double? GetLogChange(RunPair pair, Func<IoTestResult, double?> figure)
    {
        var a = pair.Baseline.Select(figure).OfType<double>().ToList();
        var b = pair.Current.Select(figure).OfType<double>().ToList();
        return a.Count == 0 || b.Count == 0 || a.Concat(b).Any(value => !(value > 0)) ? null : Math.Log(b.Average() / a.Average());
    }

    private static double GetMeanCpuWait(IReadOnlyList<IoTestResult> runs) => runs.Average(run => run.ProcessorWaitPercent ?? 0);

    public double GetDifferenceVariance(double one) => one * (1.0 / Baseline + 1.0 / Current);

    private static List<double> GetLogs(IReadOnlyList<IoTestResult> runs, Func<IoTestResult, double?> figure) =>
        [.. runs.Select(figure).OfType<double>().Select(value => value > 0 ? Math.Log(value) : double.NaN)];

    private static double GetSumOfSquares(List<double> values)
    {
        var mean = values.Average();
        return values.Sum(value => (value - mean) * (value - mean));
    }

    public static PatternChange? CreatePrimary(ComparisonRow row, RunPair pair)
    {
        var isPaced = pair
            .Baseline.Concat(pair.Current)
            .All(r => (r.LoadModel == IoLoadModel.Open || r.TargetIops is not null) && !r.HasMissedRate());
        return isPaced
            ? CreatePrimary(row, pair, "ResponseAverageMs", point => point.AverageLatencyMs)
                ?? CreatePrimary(row, pair, "AverageLatencyMs", point => point.AverageLatencyMs)
                ?? CreatePrimary(row, pair, "IOPS", point => point.IOPS)
            : CreatePrimary(row, pair, "IOPS", point => point.IOPS);
    }

    /// <summary>Null if the metric is missing, or if a run did not reach its rate and its latency is therefore meaningless.</summary>
    public static PatternChange? CreateTail(ComparisonRow row, RunPair pair) =>
        pair.Baseline.Concat(pair.Current).Any(r => r.HasMissedRate())
            ? null
            : CreateForMetric(row, pair, "ResponseP99Ms", EstimateP99Variance) ?? CreateForMetric(row, pair, "P99Ms", EstimateP99Variance);

    // Repeats show more about the spread than intervals do. Use intervals only if there are no repeats.
    private static PatternChange? CreatePrimary(ComparisonRow row, RunPair pair, string name, Func<IoTimelinePoint, double?> interval) =>
        CreateForMetric(row, pair, name, run => pair.Baseline.Count + pair.Current.Count > 2 ? 0 : EstimateMeanVariance(run, interval));

    private static PatternChange? CreateForMetric(ComparisonRow row, RunPair pair, string name, Func<IoTestResult, double> ownVariance) =>
        Create(row.Metrics.FirstOrDefault(metric => metric.Metric == name), pair, MetricCatalog.Get(name).Figure!, ownVariance);

    private const int MinIntervals = 2;

    // With fewer intervals, estimate the uncertainty only if the variation exceeds that of a steady run.
    private const int FewIntervals = 10;
    private const double MaxSteadyVariation = 0.10;

    /// <summary>Uncertainty of a single run from its intervals, as a variance of logarithms. Correlated intervals count as fewer. 0 =
    /// unknown.</summary>
    public static double EstimateMeanVariance(IoTestResult run, Func<IoTimelinePoint, double?> interval)
    {
        var values = run.Timeline.Select(interval).OfType<double>().ToList();
        if (values.Count < MinIntervals)
            return 0;
        var mean = values.Average();
        var squares = values.Sum(v => (v - mean) * (v - mean));
        if (
            squares == 0
            || mean <= 0
            || values.Count < FewIntervals && Math.Sqrt(squares / (values.Count - 1)) <= MaxSteadyVariation * mean
        )
            return 0;
        double lagProducts = 0;
        for (var i = 1; i < values.Count; i++)
            lagProducts += (values[i] - mean) * (values[i - 1] - mean);
        var autocorrelation = Math.Clamp(lagProducts / squares, 0, 0.95);
        var independent = Math.Max(2, values.Count * (1 - autocorrelation) / (1 + autocorrelation));
        return squares / (values.Count - 1) / (mean * mean) / independent;
    }

    /// <summary>Uncertainty of a single run from its histogram, as a variance of logarithms. 0 = no histogram. Source: H. A. David and H.
    /// N. Nagaraja, Order Statistics, 7.1 (rank of a quantile).</summary>
    public static double EstimateP99Variance(IoTestResult run)
    {
        if (run.Histogram is not { } histogram || run.IOPS * run.DurationSeconds is not ({ } count and >= 100))
            return 0;
        const double p = 0.99;
        var error = Math.Sqrt(p * (1 - p) / count);
        return
            FindValueAt(histogram.Buckets, p - error) is { } low and > 0
            && FindValueAt(histogram.Buckets, Math.Min(1, p + error)) is { } high
            ? Math.Pow((Math.Log(high) - Math.Log(low)) / 2, 2)
            : 0;
    }

    private static double? FindValueAt(List<IoHistogramBucket> buckets, double share)
    {
        double sum = 0;
        foreach (var bucket in buckets)
        {
            var before = sum;
            sum += bucket.Percent / 100;
            if (sum >= share && bucket.Percent > 0)
                return bucket.ToMs is { } end
                    ? bucket.FromMs + (end - bucket.FromMs) * Math.Clamp((share - before) / (sum - before), 0, 1)
                    : bucket.FromMs;
        }
        return buckets.Count == 0 ? null : buckets[^1].FromMs;
    }
}
