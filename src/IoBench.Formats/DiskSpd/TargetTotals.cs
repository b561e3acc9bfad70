using IoBench.Engine;

namespace IoBench.Formats.DiskSpd;

/// <summary>Totals of each target, added up from its threads.</summary>
internal static class TargetTotals
{
    /// <summary>Sets <see cref="IoTestResult.Targets"/> and the files' size.</summary>
    internal static void Add(IoTestResult result, DiskSpdSpan span)
    {
        foreach (var rows in span.Rows.GroupBy(r => r.Thread.Path ?? ""))
        {
            var size = rows.First().FileSize;
            var target = new IoTargetResult
            {
                Path = rows.Key,
                FileSizeMB = size is null ? null : size / 1048576.0,
                ThreadCount = rows.Select(r => r.Thread.ThreadId).Distinct().Count(),
                Percentiles = span.TargetPercentiles.GetValueOrDefault(rows.Key) ?? [],
            };
            Sum(target, rows.Select(r => r.Thread).ToList());
            result.Targets.Add(target);
        }
        if (result.Targets is [var only])
        {
            // One target: DiskSpd's own totals are its totals, with what cannot be added up.
            (only.Total, only.Read, only.Write) = (Copy(span.Totals.Total, only.Total), Copy(span.Totals.Read, only.Read), Copy(span.Totals.Write, only.Write));
            if (only.Percentiles.Count == 0)
                only.Percentiles = [.. span.Percentiles];
        }
        foreach (var target in result.Targets)
        {
            SetLimits(target);
            if (result.Specification is { } specification && specification.Targets.Find(t => t.Path == target.Path) is { } specified)
                target.IOPattern = PatternText.Of(specification.PatternOf(specified));
        }
        if (result.Targets.Count > 0 && result.Targets.TrueForAll(t => t.FileSizeMB is not null))
            result.FileSizeMB = result.Targets.Sum(t => t.FileSizeMB);
    }

    private static IoTotals Copy(IoTotals totals, IoTotals sum) => totals.IOCount is null ? sum : new()
    {
        IOCount = totals.IOCount,
        ByteCount = totals.ByteCount,
        IOPS = totals.IOPS,
        MBps = totals.MBps,
        AverageLatencyMs = totals.AverageLatencyMs,
        LatencyStdDevMs = totals.LatencyStdDevMs,
        IopsStdDev = totals.IopsStdDev,
    };

    private static void SetLimits(IoTargetResult target)
    {
        var least = target.Percentiles.Find(p => p.Percent == 0);
        var greatest = target.Percentiles.Find(p => p.Percent == 100);
        (target.Total.MinLatencyMs, target.Read.MinLatencyMs, target.Write.MinLatencyMs) = (least?.TotalMs, least?.ReadMs, least?.WriteMs);
        (target.Total.MaxLatencyMs, target.Read.MaxLatencyMs, target.Write.MaxLatencyMs) = (greatest?.TotalMs, greatest?.ReadMs, greatest?.WriteMs);
    }

    private static void Sum(IoReadWriteTotals target, List<IoThreadResult> threads)
    {
        target.Total = Sum(threads.ConvertAll(t => t.Total));
        target.Read = Sum(threads.ConvertAll(t => t.Read));
        target.Write = Sum(threads.ConvertAll(t => t.Write));
    }

    /// <summary>Adds counts and rates, averages latency by count; a deviation cannot be added up and is kept only where there is one part.</summary>
    internal static IoTotals Sum(List<IoTotals> parts)
    {
        var sum = new IoTotals();
        if (!parts.TrueForAll(p => p.IOCount is not null))
            return sum;
        sum.IOCount = parts.Sum(p => p.IOCount);
        sum.ByteCount = parts.TrueForAll(p => p.ByteCount is not null) ? parts.Sum(p => p.ByteCount) : null;
        sum.IOPS = parts.TrueForAll(p => p.IOPS is not null) ? parts.Sum(p => p.IOPS) : null;
        sum.MBps = parts.TrueForAll(p => p.MBps is not null) ? parts.Sum(p => p.MBps) : null;
        var counted = parts.FindAll(p => p.IOCount > 0);
        if (sum.IOCount > 0 && counted.TrueForAll(p => p.AverageLatencyMs is not null))
            sum.AverageLatencyMs = counted.Sum(p => p.AverageLatencyMs!.Value * p.IOCount!.Value) / sum.IOCount;
        if (counted is [var one])
            sum.LatencyStdDevMs = one.LatencyStdDevMs;
        if (parts is [var single])
            sum.IopsStdDev = single.IopsStdDev;
        return sum;
    }
}
