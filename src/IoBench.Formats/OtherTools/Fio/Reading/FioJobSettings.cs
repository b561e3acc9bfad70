using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Without options, only values that the counts imply are set.</summary>
internal static class FioJobSettings
{
    private const int MinMs = 10;
    private const int MaxThreads = 1_000_000;

    internal static void SetJobSettings(IoTestResult result, FioJob job)
    {
        SetThreads(result, job);
        SetOperation(result, job);
        if (job.Options is { } options)
        {
            SetPattern(result, job, options);
            SetOutstanding(result, job, options);
            if (!job.HasOnlyAnnouncedOptions)
            {
                SetFiles(result, job, options);
                SetBuffering(result, job, options);
                SetRate(result, job, options);
            }
        }
        result.BlockSizeKB ??= job.Options is null ? GetBlockSize(job) / 1024.0 : null;
        var pattern = PatternText.Describe(result.BlockSizeKB, result.AccessPattern, result.WritePercent);
        result.IOPattern = pattern.Length > 0 ? pattern : null;
        result.TotalOutstanding =
            result is { ThreadCount: { } threads, OutstandingIO: { } depth } && (long)threads * depth <= int.MaxValue
                ? threads * depth
                : null;
        if (
            result is { TotalOutstanding: { } total, LoadModel: IoLoadModel.Closed }
            && job.Options?["thinktime"] is null
            && job.Options?["rate"] is null
            && GetTargetIops(job) is > 0 and var iops
            && job.Trim is null or { IOs: 0 }
        )
            result.LittlesLawLatencyMs = total / iops * 1000;
    }

    private static double? GetTargetIops(FioJob job) => job.Mixed is not null ? job.Mixed.Iops : job.Read?.Iops + job.Write?.Iops;

    private static void SetThreads(IoTestResult result, FioJob job)
    {
        var clones = job.Options?.GetNumber("numjobs") ?? (job.Options is null || job.IsPartial ? null : 1);
        if (job.MemberCount is { } members)
        {
            result.ThreadCount = members;
            return;
        }
        if (clones is not (>= 1 and <= MaxThreads))
            return;
        // Jobs that are reported as a group have one entry; otherwise each clone has its own.
        var threads = job.CloneCount > 1 ? 1 : (int)clones.Value;
        var longest = ((FioDirection?[])[job.Read, job.Write, job.Mixed, job.Trim]).Max(d => d?.RuntimeMs);
        // The total run time of the jobs shows whether this entry is a group. It has whole milliseconds, so a short run shows nothing.
        if (job is { CloneCount: 1, OutputKind: FioOutputKind.Json, IsPartial: false } && !(longest >= MinMs))
            return;
        if (IncludesOtherJobs(job, threads, longest))
            job.Warnings.Add(OtherJobs);
        else
            result.ThreadCount = threads;
    }

    private const string OtherJobs =
        "The results are from a group of several jobs, but the output shows the options of only one job. The number of jobs is unknown.";

    /// <summary>A group with I/O that this job does not do contains other jobs. fio does not state their number.</summary>
    private static bool IncludesOtherJobs(FioJob job, int threads, double? longest)
    {
        longest += job.Verification?.RuntimeMs ?? 0;
        // No job of the group can run longer than the longest one.
        if (
            job.JobRuntimeMs > 0
            && longest > 0
            && job.JobRuntimeMs / longest > threads + (job.OutputKind == FioOutputKind.Json ? 0.02 : 0.5)
        )
            return true;
        if (
            job is not { CloneCount: 1, OutputKind: FioOutputKind.Json, IsPartial: false, Mixed: null, Options: { } options }
            || options["group_reporting"] is null
        )
            return false;
        var reads = options.OperationKind is "read" or "randread" or "rw" or "randrw" or "readwrite" || options.IsOn("verify");
        var writes = options.OperationKind is "rw" or "randrw" || options.OperationKind.EndsWith("write", StringComparison.Ordinal);
        return (!reads && HasIO(job.Read))
            || (!writes && HasIO(job.Write))
            || (HasIO(job.Trim) && !options.OperationKind.Contains("trim", StringComparison.Ordinal))
            || HasOtherBlockSize(job.Read, options.GetBlockSize(write: false))
            || HasOtherBlockSize(job.Write, options.GetBlockSize(write: true));
    }

    private static bool HasOtherBlockSize(FioDirection? direction, long? size)
    {
        if (
            size is not (> 0 and { } block)
            || direction is not { IOs: > 0 and var count, Bytes: > 0 and var bytes, ShortIOs: null or 0, DroppedIOs: null or 0 }
        )
            return false;
        // fio before 2.21 rounds bytes to KiB.
        var difference = Math.Abs(bytes - (double)count * block);
        return difference >= 2048 && difference > bytes * 0.01;
    }

    private static void SetOperation(IoTestResult result, FioJob job)
    {
        if (job.Options?.OperationKind is { } kind && (!job.IsPartial || job.Options["rw"] is not null))
        {
            result.Operation = kind switch
            {
                "read" or "randread" => IoOperation.Read,
                "write" or "randwrite" => IoOperation.Write,
                "rw" or "readwrite" or "randrw" => IoOperation.Mixed,
                _ => null,
            };
        }
        // The counts override the options, which are only those of the first job of a group.
        var counted = (HasIO(job.Read), HasIO(job.Write)) switch
        {
            (true, true) => IoOperation.Mixed,
            (true, false) => IoOperation.Read,
            (false, true) => IoOperation.Write,
            _ => (IoOperation?)null,
        };
        if (
            result.Operation is null
            || (counted == IoOperation.Mixed && result.Operation != IoOperation.Mixed)
            || (result.Operation is IoOperation.Read && counted is IoOperation.Write)
            || (result.Operation is IoOperation.Write && counted is IoOperation.Read)
        )
            result.Operation = counted;
        result.WritePercent = result.Operation switch
        {
            IoOperation.Read => 0,
            IoOperation.Write => 100,
            IoOperation.Mixed => GetWritePercent(job),
            _ => null,
        };
    }

    private static bool HasIO(FioDirection? direction) => direction is { IOs: > 0 } or { Bytes: > 0 };

    private static int? GetWritePercent(FioJob job)
    {
        if (
            job.Options is not { } options
            || options.OperationKind is not ("rw" or "readwrite" or "randrw")
            || (job.IsPartial && options["rwmixwrite"] is null)
        )
            return null;
        // Separate rates of reads and writes override the mix.
        if (
            options["rate_iops"]?.Contains(',', StringComparison.Ordinal) == true
            && options.GetRate("rate_iops", write: false) is { } readRate
            && options.GetRate("rate_iops", write: true) is { } writeRate
        )
            return (int)Math.Round(100 * writeRate / (readRate + writeRate));
        var share = options.GetNumber("rwmixwrite") ?? (options.GetNumber("rwmixread") is { } reads ? 100 - reads : 50);
        return share is >= 0 and <= 100 ? (int)share : null;
    }

    private static void SetPattern(IoTestResult result, FioJob job, FioOptions options)
    {
        if (!job.IsPartial || options["rw"] is not null)
        {
            result.AccessPattern = !options.IsRandom
                ? IoAccessPattern.Sequential
                : options.GetNumber("percentage_random") switch
                {
                    0 => IoAccessPattern.Sequential,
                    > 0 and < 100 => IoAccessPattern.PartRandom,
                    _ => IoAccessPattern.Random,
                };
        }
        if ((job.IsPartial && options["bs"] is null) || job.Warnings.Contains(OtherJobs))
            return;
        var read = options.GetBlockSize(write: false);
        var write = options.GetBlockSize(write: true);
        var size = result.Operation switch
        {
            IoOperation.Read => read,
            IoOperation.Write => write,
            _ => read == write ? read : null,
        };
        result.BlockSizeKB = size is > 0 ? size / 1024.0 : null;
    }

    private static void SetOutstanding(IoTestResult result, FioJob job, FioOptions options)
    {
        if (job.IsPartial && options["iodepth"] is null)
            return;
        result.Backend = options.Engine;
        var depth = options.QueueDepth;
        // fio's default engine depends on the platform. The counts show whether it had more than one outstanding I/O.
        if (options.Engine is null && depth > 1 && job.DepthOnePercent >= 100)
            depth = 1;
        result.OutstandingIO = depth is >= 1 and <= int.MaxValue ? (int)depth : null;
        if (depth == 1 && options.GetNumber("iodepth") > 1)
            result.Warnings.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"iodepth={options.GetNumber("iodepth")} has no effect with a synchronous engine: each job has only one outstanding I/O."
                )
            );
    }

    private static void SetFiles(IoTestResult result, FioJob job, FioOptions options)
    {
        var files = options.Files;
        var own = 1L;
        if (files.Count > 0)
        {
            result.Path = string.Join("; ", files);
            result.TargetCount = files.Count;
        }
        else
        {
            // fio creates the names; each job has its own files.
            result.Path = options.Directory;
            own = result.ThreadCount ?? 0;
            var count = own * (options.GetNumber("nrfiles") ?? (job.IsPartial ? 0 : 1));
            result.TargetCount = count is > 0 and <= int.MaxValue ? (int)count : null;
        }
        double? size = options.GetSize("filesize") is { } each && files.Count > 0 ? each * (double)files.Count : options.GetSize("size");
        if (size is > 0 && own > 0)
            result.FileSizeMB = size * own / (1 << 20);
    }

    private static void SetBuffering(IoTestResult result, FioJob job, FioOptions options)
    {
        if (job.IsPartial && options["direct"] is null)
            return;
        var direct = options.IsOn("direct") || options.IsOn("atomic") || options["buffered"] == "0";
        result.Buffering = (direct, options.IsOn("sync")) switch
        {
            (true, true) => IoBuffering.None,
            (true, false) => IoBuffering.Hardware,
            (false, true) => IoBuffering.Software,
            _ => IoBuffering.Both,
        };
    }

    private static void SetRate(IoTestResult result, FioJob job, FioOptions options)
    {
        var read = result.Operation is IoOperation.Write ? null : options.GetRate("rate_iops", write: false);
        var write = result.Operation is IoOperation.Read ? null : options.GetRate("rate_iops", write: true);
        double? rate = read is null && write is null ? null : (read ?? 0) + (write ?? 0);
        if (rate is null && job.IsPartial && job.ExtensionValues?[FioFormat.LoadModelField] != nameof(IoLoadModel.Closed))
            return;
        result.LoadModel = rate is null ? IoLoadModel.Closed : IoLoadModel.Open;
        result.TargetIops = rate * result.ThreadCount;
    }

    /// <summary>Null unless the value is a multiple of 512 and equal for reads and writes.</summary>
    private static long? GetBlockSize(FioJob job)
    {
        // Terse output and fio before 2.21 round bytes to KiB, so the division can leave a remainder.
        long? size = null;
        foreach (var direction in (FioDirection?[])[job.Read, job.Write, job.Mixed])
        {
            if (direction is not { IOs: > 0 and var count, Bytes: > 0 and var bytes })
                continue;
            if (bytes % count != 0 || (bytes / count) % 512 != 0 || (size is not null && size != bytes / count))
                return null;
            size = bytes / count;
        }
        return size;
    }
}
