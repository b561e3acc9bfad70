using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdTotals
{
    internal static void AddTargets(IoTestResult result, DiskSpdTimespan span)
    {
        // Nearly all results have one target, which needs no grouping.
        if (span.Rows.Count > 0 && span.Rows.TrueForAll(r => r.Path == span.Rows[0].Path))
            result.Targets.Add(CreateTarget(span.Rows[0].Path ?? "", span.Rows, span));
        else
            result.Targets.AddRange(span.Rows.GroupBy(r => r.Path ?? "").Select(g => CreateTarget(g.Key, g.ToList(), span)));
        if (result.Targets is [var only])
        {
            // DiskSpd's own totals include values that cannot be added.
            only.Total = CopyPrintedTotals(span.Totals.Total, only.Total);
            only.Read = CopyPrintedTotals(span.Totals.Read, only.Read);
            only.Write = CopyPrintedTotals(span.Totals.Write, only.Write);
            if (only.Percentiles.Count == 0)
                only.Percentiles = [.. span.Percentiles];
        }
        foreach (var target in result.Targets)
        {
            SetMinMaxLatency(target);
            if (result.Specification is { } specification && specification.Targets.Find(t => t.Path == target.Path) is { } specified)
                target.IOPattern = PatternText.Describe(specification.GetPattern(specified));
        }
        if (result.Targets.Count > 0 && result.Targets.TrueForAll(t => t.FileSizeMB is not null))
            result.FileSizeMB = result.Targets.Sum(t => t.FileSizeMB);
    }

    private static IoTargetResult CreateTarget(string path, List<IoThreadResult> rows, DiskSpdTimespan span)
    {
        var target = new IoTargetResult
        {
            Path = path,
            FileSizeMB = span.FileSizes.TryGetValue(path, out var size) ? size / 1048576.0 : null,
            ThreadCount = CountThreads(rows),
            Total = SumTotals(rows.ConvertAll(r => r.Total)),
            Read = SumTotals(rows.ConvertAll(r => r.Read)),
            Write = SumTotals(rows.ConvertAll(r => r.Write)),
        };
        if (span.TargetPercentiles.TryGetValue(path, out var percentiles))
            target.Percentiles = percentiles;
        return target;
    }

    private static int CountThreads(List<IoThreadResult> rows)
    {
        // DiskSpd prints the rows of a target in ascending order of the threads.
        for (var i = 1; i < rows.Count; i++)
            if (rows[i].ThreadId <= rows[i - 1].ThreadId)
                return rows.Select(r => r.ThreadId).Distinct().Count();
        return rows.Count;
    }

    private static IoTotals CopyPrintedTotals(IoTotals totals, IoTotals sum) =>
        totals.IOCount is null
            ? sum
            : new()
            {
                IOCount = totals.IOCount,
                ByteCount = totals.ByteCount,
                IOPS = totals.IOPS,
                MBps = totals.MBps,
                AverageLatencyMs = totals.AverageLatencyMs,
                LatencyStdDevMs = totals.LatencyStdDevMs,
                IopsStdDev = totals.IopsStdDev,
            };

    private static void SetMinMaxLatency(IoTargetResult target)
    {
        var lowest = target.Percentiles.Find(p => p.Percent == 0);
        var highest = target.Percentiles.Find(p => p.Percent == 100);
        target.Total.MinLatencyMs = lowest?.TotalMs;
        target.Read.MinLatencyMs = lowest?.ReadMs;
        target.Write.MinLatencyMs = lowest?.WriteMs;
        target.Total.MaxLatencyMs = highest?.TotalMs;
        target.Read.MaxLatencyMs = highest?.ReadMs;
        target.Write.MaxLatencyMs = highest?.WriteMs;
    }

    /// <summary>Averages latency by count. A deviation cannot be added, so it is only set if one part has I/Os.</summary>
    internal static IoTotals SumTotals(List<IoTotals> parts)
    {
        var sum = new IoTotals();
        // The sum of counts in a text can exceed 64 bits.
        Int128 count = 0,
            bytes = 0;
        double iops = 0,
            megabytes = 0,
            weighted = 0;
        bool hasBytes = true,
            hasIops = true,
            hasMegabytes = true,
            hasLatency = true;
        IoTotals? only = null;
        var busy = 0;
        foreach (var part in parts)
        {
            if (part.IOCount is not { } partCount)
                return sum;
            count += partCount;
            bytes += part.ByteCount ?? 0;
            iops += part.IOPS ?? 0;
            megabytes += part.MBps ?? 0;
            hasBytes &= part.ByteCount is not null;
            hasIops &= part.IOPS is not null;
            hasMegabytes &= part.MBps is not null;
            if (partCount <= 0)
                continue;
            only = busy++ == 0 ? part : null;
            hasLatency &= part.AverageLatencyMs is not null;
            weighted += (part.AverageLatencyMs ?? 0) * partCount;
        }
        sum.IOCount = ToCount(count);
        sum.ByteCount = hasBytes ? ToCount(bytes) : null;
        sum.IOPS = hasIops ? iops : null;
        sum.MBps = hasMegabytes ? megabytes : null;
        if (sum.IOCount > 0 && hasLatency)
            sum.AverageLatencyMs = weighted / sum.IOCount;
        sum.LatencyStdDevMs = only?.LatencyStdDevMs;
        if (parts is [var single])
            sum.IopsStdDev = single.IopsStdDev;
        return sum;
    }

    internal static void SetTimespanTotals(DiskSpdRun run, DiskSpdTimespan span)
    {
        foreach (var row in span.Rows)
        {
            SetRates(row.Total, span.Seconds);
            SetRates(row.Read, span.Seconds);
            SetRates(row.Write, span.Seconds);
            SetAverageLatency(row);
        }
        SetTotals(span.Totals.Total, span.Rows.ConvertAll(r => r.Total), span.Seconds);
        SetTotals(span.Totals.Read, span.Rows.ConvertAll(r => r.Read), span.Seconds);
        SetTotals(span.Totals.Write, span.Rows.ConvertAll(r => r.Write), span.Seconds);
        SetBandwidth(run, span);
    }

    private static void SetRates(IoTotals totals, double? seconds)
    {
        if (seconds is not > 0)
            return;
        totals.IOPS = totals.IOCount / seconds;
        totals.MBps = totals.ByteCount / 1048576.0 / seconds;
    }

    private static void SetTotals(IoTotals totals, List<IoTotals> parts, double? seconds)
    {
        if (parts.Count == 0)
            return;
        totals.IOCount = SumCounts(parts.Select(p => p.IOCount));
        totals.ByteCount = SumCounts(parts.Select(p => p.ByteCount));
        SetRates(totals, seconds);
    }

    /// <summary>DiskSpd 2.2 states a thread's latency for reads and writes separately. The overall one is their average by count.</summary>
    private static void SetAverageLatency(IoThreadResult thread)
    {
        if (thread.Total.AverageLatencyMs is not null || thread.Total.IOCount is not > 0)
            return;
        var parts = new List<IoTotals> { thread.Read, thread.Write };
        var sum = DiskSpdTotals.SumTotals(parts);
        thread.Total.AverageLatencyMs = sum.AverageLatencyMs;
        thread.Total.LatencyStdDevMs ??= sum.LatencyStdDevMs;
    }

    private static void SetBandwidth(DiskSpdRun run, DiskSpdTimespan span)
    {
        var count = span.Totals.Total.IOCount;
        var bytes = span.Totals.Total.ByteCount;
        if (count is not > 0 || bytes % count != 0)
            return;
        var index = span.Number - 1;
        if (index < run.Specifications.Count && run.Specifications[index].Targets.Exists(t => t.Pattern is not null))
            return;
        foreach (var timeline in span.Rows.Select(r => r.Timeline).Prepend(span.Timeline))
        {
            foreach (var point in timeline)
                point.MBps = point.IOPS * (bytes / count) / 1048576.0;
        }
    }

    /// <summary>Totals to print. Values that a result does not have are calculated from others.</summary>
    internal static IoTotals GetPrinted(IoTestResult r) =>
        Complete(
            new IoTotals
            {
                ByteCount = r.ByteCount,
                IOCount = r.IOCount,
                MBps = r.BandwidthMBps,
                IOPS = r.IOPS,
                AverageLatencyMs = r.AverageLatencyMs,
                LatencyStdDevMs = r.LatencyStdDevMs,
                IopsStdDev = r.IopsStdDev,
            },
            r.DurationSeconds
        );

    internal static IoTotals GetPrintedReads(IoTestResult r) =>
        GetPrintedPart(r, t => t.Read, r.ReadMBps, r.ReadIOPS, r.ReadAverageLatencyMs);

    internal static IoTotals GetPrintedWrites(IoTestResult r) =>
        GetPrintedPart(r, t => t.Write, r.WriteMBps, r.WriteIOPS, r.WriteAverageLatencyMs);

    private static IoTotals GetPrintedPart(
        IoTestResult r,
        Func<IoReadWriteTotals, IoTotals> part,
        double? mbps,
        double? iops,
        double? averageMs
    )
    {
        var parts = (r.Targets.Count > 0 ? r.Targets.Cast<IoReadWriteTotals>() : r.Threads).Select(part).ToList();
        var sum = r.Totals is { } totals ? part(totals) : SumTotals(parts.Count > 0 ? parts : [new IoTotals()]);
        return Complete(
            new IoTotals
            {
                ByteCount = sum.ByteCount,
                IOCount = sum.IOCount,
                MBps = mbps,
                IOPS = iops,
                AverageLatencyMs = averageMs,
                LatencyStdDevMs = sum.LatencyStdDevMs,
                IopsStdDev = sum.IopsStdDev,
            },
            r.DurationSeconds
        );
    }

    /// <summary>Returns totals with all counts and rates.</summary>
    internal static IoTotals Complete(IoTotals t, double? seconds)
    {
        var time = seconds > 0 ? seconds : null;
        return new IoTotals
        {
            ByteCount = t.ByteCount ?? (long)Math.Clamp(Math.Round((t.MBps * time * 1048576) ?? 0), 0, long.MaxValue / 2),
            IOCount = t.IOCount ?? (long)Math.Clamp(Math.Round((t.IOPS * time) ?? 0), 0, long.MaxValue / 2),
            MBps = t.MBps ?? t.ByteCount / 1048576.0 / time ?? 0,
            IOPS = t.IOPS ?? t.IOCount / time ?? 0,
            AverageLatencyMs = t.AverageLatencyMs,
            LatencyStdDevMs = t.LatencyStdDevMs,
            IopsStdDev = t.IopsStdDev,
        };
    }

    /// <summary>Returns the sum; null if a count is unknown or if the sum does not fit.</summary>
    internal static long? SumCounts(IEnumerable<long?> counts)
    {
        Int128 sum = 0;
        foreach (var count in counts)
        {
            if (count is not { } known)
                return null;
            sum += known;
        }
        return ToCount(sum);
    }

    /// <summary>Returns the sum, or the highest possible count if the sum does not fit.</summary>
    internal static long SumCounts(IEnumerable<long> counts)
    {
        Int128 sum = 0;
        foreach (var count in counts)
            sum += count;
        return (long)Int128.Clamp(sum, long.MinValue, long.MaxValue);
    }

    /// <summary>Converts a sum to a count; null if it does not fit.</summary>
    internal static long? ToCount(Int128 sum) => sum >= long.MinValue && sum <= long.MaxValue ? (long)sum : null;
}
