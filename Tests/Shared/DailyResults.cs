using IoBench.Engine;

namespace IoBench.Tests;

internal static class DailyResults
{
    public static DateTimeOffset FirstRun { get; } = new(2026, 1, 10, 2, 0, 0, TimeSpan.FromHours(1));

    public static IoTestResult CreateForDay(int day, double iops, string computer = "SQL1") =>
        new()
        {
            Workload = "page-read",
            ComputerName = computer,
            Path = "T:\\iobench.dat",
            IOPattern = "8KB random read",
            ThreadCount = 4,
            OutstandingIO = 8,
            StartTime = FirstRun.AddDays(day),
            RunId = $"{computer}-{day}",
            IOPS = iops,
            BandwidthMBps = iops / 128,
            AverageLatencyMs = 32_000 / iops,
            Timeline = [new() { Seconds = 1, IOPS = iops }],
            Warnings = ["a\nb"],
        };
}
