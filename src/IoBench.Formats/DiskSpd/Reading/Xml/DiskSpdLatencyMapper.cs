using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads latency elements: averages, deviations, and the percentiles 0 to 99, 99.9 to 99.9999999, and 100 over all targets, and the values
/// by interval.
/// </summary>
internal static class DiskSpdLatencyMapper
{
    internal static void ReadLatency(DiskSpdXmlElement latency, DiskSpdTimespan span)
    {
        var (total, read, write) = (span.Totals.Total, span.Totals.Read, span.Totals.Write);
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

    private static double? GetNumber(DiskSpdXmlElement element, string name) =>
        element.GetText(name) is { } text ? ToolNumberParser.ParseReal(text) : null;
}
