using System.Globalization;
using IoBench.Engine;

namespace IoBench.Benchmarks;

internal static class EngineCostBenchmark
{
    private static readonly (string Name, long Block, int Writes, int Depth, double MostUs)[] s_loads =
    [
        ("8 KB reads, QD 1", 8 << 10, 0, 1, double.MaxValue),
        ("8 KB reads, QD 32", 8 << 10, 0, 32, double.MaxValue),
        ("8 KB, 30 % writes, QD 32", 8 << 10, 30, 32, 0.10),
        ("8 KB writes, QD 32", 8 << 10, 100, 32, double.MaxValue),
        ("1 MB writes, QD 8", 1 << 20, 100, 8, 10),
    ];

    /// <summary>Returns 0 if every load is within its limit.</summary>
    public static int Run(BenchmarkOptions options)
    {
        var costs = s_loads.ToDictionary(load => load.Name, _ => new List<double>());
        for (var round = 0; round < options.PairCount; round++)
            foreach (var (name, block, writes, depth, _) in s_loads)
                costs[name].Add(MeasureOnce(options, block, writes, depth));
        Console.WriteLine("| load | own code, us per I/O (lowest to highest) | at most |");
        Console.WriteLine("|---|---|---|");
        foreach (var (name, _, _, _, most) in s_loads)
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"| {name} | {Statistics.ComputeMedian(costs[name]):0.000} ({costs[name].Min():0.000}-{costs[name].Max():0.000}) | {(most == double.MaxValue ? "" : most.ToString("0.00", CultureInfo.InvariantCulture))} |"
                )
            );
        return s_loads.All(load => Statistics.ComputeMedian(costs[load.Name]) <= load.MostUs) ? 0 : 1;
    }

    private static double MeasureOnce(BenchmarkOptions options, long block, int writes, int depth)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(options.FilePath)],
            FileSize = options.Size.Bytes,
            Backend = NullBackend.Name,
            ThreadCount = 1,
            OutstandingIO = depth,
            BlockSize = block,
            WritePercent = writes,
            WarmUp = TimeSpan.FromSeconds(1),
            Duration = TimeSpan.FromSeconds(options.Seconds),
            Seed = (ulong)Random.Shared.NextInt64(),
        };
        using var run = new TestRun(specification, new TestRunOptions { Quiet = true });
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        var result = run.GetResult();
        return result.Status == IoResultStatus.Complete
            ? result.CpuUsPerIO!.Value
            : throw new InvalidOperationException(result.ErrorMessage ?? result.Status.ToString());
    }
}
