using IoBench.Engine;

namespace IoBench.Formats;

internal static class IntervalMapper
{
    internal static IoTimelinePoint Map(List<(string Name, string Value)> attributes)
    {
        var point = new IoTimelinePoint { Seconds = (Value(attributes, "SampleMillisecond") ?? 0) / 1000 };
        point.IOPS = Value(attributes, "Total");
        point.ReadIOPS = Value(attributes, "Read");
        point.WriteIOPS = Value(attributes, "Write");
        point.ReadLatency = Latency(attributes, "Read", point.ReadIOPS);
        point.WriteLatency = Latency(attributes, "Write", point.WriteIOPS);
        SetBoth(point);
        return point;
    }

    internal static void SetBoth(IoTimelinePoint point)
    {
        var (read, write) = (point.ReadLatency, point.WriteLatency);
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

    private static IoLatencySummary? Latency(List<(string Name, string Value)> attributes, string kind, double? rate)
    {
        // Without such I/Os, DiskSpd prints 0.000 for all values. A rate of 0 can have I/Os, because it is rounded to a whole number.
        var average = Value(attributes, kind + "AvgLatencyMilliseconds");
        return rate is null || average is null or 0
            ? null
            : new IoLatencySummary(
                Value(attributes, kind + "MinLatencyMilliseconds"),
                Value(attributes, kind + "MaxLatencyMilliseconds"),
                average,
                Value(attributes, kind + "LatencyStdDev")
            );
    }

    private static double? Value(List<(string Name, string Value)> attributes, string name)
    {
        foreach (var attribute in attributes)
        {
            if (attribute.Name == name)
                return Numbers.Real(attribute.Value);
        }
        return null;
    }
}
