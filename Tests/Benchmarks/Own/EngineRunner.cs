using System.Diagnostics;
using IoBench.Engine;

namespace IoBench.Benchmarks;

internal static class EngineRunner
{
    public static BenchmarkSample RunCase(BenchmarkCase @case, string file, int seconds)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(file)],
            Backend = @case.Backend,
            Buffering = @case.IsDirect ? IoBuffering.None : IoBuffering.Both,
            ThreadCount = @case.Threads,
            OutstandingIO = @case.Depth,
            BlockSize = 8192,
            Duration = TimeSpan.FromSeconds(seconds),
            WarmUp = TimeSpan.FromSeconds(1),
            Seed = (ulong)Random.Shared.NextInt64(),
        };
        using var process = Process.GetCurrentProcess();
        using var run = new TestRun(specification, new TestRunOptions { Quiet = true });
        run.Start();
        while (run.GetProgress().Phase < RunPhase.Measuring && !run.Wait(TimeSpan.FromMilliseconds(5))) { }
        process.Refresh();
        var before = process.UserProcessorTime;
        run.Wait(Timeout.InfiniteTimeSpan);
        process.Refresh();
        // The time to create the result is included, so this is an upper bound.
        var user = (process.UserProcessorTime - before).TotalSeconds / seconds;
        var result = run.GetResult();
        if (result.Status != IoResultStatus.Complete)
            throw new InvalidOperationException(result.ErrorMessage ?? result.Status.ToString());
        return new BenchmarkSample(
            result.IOPS!.Value,
            result.CpuUsPerIO!.Value,
            result.AverageLatencyMs!.Value,
            user / result.IOPS.Value * 1e6
        );
    }
}
