namespace IoBench.Analysis.Caps;

/// <summary>What <see cref="CapFinder"/> runs.</summary>
/// <param name="BlockSizes">Sizes of the reads in bytes.</param>
/// <param name="Outstanding">Total outstanding I/Os, ascending; a first 1 is for the latency and runs at the smallest size only.</param>
/// <param name="Duration">Measured time of each run; null = 20 s.</param>
/// <param name="WarmUp">Time before it; null = 5 s.</param>
public sealed record CapPlanOptions(
    IReadOnlyList<long>? BlockSizes = null,
    IReadOnlyList<int>? Outstanding = null,
    TimeSpan? Duration = null,
    TimeSpan? WarmUp = null
);

/// <summary>The runs that show who or what limits the storage: random reads of three sizes at rising load, with a timeline.</summary>
public static class CapPlan
{
    /// <summary>Name of the workload of these runs.</summary>
    public const string Workload = "find-cap";

    private static readonly long[] s_sizes = [8192, 65536, 262144];
    private static readonly int[] s_outstanding = [1, 8, 32, 128];

    /// <summary>The runs in order: each path alone, then, when the mode says so, all at once.</summary>
    /// <param name="paths">Files or folders; two or more when they shall run at once.</param>
    /// <param name="mode">Each alone, all at once only, or both.</param>
    /// <param name="options">Sizes, loads, times.</param>
    /// <param name="template">File size, backend, seed and the like for every run; null = defaults.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidCapPlan</c>: no path, one path at once, or fewer than two loads.</exception>
    public static IReadOnlyList<IoTestSpecification> Of(
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
            (run.ThreadCount, run.OutstandingIO) = Split(load);
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
                // Once more at the end: credit that ran out between two runs shows in no timeline.
                var again = Run([path], sizes.Min(), deep[^1]);
                again.Repeat = 2;
                runs.Add(again);
            }
        if (mode != IoPathMode.Each)
            runs.AddRange(from size in sizes.Order() from load in deep.TakeLast(2) select Run(paths, size, load));
        return runs;
    }

    // Up to four threads, as a test has by default; what does not divide evenly takes fewer.
    private static (int Threads, int Outstanding) Split(int load)
    {
        var threads = Enumerable.Range(1, 4).Reverse().First(t => load % t == 0);
        while (load / threads > 256)
            threads *= 2;
        return (threads, load / threads);
    }
}
