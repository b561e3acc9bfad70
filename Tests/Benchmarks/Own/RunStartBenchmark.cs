using System.Diagnostics;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Benchmarks;

internal static class RunStartBenchmark
{
    private const int Rounds = 5;
    private const double MaxSeconds = 1;

    /// <summary>Returns 0 if every round started in time.</summary>
    public static int Run(BenchmarkOptions options) => Math.Max(Run(options, 256, 64), Run(options, 1024, 16));

    private static int Run(BenchmarkOptions options, int threads, int outstanding)
    {
        var seconds = new List<double>();
        for (var i = 0; i < Rounds; i++)
        {
            var specification = new IoTestSpecification
            {
                Targets = [new IoTargetSpecification(options.FilePath)],
                FileSize = options.Size.Bytes,
                ThreadCount = threads,
                OutstandingIO = outstanding,
                WarmUp = TimeSpan.Zero,
                Duration = TimeSpan.FromSeconds(1),
            };
            using var run = new TestRun(specification, new TestRunOptions { Quiet = true });
            var watch = Stopwatch.StartNew();
            run.Start();
            while (run.GetProgress().Phase is RunPhase.Waiting or RunPhase.Preparing && !run.Wait(TimeSpan.FromMilliseconds(1))) { }
            seconds.Add(watch.Elapsed.TotalSeconds);
            run.Wait(Timeout.InfiniteTimeSpan);
            var result = run.GetResult();
            if (result.Status != IoResultStatus.Complete)
                throw new InvalidOperationException(result.ErrorMessage ?? result.Status.ToString());
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{threads} threads x {outstanding} outstanding: all ready and begun after {seconds[^1]:0.00} s; then {result.IOPS:N0} IOPS, {result.Backend}"
                )
            );
        }
        var good = seconds.Max() <= MaxSeconds;
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"median {Statistics.ComputeMedian(seconds):0.00} s, longest {seconds.Max():0.00} s; {(good ? "kept" : "missed")} (at most {MaxSeconds:0} s)"
            )
        );
        return good ? 0 : 1;
    }
}
