namespace IoBench.Analysis;

/// <param name="Seconds">Seconds under load from the first run to the end of the burst.</param>
/// <param name="IsWithinRun">Whether the burst ended within a run; false if it ended between two equal runs.</param>
internal sealed record CapBurst(double BurstIops, double SustainedIops, double Seconds, CapRun Run, bool IsWithinRun)
{
    private const double MinDrop = 0.10;
    private const double MaxSustainedVariation = 2 * CapResult.EvenVariation;
    private const int MinLongRunIntervals = 20;

    /// <summary>Largest difference of two runs at the limit, as a share. A busy host makes short runs differ by a few percent.</summary>
    private const double MaxDifference = 0.05;

    /// <summary>Fewest runs after the burst whose equal rate shows a limit.</summary>
    private const int MinAgreeing = 3;

    /// <summary>A drop must be larger than the difference of the runs after it, by this factor.</summary>
    private const double MinDropFactor = 3;

    internal static (CapBurst? Burst, List<CapRun> SustainedRuns) SplitRuns(List<CapRun> runs)
    {
        var ordered = runs.TrueForAll(r => r.Result.StartTime is not null) ? [.. runs.OrderBy(r => r.Result.StartTime)] : runs;
        // Use the run with the highest load, because fewer outstanding I/Os might not use the whole burst.
        if (ordered.Where(r => IsBurstWithinRun(r, ordered)).MaxBy(r => r.Depth) is { } run)
        {
            var index = ordered.IndexOf(run);
            var seconds = ordered.Take(index).Sum(r => r.Result.DurationSeconds ?? 0) + run.BurstSeconds!.Value;
            return (new(run.BurstIops!.Value, run.Iops, seconds, run, true), ordered[index..]);
        }
        if (FindBurstBetweenRuns(ordered) is { } pair)
        {
            var to = ordered.FindIndex(r =>
                r.BlockKB == pair.Last.BlockKB
                && r != pair.First
                && IsAtLastRate(r, pair.Last)
                && ordered.IndexOf(r) > ordered.IndexOf(pair.First)
            );
            var seconds = ordered.Take(to).Sum(r => r.Result.DurationSeconds ?? 0);
            return (new(pair.First.Iops, pair.Last.Iops, seconds, pair.Last, false), ordered[to..]);
        }
        return (null, ordered);
    }

    // A later run must confirm a step within a run, or the rate after the step must be as even as a limit makes it.
    private static bool IsBurstWithinRun(CapRun run, List<CapRun> ordered)
    {
        if (run.BurstIops is null || HasRateRecovered(run, ordered))
            return false;
        var later = ordered.SkipWhile(r => r != run).Skip(1).Where(r => r.BlockKB == run.BlockKB).ToList();
        return later.Count > 0 ? later.TrueForAll(r => r.Iops <= run.Iops * (1 + MinDrop)) : run.Variation <= MaxSustainedVariation;
    }

    /// <summary>
    /// Compares the first and the last of equal runs, because burst credit can run out between them. The lower rate must be a limit: the
    /// same at two loads or in several runs, or even over the intervals of a long run.
    /// </summary>
    private static (CapRun First, CapRun Last)? FindBurstBetweenRuns(List<CapRun> ordered)
    {
        foreach (var size in ordered.GroupBy(r => r.BlockKB))
        {
            var pairs = size.GroupBy(r => r.Depth).Where(g => g.Count() > 1).Select(g => (First: g.First(), Last: g.Last())).ToList();
            var dropped = pairs.FindAll(p => HasDropped(p.First, p.Last));
            if (dropped.Count == 0)
                continue;
            var best = dropped.MaxBy(p => p.First.Depth);
            var isLimit =
                dropped.Count == pairs.Count && CountAgreeing(ordered, best.First, best.Last) >= MinAgreeing
                || (
                    pairs.Count > 1
                        ? pairs.TrueForAll(p => IsAtLastRate(p.Last, best.Last) && !(p.Last.Variation > 0.05))
                            && 1 - best.Last.Iops / best.First.Iops >= MinDropFactor * GetSpread(pairs.Select(p => p.Last.Iops))
                        : best.Last.Intervals >= MinLongRunIntervals
                            && best.Last.Variation <= MaxSustainedVariation
                            && best.First.Variation is not null
                );
            if (isLimit)
                return best;
        }
        return null;
    }

    internal static bool HasDropped(CapRun first, CapRun last) =>
        !first.IsCpuLimited && !last.IsCpuLimited && last.Iops < first.Iops * (1 - MinDrop) && !(first.Variation > 0.05);

    /// <summary>Number of runs of any size after the first run that have the IOPS or the throughput of the last run.</summary>
    private static int CountAgreeing(List<CapRun> ordered, CapRun first, CapRun last)
    {
        var later = ordered.Skip(ordered.IndexOf(first) + 1).ToList();
        return Math.Max(
            later.Count(r => Math.Abs(r.Iops / last.Iops - 1) <= CapResult.StillShare),
            later.Count(r => Math.Abs(r.MBps / last.MBps - 1) <= CapResult.StillShare)
        );
    }

    private static double GetSpread(IEnumerable<double> rates) => 1 - rates.Min() / rates.Max();

    private static bool IsAtLastRate(CapRun run, CapRun last) => Math.Abs(run.Iops / last.Iops - 1) <= MaxDifference;

    internal static bool HasRateRecovered(CapRun run, IReadOnlyList<CapRun> ordered) =>
        run.BurstIops is { } before
        && ordered
            .SkipWhile(r => r != run)
            .Skip(1)
            .Any(later => later.BlockKB == run.BlockKB && later.Depth <= run.Depth && later.Iops > (before + run.Iops) / 2);
}
