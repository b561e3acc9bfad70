using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Settings of a <see cref="CapPlan"/>.</summary>
/// <param name="BlockSizes">Block sizes of the reads in bytes.</param>
/// <param name="Outstanding">Total outstanding I/Os, ascending. A first value of 1 measures the latency and runs at the smallest block size
/// only.</param>
/// <param name="Duration">Duration of each run; null = 20 s.</param>
/// <param name="WarmUp">Warm-up of each run; null = 5 s.</param>
public sealed record CapPlanOptions(
    IReadOnlyList<long>? BlockSizes = null,
    IReadOnlyList<int>? Outstanding = null,
    TimeSpan? Duration = null,
    TimeSpan? WarmUp = null
);

/// <summary>
/// Creates the runs that show what limits the storage: random reads of three block sizes at increasing load, with a timeline.
/// </summary>
public static class CapPlan
{
    /// <summary>Workload name of these runs.</summary>
    public const string Workload = "find-cap";

    private static readonly long[] s_sizes = [8192, 65536, 262144];
    private static readonly int[] s_outstanding = [1, 8, 32, 128];

    /// <summary>Creates the runs in order: each path alone, then all paths concurrently if the mode includes that.</summary>
    /// <param name="paths">Files or folders; at least two for a concurrent run.</param>
    /// <param name="mode">Each path alone, all paths concurrently, or both.</param>
    /// <param name="options">Block sizes, loads, and durations.</param>
    /// <param name="template">File size, backend, seed, and other settings of every run; null = defaults.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidCapPlan</c>: no path, one path for a concurrent run, or fewer than two
    /// loads.</exception>
    public static IReadOnlyList<IoTestSpecification> Create(
        IReadOnlyList<string> paths,
        IoPathMode mode = IoPathMode.Each,
        CapPlanOptions? options = null,
        IoTestSpecification? template = null
    )
    {
        options ??= new();
        var sizes = options.BlockSizes ?? s_sizes;
        var loads = options.Outstanding ?? s_outstanding;
        if (paths.Count == 0)
            throw IoBenchException.Usage("IoBench.InvalidCapPlan", "A path is needed: a folder or file on the storage in question.");
        if (mode != IoPathMode.Each && paths.Distinct(StringComparer.Ordinal).Count() < 2)
            throw IoBenchException.Usage(
                "IoBench.InvalidCapPlan",
                "Only one path was named: to see whether paths share a limit, name two or more."
            );
        if (sizes.Count == 0 || loads.Count(l => l > 1) < 2 || loads.Any(l => l is < 1 or > 4096))
            throw IoBenchException.Usage(
                "IoBench.InvalidCapPlan",
                "At least one block size and two loads above 1 are needed: whether latency follows the load shows only then."
            );

        IoTestSpecification Run(IEnumerable<string> targets, long size, int load)
        {
            var run = template?.Clone() ?? new IoTestSpecification();
            run.Targets = [.. targets.Select(p => new IoTargetSpecification(p))];
            run.Workload = Workload;
            run.BlockSize = size;
            run.WritePercent = 0;
            (run.Order, run.Pace) = (IoOrder.Uniform, IoPace.Unlimited);
            (run.ThreadCount, run.OutstandingIO) = SplitLoad(load);
            run.Duration = options.Duration ?? TimeSpan.FromSeconds(20);
            run.WarmUp = options.WarmUp ?? TimeSpan.FromSeconds(5);
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
                // Repeat one run at the end: no timeline shows burst credit that ran out between two runs.
                var again = Run([path], sizes.Min(), deep[^1]);
                again.Repeat = 2;
                runs.Add(again);
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
