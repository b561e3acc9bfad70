using System.Globalization;
using IoBench.Engine;

namespace IoBench.Benchmarks;

internal static class VerificationBenchmark
{
    private static readonly (string Name, int Block, double Least)[] s_loads =
    [
        ("64 KB reads", 64 << 10, 0.95),
        ("8 KB reads", 8 << 10, 0.90),
    ];

    /// <summary>Returns 0 if every load is within its limit.</summary>
    public static int Run(BenchmarkOptions options)
    {
        Console.WriteLine(
            "| load | IOPS, checked / not | ratio (95 %) | at least | CPU us per I/O, checked / not | ratio (95 %) | lowest of all runs | not checked beside itself |"
        );
        Console.WriteLine("|---|---|---|---|---|---|---|---|");
        var missed = 0;
        foreach (var (name, block, least) in s_loads)
        {
            List<BenchmarkSample> with = [],
                without = [],
                again = [];
            for (var i = 0; i < options.PairCount; i++)
            for (var turn = 0; turn < 3; turn++)
                switch ((turn + i) % 3)
                {
                    case 0:
                        with.Add(MeasureOnce(options, block, verify: true));
                        break;
                    case 1:
                        without.Add(MeasureOnce(options, block, verify: false));
                        break;
                    default:
                        again.Add(MeasureOnce(options, block, verify: false));
                        break;
                }
            var iops = new PairedRatio(with, without, sample => sample.Iops);
            missed += iops.Median < least ? 1 : 0;
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"| {name} | {GetMedian(with, s => s.Iops):N0} / {GetMedian(without, s => s.Iops):N0} | {iops} | {least:0.00} | {GetMedian(with, s => s.CpuUs):0.00} / {GetMedian(without, s => s.CpuUs):0.00} | {new PairedRatio(with, without, s => s.CpuUs)} | {with.Min(s => s.CpuUs):0.00} / {without.Concat(again).Min(s => s.CpuUs):0.00} | {new PairedRatio(again, without, s => s.Iops)} |"
                )
            );
        }
        Console.WriteLine();
        ChecksumBenchmark.Run();
        return missed == 0 ? 0 : 1;
    }

    private static double GetMedian(List<BenchmarkSample> samples, Func<BenchmarkSample, double> part) =>
        Statistics.ComputeMedian(samples.Select(part));

    private static BenchmarkSample MeasureOnce(BenchmarkOptions options, int block, bool verify)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(options.FilePath)],
            FileSize = options.Size.Bytes,
            ThreadCount = 1,
            OutstandingIO = 32,
            Buffering = options.IsDirect ? IoBuffering.Hardware : IoBuffering.Both,
            BlockSize = block,
            WarmUp = TimeSpan.FromSeconds(0.5),
            Duration = TimeSpan.FromSeconds(options.Seconds),
            Seed = (ulong)Random.Shared.NextInt64(),
            Verify = verify,
        };
        // A verified run reads the whole file before and after the test, bypassing the cache. Only the measured seconds count, and the page
        // cache must serve them.
        using var run = new TestRun(specification, new TestRunOptions { Quiet = true })
        {
            EventHook = moment =>
            {
                if (moment == TestRunEvent.Opened && !options.IsDirect)
                    PageCache.ReadIntoCache(options.FilePath);
            },
        };
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        var result = run.GetResult();
        return result.Status == IoResultStatus.Complete
            ? new BenchmarkSample(result.IOPS!.Value, result.CpuUsPerIO!.Value, result.AverageLatencyMs!.Value, 0)
            : throw new InvalidOperationException(result.ErrorMessage ?? result.Status.ToString());
    }
}
