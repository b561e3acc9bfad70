using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioSideWriter
{
    internal static void Write(FioJsonLines json, IoTestResult result, FioSide side)
    {
        json.Begin(side.Name);
        WriteRates(
            json,
            side.Bytes,
            side.BytesPerSecond,
            side.Iops,
            side.RuntimeMs,
            side.Count,
            FioSide.Whole(FioSide.Detail(result, side.Name + " short_ios")),
            FioSide.Whole(FioSide.Detail(result, side.Name + " drop_ios"))
        );
        WriteLatencies(json, result, side);
        WriteSamples(json, result, side);
        json.End();
    }

    internal static void WriteTrim(FioJsonLines json, IoTestResult result)
    {
        var count = FioSide.Whole(FioSide.Detail(result, "trim total_ios"));
        var bytes = FioSide.Whole(FioSide.Detail(result, "trim io_bytes"));
        var seconds = count > 0 || bytes > 0 ? result.DurationSeconds ?? 0 : 0;
        json.Begin("trim");
        WriteRates(
            json,
            bytes,
            seconds > 0 ? bytes / seconds : 0,
            FioSide.Detail(result, "trim iops") ?? 0,
            FioSide.Whole(seconds * 1000),
            count,
            0,
            0
        );
        WriteEmpty(json, "slat_ns");
        WriteEmpty(json, "clat_ns");
        var mean = FioSide.Detail(result, "trim mean (ms)") * 1e6;
        Begin(json, "lat_ns", null, null, mean ?? 0, null, mean > 0 ? count : 0);
        json.End();
        json.End();
    }

    internal static void WriteSync(FioJsonLines json, IoTestResult result)
    {
        var count = FioSide.Whole(FioSide.Detail(result, "sync total_ios"));
        var (mean, max) = (FioSide.Detail(result, "sync mean (ms)"), FioSide.Detail(result, "sync max (ms)"));
        json.Begin("sync");
        json.Number("total_ios", count);
        Begin(json, "lat_ns", null, max, (mean ?? 0) * 1e6, null, mean is null ? 0 : count);
        json.End();
        json.End();
    }

    private static void WriteRates(
        FioJsonLines json,
        long bytes,
        double rate,
        double iops,
        long runtime,
        long count,
        long shortCount,
        long dropped
    )
    {
        json.Number("io_bytes", bytes);
        json.Number("io_kbytes", bytes >> 10);
        json.Number("bw_bytes", FioSide.Whole(rate));
        json.Number("bw", FioSide.Whole(rate) >> 10);
        json.Real("iops", iops);
        json.Number("runtime", runtime);
        json.Number("total_ios", count);
        json.Number("short_ios", shortCount);
        json.Number("drop_ios", dropped);
    }

    private static void WriteLatencies(FioJsonLines json, IoTestResult result, FioSide side)
    {
        var latency = side.Latency;
        var isMeasured = latency.AverageLatencyMs is not null || latency.MaxLatencyMs is not null || side.Percentiles.Count > 0;
        // For fio's results, slat and clat are known. For other results, only the total latency is known, which is also their clat.
        var hasLat = isMeasured && result.ToolDetails.GetValueOrDefault("latency of") != "clat";
        var inLat = hasLat && result.ToolDetails.GetValueOrDefault("percentiles of") == "lat";
        WriteParts(json, result, side, "slat", null, 0);
        // If fio measured lat, that value is not the clat.
        WriteParts(
            json,
            result,
            side,
            "clat",
            !isMeasured ? null
                : hasLat && result.Source == FioFormat.Source ? new()
                : latency,
            inLat ? 0 : 1
        );
        if (!hasLat)
        {
            WriteEmpty(json, "lat_ns");
            return;
        }
        Begin(
            json,
            "lat_ns",
            latency.MinLatencyMs,
            latency.MaxLatencyMs,
            latency.AverageLatencyMs * 1e6,
            latency.LatencyStdDevMs,
            side.Count
        );
        WriteDistribution(json, side, inLat);
        json.End();
    }

    private static void WriteParts(FioJsonLines json, IoTestResult result, FioSide side, string part, IoTotals? otherwise, int distribution)
    {
        var mean = FioSide.Detail(result, $"{side.Name} {part} mean (ms)");
        if (mean is null && otherwise is null)
        {
            WriteEmpty(json, part + "_ns");
            return;
        }
        Begin(
            json,
            part + "_ns",
            Part("min") ?? otherwise?.MinLatencyMs,
            Part("max") ?? otherwise?.MaxLatencyMs,
            (mean ?? otherwise?.AverageLatencyMs) * 1e6,
            Part("stddev") ?? otherwise?.LatencyStdDevMs,
            side.Count
        );
        WriteDistribution(json, side, distribution > 0);
        json.End();

        double? Part(string figure) => FioSide.Detail(result, $"{side.Name} {part} {figure} (ms)");
    }

    private static void WriteDistribution(FioJsonLines json, FioSide side, bool isHere)
    {
        if (!isHere || side.Percentiles.Count == 0 && side.Bins.Count == 0)
            return;
        json.Begin("percentile");
        foreach (var (percent, value) in side.Percentiles)
            json.Number(
                percent.ToString("0.000000", CultureInfo.InvariantCulture) is var name
                && double.Parse(name, CultureInfo.InvariantCulture) == percent
                    ? name
                    : percent.ToString("R", CultureInfo.InvariantCulture),
                value
            );
        json.End();
        if (side.Bins.Count == 0)
            return;
        json.Begin("bins");
        foreach (var (value, count) in side.Bins)
            json.Number(value.ToString(CultureInfo.InvariantCulture), count);
        json.End();
    }

    private static void WriteEmpty(FioJsonLines json, string name)
    {
        Begin(json, name, null, null, 0, null, 0);
        json.End();
    }

    /// <summary>Starts a latency object. fio prints 0 for a latency that it did not measure, and a count of 0 shows that.</summary>
    private static void Begin(FioJsonLines json, string name, double? minMs, double? maxMs, double? mean, double? deviationMs, long count)
    {
        json.Begin(name);
        if (minMs is not null || count == 0)
            json.Number("min", FioSide.Nanoseconds(minMs));
        if (maxMs is not null || count == 0)
            json.Number("max", FioSide.Nanoseconds(maxMs));
        if (mean is not null)
            json.Real("mean", mean.Value);
        if (deviationMs is not null || count == 0)
            json.Real("stddev", (deviationMs ?? 0) * 1e6);
        json.Number("N", count);
    }

    private static void WriteSamples(FioJsonLines json, IoTestResult result, FioSide side)
    {
        var all = side.Name == "mixed" || side.Name == result.Operation?.ToString().ToLowerInvariant();
        var rates = result
            .Timeline.Select(point =>
                (
                    side.Name == "read" ? point.ReadIOPS
                    : side.Name == "write" ? point.WriteIOPS
                    : null
                ) ?? (all ? point.IOPS : null)
            )
            .OfType<double>()
            .Where(double.IsFinite)
            .ToList();
        var hasAny = side.Count > 0 || side.Bytes > 0;
        if (!hasAny || rates.Count == 0)
            rates = hasAny && side.Iops > 0 ? [side.Iops] : [];
        var (min, max, mean) = rates.Count == 0 ? (0, 0, 0) : (rates.Min(), rates.Max(), rates.Average());
        var deviation =
            side.IopsDeviation ?? (rates.Count == 0 ? 0 : Math.Sqrt(rates.Sum(rate => (rate - mean) * (rate - mean)) / rates.Count));
        // A standard deviation requires at least two samples.
        var samples = side.IopsDeviation is null ? rates.Count : Math.Max(2, rates.Count);
        var kib = side.Count > 0 ? (double)side.Bytes / side.Count / 1024 : 0;
        json.Number("bw_min", FioSide.Whole(min * kib));
        json.Number("bw_max", FioSide.Whole(max * kib));
        json.Real("bw_agg", hasAny ? 100 : 0);
        json.Real("bw_mean", mean * kib);
        json.Real("bw_dev", deviation * kib);
        json.Number("bw_samples", samples);
        json.Number("iops_min", FioSide.Whole(min));
        json.Number("iops_max", FioSide.Whole(max));
        json.Real("iops_mean", mean);
        json.Real("iops_stddev", deviation);
        json.Number("iops_samples", samples);
    }
}
