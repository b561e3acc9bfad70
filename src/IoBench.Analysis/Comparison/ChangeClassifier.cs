using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Classifies the changes of one metric on the logarithmic scale. The spread of the runs is estimated from all patterns together, so two
/// or three repeats of each are enough. The patterns share the risk of a false alarm equally.
/// </summary>
internal sealed class ChangeClassifier(ComparisonOptions options)
{
    // Prior: runs of one system repeat within 5%. This counts as much as ten repeats, unless the data contradict it.
    private static readonly VarianceEstimate s_expected = new(0.05 * 0.05, 10);

    // Prior for a single pattern if the patterns differ in spread: wider and with less weight, so that its own repeats soon dominate.
    private static readonly VarianceEstimate s_expectedOfOne = new(0.04 * 0.04, 5);

    // The 99th percentile depends on only 1% of the I/Os, so its prior spread is larger.
    private static readonly VarianceEstimate s_expectedTail = new(0.1 * 0.1, 10);
    private const int FewDegrees = 6;
    private const int MinForScatter = 5;
    private const double ScatterFactor = 4;
    private const double ShortScatterFactor = 5;

    private const double MinFewChangePercent = 10;

    private const double MinTailChangePercent = 10;

    /// <summary>A 99th percentile varies more than an average, and a single run does not show how much.</summary>
    private const double MinSingleTailChangePercent = 100;

    /// <summary>In a run of a few seconds, one disturbance of 20 ms (1% of 2 s) becomes the 99th percentile.</summary>
    private const double MinShortSingleTailChangePercent = 300;

    /// <summary>Fewest patterns of single runs that show how far the patterns differ by chance.</summary>
    private const int MinSinglePatterns = 5;

    /// <summary>Highest CPU wait, in percent, with which single runs are compared.</summary>
    private const double MaxSingleCpuWaitPercent = 5;

    /// <summary>Fewest runs per side if worker threads waited for a CPU.</summary>
    private const int MinBusyRepeats = 3;

    /// <summary>
    /// Widens the interval if worker threads waited for a CPU, because such runs have more outliers than a normal distribution. Of real
    /// pairs of equal systems on a busy host, 7% had a false alarm without it.
    /// </summary>
    private const double BusyFactor = 1.3;

    private const string BusyRepeatDoubt = "worker threads waited for a CPU, so repeat each test 3 times";
    private const string SingleRunDoubt =
        "with only one baseline run and one current run, IoBench cannot distinguish this change from chance, so repeat each test 3 times";
    private const string CpuWaitDoubt =
        "worker threads waited longer for a CPU in one of the runs, which explains more than half of the change";

    /// <summary>If a change of this size in percent would be detected and was not, the verdict is "no detectable change".</summary>
    private const double MaxDetectableForNoChange = 10;

    /// <summary>Largest half of an interval, as a logarithm: a factor of about 20,000.</summary>
    private const double MaxHalf = 10;

    public void ClassifyPrimary(IReadOnlyList<PatternChange> changes)
    {
        foreach (var alike in changes.GroupBy(c => c.Metric.Metric == "IOPS"))
        {
            var group = alike.ToList();
            var degrees = group.Sum(c => c.Spread.Degrees);
            var min =
                degrees == 0 ? options.MinSingleChangePercent
                : degrees < FewDegrees ? Math.Max(MinFewChangePercent, options.MinChangePercent)
                : options.MinChangePercent;
            // For single runs of a few seconds, the scatter of the patterns' changes is the only available estimate of the spread.
            var half =
                degrees > 0 ? 0 : Math.Max(ToLogLoss(min), group.Exists(c => c.IsShort) ? ShortScatterFactor * GetScatter(changes) : 0);
            ClassifyChanges(group, (s_expected, s_expectedOfOne), changes.Count, min, half, degrees == 0 && !CanCompareSingleRuns(changes));
        }
    }

    public void ClassifyTail(IReadOnlyList<PatternChange> changes)
    {
        if (changes.Count == 0)
            return;
        var isSingle = changes.Sum(c => c.Spread.Degrees) == 0;
        var min = Math.Max(options.MinChangePercent, isSingle ? GetMinSingleTail(changes) : MinTailChangePercent);
        var half = isSingle ? Math.Max(Math.Log(1 + min / 100), ScatterFactor * GetScatter(changes)) : 0;
        ClassifyChanges(changes, (s_expectedTail, null), changes.Count, min, half, isSingle && !CanCompareSingleRuns(changes));
    }

    /// <summary>Equal systems on a busy host differed by up to 82% in single runs of a second, so such runs have no verdict.</summary>
    private static bool CanCompareSingleRuns(IReadOnlyList<PatternChange> changes) =>
        changes.Count >= MinSinglePatterns
        && changes.All(change => change is { IsShort: false, IsBusy: false, CpuWaitPercent: <= MaxSingleCpuWaitPercent });

    private static double GetMinSingleTail(IReadOnlyList<PatternChange> changes) =>
        changes.Any(c => c.IsShort) ? MinShortSingleTailChangePercent : MinSingleTailChangePercent;

    private void ClassifyChanges(
        IReadOnlyList<PatternChange> changes,
        (VarianceEstimate OfAll, VarianceEstimate? OfOne) expected,
        int patterns,
        double min,
        double minHalf,
        bool isUndecidable
    )
    {
        SquaredDeviations[] groups = [.. changes.Select(c => c.Spread)];
        var spreads = VarianceEstimate.EstimateAll(groups, expected.OfAll);
        var ofOne =
            spreads.Distinct().Count() <= 1 || expected.OfOne is not { } known || VarianceEstimate.ContradictsPrior(groups, known)
                ? null
                : expected.OfOne;
        for (var i = 0; i < changes.Count; i++)
        {
            var change = changes[i];
            var half = Half(spreads[i]);
            // If one pattern was disturbed, the exact patterns provide no common spread; a few repeats alone provide little information.
            if (ofOne is { } one)
                half = Math.Min(half, Half(VarianceEstimate.CombineWithPrior(one, change.Spread)));
            var isBusy = change.CpuWaitPercent >= CpuWait.NotablePercent;
            ClassifyChanges(change.Metric, Math.Max(minHalf, isBusy ? BusyFactor * half : half), min);
            AddDoubt(change, isUndecidable, isBusy);

            double Half(VarianceEstimate spread) =>
                Distributions.CachedStudentQuantile(options.Alpha / patterns, spread.Degrees)
                * Math.Sqrt(change.GetDifferenceVariance(Math.Max(spread.Variance, change.OwnVariance)));
        }
    }

    private static void AddDoubt(PatternChange change, bool isUndecidable, bool isBusy)
    {
        var metric = change.Metric;
        if (isBusy && Math.Min(change.Baseline, change.Current) < MinBusyRepeats && !isUndecidable)
        {
            metric.Verdict = ComparisonVerdict.Inconclusive;
            metric.Doubt = BusyRepeatDoubt;
        }
        else if (isUndecidable)
        {
            // The interval of an assumed spread would be misleading.
            metric.ChangeLowPercent = metric.ChangeHighPercent = metric.MinVisiblePercent = null;
            metric.Verdict = ComparisonVerdict.Inconclusive;
            metric.Doubt = SingleRunDoubt;
        }
        else if (
            metric.Verdict is ComparisonVerdict.Better or ComparisonVerdict.Worse
            && change.CpuWaitDifferencePercent > Math.Abs(metric.ChangePercent!.Value) / 2
        )
        {
            metric.Verdict = ComparisonVerdict.Inconclusive;
            metric.Doubt = CpuWaitDoubt;
        }
    }

    private static void ClassifyChanges(ComparedMetric metric, double half, double leastPercent)
    {
        var change = metric.LogChange!.Value;
        // A larger interval states no more.
        half = Math.Min(half, MaxHalf);
        metric.ChangeLowPercent = ToPercent(change - half);
        metric.ChangeHighPercent = ToPercent(change + half);
        // A decrease is worse for a rate, an increase is worse for latency.
        var seen = MetricCatalog.Get(metric.Metric).IsBetter(1) == true ? -ToPercent(-half) : ToPercent(half);
        metric.MinVisiblePercent = Math.Max(seen, leastPercent);
        metric.Verdict =
            Math.Abs(change) > half - 1e-9 && Math.Abs(metric.ChangePercent!.Value) >= leastPercent - 1e-9 && change != 0
                ? metric.IsBetter == true
                    ? ComparisonVerdict.Better
                    : ComparisonVerdict.Worse
                : metric.MinVisiblePercent <= MaxDetectableForNoChange
                    ? ComparisonVerdict.NoDetectableChange
                    : ComparisonVerdict.Inconclusive;
    }

    // The only estimate of how percentiles of single runs repeat. It is robust, so a few real changes hardly affect it.
    private static double GetScatter(IReadOnlyList<PatternChange> changes)
    {
        if (changes.Count < MinForScatter)
            return 0;
        return SampleSummary.GetRobustSpread([.. changes.Select(c => c.Metric.LogChange!.Value)]).Deviation;
    }

    private static double ToLogLoss(double percent) => -Math.Log(1 - Math.Min(percent, 99) / 100);

    private static double ToPercent(double log) => (Math.Exp(log) - 1) * 100;
}
