using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioResultBuilder
{
    internal static IoTestResult Build(FioJob job, string? sourceFile)
    {
        var result = new IoTestResult
        {
            Source = FioFormat.Source,
            SourceFile = sourceFile,
            SourceLine = job.Line,
            ToolVersion = job.ToolVersion,
            ComputerName = job.HostName,
            Label = job.Name.Length > 0 ? job.Name : null,
            StartTime = job.StartTime,
            Device = job.Device,
        };
        // With unified_rw_reporting=both and no reads, fio prints zeros for the mixed values.
        if (job.Mixed is { Iops: 0 } && (job.Read is { Iops: > 0 } || job.Write is { Iops: > 0 }))
            job.Mixed = null;
        job.SeparateVerification();
        FioJobSettings.SetJobSettings(result, job);
        SetMeasured(result, job);
        SetLatencies(result, job);
        SetDetails(result, job);
        SetStatus(result, job);
        foreach (var (name, _, set) in IoBenchFields)
        {
            if (job.ExtensionValues?[name] is { Length: > 0 } text)
                set(result, text);
        }
        result.Warnings.AddRange(job.Warnings);
        return result;
    }

    private static void SetMeasured(IoTestResult result, FioJob job)
    {
        var read = job.Read;
        var write = job.Write;
        var mixed = job.Mixed;
        var totals = new IoReadWriteTotals();
        SetRates(totals.Read, read);
        SetRates(totals.Write, write);
        if (mixed is not null)
            SetRates(totals.Total, mixed);
        else
            AddReadsAndWrites(totals);
        if (read is null && write is null && mixed is null)
            return;
        result.Totals = totals;
        result.IOCount = totals.Total.IOCount;
        result.ByteCount = totals.Total.ByteCount;
        result.IOPS = totals.Total.IOPS;
        result.BandwidthMBps = totals.Total.MBps;
        result.ReadIOPS = totals.Read.IOPS;
        result.ReadMBps = totals.Read.MBps;
        result.WriteIOPS = totals.Write.IOPS;
        result.WriteMBps = totals.Write.MBps;
        var longest = ((FioDirection?[])[read, write, mixed, job.Trim]).Max(d => d?.RuntimeMs);
        result.DurationSeconds = longest > 0 ? longest / 1000 : null;
        SetIopsDeviation(result, job);
        if (job is { UserCpu: { } user, SystemCpu: { } system, JobRuntimeMs: > 0 } && result.IOCount > 0)
            result.CpuUsPerIO = (user + system) / 100 * job.JobRuntimeMs * 1000 / result.IOCount;
    }

    private static void SetRates(IoTotals totals, FioDirection? direction)
    {
        if (direction is null)
            return;
        totals.IOCount = direction.IOs;
        totals.ByteCount = direction.Bytes;
        totals.IOPS = direction.Iops;
        totals.MBps = direction.BytesPerSecond / (1 << 20);
    }

    private static void AddReadsAndWrites(IoReadWriteTotals totals)
    {
        var read = totals.Read;
        var write = totals.Write;
        var total = totals.Total;
        total.IOCount = AddCounts(read.IOCount, write.IOCount);
        total.ByteCount = AddCounts(read.ByteCount, write.ByteCount);
        total.IOPS = read.IOPS + write.IOPS;
        total.MBps = read.MBps + write.MBps;
    }

    // A damaged file can contain any count, so the sum can overflow.
    private static long? AddCounts(long? a, long? b) => a > long.MaxValue - b ? null : a + b;

    /// <summary>fio measures this per job, so it is unknown for several jobs, and for reads and writes together.</summary>
    private static void SetIopsDeviation(IoTestResult result, FioJob job)
    {
        if (result.ThreadCount is not 1)
            return;
        var totals = result.Totals!;
        totals.Read.IopsStdDev = GetIopsDeviation(job.Read);
        totals.Write.IopsStdDev = GetIopsDeviation(job.Write);
        totals.Total.IopsStdDev = job.Mixed is not null
            ? GetIopsDeviation(job.Mixed)
            : (job.Read, job.Write) switch
            {
                (_, { IOs: 0 }) => totals.Read.IopsStdDev,
                ({ IOs: 0 }, _) => totals.Write.IopsStdDev,
                _ => null,
            };
        result.IopsStdDev = totals.Total.IopsStdDev;
    }

    private static double? GetIopsDeviation(FioDirection? direction) => direction is { IopsSamples: > 1 } ? direction.IopsDeviation : null;

    private static void SetStatus(IoTestResult result, FioJob job)
    {
        if (job.Error != 0)
        {
            result.Status = IoResultStatus.Failed;
            result.ErrorId = "IoBench.FioFailed";
            result.ErrorMessage = string.Create(
                CultureInfo.InvariantCulture,
                $"The fio job ended with error {job.Error} ({FioResultBuilder.DescribeError(job.Error, job.ErrorText)})."
            );
        }
        else if (job.IncompleteReason is not null)
        {
            result.Status = IoResultStatus.Incomplete;
            result.Warnings.Add(job.IncompleteReason);
        }
        else if (job.IsCanceled)
        {
            result.Status = IoResultStatus.Cancelled;
        }
        if (job.Error == 0 && job.FailedIOs is > 0 and var failed)
            result.Warnings.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{NumberFormat.Pluralize(failed, "I/O")} failed, the first with error {job.FirstError ?? 0} ({FioResultBuilder.DescribeError(job.FirstError ?? 0, null)}), and the job continued."
                )
            );
        if (job.Trim is { } trim && (trim.IOs > 0 || trim.Bytes > 0))
            result.Warnings.Add(
                "The job also issued trims. The I/O counts, the IOPS, the throughput, and the latencies do not include trims."
            );
    }

    private static readonly Dictionary<int, string> s_errorTexts = new()
    {
        [1] = "operation not permitted",
        [2] = "no such file or directory",
        [4] = "interrupted",
        [5] = "input/output error",
        [6] = "no such device or address",
        [9] = "bad file descriptor",
        [11] = "resource temporarily unavailable",
        [12] = "out of memory",
        [13] = "permission denied",
        [16] = "device or resource busy",
        [17] = "file exists",
        [19] = "no such device",
        [20] = "not a directory",
        [21] = "is a directory",
        [22] = "invalid argument",
        [24] = "too many open files",
        [27] = "file too large",
        [28] = "no space left on device",
        [30] = "read-only file system",
        [38] = "function not implemented",
        [61] = "no data available",
        [62] = "timer expired",
        [84] = "the data read differs from the data written",
        [95] = "operation not supported",
        [104] = "connection reset",
        [107] = "not connected",
        [108] = "transport endpoint shut down",
        [110] = "timed out",
        [116] = "stale file handle",
        [121] = "remote input/output error",
        [122] = "disk quota exceeded",
    };

    internal static string DescribeError(int number, string? text) =>
        text ?? s_errorTexts.GetValueOrDefault(Math.Abs(number), "unknown error");

    /// <summary>fio measures the time to submit (slat), from there to the completion (clat), and the sum of both (lat).</summary>
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

    internal static void SetDetails(IoTestResult result, FioJob job)
    {
        var details = result.ToolDetails;
        AddDetail(details, "job options", job.Options is null || job.HasOnlyAnnouncedOptions ? null : job.Options.CommandLine);
        AddDetail(details, "desc", job.Description);
        AddDetail(details, "groupid", job.Group);
        AddDetail(details, "time", job.TimeText);
        AddDetail(details, "elapsed", job.ElapsedSeconds);
        AddDetail(details, "job_runtime", job.JobRuntimeMs);
        AddDetail(details, "usr_cpu", job.UserCpu);
        AddDetail(details, "sys_cpu", job.SystemCpu);
        AddDetail(details, "ctx", job.ContextSwitches);
        AddDetail(details, "majf", job.MajorFaults);
        AddDetail(details, "minf", job.MinorFaults);
        AddDirection(details, s_read, job.Read);
        AddDirection(details, s_write, job.Write);
        AddDirection(details, s_mixed, job.Mixed);
        if (job.Verification is { } verification)
            AddVerification(details, verification);
        if (job.Trim is { IOs: > 0 } or { Bytes: > 0 })
            AddTrim(details, job.Trim);
        if (job.SyncCount > 0)
            AddDetail(details, "sync total_ios", job.SyncCount);
        if (job.SyncLatency is { IsMeasured: true } sync)
        {
            AddDetail(details, "sync mean (ms)", sync.MeanMs);
            AddDetail(details, "sync max (ms)", sync.MaxMs);
        }
        if (job.Error != 0)
            AddDetail(details, "error", job.Error);
        AddDetail(details, "total_err", job.FailedIOs);
        AddDetail(details, "first_error", job.FirstError);
        if (((FioDirection?[])[job.Read, job.Write, job.Mixed]).Any(d => SelectLatency(d) is not null))
            details["latency of"] = ((FioDirection?[])[job.Read, job.Write, job.Mixed]).Any(d => d is { Total.IsMeasured: true })
                ? "lat"
                : "clat";
    }

    private static void AddDetail(Dictionary<string, string> details, string name, string? text)
    {
        if (!string.IsNullOrEmpty(text))
            details[name] = text;
    }

    private static void AddDetail(Dictionary<string, string> details, string name, double? number) =>
        AddDetail(details, name, number?.ToString("0.######", CultureInfo.InvariantCulture));

    private static void AddDetail(Dictionary<string, string> details, string name, long? number) =>
        AddDetail(details, name, number?.ToString(CultureInfo.InvariantCulture));

    private static void AddDirection(
        Dictionary<string, string> details,
        (string[] Submission, string[] Completion, string ShortIOs, string DroppedIOs) names,
        FioDirection? direction
    )
    {
        if (direction is null)
            return;
        AddLatency(details, names.Submission, direction.Submission);
        AddLatency(details, names.Completion, direction.Completion);
        if (direction.ShortIOs > 0)
            AddDetail(details, names.ShortIOs, direction.ShortIOs);
        if (direction.DroppedIOs > 0)
            AddDetail(details, names.DroppedIOs, direction.DroppedIOs);
    }

    private static void AddLatency(Dictionary<string, string> details, string[] names, FioLatency latency)
    {
        AddDetail(details, names[0], latency.MeanMs);
        AddDetail(details, names[1], latency.MinMs);
        AddDetail(details, names[2], latency.MaxMs);
        AddDetail(details, names[3], latency.DeviationMs);
    }

    private static void AddTrim(Dictionary<string, string> details, FioDirection trim)
    {
        AddDetail(details, "trim total_ios", trim.IOs);
        AddDetail(details, "trim io_bytes", trim.Bytes);
        AddDetail(details, "trim iops", trim.Iops);
        AddDetail(details, "trim mean (ms)", SelectLatency(trim)?.MeanMs);
    }

    private static void AddVerification(Dictionary<string, string> details, FioDirection verification)
    {
        AddDetail(details, "verify total_ios", verification.IOs);
        AddDetail(details, "verify iops", verification.Iops);
        AddDetail(details, "verify runtime (ms)", verification.RuntimeMs);
        AddDetail(details, "verify mean (ms)", SelectLatency(verification)?.MeanMs);
    }

    // Create the names once: a log can have many thousands of jobs.
    private static readonly (string[] Submission, string[] Completion, string ShortIOs, string DroppedIOs) s_read = CreateNames("read");
    private static readonly (string[] Submission, string[] Completion, string ShortIOs, string DroppedIOs) s_write = CreateNames("write");
    private static readonly (string[] Submission, string[] Completion, string ShortIOs, string DroppedIOs) s_mixed = CreateNames("mixed");

    private static (string[] Submission, string[] Completion, string ShortIOs, string DroppedIOs) CreateNames(string direction) =>
        (
            CreateLatencyNames(direction + " slat"),
            CreateLatencyNames(direction + " clat"),
            direction + " short_ios",
            direction + " drop_ios"
        );

    private static string[] CreateLatencyNames(string name) =>
        [name + " mean (ms)", name + " min (ms)", name + " max (ms)", name + " stddev (ms)"];

    // Not in FioFormat, which every start of the program initializes.
    /// <summary>Get returns null or an empty text if the value is unknown.</summary>
    internal static IReadOnlyList<(string Name, Func<IoTestResult, string?> Get, Action<IoTestResult, string> Set)> IoBenchFields { get; } =
    [
        ("status", r => r.Status == IoResultStatus.Complete ? null : r.Status.ToString(), SetStatus),
        ("error id", r => r.ErrorId, (r, text) => r.ErrorId = text),
        ("error", r => r.ErrorMessage, (r, text) => r.ErrorMessage = text),
        ("computer", r => r.ComputerName, (r, text) => r.ComputerName = text),
        ("workload", r => r.Workload, (r, text) => r.Workload = text),
        (FioFormat.LoadModelField, r => r.LoadModel?.ToString(), SetLoadModel),
        ("engine", r => r.Backend, (r, text) => r.Backend = text),
    ];

    private static void SetLoadModel(IoTestResult result, string text)
    {
        if (Enum.TryParse<IoLoadModel>(text, out var model) && Enum.IsDefined(model))
            result.LoadModel = model;
    }

    private static void SetStatus(IoTestResult result, string text)
    {
        if (Enum.TryParse<IoResultStatus>(text, out var status) && Enum.IsDefined(status))
            result.Status = status;
    }
}
