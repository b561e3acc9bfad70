namespace IoBench.Analysis.Caps;

/// <summary>A burst that ended.</summary>
/// <param name="BurstIops">I/Os per second while it lasted.</param>
/// <param name="LastingIops">I/Os per second after it.</param>
/// <param name="Seconds">Measured seconds under load from the first run to its end; within a run when it is seen there.</param>
/// <param name="Run">The run that shows it.</param>
/// <param name="IsSeen">It ended within a run; otherwise between two equal runs.</param>
internal sealed record CapBurst(double BurstIops, double LastingIops, double Seconds, CapRun Run, bool IsSeen)
{
    private const double MinDrop = 0.10;

    /// <summary>The burst, if one ended, and the runs that show what lasts: from its end on, or all.</summary>
    internal static (CapBurst? Burst, List<CapRun> Lasting) Split(List<CapRun> runs)
    {
        // The order they ran in, where it is known.
        var ordered = runs.TrueForAll(r => r.Result.StartTime is not null) ? [.. runs.OrderBy(r => r.Result.StartTime)] : runs;
        // At the highest load: fewer outstanding may not have used all that the burst gave.
        if (ordered.Where(r => r.BurstIops is not null && !CameBack(r, ordered)).MaxBy(r => r.Depth) is { } run)
        {
            var index = ordered.IndexOf(run);
            var seconds = ordered.Take(index).Sum(r => r.Result.DurationSeconds ?? 0) + run.BurstSeconds!.Value;
            return (new(run.BurstIops!.Value, run.Iops, seconds, run, true), ordered[index..]);
        }
        // The first and the last of equal runs: credit may have run out between them.
        foreach (var group in ordered.GroupBy(r => (r.BlockKB, r.Depth)).Where(g => g.Count() > 1))
        {
            var (first, last) = (group.First(), group.Last());
            if (last.Iops >= first.Iops * (1 - MinDrop) || !(last.Variation <= CapFinder.EvenVariation * 2) || !(first.Variation <= 0.05))
                continue;
            var to = ordered.IndexOf(last);
            var seconds = ordered.Take(to).Sum(r => r.Result.DurationSeconds ?? 0);
            return (new(first.Iops, last.Iops, seconds, last, false), ordered[to..]);
        }
        return (null, ordered);
    }

    /// <summary>Whether the rate that a run fell from was there again later: what another load takes comes back, credit that is spent does not.</summary>
    internal static bool CameBack(CapRun run, IReadOnlyList<CapRun> ordered) =>
        run.BurstIops is { } before
        && ordered
            .SkipWhile(r => r != run)
            .Skip(1)
            .Any(later => later.BlockKB == run.BlockKB && later.Depth <= run.Depth && later.Iops > (before + run.Iops) / 2);
}
