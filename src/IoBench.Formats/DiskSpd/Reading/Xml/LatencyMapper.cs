using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads latency elements: averages, deviations, and the percentiles 0 to 99, 99.9 to 99.9999999, and 100 over all targets, and the values
/// by interval.
/// </summary>
internal static class LatencyMapper
{
    internal static void Map(XmlTree latency, DiskSpdSpan span)
    {
        var (total, read, write) = (span.Totals.Total, span.Totals.Read, span.Totals.Write);
        read.AverageLatencyMs = Value(latency, "AverageReadMilliseconds");
        read.LatencyStdDevMs = Value(latency, "ReadLatencyStdev");
        write.AverageLatencyMs = Value(latency, "AverageWriteMilliseconds");
        write.LatencyStdDevMs = Value(latency, "WriteLatencyStdev");
        total.AverageLatencyMs = Value(latency, "AverageTotalMilliseconds");
        total.LatencyStdDevMs = Value(latency, "LatencyStdev");
        foreach (var bucket in latency.Children)
        {
            if (bucket.Name != "Bucket" || Value(bucket, "Percentile") is not double percent)
                continue;
            var percentile = new IoPercentile
            {
                Percent = percent,
                ReadMs = Value(bucket, "ReadMilliseconds"),
                WriteMs = Value(bucket, "WriteMilliseconds"),
                TotalMs = Value(bucket, "TotalMilliseconds"),
            };
            // DiskSpd prints all percentiles, even without any I/O. A bucket without a value means nothing.
            if (percentile is not { ReadMs: null, WriteMs: null, TotalMs: null })
                span.Percentiles.Add(percentile);
        }
    }

    private static double? Value(XmlTree element, string name) => element.TextOf(name) is { } text ? Numbers.Real(text) : null;
}
