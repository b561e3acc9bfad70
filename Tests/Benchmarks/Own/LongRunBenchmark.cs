using System.Diagnostics;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Benchmarks;

internal static class LongRunBenchmark
{
    // Compilation and the first access to pages happen during the first minute.
    private const int SettleSeconds = 60;

    // Smaller changes are pages that the runtime allocates and frees.
    private const double FlatMB = 1;

    /// <summary>Returns 0 if memory did not grow, workers allocated nothing, and the garbage collector did not run.</summary>
    public static int Run(BenchmarkOptions options)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(options.FilePath)],
            FileSize = options.Size.Bytes,
            WritePercent = 30,
            Duration = TimeSpan.FromMinutes(options.Minutes),
            WarmUp = TimeSpan.FromSeconds(5),
        };
        specification.MaxIopsPerThread = options.TargetIops / specification.ThreadCount;
        using var run = new TestRun(specification, new TestRunOptions { Quiet = true });
        var memory = new ResidentMemory();
        var before = 0L;
        var samples = new List<(double Seconds, double Resident)>(4096);
        var watch = Stopwatch.StartNew();
        run.Start();
        while (!run.Wait(TimeSpan.FromSeconds(5)))
        {
            samples.Add((watch.Elapsed.TotalSeconds, memory.Bytes / 1048576.0));
            if (before == 0)
                before = GC.GetTotalAllocatedBytes();
        }
        var everybody = GC.GetTotalAllocatedBytes() - before;
        var result = run.GetResult();
        var settled = samples.Where(s => s.Seconds >= Math.Min(SettleSeconds, options.Minutes * 15)).Select(s => s.Resident).ToArray();
        var allocated = run.Workers.Sum(w => w.AllocatedBytes ?? 0);
        var growth = settled.Length == 0 ? 0 : settled[^1] - settled[0];
        var good = result.Status == IoResultStatus.Complete && growth < FlatMB && allocated == 0 && result.GcCount == 0;
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{result.Status}, {result.IOPattern}, {result.DurationSeconds:0} s, {result.IOCount:N0} I/Os, {result.IOPS:N0} a second, {result.Backend}"
            )
        );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"resident memory after {SettleSeconds} s: {settled.FirstOrDefault():0.0} MB, at the end {settled.LastOrDefault():0.0} MB (least {settled.DefaultIfEmpty().Min():0.0}, most {settled.DefaultIfEmpty().Max():0.0}, {settled.Length} samples)"
            )
        );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"allocated by workers in the measured time: {allocated} bytes, by the whole process {everybody / 1024:N0} KB; garbage collections: {result.GcCount}; {(good ? "kept" : "missed")}"
            )
        );
        return good ? 0 : 1;
    }
}
