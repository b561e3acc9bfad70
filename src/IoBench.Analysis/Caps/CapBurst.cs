namespace IoBench.Analysis;

/// <param name="Seconds">Seconds under load from the first run to the end of the burst.</param>
/// <param name="IsWithinRun">Whether the burst ended within a run; false if it ended between two equal runs.</param>
internal sealed record CapBurst(double BurstIops, double SustainedIops, double Seconds, CapRun Run, bool IsWithinRun)
{
    private const double MinDrop = 0.10;

    internal static (CapBurst? Burst, List<CapRun> SustainedRuns) SplitRuns(List<CapRun> runs)
    {
        var ordered = runs.TrueForAll(r => r.Result.StartTime is not null) ? [.. runs.OrderBy(r => r.Result.StartTime)] : runs;
        // Use the run with the highest load, because fewer outstanding I/Os might not use the whole burst.
        if (ordered.Where(r => r.BurstIops is not null && !HasRateRecovered(r, ordered)).MaxBy(r => r.Depth) is { } run)
        {
            var index = ordered.IndexOf(run);
            var seconds = ordered.Take(index).Sum(r => r.Result.DurationSeconds ?? 0) + run.BurstSeconds!.Value;
            return (new(run.BurstIops!.Value, run.Iops, seconds, run, true), ordered[index..]);
        }
        // Compare the first and the last of equal runs: burst credit can run out between them.
        foreach (var group in ordered.GroupBy(r => (r.BlockKB, r.Depth)).Where(g => g.Count() > 1))
        {
            var first = group.First();
            var last = group.Last();
            if (
                first.IsCpuLimited
                || last.IsCpuLimited
                || last.Iops >= first.Iops * (1 - MinDrop)
                || !(last.Variation <= CapFinder.EvenVariation * 2)
                || !(first.Variation <= 0.05)
            )
                continue;
            var to = ordered.IndexOf(last);
            var seconds = ordered.Take(to).Sum(r => r.Result.DurationSeconds ?? 0);
            return (new(first.Iops, last.Iops, seconds, last, false), ordered[to..]);
        }
        return (null, ordered);
    }

    internal static bool HasRateRecovered(CapRun run, IReadOnlyList<CapRun> ordered) =>
        run.BurstIops is { } before
        && ordered
            .SkipWhile(r => r != run)
            .Skip(1)
            .Any(later => later.BlockKB == run.BlockKB && later.Depth <= run.Depth && later.Iops > (before + run.Iops) / 2);
}
