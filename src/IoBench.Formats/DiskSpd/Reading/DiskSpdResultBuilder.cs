using IoBench.Engine;

namespace IoBench.Formats;

internal static class DiskSpdResultBuilder
{
    /// <summary>Creates the result of a timespan; <paramref name="span"/> is null for a run without results.</summary>
    internal static IoTestResult CreateResult(DiskSpdRun run, DiskSpdTimespan? span, string? sourceFile)
    {
        var specification = GetSpecification(run, span);
        var result = new IoTestResult
        {
            Source = run.Source,
            SourceFile = sourceFile,
            SourceLine = span is null || span.Number == 1 ? run.Line : span.Line,
            ToolVersion = run.ToolVersion,
            ComputerName = span?.ComputerName ?? run.ComputerName,
            StartTime = span?.StartTime ?? run.StartTime,
            Device = run.Device,
            Specification = specification,
        };
        if (run.Host.Count > 0)
            result.Host = new Dictionary<string, string>(run.Host);
        if (specification is not null)
        {
            specification.GetOrAddOrigin().CommandLine ??= run.CommandLine;
            SetRequested(result, specification);
            if (run.HasThreadCounts || span?.ThreadCount is not null)
                SetOutstanding(result, specification);
        }
        if (span is not null)
            SetMeasured(result, span);
        SetStatus(result, run, span);
        if (run.Warnings.Count > 0)
            result.Warnings.AddRange(run.GetWarnings());
        return result;
    }

    private static IoTestSpecification? GetSpecification(DiskSpdRun run, DiskSpdTimespan? span)
    {
        var index = (span?.Number ?? 1) - 1;
        // Without a target, the parameters are truncated or missing.
        return index >= 0 && index < run.Specifications.Count && run.Specifications[index].Targets.Count > 0
            ? run.Specifications[index]
            : null;
    }

    private static void SetRequested(IoTestResult result, IoTestSpecification specification)
    {
        var targets = specification.Targets;
        result.LoadModel = IoLoadModel.Closed;
        result.Path = targets.Count == 1 ? targets[0].Path : string.Join("; ", targets.Select(t => t.Path).Distinct());
        result.TargetCount = targets.Count;
        result.BlockSizeKB = GetCommonValue(specification, p => (long?)p.BlockSize) / 1024.0;
        result.WritePercent = GetCommonValue(specification, p => (int?)p.WritePercent);
        result.Operation = GetCommonValue(specification, p => (IoOperation?)p.Operation) ?? IoOperation.Mixed;
        result.AccessPattern = GetCommonValue(specification, p => (IoAccessPattern?)p.AccessPattern);
        result.IOPattern = PatternText.Describe(result.BlockSizeKB, result.AccessPattern, result.WritePercent);
        result.Buffering = GetCommonValue(specification, p => (IoBuffering?)p.Buffering);
    }

    private static void SetOutstanding(IoTestResult result, IoTestSpecification specification)
    {
        var threads = specification.SharedThreadPool
            ? specification.ThreadCount
            : specification.Targets.Sum(t => (long)specification.GetPattern(t).ThreadCount);
        result.ThreadCount = threads <= int.MaxValue ? (int)threads : null;
        long total;
        if (specification is { SharedThreadPool: true, PoolOutstandingIO: int pool })
        {
            result.OutstandingIO = pool;
            total = (long)specification.ThreadCount * pool;
        }
        else
        {
            result.OutstandingIO = GetCommonValue(specification, p => (int?)p.OutstandingIO);
            total = specification.Targets.Sum(t =>
                (specification.SharedThreadPool ? threads : specification.GetPattern(t).ThreadCount)
                * specification.GetPattern(t).OutstandingIO
            );
        }
        result.TotalOutstanding = total <= int.MaxValue ? (int)total : null;
    }

    private static void SetMeasured(IoTestResult result, DiskSpdTimespan span)
    {
        result.DurationSeconds = span.Seconds;
        result.ThreadCount = span.ThreadCount ?? result.ThreadCount;
        result.CpuPercent = span.CpuPercent;
        result.Processors = span.Processors;
        result.Percentiles = span.Percentiles;
        result.Timeline = span.Timeline;
        result.ToolDetails = span.Details;
        result.Threads = span.Rows;
        DiskSpdTotals.AddTargets(result, span);

        var total = span.Totals.Total;
        var read = span.Totals.Read;
        var write = span.Totals.Write;
        if (total.IOCount is not null || read.IOCount is not null || write.IOCount is not null)
            result.Totals = span.Totals;
        result.IOCount = total.IOCount;
        result.ByteCount = total.ByteCount;
        result.BandwidthMBps = total.MBps;
        result.IOPS = total.IOPS;
        result.AverageLatencyMs = total.AverageLatencyMs;
        result.LatencyStdDevMs = total.LatencyStdDevMs;
        result.IopsStdDev = total.IopsStdDev;
        result.ReadMBps = read.MBps;
        result.ReadIOPS = read.IOPS;
        result.ReadAverageLatencyMs = read.AverageLatencyMs;
        result.WriteMBps = write.MBps;
        result.WriteIOPS = write.IOPS;
        result.WriteAverageLatencyMs = write.AverageLatencyMs;
        foreach (var percentile in span.Percentiles)
        {
            // Without any I/O, DiskSpd prints 0.000 for all percentiles, which is not a latency.
            if (total.IOCount == 0)
                percentile.TotalMs = null;
            SetPercentile(result, percentile);
        }
        if (result.Specification is null)
            SetFromCounts(result, read, write);
        if (result.TotalOutstanding is int outstanding && result.IOPS > 0 && IsUnpaced(result.Specification))
            result.LittlesLawLatencyMs = outstanding / result.IOPS * 1000;
    }

    private static void SetPercentile(IoTestResult result, IoPercentile percentile)
    {
        switch (percentile.Percent)
        {
            case 0:
                result.MinLatencyMs = percentile.TotalMs;
                break;
            case 50:
                result.P50Ms = percentile.TotalMs;
                break;
            case 90:
                result.P90Ms = percentile.TotalMs;
                break;
            case 95:
                result.P95Ms = percentile.TotalMs;
                break;
            case 99:
                result.P99Ms = percentile.TotalMs;
                result.ReadP99Ms = percentile.ReadMs;
                result.WriteP99Ms = percentile.WriteMs;
                break;
            case 99.9:
                result.P999Ms = percentile.TotalMs;
                break;
            case 100:
                result.MaxLatencyMs = percentile.TotalMs;
                break;
        }
    }

    /// <summary>All I/Os of a DiskSpd test have the same size.</summary>
    private static void SetFromCounts(IoTestResult result, IoTotals read, IoTotals write)
    {
        result.LoadModel = IoLoadModel.Closed;
        result.Path = result.Targets.Count > 0 ? string.Join("; ", result.Targets.Select(t => t.Path)) : null;
        result.TargetCount = result.Targets.Count > 0 ? result.Targets.Count : null;
        var (count, bytes) = read.IOCount > 0 ? (read.IOCount, read.ByteCount) : (write.IOCount, write.ByteCount);
        if (count > 0 && bytes % count == 0)
            result.BlockSizeKB = bytes / count / 1024.0;
        result.Operation = (read.IOCount, write.IOCount) switch
        {
            (> 0, 0) => IoOperation.Read,
            (0, > 0) => IoOperation.Write,
            (> 0, > 0) => IoOperation.Mixed,
            _ => null,
        };
        result.WritePercent = result.Operation switch
        {
            IoOperation.Read => 0,
            IoOperation.Write => 100,
            _ => null,
        };
        result.IOPattern = result.BlockSizeKB is null ? null : PatternText.Describe(result.BlockSizeKB, null, result.WritePercent);
    }

    /// <summary>Little's law yields the latency only if nothing but the device limits the rate.</summary>
    private static bool IsUnpaced(IoTestSpecification? specification) =>
        specification is not null
        && specification.Targets.TrueForAll(t =>
            specification.GetPattern(t) is { ThinkTimeMs: 0, MaxIopsPerThread: null, MaxBytesPerSecondPerThread: null }
        );

    private static void SetStatus(IoTestResult result, DiskSpdRun run, DiskSpdTimespan? span)
    {
        var missing = span is null ? run.MissingParts ?? "The output ends before any results." : span.MissingParts;
        if (run.Errors.Count > 0 && (span is null || span.Interruption is not null))
        {
            result.Status = IoResultStatus.Failed;
            result.ErrorId = "IoBench.DiskSpdFailed";
            result.ErrorMessage = string.Join(" ", run.Errors);
            if (WindowsErrorCodes.Describe(run.Errors) is { } meanings)
                result.ErrorMessage += $" (Windows error codes: {meanings}.)";
        }
        else if (span?.Interruption is not null)
        {
            result.Status = IoResultStatus.Incomplete;
            result.ErrorId = "IoBench.DiskSpdInterrupted";
            result.ErrorMessage = span.Interruption;
        }
        else if (missing is not null)
        {
            result.Status = IoResultStatus.Incomplete;
            result.Warnings.Add(missing);
        }
        else if (run.Errors.Count > 0)
        {
            result.Warnings.AddRange(run.Errors);
        }
    }

    private static T? GetCommonValue<T>(IoTestSpecification specification, Func<IoPattern, T?> value)
        where T : struct
    {
        var first = value(specification.GetPattern(specification.Targets[0]));
        foreach (var target in specification.Targets)
        {
            if (target.Pattern is not null && !Nullable.Equals(value(target.Pattern), first))
                return null;
        }
        return first;
    }
}
