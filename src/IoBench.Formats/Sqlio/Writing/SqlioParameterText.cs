using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class SqlioTextWriter
{
    /// <summary>Version for results of other tools. Programs that read SQLIO's text search for it.</summary>
    private const string Version = "1.5.SG";

    public static void WriteParameters(LineWriter lines, IoTestResult result)
    {
        var isSqlio = result.Source == SqlioFormat.Source;
        // Write this line also for a fragment that was read without it, because readers split runs at this line.
        lines.WriteLine($"sqlio v{(isSqlio ? result.ToolVersion : null) ?? Version}");
        WriteTimer(lines, result, isSqlio);
        WritePools(lines, result);
        WriteThreads(lines, result);
        if (result.BlockSizeKB is { } block && result.AccessPattern is { } access)
            WritePattern(lines, result, block, access);
        if (ShouldPrintOutstanding(result))
            lines.WriteLine($"\tenabling multiple I/Os per thread with {result.OutstandingIO} outstanding");
        if (result.Buffering is { } buffering && (isSqlio || result.Specification?.GetOrAddOrigin().Sqlio is not { BufferingGiven: false }))
            lines.WriteLine($"\tbuffering set to {SqlioBuffering.DescribeBuffering(buffering)}");
        foreach (var target in result.Targets)
            if (target.FileSizeMB is { } size)
                lines.WriteLine($"using specified size: {SqlioTextWriter.FormatValue(size)} MB for file: {target.Path}");
        if (result.IOPS is not null)
            lines.WriteLine("initialization done");
    }

    private static void WriteTimer(LineWriter lines, IoTestResult result, bool isSqlio)
    {
        var details = result.ToolDetails;
        if (isSqlio)
        {
            if (details.TryGetValue(SqlioPropertyNames.Timer, out var timer))
                lines.WriteLine(
                    $"using {timer} counter for latency timings, {details.GetValueOrDefault(SqlioPropertyNames.TimerFrequency, "0")} counts per second"
                );
        }
        else if (SqlioTextWriter.ShouldPrintLatency(result))
        {
            var timer = result.Specification?.GetOrAddOrigin().Sqlio?.LatencyTimer == 'P' ? "processor" : "system";
            lines.WriteLine($"using {timer} counter for latency timings, {System.Diagnostics.Stopwatch.Frequency} counts per second");
        }
    }

    private static void WritePools(LineWriter lines, IoTestResult result)
    {
        var file =
            result.ToolDetails.GetValueOrDefault(SqlioPropertyNames.ParameterFile)
            ?? result.Specification?.GetOrAddOrigin().Sqlio?.ParameterFile;
        if (file is null)
            return;
        lines.WriteLine($"parameter file used: {file}");
        var first = 0;
        for (var i = 0; i < result.Targets.Count; i++)
        {
            var target = result.Targets[i];
            var threads = target.ThreadCount ?? 1;
            var mask = GetMask(result.Specification, i);
            lines.WriteLine($"\tfile {target.Path} with {threads} threads ({first}-{first + threads - 1}) using mask 0x{mask:X} ({mask})");
            first += threads;
        }
    }

    private static ulong GetMask(IoTestSpecification? specification, int target)
    {
        if (specification is null || target >= specification.Targets.Count)
            return 0;
        var pattern = specification.GetPattern(specification.Targets[target]);
        return pattern.Processors.Where(p => p is >= 0 and < 64).Aggregate(0UL, (mask, p) => mask | 1UL << p);
    }

    private static void WriteThreads(LineWriter lines, IoTestResult result)
    {
        if (result.ThreadCount is not { } threads || result.Operation is not { } operation)
            return;
        var isWrite = operation == IoOperation.Write;
        var paths =
            result.Targets.Count > 0 ? result.Targets.ConvertAll(t => t.Path)
            : result.Path is { } path ? [path]
            : [];
        // SQLIO prints the requested duration, even if it was stopped earlier.
        var asked =
            result.Specification is { } specification
            && specification.GetOrAddOrigin().Sqlio is not null
            && result.Source != SqlioFormat.Source
                ? specification.Duration.TotalSeconds
                : (double?)null;
        var seconds = (asked ?? result.DurationSeconds ?? 0).ToString("0", CultureInfo.InvariantCulture);
        // "1 threads", not "1 thread": SQLIOResult2Excel.ps1 and other scripts search for the plural.
        lines.WriteLine(
            $"{threads} threads {(isWrite ? "writing" : "reading")} for {seconds} secs {(isWrite ? "to" : "from")} {(paths.Count > 1 ? "files" : "file")} {SqlioRun.JoinPaths(paths)}"
        );
    }

    private static void WritePattern(LineWriter lines, IoTestResult result, double block, IoAccessPattern access)
    {
        if (access == IoAccessPattern.Stride)
        {
            var columns = result.Specification?.StripeColumns ?? 64;
            lines.WriteLine(
                $"\tusing {block:0}KB IOs over {block * columns:0}KB stripes with {result.Specification?.StripeRows ?? 64} IOs per run"
            );
        }
        else
        {
            lines.WriteLine($"\tusing {block:0}KB {(access == IoAccessPattern.Random ? "random" : "sequential")} IOs");
        }
    }

    /// <summary>SQLIO prints the line only with -o. For other results, it is printed if there is more than one outstanding I/O.</summary>
    private static bool ShouldPrintOutstanding(IoTestResult result) =>
        result.OutstandingIO is { } outstanding && (result.Specification?.GetOrAddOrigin().Sqlio?.OutstandingGiven ?? outstanding > 1);
}
