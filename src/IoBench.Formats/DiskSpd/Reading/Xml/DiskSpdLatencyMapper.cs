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

    internal static IoTimelinePoint CreateInterval(List<(string Name, string Value)> attributes)
    {
        var point = new IoTimelinePoint { Seconds = (GetNumber(attributes, "SampleMillisecond") ?? 0) / 1000 };
        point.IOPS = GetNumber(attributes, "Total");
        point.ReadIOPS = GetNumber(attributes, "Read");
        point.WriteIOPS = GetNumber(attributes, "Write");
        point.ReadLatency = CreateLatency(attributes, "Read", point.ReadIOPS);
        point.WriteLatency = CreateLatency(attributes, "Write", point.WriteIOPS);
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

    private static IoLatencySummary? CreateLatency(List<(string Name, string Value)> attributes, string kind, double? rate)
    {
        // Without such I/Os, DiskSpd prints 0.000 for all values. A rate of 0 can have I/Os, because it is rounded to a whole number.
        var average = GetNumber(attributes, kind + "AvgLatencyMilliseconds");
        return rate is null || average is null or 0
            ? null
            : new IoLatencySummary(
                GetNumber(attributes, kind + "MinLatencyMilliseconds"),
                GetNumber(attributes, kind + "MaxLatencyMilliseconds"),
                average,
                GetNumber(attributes, kind + "LatencyStdDev")
            );
    }

    private static double? GetNumber(List<(string Name, string Value)> attributes, string name)
    {
        foreach (var attribute in attributes)
        {
            if (attribute.Name == name)
                return ToolNumberParser.ParseReal(attribute.Value);
        }
        return null;
    }
}
