using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioJobWriter
{
    internal static void WriteDirection(FioJsonWriter json, IoTestResult result, FioDirectionTotals side)
    {
        json.BeginObject(side.Name);
        WriteRates(
            json,
            side.Bytes,
            side.BytesPerSecond,
            side.Iops,
            side.RuntimeMs,
            side.Count,
            FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, side.Name + " short_ios")),
            FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, side.Name + " drop_ios"))
        );
        WriteLatencies(json, result, side);
        WriteRateSamples(json, result, side);
        json.EndObject();
    }

    internal static void WriteTrim(FioJsonWriter json, IoTestResult result)
    {
        var count = FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "trim total_ios"));
        var bytes = FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "trim io_bytes"));
        var seconds = count > 0 || bytes > 0 ? result.DurationSeconds ?? 0 : 0;
        json.BeginObject("trim");
        WriteRates(
            json,
            bytes,
            seconds > 0 ? bytes / seconds : 0,
            FioDirectionTotals.GetDetail(result, "trim iops") ?? 0,
            FioDirectionTotals.RoundToCount(seconds * 1000),
            count,
            0,
            0
        );
        WriteEmptyLatency(json, "slat_ns");
        WriteEmptyLatency(json, "clat_ns");
        var mean = FioDirectionTotals.GetDetail(result, "trim mean (ms)") * 1e6;
        BeginLatency(json, "lat_ns", null, null, mean ?? 0, null, mean > 0 ? count : 0);
        json.EndObject();
        json.EndObject();
    }

    internal static void WriteSync(FioJsonWriter json, IoTestResult result)
    {
        var count = FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "sync total_ios"));
        var (mean, max) = (FioDirectionTotals.GetDetail(result, "sync mean (ms)"), FioDirectionTotals.GetDetail(result, "sync max (ms)"));
        json.BeginObject("sync");
        json.WriteInteger("total_ios", count);
        BeginLatency(json, "lat_ns", null, max, (mean ?? 0) * 1e6, null, mean is null ? 0 : count);
        json.EndObject();
        json.EndObject();
    }

    private static void WriteRates(
        FioJsonWriter json,
        long bytes,
        double rate,
        double iops,
        long runtime,
        long count,
        long shortCount,
        long dropped
    )
    {
        json.WriteInteger("io_bytes", bytes);
        json.WriteInteger("io_kbytes", bytes >> 10);
        json.WriteInteger("bw_bytes", FioDirectionTotals.RoundToCount(rate));
        json.WriteInteger("bw", FioDirectionTotals.RoundToCount(rate) >> 10);
        json.WriteReal("iops", iops);
        json.WriteInteger("runtime", runtime);
        json.WriteInteger("total_ios", count);
        json.WriteInteger("short_ios", shortCount);
        json.WriteInteger("drop_ios", dropped);
    }

    private static void WriteLatencies(FioJsonWriter json, IoTestResult result, FioDirectionTotals side)
    {
        var latency = side.Latency;
        var isMeasured = latency.AverageLatencyMs is not null || latency.MaxLatencyMs is not null || side.Percentiles.Count > 0;
        // For fio's results, slat and clat are known. For other results, only the total latency is known, which is also their clat.
        var hasLat = isMeasured && result.ToolDetails.GetValueOrDefault("latency of") != "clat";
        var inLat = hasLat && result.ToolDetails.GetValueOrDefault("percentiles of") == "lat";
        WriteLatencyPart(json, result, side, "slat", null, 0);
        // If fio measured lat, that value is not the clat.
        WriteLatencyPart(
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
            WriteEmptyLatency(json, "lat_ns");
            return;
        }
        BeginLatency(
            json,
            "lat_ns",
            latency.MinLatencyMs,
            latency.MaxLatencyMs,
            latency.AverageLatencyMs * 1e6,
            latency.LatencyStdDevMs,
            side.Count
        );
        WriteDistribution(json, side, inLat);
        json.EndObject();
    }

    private static void WriteLatencyPart(
        FioJsonWriter json,
        IoTestResult result,
        FioDirectionTotals side,
        string part,
        IoTotals? otherwise,
        int distribution
    )
    {
        var mean = FioDirectionTotals.GetDetail(result, $"{side.Name} {part} mean (ms)");
        if (mean is null && otherwise is null)
        {
            WriteEmptyLatency(json, part + "_ns");
            return;
        }
        BeginLatency(
            json,
            part + "_ns",
            Part("min") ?? otherwise?.MinLatencyMs,
            Part("max") ?? otherwise?.MaxLatencyMs,
            (mean ?? otherwise?.AverageLatencyMs) * 1e6,
            Part("stddev") ?? otherwise?.LatencyStdDevMs,
            side.Count
        );
        WriteDistribution(json, side, distribution > 0);
        json.EndObject();

        double? Part(string figure) => FioDirectionTotals.GetDetail(result, $"{side.Name} {part} {figure} (ms)");
    }

    private static void WriteDistribution(FioJsonWriter json, FioDirectionTotals side, bool isHere)
    {
        if (!isHere || side.Percentiles.Count == 0 && side.Bins.Count == 0)
            return;
        json.BeginObject("percentile");
        foreach (var (percent, value) in side.Percentiles)
            json.WriteInteger(
                percent.ToString("0.000000", CultureInfo.InvariantCulture) is var name
                && double.Parse(name, CultureInfo.InvariantCulture) == percent
                    ? name
                    : percent.ToString("R", CultureInfo.InvariantCulture),
                value
            );
        json.EndObject();
        if (side.Bins.Count == 0)
            return;
        json.BeginObject("bins");
        foreach (var (value, count) in side.Bins)
            json.WriteInteger(value.ToString(CultureInfo.InvariantCulture), count);
        json.EndObject();
    }

    private static void WriteEmptyLatency(FioJsonWriter json, string name)
    {
        BeginLatency(json, name, null, null, 0, null, 0);
        json.EndObject();
    }

    /// <summary>Starts a latency object. fio prints 0 for a latency that it did not measure, and a count of 0 shows that.</summary>
    private static void BeginLatency(
        FioJsonWriter json,
        string name,
        double? minMs,
        double? maxMs,
        double? mean,
        double? deviationMs,
        long count
    )
    {
        json.BeginObject(name);
        if (minMs is not null || count == 0)
            json.WriteInteger("min", FioDirectionTotals.ToNanoseconds(minMs));
        if (maxMs is not null || count == 0)
            json.WriteInteger("max", FioDirectionTotals.ToNanoseconds(maxMs));
        if (mean is not null)
            json.WriteReal("mean", mean.Value);
        if (deviationMs is not null || count == 0)
            json.WriteReal("stddev", (deviationMs ?? 0) * 1e6);
        json.WriteInteger("N", count);
    }

    private static void WriteRateSamples(FioJsonWriter json, IoTestResult result, FioDirectionTotals side)
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
        json.WriteInteger("bw_min", FioDirectionTotals.RoundToCount(min * kib));
        json.WriteInteger("bw_max", FioDirectionTotals.RoundToCount(max * kib));
        json.WriteReal("bw_agg", hasAny ? 100 : 0);
        json.WriteReal("bw_mean", mean * kib);
        json.WriteReal("bw_dev", deviation * kib);
        json.WriteInteger("bw_samples", samples);
        json.WriteInteger("iops_min", FioDirectionTotals.RoundToCount(min));
        json.WriteInteger("iops_max", FioDirectionTotals.RoundToCount(max));
        json.WriteReal("iops_mean", mean);
        json.WriteReal("iops_stddev", deviation);
        json.WriteInteger("iops_samples", samples);
    }
}
