using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Judges one metric of all patterns on the logarithmic scale. The spread of runs is taken from all patterns together, so that two or three repeats
/// of each are enough; each pattern gets an equal part of the risk of a false alarm.
/// </summary>
internal sealed class ChangeJudge(ComparisonOptions options)
{
    // Runs of one system repeat within a few percent; this is worth ten repeats until the data say otherwise.
    private static readonly SpreadEstimate s_expected = new(0.025 * 0.025, 10);
    // A 99th percentile rests on a hundredth of the I/Os.
    private static readonly SpreadEstimate s_expectedTail = new(0.1 * 0.1, 10);
    private const int FewDegrees = 6;
    private const int MinForScatter = 5;
    private const double ScatterFactor = 4;
    private const double ShortScatterFactor = 5;

    /// <summary>The figure that a pattern is judged by. All of them share one risk, also where some are IOPS and some response times.</summary>
    /// <param name="changes">One for each pattern.</param>
    public void JudgePrimary(IReadOnlyList<PatternChange> changes)
    {
        foreach (var alike in changes.GroupBy(c => c.Metric.Metric == "IOPS"))
        {
            var group = alike.ToList();
            var degrees = group.Sum(c => c.Spread.Degrees);
            var least = degrees == 0 ? options.MinSingleChangePercent : degrees < FewDegrees ? Math.Max(ComparisonOptions.MinFewChangePercent, options.MinChangePercent) : options.MinChangePercent;
            // Of single runs of a few seconds how far the patterns' changes lie apart is all that can be known about how they repeat.
            var half = degrees > 0 ? 0 : Math.Max(LogOfLoss(least), group.Exists(c => c.IsShort) ? ShortScatterFactor * Scatter(changes) : 0);
            Judge(group, s_expected, changes.Count, least, change => degrees == 0 && change.IsBusy ? Math.Max(half, LogOfLoss(ComparisonOptions.MinBusySingleChangePercent)) : half);
        }
    }

    /// <summary>The 99th percentiles, by their own uncertainty.</summary>
    /// <param name="changes">One for each pattern that has them.</param>
    public void JudgeTail(IReadOnlyList<PatternChange> changes)
    {
        if (changes.Count == 0)
            return;
        var isSingle = changes.Sum(c => c.Spread.Degrees) == 0;
        var least = Math.Max(options.MinChangePercent, isSingle ? ComparisonOptions.MinSingleTailChangePercent : ComparisonOptions.MinTailChangePercent);
        var half = isSingle ? Math.Max(Math.Log(1 + least / 100), ScatterFactor * Scatter(changes)) : 0;
        Judge(changes, s_expectedTail, changes.Count, least, change => isSingle && change.IsBusy ? Math.Max(half, Math.Log(1 + ComparisonOptions.MinBusySingleTailChangePercent / 100)) : half);
    }

    private void Judge(IReadOnlyList<PatternChange> changes, SpreadEstimate expected, int patterns, double least, Func<PatternChange, double> leastHalf)
    {
        var spreads = PooledSpread.Of([.. changes.Select(c => c.Spread)], expected);
        for (var i = 0; i < changes.Count; i++)
        {
            var change = changes[i];
            var variance = change.VarianceOf(Math.Max(spreads[i].Variance, change.OwnVariance));
            var half = Math.Max(leastHalf(change), StudentT.KeptQuantile(options.Alpha / patterns, spreads[i].Degrees) * Math.Sqrt(variance));
            Judge(change.Metric, half, least);
        }
    }

    private static void Judge(ComparedMetric metric, double half, double leastPercent)
    {
        var change = metric.LogChange!.Value;
        metric.ChangeLowPercent = Percent(change - half);
        metric.ChangeHighPercent = Percent(change + half);
        // What is worse of a rate is a loss, of a latency a rise.
        var seen = MetricCatalog.Get(metric.Metric).IsBetter(1) == true ? -Percent(-half) : Percent(half);
        metric.MinVisiblePercent = Math.Max(seen, leastPercent);
        metric.Verdict = Math.Abs(change) > half - 1e-9 && Math.Abs(metric.ChangePercent!.Value) >= leastPercent - 1e-9 && change != 0
            ? metric.IsBetter == true ? ComparisonVerdict.Better : ComparisonVerdict.Worse
            : metric.MinVisiblePercent <= ComparisonOptions.MinSeenForNoise ? ComparisonVerdict.Noise : ComparisonVerdict.NoVerdict;
    }

    // How far the patterns' changes lie apart: of single runs all that can be known about how tails repeat. A few that really changed move it little.
    private static double Scatter(IReadOnlyList<PatternChange> changes)
    {
        if (changes.Count < MinForScatter)
            return 0;
        return RobustSpread.Of([.. changes.Select(c => c.Metric.LogChange!.Value)]).Deviation;
    }

    private static double LogOfLoss(double percent) => -Math.Log(1 - Math.Min(percent, 99) / 100);

    private static double Percent(double log) => (Math.Exp(log) - 1) * 100;
}
