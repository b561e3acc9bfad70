using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Creates the runs that show what limits the storage: random reads of three block sizes at increasing load.</summary>
public static class CapPlan
{
    public const string Workload = "find-cap";

    private static readonly long[] s_sizes = [8192, 65536, 262144];
    private static readonly int[] s_outstanding = [1, 8, 32, 128];
    private static readonly TimeSpan s_defaultInterval = new IoTestSpecification().TimelineInterval;

    /// <summary>Creates the runs in order: each path alone, then all paths concurrently if the mode includes that.</summary>
    /// <param name="outstanding">Total outstanding I/Os, ascending. A first value of 1 runs at the smallest block size only.</param>
    /// <param name="duration">Duration of each run; null = 20 s.</param>
    /// <param name="warmUp">Warm-up of each run; null = 5 s.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidCapPlan</c>: too few paths for the mode, or fewer than two loads.</exception>
    public static IReadOnlyList<IoTestSpecification> Create(
        IReadOnlyList<string> paths,
        IoPathMode mode = IoPathMode.Each,
        IReadOnlyList<long>? blockSizes = null,
        IReadOnlyList<int>? outstanding = null,
        TimeSpan? duration = null,
        TimeSpan? warmUp = null,
        IoTestSpecification? template = null
    )
    {
        var sizes = blockSizes ?? s_sizes;
        var loads = outstanding ?? s_outstanding;
        if (paths.Count == 0)
            throw IoBenchException.Usage("IoBench.InvalidCapPlan", "Specify a path: a folder or file on the storage.");
        if (mode != IoPathMode.Each && paths.Distinct(StringComparer.Ordinal).Count() < 2)
            throw IoBenchException.Usage(
                "IoBench.InvalidCapPlan",
                "Only one path was specified. To check whether paths share a limit, specify two or more."
            );
        if (sizes.Count == 0 || loads.Count(l => l > 1) < 2 || loads.Any(l => l is < 1 or > 4096))
            throw IoBenchException.Usage(
                "IoBench.InvalidCapPlan",
                "Specify at least one block size, and loads from 1 to 4,096 outstanding I/Os. At least two of the loads must be greater than 1. Otherwise, the results cannot show whether latency increases with the load."
            );

        IoTestSpecification Run(IEnumerable<string> targets, long size, int load)
        {
            var run = template?.Clone() ?? new IoTestSpecification();
            run.Targets = [.. targets.Select(p => new IoTargetSpecification(p))];
            run.Workload = Workload;
            run.BlockSize = size;
            run.WritePercent = 0;
            run.SetUniformAccess();
            run.RemoveRateLimits();
            (run.ThreadCount, run.OutstandingIO) = SplitLoad(load);
            run.Duration = duration ?? TimeSpan.FromSeconds(20);
            run.WarmUp = warmUp ?? TimeSpan.FromSeconds(5);
            // Short runs need short intervals to show how much their rate varies, and when a burst ends.
            if (run.TimelineInterval == s_defaultInterval)
                run.TimelineInterval = TimeSpan.FromSeconds(Math.Clamp(run.Duration.TotalSeconds / 20, 0.1, 1));
            return run;
        }

        List<IoTestSpecification> runs = [];
        var deep = loads.Where(l => l > 1).Order().ToArray();
        if (mode != IoPathMode.Together)
            foreach (var path in paths)
            {
                if (loads.Contains(1))
                    runs.Add(Run([path], sizes.Min(), 1));
                runs.AddRange(from size in sizes.Order() from load in deep select Run([path], size, load));
                // Repeat two runs at the end: no timeline shows burst credit that ran out between two runs. If both loads then have the
                // same lower rate, a limit holds them, not noise.
                foreach (var load in new[] { deep[^1], deep[0] })
                {
                    var again = Run([path], sizes.Min(), load);
                    again.Repeat = 2;
                    runs.Add(again);
                }
            }
        if (mode != IoPathMode.Each)
            runs.AddRange(from size in sizes.Order() from load in deep.TakeLast(2) select Run(paths, size, load));
        return runs;
    }

    // Use up to four threads, the default of a test; use fewer if the load is not a multiple of four.
    private static (int Threads, int Outstanding) SplitLoad(int load)
    {
        var threads = Enumerable.Range(1, 4).Reverse().First(t => load % t == 0);
        while (load / threads > 256)
            threads *= 2;
        return (threads, load / threads);
    }
}
