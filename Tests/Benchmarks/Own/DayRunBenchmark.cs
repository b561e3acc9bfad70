using System.Diagnostics;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Benchmarks;

internal static class DayRunBenchmark
{
    // Timeline and histograms are allocated at the start, but the operating system counts a page only after the first write to it.
    private const double MaxGrowthMB = 4;
    private const int Outstanding = 8;
    private const double OneMillion = 1e6;

    // Compilation and the first access to pages happen during the first I/Os.
    private const double SettledAt = 0.05;

    /// <summary>
    /// Runs for --hours of the device's time at --rate. Returns 0 if memory did not grow and the timeline contains all I/Os.
    /// </summary>
    public static int Run(BenchmarkOptions options)
    {
        var rate = options.TargetIops ?? OneMillion;
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = NullBackend.Name,
            NullDevice = new NullDeviceModel(Outstanding, Outstanding * 1000 / rate),
            ThreadCount = 1,
            OutstandingIO = Outstanding,
            WritePercent = 30,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromHours(options.Hours),
        };
        var clock = new VirtualClock();
        using var run = new TestRun(specification, new TestRunOptions { Quiet = true }, clock);
        var memory = new ResidentMemory();
        List<double> samples = new(100_000);
        var watch = Stopwatch.StartNew();
        run.Start();
        while (!run.Wait(TimeSpan.FromSeconds(1)))
        {
            if (clock.Now > SettledAt * specification.Duration.TotalSeconds * Clock.Second)
                samples.Add(memory.Bytes / 1048576.0);
        }
        var allocated = run.Workers.Sum(worker => worker.AllocatedBytes ?? 0);
        var result = run.GetResult();
        // A timeline point has its end and its rate.
        var from = 0.0;
        var inTimeline = 0.0;
        foreach (var point in result.Timeline)
            (inTimeline, from) = (inTimeline + (point.IOPS ?? 0) * (point.Seconds - from), point.Seconds);
        var growth = samples.Count == 0 ? 0 : samples[^1] - samples[0];
        var good =
            result.Status == IoResultStatus.Complete
            && growth < MaxGrowthMB
            && allocated == 0
            && Math.Abs(inTimeline / (result.IOCount ?? 0) - 1) < 1e-9;
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{result.Status}, {result.DurationSeconds / 3600:0.##} h of the device in {watch.Elapsed.TotalMinutes:0.0} min, {result.IOCount:N0} I/Os, {result.IOPS:N0} a second"
            )
        );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"resident memory: {samples.FirstOrDefault():0.0} MB after {SettledAt:0 %}, {samples.LastOrDefault():0.0} MB at the end (highest {samples.DefaultIfEmpty().Max():0.0}); allocated by the worker: {allocated} bytes"
            )
        );
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"timeline: {result.Timeline.Count:N0} intervals of {result.Timeline[0].Seconds:0.##} s with {inTimeline:N0} I/Os; {(good ? "kept" : "missed")}"
            )
        );
        return good ? 0 : 1;
    }
}
