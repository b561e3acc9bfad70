using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

/// <summary>Results for special sheets: file roles alone and concurrent, rounds and repeats, days of a history.</summary>
internal static class ScenarioResults
{
    /// <summary>Page reads, checkpoint, log writes, and backup, first alone and then concurrently.</summary>
    public static List<IoTestResult> CreateRoles()
    {
        (
            string Role,
            string Workload,
            double KB,
            IoAccessPattern Access,
            int Writes,
            int Threads,
            int Depth,
            double Iops,
            double Ms,
            double TogetherIops,
            double TogetherMs,
            string Path
        )[] parts =
        [
            ("data", "page-read", 8, IoAccessPattern.Random, 0, 4, 8, 94_000, 0.34, 51_000, 0.63, @"D:\iobench.dat"),
            ("data", "checkpoint", 16, IoAccessPattern.Random, 100, 1, 64, 25_760, 2.48, 13_900, 4.6, @"D:\iobench.dat"),
            ("log", "log-commit", 4, IoAccessPattern.Sequential, 100, 1, 1, 4_198, 0.238, 620, 1.612, @"L:\iobench.dat"),
            ("backup", "backup-write", 1024, IoAccessPattern.Interlocked, 100, 1, 8, 1_900, 4.2, 1_450, 5.5, @"B:\iobench.dat"),
        ];
        var results = new List<IoTestResult>();
        var together = ReportSamples.CreateMeasured(
            RoleTestPlan.ConcurrentWorkload,
            8,
            IoAccessPattern.Random,
            30,
            7,
            8,
            parts.Sum(p => p.TogetherIops),
            1.2,
            6,
            40,
            @"D:\iobench.dat; D:\iobench.dat; L:\iobench.dat; B:\iobench.dat",
            seconds: 30,
            role: "data, log, backup concurrently"
        );
        (together.IOPattern, together.BlockSizeKB, together.AccessPattern, together.WritePercent, together.TargetCount) = (
            "4 concurrent patterns",
            null,
            null,
            null,
            4
        );
        foreach (var part in parts)
        {
            var alone = ReportSamples.CreateMeasured(
                part.Workload,
                part.KB,
                part.Access,
                part.Writes,
                part.Threads,
                part.Depth,
                part.Iops,
                part.Ms,
                part.Ms * 2.8,
                part.Ms * 20,
                part.Path,
                role: part.Role
            );
            alone.Targets =
            [
                new()
                {
                    Role = part.Role,
                    Path = part.Path,
                    IOPattern = alone.IOPattern,
                },
            ];
            results.Add(alone);
            together.Targets.Add(
                new()
                {
                    Role = part.Role,
                    Path = part.Path,
                    IOPattern = alone.IOPattern,
                    Total = new() { IOPS = part.TogetherIops, AverageLatencyMs = part.TogetherMs },
                    Percentiles = [new() { Percent = 99, TotalMs = part.TogetherMs * 4 }],
                }
            );
        }
        return [.. results, together];
    }

    /// <summary>
    /// A captured workload: the latency of data reads was higher than on this storage, and the latency of log writes was lower.
    /// </summary>
    public static List<IoTestResult> CreateCapturedWorkload()
    {
        return
        [
            Load("own-data-read", 24, IoAccessPattern.Random, 0, 1_840, 9.4, 0.61),
            Load("own-data-write", 16, IoAccessPattern.Random, 100, 420, 2.2, 1.9),
            Load("own-log-write", 8, IoAccessPattern.Sequential, 100, 655, 0.9, 3.1),
        ];

        static IoTestResult Load(
            string workload,
            double kilobytes,
            IoAccessPattern access,
            int writes,
            double iops,
            double observed,
            double measured
        )
        {
            var run = ReportSamples.CreateMeasured(
                workload,
                kilobytes,
                access,
                writes,
                2,
                32,
                iops,
                measured * 0.9,
                measured * 3,
                measured * 20
            );
            (run.LoadModel, run.TargetIops, run.ResponseAverageMs) = (IoLoadModel.Open, iops, measured);
            (run.Specification!.TargetIops, run.Specification.ObservedLatencyMs) = (iops, observed);
            return run;
        }
    }

    /// <summary>Log writes and page reads of two servers on 40 days; the reads of SQL01 become slower.</summary>
    public static List<IoTestResult> CreateFortyDays()
    {
        var random = new Random(3);
        var results = new List<IoTestResult>();
        for (var night = 0; night < 40; night++)
        {
            foreach (var (computer, decline) in new[] { ("SQL01", 0.006), ("SQL02", 0.0) })
            {
                var noise = 1 + 0.04 * (random.NextDouble() - 0.5);
                Add("log-commit", 4, IoAccessPattern.Sequential, 100, 4_200 * noise);
                Add("page-read-qd1", 8, IoAccessPattern.Random, 0, 12_000 * noise / (1 + decline * night));

                void Add(string workload, double kilobytes, IoAccessPattern access, int writes, double iops)
                {
                    var run = ReportSamples.CreateMeasured(
                        workload,
                        kilobytes,
                        access,
                        writes,
                        1,
                        1,
                        iops,
                        1000 / iops,
                        2500 / iops,
                        20_000 / iops,
                        seconds: 30
                    );
                    (run.ComputerName, run.StartTime) = (computer, new DateTimeOffset(2026, 9, 1, 2, 0, 0, TimeSpan.Zero).AddDays(night));
                    run.Timeline.Clear();
                    results.Add(run);
                }
            }
        }
        return results;
    }

    /// <summary>The suite on 14 days without one failed test: 125 results of nine tests.</summary>
    public static List<IoTestResult> CreateFourteenDays()
    {
        var results = new List<IoTestResult>();
        for (var night = 0; night < 14; night++)
        {
            foreach (var run in AddVariation(ReportSamples.CreateSqlServerSuite(faster: 1 - night * 0.02), night))
            {
                run.StartTime = new DateTimeOffset(2026, 11, 1, 2, 0, 0, TimeSpan.Zero).AddDays(night).AddMinutes(results.Count % 9);
                run.RunId = FormattableString.Invariant($"night{night}");
                results.Add(run);
            }
        }
        results.RemoveAll(run => run is { Workload: "log-commit", StartTime.Day: 6 });
        return results;
    }

    /// <summary>Changes the results by up to 3%.</summary>
    public static List<IoTestResult> AddVariation(List<IoTestResult> runs, int seed)
    {
        var random = new Random(seed);
        foreach (var run in runs)
        {
            var factor = 1 + 0.06 * (random.NextDouble() - 0.5);
            (run.IOPS, run.BandwidthMBps, run.AverageLatencyMs, run.P99Ms) = (
                run.IOPS * factor,
                run.BandwidthMBps * factor,
                run.AverageLatencyMs / factor,
                run.P99Ms / factor
            );
        }
        return runs;
    }

    /// <summary>The same test in rounds: eight that became steady, or nine that did not.</summary>
    public static List<IoTestResult> CreateRounds(bool steady)
    {
        double[] rates = steady ? [2000, 1600, 1300, 1100, 1020, 1010, 1000, 1005] : [2000, 1800, 1600, 1450, 1300, 1150, 1000, 900, 800];
        return
        [
            .. rates.Select(
                (iops, index) =>
                {
                    var run = ReportSamples.CreateMeasured(
                        "page-write",
                        8,
                        IoAccessPattern.Random,
                        100,
                        2,
                        32,
                        iops,
                        64 / iops * 1000,
                        200 / iops * 1000,
                        900,
                        repeat: index + 1
                    );
                    (run.Specification!.SteadyStateRounds, run.Specification.Repeat) = (rates.Length, index + 1);
                    return run;
                }
            ),
        ];
    }
}
