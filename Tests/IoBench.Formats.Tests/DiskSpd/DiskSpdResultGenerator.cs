using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// Random results with consistent values, as the engine would create them, and a value in everything that DiskSpd text or XML can contain.
/// Properties that a reader derives (percentiles, Little's law) are set accordingly.
/// </summary>
internal sealed class DiskSpdResultGenerator(Random random, bool xml)
{
    private static readonly double[] s_textPercents =
    [
        0,
        25,
        50,
        75,
        90,
        95,
        99,
        99.9,
        99.99,
        99.999,
        99.9999,
        99.99999,
        99.999999,
        99.9999999,
        100,
    ];
    private static readonly double[] s_xmlPercents = [.. Enumerable.Range(0, 100).Select(p => (double)p), .. s_textPercents[7..]];

    private DiskSpdOptions _shown = new();

    public IoTestResult CreateResult()
    {
        var test = new DiskSpdTestGenerator(random, xml).CreateTest();
        _shown = test.GetOrAddOrigin().DiskSpd!;
        var seconds = Math.Round(random.NextDouble() * 100 + 1, 2);
        var result = new IoTestResult
        {
            ComputerName = "host" + random.Next(10),
            StartTime = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddSeconds(random.Next(10_000_000)),
            Specification = test,
            DurationSeconds = seconds,
            LoadModel = IoLoadModel.Closed,
        };
        AddTargets(result, test, seconds);
        AddTotals(result);
        AddProcessors(result);
        AddDetails(result, test);
        SetDescription(result, test);
        return result;
    }

    private void AddTargets(IoTestResult result, IoTestSpecification test, double seconds)
    {
        var threads = 0;
        foreach (var target in test.Targets)
        {
            var pattern = test.GetPattern(target);
            var totals = new IoTargetResult
            {
                Path = target.Path,
                FileSizeMB = random.Next(2) == 0 ? random.Next(1, 1024) : 1024 * random.Next(1, 1000),
                IOPattern = PatternText.Describe(pattern),
                ThreadCount = test.SharedThreadPool ? test.ThreadCount : pattern.ThreadCount,
            };
            for (var t = 0; t < totals.ThreadCount; t++)
            {
                var row = new IoThreadResult { ThreadId = test.SharedThreadPool ? t : threads++, Path = target.Path };
                row.Read = CreateTotals(pattern.BlockSize, seconds, pattern.WritePercent < 100);
                row.Write = CreateTotals(pattern.BlockSize, seconds, pattern.WritePercent > 0);
                row.Total = Combine(row.Read, row.Write);
                row.Timeline = CreateTimeline(pattern);
                result.Threads.Add(row);
            }
            var rows = result.Threads.Where(r => r.Path == target.Path).ToList();
            totals.Read = rows.Select(r => r.Read).Aggregate(AddUp);
            totals.Write = rows.Select(r => r.Write).Aggregate(AddUp);
            totals.Total = AddUp(totals.Read, totals.Write);
            if (!xml && test.Targets.Count > 1)
                totals.Percentiles = CreatePercentiles(totals);
            result.Targets.Add(totals);
        }
        // Threads of a pool have a row for each target. The XML lists them together.
        result.Threads = [.. result.Threads.OrderBy(t => t.ThreadId)];
    }

    private void AddTotals(IoTestResult result)
    {
        var totals = new IoReadWriteTotals
        {
            Read = AddStandardDeviation(result.Targets.Select(t => t.Read).Aggregate(AddUp)),
            Write = AddStandardDeviation(result.Targets.Select(t => t.Write).Aggregate(AddUp)),
        };
        totals.Total = AddStandardDeviation(AddUp(totals.Read, totals.Write));
        result.Totals = totals;
        var (total, read, write) = (totals.Total, totals.Read, totals.Write);
        (result.IOCount, result.ByteCount, result.IOPS, result.BandwidthMBps, result.AverageLatencyMs) = (
            total.IOCount,
            total.ByteCount,
            total.IOPS,
            total.MBps,
            total.AverageLatencyMs
        );
        (result.LatencyStdDevMs, result.IopsStdDev) = (total.LatencyStdDevMs, total.IopsStdDev);
        (result.ReadIOPS, result.ReadMBps, result.ReadAverageLatencyMs) = (read.IOPS, read.MBps, read.AverageLatencyMs);
        (result.WriteIOPS, result.WriteMBps, result.WriteAverageLatencyMs) = (write.IOPS, write.MBps, write.AverageLatencyMs);
        result.Percentiles = CreatePercentiles(totals);
        if (result.Targets is [var only])
            only.Percentiles = result.Percentiles;
        foreach (var target in result.Targets.Where(t => t.Percentiles.Count > 0))
        {
            (target.Total.MinLatencyMs, target.Read.MinLatencyMs, target.Write.MinLatencyMs) = (
                target.Percentiles[0].TotalMs,
                target.Percentiles[0].ReadMs,
                target.Percentiles[0].WriteMs
            );
            (target.Total.MaxLatencyMs, target.Read.MaxLatencyMs, target.Write.MaxLatencyMs) = (
                target.Percentiles[^1].TotalMs,
                target.Percentiles[^1].ReadMs,
                target.Percentiles[^1].WriteMs
            );
        }
        IoPercentile? At(double percent) => result.Percentiles.Find(p => p.Percent == percent);
        (result.MinLatencyMs, result.P50Ms, result.P90Ms, result.P95Ms, result.P99Ms) = (
            At(0)?.TotalMs,
            At(50)?.TotalMs,
            At(90)?.TotalMs,
            At(95)?.TotalMs,
            At(99)?.TotalMs
        );
        (result.P999Ms, result.MaxLatencyMs, result.ReadP99Ms, result.WriteP99Ms) = (
            At(99.9)?.TotalMs,
            At(100)?.TotalMs,
            At(99)?.ReadMs,
            At(99)?.WriteMs
        );
        result.Timeline = CreateTimeline(result.Specification!);
        // Intervals have no bytes. If all I/Os have the same size, bytes follow from the count.
        if (result.Specification!.Targets.TrueForAll(t => t.Pattern is null))
        {
            foreach (var point in result.Threads.SelectMany(t => t.Timeline).Concat(result.Timeline))
                point.MBps = point.IOPS * result.Specification.BlockSize / 1048576.0;
        }
    }

    private void AddProcessors(IoTestResult result)
    {
        var (groups, sockets, nodes, smt, classes) = (
            random.Next(1, 3),
            random.Next(1, 3),
            random.Next(1, 3),
            random.Next(2) == 0,
            random.Next(2) == 0
        );
        var each = 4 * random.Next(1, 9);
        for (var i = 0; i < groups * each; i++)
        {
            result.Processors.Add(
                new IoProcessorLoad
                {
                    Processor = i % each,
                    Group = groups > 1 ? i / each : null,
                    Socket = sockets > 1 ? i * sockets / (groups * each) : null,
                    Node = nodes > 1 ? i * nodes / (groups * each) : null,
                    Core = smt ? i % each / 2 : null,
                    EfficiencyClass = classes ? i % each / 2 % 2 : null,
                    UsagePercent = random.Next(10000) / 100.0,
                    UserPercent = random.Next(10000) / 100.0,
                    KernelPercent = random.Next(10000) / 100.0,
                    IdlePercent = random.Next(10000) / 100.0,
                }
            );
        }
        result.CpuPercent = random.Next(10000) / 100.0;
        (string Name, int Count)[] counts =
        [
            ("cpu count", groups * each),
            ("core count", smt ? groups * each / 2 : groups * each),
            ("group count", groups),
            ("node count", nodes),
            ("socket count", sockets),
        ];
        foreach (var (name, count) in counts)
            result.Host[name] = count.ToString(System.Globalization.CultureInfo.InvariantCulture);
        result.Host["heterogeneous cores"] = classes ? "y" : "n";
        result.Host["active power scheme"] = random.Next(2) == 0 ? "<unknown>" : "Balanced & more (381b4222-f694-41f0-9685-ff5bb260df2e)";
    }

    private void AddDetails(IoTestResult result, IoTestSpecification test)
    {
        if (_shown.VerboseStatistics)
        {
            result.ToolDetails["Wait statistics"] =
                "thread | completion wait | throttle wait  -  sleep | lookaside | 0 - 7+ complete per lookaside"
                + string.Concat(
                    result
                        .Threads.Select(t => t.ThreadId)
                        .Distinct()
                        .Select(id =>
                            FormattableString.Invariant(
                                $"\n{id} | {random.Next(10000), 15} | {random.Next(100), 13}  - {random.Next(100), 6} | {random.Next(100), 9} | 0 1 2 3 4 5 6 {random.Next(10)}"
                            )
                        )
                );
        }
        var hot = test.Targets.Where(t => test.GetPattern(t).Distribution.Count > 0).ToList();
        if (hot.Count == 1 && !test.SharedThreadPool)
        {
            var threads = result.Threads.Where(t => t.Path == hot[0].Path).Select(t => t.ThreadId).ToList();
            result.ToolDetails["Effective IO distributions"] =
                $"target: {hot[0].Path} [thread: {string.Join(' ', threads)}]"
                + (
                    xml
                        ? "\n90% of IO => [0 - 10485760)\n10% of IO => [10485760 - 67108864)"
                        : "\n90% of IO => [     0    -     10MiB)\n10% of IO => [    10MiB -     64MiB)"
                );
        }
    }

    private static void SetDescription(IoTestResult result, IoTestSpecification test)
    {
        var patterns = test.Targets.ConvertAll(test.GetPattern);
        result.Path = string.Join("; ", test.Targets.Select(t => t.Path));
        result.TargetCount = test.Targets.Count;
        result.FileSizeMB = result.Targets.Sum(t => t.FileSizeMB);
        result.ThreadCount = result.Threads.Select(t => t.ThreadId).Distinct().Count();
        result.OutstandingIO =
            test.SharedThreadPool && test.PoolOutstandingIO is int pool ? pool : GetCommonValue(patterns, p => p.OutstandingIO);
        result.TotalOutstanding = test is { SharedThreadPool: true, PoolOutstandingIO: int all }
            ? test.ThreadCount * all
            : patterns.Sum(p => (test.SharedThreadPool ? test.ThreadCount : p.ThreadCount) * p.OutstandingIO);
        result.BlockSizeKB = GetCommonValue(patterns, p => p.BlockSize) / 1024.0;
        result.WritePercent = GetCommonValue(patterns, p => p.WritePercent);
        result.Operation = GetCommonValue(patterns, p => p.Operation) ?? IoOperation.Mixed;
        result.AccessPattern = GetCommonValue(patterns, p => p.AccessPattern);
        result.Buffering = GetCommonValue(patterns, p => p.Buffering);
        result.IOPattern = PatternText.Describe(result.BlockSizeKB, result.AccessPattern, result.WritePercent);
        if (patterns.TrueForAll(p => p is { ThinkTimeMs: 0, MaxIopsPerThread: null, MaxBytesPerSecondPerThread: null }))
            result.LittlesLawLatencyMs = result.TotalOutstanding / result.IOPS * 1000;
    }

    private static T? GetCommonValue<T>(List<IoPattern> patterns, Func<IoPattern, T> part)
        where T : struct => patterns.Select(part).Distinct().Count() == 1 ? part(patterns[0]) : null;

    private double NextMilliseconds() => random.Next(1, 100_000) / 1000.0;

    private IoTotals CreateTotals(long block, double seconds, bool any)
    {
        var count = any ? random.NextInt64(2000, 100_000_000) : 0;
        return AddStandardDeviation(
            new IoTotals
            {
                IOCount = count,
                ByteCount = count * block,
                IOPS = count / seconds,
                MBps = count * block / 1048576.0 / seconds,
                AverageLatencyMs = count == 0 || !_shown.MeasureLatency ? null : NextMilliseconds(),
            }
        );
    }

    /// <summary>
    /// Adds deviations if there are I/Os and deviations are shown. Without I/Os, the text contains 0.00 and the XML nothing.
    /// </summary>
    private IoTotals AddStandardDeviation(IoTotals totals)
    {
        totals.LatencyStdDevMs = totals.IOCount == 0 || !_shown.MeasureLatency ? null : NextMilliseconds();
        totals.IopsStdDev =
            !_shown.GatherIops ? null
            : totals.IOCount == 0
                ? xml ? null
                    : 0
            : random.Next(1, 1_000_000) / 100.0;
        return totals;
    }

    private IoTotals Combine(IoTotals read, IoTotals write) => AddStandardDeviation(AddUp(read, write));

    private static IoTotals AddUp(IoTotals a, IoTotals b)
    {
        var count = a.IOCount + b.IOCount;
        return new IoTotals
        {
            IOCount = count,
            ByteCount = a.ByteCount + b.ByteCount,
            IOPS = a.IOPS + b.IOPS,
            MBps = a.MBps + b.MBps,
            AverageLatencyMs =
                count == 0 || (a.AverageLatencyMs ?? b.AverageLatencyMs) is null
                    ? null
                    : ((a.AverageLatencyMs ?? 0) * a.IOCount + (b.AverageLatencyMs ?? 0) * b.IOCount) / count,
        };
    }

    private List<IoPercentile> CreatePercentiles(IoReadWriteTotals totals)
    {
        if (!_shown.MeasureLatency)
            return [];
        double read = 0,
            write = 0,
            total = 0;
        return
        [
            .. (xml ? s_xmlPercents : s_textPercents).Select(p => new IoPercentile
            {
                Percent = p,
                ReadMs = totals.Read.IOCount > 0 ? read = Math.Round(read + random.NextDouble(), 3) : null,
                WriteMs = totals.Write.IOCount > 0 ? write = Math.Round(write + random.NextDouble(), 3) : null,
                TotalMs = total = Math.Round(total + random.NextDouble(), 3),
            }),
        ];
    }

    /// <summary>Creates intervals, which only the XML has. Their bandwidth is known only if all I/Os have the same size.</summary>
    private List<IoTimelinePoint> CreateTimeline(IoPattern pattern)
    {
        if (!xml || !_shown.GatherIops)
            return [];
        var points = new List<IoTimelinePoint>();
        for (var i = 1; i <= 3; i++)
        {
            var point = new IoTimelinePoint
            {
                Seconds = i * 0.25,
                ReadIOPS = pattern.WritePercent < 100 ? random.Next(1, 1000) : 0,
                WriteIOPS = pattern.WritePercent > 0 ? random.Next(1, 1000) : 0,
            };
            point.IOPS = point.ReadIOPS + point.WriteIOPS;
            point.ReadLatency =
                point.ReadIOPS > 0
                    ? new IoLatencySummary(NextMilliseconds(), NextMilliseconds(), NextMilliseconds(), NextMilliseconds())
                    : null;
            point.WriteLatency =
                point.WriteIOPS > 0
                    ? new IoLatencySummary(NextMilliseconds(), NextMilliseconds(), NextMilliseconds(), NextMilliseconds())
                    : null;
            point.MaxLatencyMs = Math.Max(point.ReadLatency?.MaxMs ?? 0, point.WriteLatency?.MaxMs ?? 0);
            point.AverageLatencyMs =
                ((point.ReadLatency?.AverageMs ?? 0) * point.ReadIOPS + (point.WriteLatency?.AverageMs ?? 0) * point.WriteIOPS)
                / point.IOPS;
            points.Add(point);
        }
        return points;
    }
}
