using IoBench.Engine;

namespace IoBench.Tests.DiskSpd;

/// <summary>Random results with figures that belong together, as the engine would make them.</summary>
internal static class ResultGenerator
{
    public static IoTestResult Next(Random random)
    {
        var specification = Specification(random);
        var seconds = Math.Round(random.NextDouble() * 100 + 1, 2);
        var block = specification.BlockSize;
        var result = new IoTestResult
        {
            Source = IoResultSource.IoBench,
            ComputerName = "host" + random.Next(10),
            StartTime = new DateTimeOffset(2026, 1, 1, 0, 0, 0, TimeSpan.Zero).AddSeconds(random.Next(10_000_000)),
            Specification = specification,
            DurationSeconds = seconds,
            CpuPercent = Math.Round(random.NextDouble() * 100, 2),
        };
        var threads = 0;
        foreach (var target in specification.Targets)
        {
            var totals = new IoTargetResult { Path = target.Path, FileSizeMB = random.Next(2) == 0 ? random.Next(1, 1024) : 1024 * random.Next(1, 1000) };
            for (var t = 0; t < specification.ThreadCount; t++)
            {
                var row = new IoThreadResult { ThreadId = specification.SharedThreadPool ? t : threads++, Path = target.Path };
                row.Read = Kind(random, block, seconds, specification.WritePercent < 100);
                row.Write = Kind(random, block, seconds, specification.WritePercent > 0);
                row.Total = Sum(row.Read, row.Write);
                result.Threads.Add(row);
            }
            var rows = result.Threads.Where(r => r.Path == target.Path).ToList();
            totals.Read = rows.Select(r => r.Read).Aggregate(Sum);
            totals.Write = rows.Select(r => r.Write).Aggregate(Sum);
            totals.Total = Sum(totals.Read, totals.Write);
            totals.Percentiles = Percentiles(random, totals);
            result.Targets.Add(totals);
        }
        result.ThreadCount = result.Threads.Select(t => t.ThreadId).Distinct().Count();
        var (read, write) = (result.Targets.Select(t => t.Read).Aggregate(Sum), result.Targets.Select(t => t.Write).Aggregate(Sum));
        var total = Sum(read, write);
        (result.IOCount, result.ByteCount, result.IOPS, result.BandwidthMBps, result.AverageLatencyMs) = (total.IOCount, total.ByteCount, total.IOPS, total.MBps, total.AverageLatencyMs);
        (result.ReadIOPS, result.ReadMBps, result.ReadAverageLatencyMs) = (read.IOPS, read.MBps, read.AverageLatencyMs);
        (result.WriteIOPS, result.WriteMBps, result.WriteAverageLatencyMs) = (write.IOPS, write.MBps, write.AverageLatencyMs);
        result.Percentiles = result.Targets.Count == 1 ? result.Targets[0].Percentiles : Percentiles(random, new IoReadWriteTotals { Read = read, Write = write, Total = total });
        for (var i = 0; i < random.Next(1, 70); i++)
            result.Processors.Add(new IoProcessorLoad { Processor = i, UsagePercent = random.Next(100), UserPercent = random.Next(50), KernelPercent = random.Next(50), IdlePercent = random.Next(100) });
        return result;
    }

    private static IoTestSpecification Specification(Random random)
    {
        var s = new IoTestSpecification
        {
            BlockSize = 512L << random.Next(12),
            ThreadCount = random.Next(1, 5),
            OutstandingIO = random.Next(1, 65),
            WritePercent = random.Next(3) switch { 0 => 0, 1 => 100, _ => random.Next(1, 100) },
            AccessPattern = (IoAccessPattern)random.Next(3),
            Buffering = (IoBuffering)random.Next(4),
            Duration = TimeSpan.FromSeconds(random.Next(1, 100)),
            WarmUp = TimeSpan.FromSeconds(random.Next(10)),
            Seed = (ulong)random.Next(),
            SharedThreadPool = random.Next(4) == 0,
            BurstSize = random.Next(3) == 0 ? 5 : 0,
            Priority = (IoPriority)random.Next(3),
            DiskSpd = random.Next(2) == 0 ? null : new DiskSpdOptions { MeasureLatency = true, GatherIops = random.Next(2) == 0 },
        };
        s.ThinkTimeMs = s.BurstSize > 0 ? 7 : 0;
        if (s.AccessPattern == IoAccessPattern.Sequential)
            s.ThreadStride = random.Next(2) * s.BlockSize * 8;
        for (var i = 0; i <= random.Next(3); i++)
            s.Targets.Add(new IoTargetSpecification($"D:\\folder {i}\\ä & b{i}.dat"));
        return s;
    }

    private static IoTotals Kind(Random random, long block, double seconds, bool any)
    {
        var count = any ? random.NextInt64(1, 100_000_000) : 0;
        return new IoTotals
        {
            IOCount = count,
            ByteCount = count * block,
            IOPS = count / seconds,
            MBps = count * block / 1048576.0 / seconds,
            AverageLatencyMs = count == 0 ? null : Math.Round(random.NextDouble() * 10, 3),
        };
    }

    private static IoTotals Sum(IoTotals a, IoTotals b)
    {
        var count = a.IOCount + b.IOCount;
        return new IoTotals
        {
            IOCount = count,
            ByteCount = a.ByteCount + b.ByteCount,
            IOPS = a.IOPS + b.IOPS,
            MBps = a.MBps + b.MBps,
            AverageLatencyMs = count == 0 ? null : ((a.AverageLatencyMs ?? 0) * a.IOCount + (b.AverageLatencyMs ?? 0) * b.IOCount) / count,
        };
    }

    private static List<IoPercentile> Percentiles(Random random, IoReadWriteTotals totals)
    {
        double[] percents = [0, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999, 99.999999, 99.9999999, 100];
        double read = 0, write = 0, total = 0;
        return [.. percents.Select(p => new IoPercentile
        {
            Percent = p,
            ReadMs = totals.Read.IOCount > 0 ? read = Math.Round(read + random.NextDouble(), 3) : null,
            WriteMs = totals.Write.IOCount > 0 ? write = Math.Round(write + random.NextDouble(), 3) : null,
            TotalMs = total = Math.Round(total + random.NextDouble(), 3),
        })];
    }

    public static void AssertSame(IoTestResult expected, IoTestResult actual, bool exactRates, string context)
    {
        var s = expected.Specification!;
        var r = actual.Specification!;
        Assert.True(actual.Status == IoResultStatus.Complete && actual.Warnings.Count == 0, $"{context}: {actual.Status} {string.Join(" ", actual.Warnings)}");
        Assert.Equal((s.BlockSize, s.WritePercent, s.AccessPattern, s.Buffering, s.ThreadCount, s.SharedThreadPool, s.OutstandingIO, s.ThreadStride, s.Seed, s.Priority, s.BurstSize, s.ThinkTimeMs),
            (r.BlockSize, r.WritePercent, r.AccessPattern, r.Buffering, r.ThreadCount, r.SharedThreadPool, r.OutstandingIO, r.ThreadStride, r.Seed, r.Priority, r.BurstSize, r.ThinkTimeMs));
        Assert.Equal(s.Targets.Select(t => t.Path), r.Targets.Select(t => t.Path));
        Assert.Equal((expected.ComputerName, expected.StartTime, expected.ThreadCount, expected.IOCount, expected.ByteCount), (actual.ComputerName, actual.StartTime, actual.ThreadCount, actual.IOCount, actual.ByteCount));
        Assert.Equal(expected.Percentiles.Select(p => (p.Percent, p.ReadMs, p.WriteMs, p.TotalMs)), actual.Percentiles.Select(p => (p.Percent, p.ReadMs, p.WriteMs, p.TotalMs)));
        Assert.Equal(expected.Processors.Select(p => (p.Processor, p.UsagePercent, p.IdlePercent)), actual.Processors.Select(p => (p.Processor, p.UsagePercent, p.IdlePercent)));
        Assert.Equal(expected.CpuPercent, actual.CpuPercent);
        var tolerance = exactRates ? 0.00501 : 0.01;
        foreach (var (wanted, got) in new[] { (expected.IOPS, actual.IOPS), (expected.BandwidthMBps, actual.BandwidthMBps), (expected.ReadIOPS, actual.ReadIOPS), (expected.WriteMBps, actual.WriteMBps) })
            Assert.True(Math.Abs(wanted!.Value - got!.Value) <= tolerance * Math.Max(1, exactRates ? 1 : wanted.Value), $"{context}: {wanted} became {got}");
        Near(expected.AverageLatencyMs, actual.AverageLatencyMs, context);
        Near(expected.ReadAverageLatencyMs, actual.ReadAverageLatencyMs, context);
        Near(expected.WriteAverageLatencyMs, actual.WriteAverageLatencyMs, context);
        // The XML has a thread's targets together.
        Assert.Equal(expected.Threads.OrderBy(t => t.ThreadId).Select(t => (t.ThreadId, t.Path, t.Read.IOCount, t.Write.ByteCount)), actual.Threads.OrderBy(t => t.ThreadId).Select(t => (t.ThreadId, t.Path, t.Read.IOCount, t.Write.ByteCount)));
        Assert.Equal(expected.Targets.Select(t => (t.Path, t.FileSizeMB, t.Total.IOCount)), actual.Targets.Select(t => (t.Path, t.FileSizeMB, t.Total.IOCount)));
    }

    private static void Near(double? expected, double? actual, string context) =>
        Assert.True(expected is null ? actual is null : Math.Abs(expected.Value - actual!.Value) <= 0.000501, $"{context}: {expected} became {actual}");
}
