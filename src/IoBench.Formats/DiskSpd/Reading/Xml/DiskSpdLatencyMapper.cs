using System.Xml;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdLatencyMapper
{
    internal static void ReadLatency(DiskSpdXmlElement latency, DiskSpdTimespan span)
    {
        var total = span.Totals.Total;
        var read = span.Totals.Read;
        var write = span.Totals.Write;
        read.AverageLatencyMs = GetNumber(latency, "AverageReadMilliseconds");
        read.LatencyStdDevMs = GetNumber(latency, "ReadLatencyStdev");
        write.AverageLatencyMs = GetNumber(latency, "AverageWriteMilliseconds");
        write.LatencyStdDevMs = GetNumber(latency, "WriteLatencyStdev");
        total.AverageLatencyMs = GetNumber(latency, "AverageTotalMilliseconds");
        total.LatencyStdDevMs = GetNumber(latency, "LatencyStdev");
        foreach (var bucket in latency.Children)
        {
            if (bucket.Name != "Bucket" || GetNumber(bucket, "Percentile") is not double percent)
                continue;
            var percentile = new IoPercentile
            {
                Percent = percent,
                ReadMs = GetNumber(bucket, "ReadMilliseconds"),
                WriteMs = GetNumber(bucket, "WriteMilliseconds"),
                TotalMs = GetNumber(bucket, "TotalMilliseconds"),
            };
            // DiskSpd prints all percentiles, even without any I/O. A bucket without a value means nothing.
            if (percentile is not { ReadMs: null, WriteMs: null, TotalMs: null })
                span.Percentiles.Add(percentile);
        }
    }

    private static double? GetNumber(DiskSpdXmlElement element, string name) => DiskSpdXmlDetails.ParseReal(element.GetText(name));

    internal static IoTimelinePoint CreateInterval(XmlReader bucket)
    {
        var point = new IoTimelinePoint { Seconds = (GetNumber(bucket, "SampleMillisecond") ?? 0) / 1000 };
        point.IOPS = GetNumber(bucket, "Total");
        point.ReadIOPS = GetNumber(bucket, "Read");
        point.WriteIOPS = GetNumber(bucket, "Write");
        point.ReadLatency = CreateLatency(bucket, "Read", point.ReadIOPS);
        point.WriteLatency = CreateLatency(bucket, "Write", point.WriteIOPS);
        SetCombinedLatency(point);
        return point;
    }

    internal static void SetCombinedLatency(IoTimelinePoint point)
    {
        var read = point.ReadLatency;
        var write = point.WriteLatency;
        point.MaxLatencyMs = (read?.MaxMs, write?.MaxMs) switch
        {
            (null, null) => null,
            (var one, null) => one,
            (null, var other) => other,
            var (one, other) => Math.Max(one.Value, other.Value),
        };
        // Weight the averages of reads and writes by their rates.
        point.AverageLatencyMs = (read?.AverageMs, write?.AverageMs) switch
        {
            (double r, double w) => point.ReadIOPS + point.WriteIOPS > 0
                ? (r * point.ReadIOPS + w * point.WriteIOPS) / (point.ReadIOPS + point.WriteIOPS)
                : null,
            (var one, var other) => one ?? other,
        };
    }

    private static IoLatencySummary? CreateLatency(XmlReader bucket, string kind, double? rate)
    {
        // Without such I/Os, DiskSpd prints 0.000 for all values. A rate of 0 can have I/Os, because it is rounded to a whole number.
        var average = GetNumber(bucket, kind + "AvgLatencyMilliseconds");
        return rate is null || average is null or 0
            ? null
            : new IoLatencySummary(
                GetNumber(bucket, kind + "MinLatencyMilliseconds"),
                GetNumber(bucket, kind + "MaxLatencyMilliseconds"),
                average,
                GetNumber(bucket, kind + "LatencyStdDev")
            );
    }

    private static double? GetNumber(XmlReader bucket, string name) =>
        bucket.GetAttribute(name) is { } text ? ToolNumberParser.ParseReal(text) : null;
}
