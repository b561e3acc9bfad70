using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioJobWriter
{
    /// <summary>Error number of EIO.</summary>
    private const int IoError = 5;

    internal static void WriteJob(FioJsonWriter json, IoTestResult result, int group)
    {
        json.BeginObject();
        json.WriteText(
            "jobname",
            result.Label ?? result.Workload ?? result.IOPattern ?? string.Create(CultureInfo.InvariantCulture, $"job{group + 1}")
        );
        json.WriteInteger("groupid", group);
        if (result.StartTime is { } start && start.ToUnixTimeMilliseconds() is > 0 and var moment)
            json.WriteInteger("job_start", moment);
        json.WriteInteger("error", GetErrorNumber(result));
        json.WriteInteger("eta", 0);
        if (result.StartTime is not null)
            json.WriteInteger(
                "elapsed",
                FioDirectionTotals.RoundToCount(
                    FioDirectionTotals.GetDetail(result, "elapsed") ?? Math.Ceiling(result.DurationSeconds ?? 0)
                )
            );
        json.BeginObject("job options");
        foreach (var (name, value) in FioOptionBuilder.CreateOptions(result))
            json.WriteText(name, value);
        json.EndObject();
        WriteDirections(json, result);
        FioJobWriter.WriteTrim(json, result);
        FioJobWriter.WriteSync(json, result);
        WriteProcessor(json, result);
        WriteDepth(json, result);
        FioJobWriter.WriteLatencyBuckets(json, result.Histogram);
        WriteIOErrors(json, result);
        WriteExtensions(json, result);
        json.EndObject();
    }

    private static int GetErrorNumber(IoTestResult result) =>
        result.Status != IoResultStatus.Failed ? 0
        : FioDirectionTotals.GetDetail(result, "error") is { } number and (>= 1 or <= -1)
            ? (int)Math.Clamp(number, int.MinValue, int.MaxValue)
        : IoError;

    /// <summary>Also writes mixed values, because common percentiles cannot be computed from separate ones.</summary>
    private static void WriteDirections(FioJsonWriter json, IoTestResult result)
    {
        var read = FioDirectionTotals.FromReads(result);
        var write = FioDirectionTotals.FromWrites(result);
        var hasParts =
            result.Operation is IoOperation.Read or IoOperation.Write
            || result.ReadIOPS is not null
            || result.WriteIOPS is not null
            || result.ReadMBps is not null
            || result.WriteMBps is not null;
        var asOne =
            result.Operation is not (IoOperation.Read or IoOperation.Write)
            && (result.IOPS is not null || result.BandwidthMBps is not null || result.IOCount is not null);
        if (hasParts || !asOne)
        {
            FioJobWriter.WriteDirection(json, result, read);
            FioJobWriter.WriteDirection(json, result, write);
        }
        if (asOne)
            FioJobWriter.WriteDirection(json, result, FioDirectionTotals.FromAllIO(result));
    }

    private static void WriteProcessor(FioJsonWriter json, IoTestResult result)
    {
        // fio adds up the times of all threads.
        var threads = Math.Max(1, result.ThreadCount ?? 1);
        var runtime = FioDirectionTotals.GetDetail(result, "job_runtime") ?? Math.Round((result.DurationSeconds ?? 0) * 1000) * threads;
        var user = FioDirectionTotals.GetDetail(result, "usr_cpu");
        var system = FioDirectionTotals.GetDetail(result, "sys_cpu");
        if (user is null && system is null && result.CpuUsPerIO is { } each && result.IOCount is { } count && runtime > 0)
        {
            var percent = each * count / (runtime * 1000) * 100;
            // The split into user and kernel time is known only for the whole computer.
            var programs = result.Processors.Sum(p => p.UserPercent ?? 0);
            var kernel = result.Processors.Sum(p => p.KernelPercent ?? 0);
            user = programs + kernel > 0 ? percent * programs / (programs + kernel) : percent;
            system = percent - user;
        }
        // If the CPU time is unknown, write 0, so that readers do not divide by the run time.
        json.WriteInteger(
            "job_runtime",
            user is null && system is null || FioDirectionTotals.GetDetail(result, "job_runtime") is null && result.CpuUsPerIO is null
                ? 0
                : FioDirectionTotals.RoundToCount(runtime)
        );
        json.WriteReal("usr_cpu", user ?? 0);
        json.WriteReal("sys_cpu", system ?? 0);
        json.WriteInteger("ctx", FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "ctx")));
        json.WriteInteger("majf", FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "majf")));
        json.WriteInteger("minf", FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "minf")));
    }

    private static readonly int[] s_depths = [1, 2, 4, 8, 16, 32, 64];

    private static void WriteDepth(FioJsonWriter json, IoTestResult result)
    {
        json.BeginObject("iodepth_level");
        var level = Array.FindLastIndex(s_depths, min => result.OutstandingIO >= min);
        for (var i = 0; i < s_depths.Length; i++)
        {
            var name = s_depths[i].ToString(CultureInfo.InvariantCulture);
            json.WriteReal(i == s_depths.Length - 1 ? ">=" + name : name, i == level ? 100 : 0);
        }
        json.EndObject();
    }

    private static void WriteIOErrors(FioJsonWriter json, IoTestResult result)
    {
        if (FioDirectionTotals.GetDetail(result, "total_err") is not { } failed)
            return;
        json.WriteInteger("total_err", FioDirectionTotals.RoundToCount(failed));
        json.WriteInteger("first_error", FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, "first_error")));
    }

    private static void WriteExtensions(FioJsonWriter json, IoTestResult result)
    {
        if (result.ToolDetails.TryGetValue("desc", out var description))
            json.WriteText("desc", description);
        json.BeginObject(FioFormat.IoBenchObject);
        foreach (var (name, get, _) in FioResultBuilder.IoBenchFields)
        {
            if (get(result) is { Length: > 0 } text)
                json.WriteText(name, text);
        }
        json.EndObject();
    }

    internal static void WriteLatencyBuckets(FioJsonWriter json, IoHistogram? histogram)
    {
        var buckets = histogram?.Buckets ?? [];
        WriteLatencyBuckets(json, "latency_ns", buckets, 1e6, 0, 10);
        WriteLatencyBuckets(json, "latency_us", buckets, 1e3, 1, 10);
        WriteLatencyBuckets(json, "latency_ms", buckets, 1, 1, 11);
    }

    /// <param name="from">Lower edge of the first bucket.</param>
    private static void WriteLatencyBuckets(
        FioJsonWriter json,
        string name,
        List<IoHistogramBucket> buckets,
        double perMs,
        double from,
        int count
    )
    {
        json.BeginObject(name);
        for (var i = 0; i < count; i++)
        {
            json.WriteReal(
                FioJob.BucketEdges[i].ToString(CultureInfo.InvariantCulture),
                SumPercent(buckets, from / perMs, FioJob.BucketEdges[i] / perMs)
            );
            from = FioJob.BucketEdges[i];
        }
        if (count == FioJob.BucketEdges.Length)
            json.WriteReal(">=2000", buckets.Where(b => (b.ToMs is { } to ? (b.FromMs + to) / 2 : b.FromMs) >= 2000).Sum(b => b.Percent));
        json.EndObject();
    }

    /// <summary>A bucket without an upper edge has no midpoint and is not counted.</summary>
    private static double SumPercent(List<IoHistogramBucket> buckets, double fromMs, double toMs) =>
        buckets.Where(b => (b.FromMs + b.ToMs) / 2 >= fromMs && (b.FromMs + b.ToMs) / 2 < toMs).Sum(b => b.Percent);

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
            shortCount: FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, side.Name + " short_ios")),
            dropped: FioDirectionTotals.RoundToCount(FioDirectionTotals.GetDetail(result, side.Name + " drop_ios"))
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
            shortCount: 0,
            dropped: 0
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
        var mean = FioDirectionTotals.GetDetail(result, "sync mean (ms)");
        var max = FioDirectionTotals.GetDetail(result, "sync max (ms)");
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
        var completion = hasLat && result.Source == FioFormat.Source ? new() : latency;
        WriteLatencyPart(json, result, side, "clat", isMeasured ? completion : null, inLat ? 0 : 1);
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

        double? Part(string name) => FioDirectionTotals.GetDetail(result, $"{side.Name} {part} {name} (ms)");
    }

    private static void WriteDistribution(FioJsonWriter json, FioDirectionTotals side, bool isHere)
    {
        if (!isHere || side.Percentiles.Count == 0 && side.Bins.Count == 0)
            return;
        json.BeginObject("percentile");
        foreach (var (percent, value) in side.Percentiles)
        {
            var name = percent.ToString("0.000000", CultureInfo.InvariantCulture);
            if (double.Parse(name, CultureInfo.InvariantCulture) != percent)
                name = percent.ToString("R", CultureInfo.InvariantCulture);
            json.WriteInteger(name, value);
        }
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
        Func<IoTimelinePoint, double?> getRate = side.Name switch
        {
            "read" => point => point.ReadIOPS,
            "write" => point => point.WriteIOPS,
            _ => _ => null,
        };
        var rates = result
            .Timeline.Select(point => getRate(point) ?? (all ? point.IOPS : null))
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
