using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Values that a result does not have are calculated from others. Deviations are standard deviations.</summary>
internal readonly record struct DiskSpdRowValues(
    long Bytes,
    long Count,
    double MBps,
    double Iops,
    double? AverageMs,
    double? DeviationMs,
    double? IopsDeviation
)
{
    internal static DiskSpdRowValues FromTotals(IoTotals totals, double? seconds) =>
        Create(totals.ByteCount, totals.IOCount, totals.MBps, totals.IOPS, seconds) with
        {
            AverageMs = totals.AverageLatencyMs,
            DeviationMs = totals.LatencyStdDevMs,
            IopsDeviation = totals.IopsStdDev,
        };

    internal static DiskSpdRowValues ForRun(IoTestResult r) =>
        Create(r.ByteCount, r.IOCount, r.BandwidthMBps, r.IOPS, r.DurationSeconds) with
        {
            AverageMs = r.AverageLatencyMs,
            DeviationMs = r.LatencyStdDevMs,
            IopsDeviation = r.IopsStdDev,
        };

    internal static DiskSpdRowValues ForReadsOrWrites(IoTestResult r, bool reads)
    {
        var sum = reads ? r.Totals?.Read : r.Totals?.Write;
        if (sum is null)
        {
            var parts = (r.Targets.Count > 0 ? r.Targets.Cast<IoReadWriteTotals>() : r.Threads)
                .Select(t => reads ? t.Read : t.Write)
                .ToList();
            sum = DiskSpdTotals.SumTotals(parts.Count > 0 ? parts : [new IoTotals()]);
        }
        return Create(
            sum.ByteCount,
            sum.IOCount,
            reads ? r.ReadMBps : r.WriteMBps,
            reads ? r.ReadIOPS : r.WriteIOPS,
            r.DurationSeconds
        ) with
        {
            AverageMs = reads ? r.ReadAverageLatencyMs : r.WriteAverageLatencyMs,
            DeviationMs = sum.LatencyStdDevMs,
            IopsDeviation = sum.IopsStdDev,
        };
    }

    private static DiskSpdRowValues Create(long? bytes, long? count, double? mbps, double? iops, double? seconds)
    {
        var time = seconds > 0 ? seconds : null;
        return new DiskSpdRowValues(
            bytes ?? (long)Math.Clamp(Math.Round((mbps * time * 1048576) ?? 0), 0, long.MaxValue / 2),
            count ?? (long)Math.Clamp(Math.Round((iops * time) ?? 0), 0, long.MaxValue / 2),
            mbps ?? bytes / 1048576.0 / time ?? 0,
            iops ?? count / time ?? 0,
            null,
            null,
            null
        );
    }
}
