using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Calculates rates and totals. The XML only has counts by thread, and the measured time in hundredths of a second.</summary>
internal static class DiskSpdTotals
{
    internal static void SetTimespanTotals(DiskSpdRun run, DiskSpdTimespan span)
    {
        foreach (var row in span.Rows)
        {
            SetRates(row.Thread.Total, span.Seconds);
            SetRates(row.Thread.Read, span.Seconds);
            SetRates(row.Thread.Write, span.Seconds);
            SetAverageLatency(row.Thread);
        }
        SetTotals(span.Totals.Total, span.Rows.ConvertAll(r => r.Thread.Total), span.Seconds);
        SetTotals(span.Totals.Read, span.Rows.ConvertAll(r => r.Thread.Read), span.Seconds);
        SetTotals(span.Totals.Write, span.Rows.ConvertAll(r => r.Thread.Write), span.Seconds);
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
        totals.IOCount = CountMath.Sum(parts.Select(p => p.IOCount));
        totals.ByteCount = CountMath.Sum(parts.Select(p => p.ByteCount));
        SetRates(totals, seconds);
    }

    /// <summary>
    /// DiskSpd 2.2 states a thread's latency for reads and writes separately. The overall latency is their average by count.
    /// </summary>
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
        var (count, bytes) = (span.Totals.Total.IOCount, span.Totals.Total.ByteCount);
        if (count is not > 0 || bytes % count != 0)
            return;
        var index = span.Number - 1;
        if (index < run.Specifications.Count && run.Specifications[index].Targets.Exists(t => t.Pattern is not null))
            return;
        foreach (var timeline in span.Rows.Select(r => r.Thread.Timeline).Prepend(span.Timeline))
        {
            foreach (var point in timeline)
                point.MBps = point.IOPS * (bytes / count) / 1048576.0;
        }
    }
}
