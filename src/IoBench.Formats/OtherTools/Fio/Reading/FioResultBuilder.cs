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
        FioLatencyMapper.SetLatencies(result, job);
        FioToolDetails.SetDetails(result, job);
        SetStatus(result, job);
        foreach (var (name, _, set) in FioFormat.IoBenchFields)
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
                $"fio's job ended with error {job.Error} ({FioResultBuilder.DescribeError(job.Error, job.ErrorText)})."
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
            result.Warnings.Add("The job also sent trims. Counts, rates, and latencies do not include them.");
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
}
