namespace IoBench.Analysis.Comparison;

/// <summary>One metric of one pattern, as the judge needs it.</summary>
/// <param name="Metric">Where the verdict goes.</param>
/// <param name="Spread">What repeats on both sides show of the spread, on the logarithmic scale.</param>
/// <param name="Baseline">Runs on the baseline's side.</param>
/// <param name="Current">Runs on the other side.</param>
/// <param name="OwnVariance">Variance of the logarithm of one run's value as far as the run itself shows it; 0 = not known.</param>
internal sealed record PatternChange(ComparedMetric Metric, GroupSpread Spread, int Baseline, int Current, double OwnVariance)
{
    /// <summary>A run of it is so short that it shows nothing of how it would repeat.</summary>
    public bool IsShort { get; init; }

    /// <summary>A run of it says itself that the computer, not the storage, may have been the limit.</summary>
    public bool IsBusy { get; init; }

    /// <summary>The longest wait of its runs' workers for a processor, in percent of the measured time; 0 where it is not known. A closed loop may have lost that share of its rate by it.</summary>
    public double WaitPercent { get; init; }

    /// <summary>The metric with the spread of its runs; null where it has no logarithm on a side.</summary>
    public static PatternChange? Of(
        ComparedMetric? metric,
        RunMatcher.Pair pair,
        Func<IoTestResult, double?> figure,
        Func<IoTestResult, double> ownVariance
    )
    {
        if (metric?.LogChange is null)
            return null;
        var (a, b) = (Logs(pair.Baseline, figure), Logs(pair.Current, figure));
        return new(
            metric,
            new(SquaresOf(a) + SquaresOf(b), a.Count + b.Count - 2),
            a.Count,
            b.Count,
            pair.Baseline.Concat(pair.Current).Average(ownVariance)
        )
        {
            IsShort = pair.Baseline.Concat(pair.Current).Any(run => run.DurationSeconds < QuickLook.MinSeconds),
            IsBusy = pair.Baseline.Concat(pair.Current).Any(IsHeldUp),
            WaitPercent = pair.Baseline.Concat(pair.Current).Max(run => run.ProcessorWaitPercent ?? 0),
        };
    }

    // Busy processors do no harm where workers get theirs at once: a priority, or few workers. They count where the wait is not known.
    private static bool IsHeldUp(IoTestResult run) =>
        run.HasWarning(WarningCodes.StolenTime)
        || run.HasWarning(WarningCodes.WaitedForProcessors)
        || run.ProcessorWaitPercent is null && run.HasWarning(WarningCodes.ProcessorsBusy);

    /// <summary>Difference of the mean logarithms; null where a side has no value or one that is not above 0.</summary>
    public static double? LogChange(RunMatcher.Pair pair, Func<IoTestResult, double?> figure)
    {
        var (a, b) = (Logs(pair.Baseline, figure), Logs(pair.Current, figure));
        return a.Count == 0 || b.Count == 0 || !a.Concat(b).All(double.IsFinite) ? null : b.Average() - a.Average();
    }

    /// <summary>Variance of the difference of the means when one value has the variance <paramref name="one"/>.</summary>
    public double VarianceOf(double one) => one * (1.0 / Baseline + 1.0 / Current);

    private static List<double> Logs(IReadOnlyList<IoTestResult> runs, Func<IoTestResult, double?> figure) =>
        [.. runs.Select(figure).OfType<double>().Select(value => value > 0 ? Math.Log(value) : double.NaN)];

    private static double SquaresOf(List<double> values)
    {
        var mean = values.Average();
        return values.Sum(value => (value - mean) * (value - mean));
    }
}
