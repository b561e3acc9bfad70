using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>fio measures the time to submit (slat), from there to the completion (clat), and the sum of both (lat).</summary>
internal static class FioLatencyMapper
{
    internal static void SetLatencies(IoTestResult result, FioJob job)
    {
        var read = SelectLatency(job.Read);
        var write = SelectLatency(job.Write);
        var mixed = SelectLatency(job.Mixed);
        var total = mixed ?? MergeReadsAndWrites(read, write, job);
        result.AverageLatencyMs = total?.MeanMs;
        result.LatencyStdDevMs = total?.DeviationMs;
        result.MinLatencyMs = total?.MinMs;
        result.MaxLatencyMs = total?.MaxMs;
        result.ReadAverageLatencyMs = read?.MeanMs;
        result.WriteAverageLatencyMs = write?.MeanMs;
        if (result.Totals is { } totals)
        {
            SetLatencies(totals.Read, read);
            SetLatencies(totals.Write, write);
            SetLatencies(totals.Total, total);
        }
        SetPercentiles(result, job);
    }

    private static void SetLatencies(IoTotals totals, FioLatency? latency)
    {
        totals.AverageLatencyMs = latency?.MeanMs;
        totals.LatencyStdDevMs = latency?.DeviationMs;
        totals.MinLatencyMs = latency?.MinMs;
        totals.MaxLatencyMs = latency?.MaxMs;
    }

    /// <summary>Returns the latency from submission to completion (lat) if it was measured; otherwise clat.</summary>
    internal static FioLatency? SelectLatency(FioDirection? direction)
    {
        if (direction is { Total.IsMeasured: true })
            return direction.Total;
        return direction is { Completion.IsMeasured: true } ? direction.Completion : null;
    }

    /// <summary>Merges reads and writes as fio merges several jobs. The average requires the counts of both.</summary>
    private static FioLatency? MergeReadsAndWrites(FioLatency? read, FioLatency? write, FioJob job)
    {
        if (read is null || write is null)
            return read ?? write;
        // Use milliseconds, because each line of fio's normal output has its own unit.
        var both = new FioLatency
        {
            UnitsPerMs = 1,
            Min = Math.Min(read.MinMs ?? double.NaN, write.MinMs ?? double.NaN),
            Max = Math.Max(read.MaxMs ?? double.NaN, write.MaxMs ?? double.NaN),
        };
        if (double.IsNaN(both.Min.Value))
            both.Min = null;
        if (double.IsNaN(both.Max.Value))
            both.Max = null;
        // If an output has no count of latencies, use the count of I/Os, which is equal.
        if (
            (read.Count ?? job.Read!.IOs) is not (> 0 and var n)
            || (write.Count ?? job.Write!.IOs) is not (> 0 and var m)
            || read.MeanMs is not { } a
            || write.MeanMs is not { } b
        )
            return both;
        both.Count = (long)Math.Min((double)n + m, long.MaxValue / 2);
        both.Mean = (a * n + b * m) / ((double)n + m);
        if (read.DeviationMs is { } s && write.DeviationMs is { } t && n + (double)m > 1)
        {
            var squares = s * s * (n - 1.0) + t * t * (m - 1.0) + (b - a) * (b - a) * n * m / ((double)n + m);
            both.Deviation = Math.Sqrt(squares / ((double)n + m - 1));
        }
        return both;
    }

    private static void SetPercentiles(IoTestResult result, FioJob job)
    {
        var useTotal = ((FioDirection?[])[job.Read, job.Write, job.Mixed]).Any(d => d is { Total.Percentiles.Count: > 0 });
        var read = SelectPercentiles(job.Read);
        var write = SelectPercentiles(job.Write);
        var mixed = SelectPercentiles(job.Mixed);
        var percents = GetPercents(read, write, mixed);
        var both =
            read is { HasBins: true } && write is { HasBins: true } && read.UnitsPerMs == write.UnitsPerMs
                ? FioHistogramBins.Merge(read, write).GetPercentiles(percents)
                : null;
        for (var i = 0; i < percents.Count; i++)
        {
            var percent = percents[i];
            var readMs = FindPercentile(read, percent);
            var writeMs = FindPercentile(write, percent);
            double? totalMs;
            if (mixed is not null)
                totalMs = FindPercentile(mixed, percent);
            else if (read is not null && write is not null)
                totalMs = both?[i] / read.UnitsPerMs;
            else
                totalMs = read is null ? writeMs : readMs;
            result.Percentiles.Add(
                new IoPercentile
                {
                    Percent = percent,
                    ReadMs = readMs,
                    WriteMs = writeMs,
                    TotalMs = totalMs,
                }
            );
            SetFlatPercentile(result, percent, readMs, writeMs, totalMs);
        }
        if (percents.Count > 0)
            result.ToolDetails["percentiles of"] = useTotal ? "lat" : "clat";
        result.Histogram = FioHistogramBins.CreateHistogram(read, write, mixed) ?? FioHistogramBins.CreateFromLatencyBuckets(job);

        FioLatency? SelectPercentiles(FioDirection? direction)
        {
            var latency = useTotal ? direction?.Total : direction?.Completion;
            return latency is { IsMeasured: true } ? latency : null;
        }
    }

    private static List<double> GetPercents(params ReadOnlySpan<FioLatency?> latencies)
    {
        var percents = new List<double>(20);
        foreach (var latency in latencies)
        {
            foreach (var (percent, _) in latency?.Percentiles ?? [])
            {
                var at = percents.BinarySearch(percent);
                if (at < 0)
                    percents.Insert(~at, percent);
            }
        }
        return percents;
    }

    private static double? FindPercentile(FioLatency? latency, double percent)
    {
        if (latency is null)
            return null;
        foreach (var (at, value) in latency.Percentiles)
        {
            if (at == percent)
                return latency.ToMilliseconds(value);
        }
        return null;
    }

    private static void SetFlatPercentile(IoTestResult result, double percent, double? readMs, double? writeMs, double? totalMs)
    {
        switch (percent)
        {
            case 50:
                result.P50Ms = totalMs;
                break;
            case 90:
                result.P90Ms = totalMs;
                break;
            case 95:
                result.P95Ms = totalMs;
                break;
            case 99:
                result.P99Ms = totalMs;
                result.ReadP99Ms = readMs;
                result.WriteP99Ms = writeMs;
                break;
            case 99.9:
                result.P999Ms = totalMs;
                break;
        }
    }
}
