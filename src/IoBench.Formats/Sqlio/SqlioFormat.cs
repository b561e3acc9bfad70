using System.Globalization;
using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads any number of SQLIO runs, complete or in parts, in constant memory. Grammar: readme of 1999, real outputs.</summary>
public static class SqlioFormat
{
    public const string Source = "Sqlio";

    // Keys of IoTestResult.ToolDetails.
    internal const string Timer = "Latency timer";
    internal const string TimerFrequency = "Latency timer counts per second";
    internal const string ParameterFile = "Parameter file";
    internal const string Date = "Date";
    internal const string MinInit = "Min_Init_Latency(us)";
    internal const string AvgInit = "Avg_Init_Latency(us)";
    internal const string MaxInit = "Max_Init_Latency(us)";
    internal const string DpcTime = "DPCTime(%)";
    internal const string InterruptTime = "InterruptTime(%)";
    internal const string Interrupts = "Interrupts/sec";

    internal static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "SQLIO's text",
            Tool = "SQLIO",
            Source = Source,
            RunsOn = OSPlatform.Windows,
            IsInWholeMilliseconds = true,
            Command = "Import-SqlioResult",
            Extensions = [".txt", ".out", ".log"],
            LooksLike = IsSqlioBeforeDiskSpd,
            ReadBytes = Read,
            WrittenAs = ResultFormat.Sqlio,
            OptionName = "sqlio",
            Write = Write,
        };

    /// <summary>Part is searched once per text, by its rarest character; one of the words in Before must precede it.</summary>
    private static readonly (string Part, char Rarest, string[] Before)[] s_signatures =
    [
        ("s/sec:", '/', ["IO", "MB"]),
        ("_Latency", '_', ["Min", "Avg", "Max", "Min_Init"]),
        ("ing for", 'g', ["threads read", "threads writ", "thread read", "thread writ"]),
        ("counter for latency timings", 'y', [""]),
        ("ProcessorNumber:", 'P', [""]),
    ];

    private const int BeginningLength = 1024;

    /// <summary>A text that also contains DiskSpd's output belongs to the tool that it starts with.</summary>
    internal static bool IsSqlioBeforeDiskSpd(string head)
    {
        // Most texts start with the banner, so the rest need not be searched.
        if (
            FindFirstBanner(head.AsSpan(0, Math.Min(head.Length, BeginningLength))) is >= 0 and var at
            && DiskSpdFormat.FindFirstHeading(head.AsSpan(0, at)) > at
        )
            return true;
        // Search for DiskSpd's signatures first. Most of its texts have one near the start, and SQLIO's output after it does not matter
        // here.
        var text = head.AsSpan(0, Math.Min(head.Length, DiskSpdFormat.FindFirstHeading(head)));
        return FindFirstBanner(text) >= 0 || ContainsSignature(text);
    }

    private static int FindFirstBanner(ReadOnlySpan<char> head)
    {
        const string banner = "sqlio v";
        for (var start = 0; TextInput.IndexOfIgnoreCase(head[start..], banner, 'q') is >= 0 and var at; )
        {
            start += at + banner.Length;
            if (start < head.Length && char.IsAsciiDigit(head[start]))
                return start - banner.Length;
        }
        return -1;
    }

    private static bool ContainsSignature(ReadOnlySpan<char> head)
    {
        foreach (var (part, rarest, before) in s_signatures)
        {
            for (
                var start = 0;
                TextInput.IndexOfIgnoreCase(head[start..], part, rarest) is >= 0 and var found;
                start += found + part.Length
            )
            {
                var text = head[..(start + found)];
                foreach (var word in before)
                {
                    if (text.EndsWith(word, StringComparison.OrdinalIgnoreCase))
                        return true;
                }
            }
        }
        return false;
    }

    /// <summary>Reads runs from a stream in any encoding; the stream must support seeking.</summary>
    public static IEnumerable<IoTestResult> Read(Stream stream, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return MixedTextReader.Read(TextInput.OpenUtf8(stream), sourceFile, startsWithSqlio: true);
    }

    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return MixedTextReader.Read(new TextReaderStream(reader), sourceFile, startsWithSqlio: true);
    }

    /// <summary>Describes the feature of a test that SQLIO's text cannot represent; null if it can represent the test.</summary>
    public static string? FindUnsupportedFeature(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return FindUnsupportedFeature(test.Operation, test.AccessPattern, test.BlockSize) ?? DiskSpdSupport.FindUnsupportedFeature(test);
    }

    internal static IoTestResult EnsureSupported(IoTestResult result) =>
        (
            FindUnsupportedFeature(result.Operation, result.AccessPattern, result.BlockSizeKB * 1024)
            ?? (result.Specification is { } test ? DiskSpdSupport.FindUnsupportedFeature(test) : null)
        )
            is { } words
            ? throw IoBenchException.InvalidData(
                "IoBench.NotRepresentable",
                $"{result.Workload ?? result.IOPattern ?? "A result"} has {words}, which SQLIO output cannot show. Use JSON or CSV."
            )
            : result;

    private static string? FindUnsupportedFeature(IoOperation? operation, IoAccessPattern? order, double? blockSize) =>
        (operation, order) switch
        {
            (IoOperation.Mixed, _) => "mixed reads and writes",
            (_, IoAccessPattern.PartRandom) => "a mix of random and sequential I/Os",
            _ when blockSize is { } bytes && bytes % 1024 != 0 => $"blocks of {NumberFormat.Short(bytes)} bytes",
            _ => null,
        };

    private const string NewLine = "\r\n";

    /// <summary>Writes results as SQLIO 1.5 printed them, with CR LF. Latencies are truncated to whole milliseconds.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotRepresentable</c>: SQLIO's text cannot describe a result.</exception>
    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        var first = true;
        foreach (var result in results)
        {
            if (!first)
                writer.Write(NewLine);
            first = false;
            Write(writer, result);
        }
    }

    /// <summary>Prints what the specification requests from SQLIO; without a specification, all known parts.</summary>
    public static void Write(TextWriter writer, IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(result);
        _ = EnsureSupported(result);
        var lines = new LineWriter(writer, NewLine);
        WriteParameters(lines, result);
        WriteMeasurements(lines, result);
    }

    /// <summary>True if latency was requested. If SQLIO's output options are unknown, true if the latency is known.</summary>
    internal static bool ShouldPrintLatency(IoTestResult result) =>
        result.Specification?.GetOrAddOrigin().Sqlio is { } requested && result.Source != Source
            ? requested.LatencyTimer is not null
            : result.AverageLatencyMs is not null
                || result.MinLatencyMs is not null
                || result.MaxLatencyMs is not null
                || result.Histogram is not null
                || result.ToolDetails.ContainsKey(AvgInit);

    internal static void WriteMeasurements(LineWriter lines, IoTestResult result)
    {
        if (result.IOPS is not null || result.BandwidthMBps is not null)
        {
            lines.WriteLine("CUMULATIVE DATA:");
            lines.WriteLine("throughput metrics:");
            WriteRate(lines, "IOs/sec:", result.IOPS);
            WriteRate(lines, "MBs/sec:", result.BandwidthMBps);
        }
        WriteProcessors(lines, result);
        if (!ShouldPrintLatency(result))
            return;
        lines.WriteLine("latency metrics:");
        WriteInitiationLatency(lines, result);
        WriteLatency(lines, "Min_Latency(ms):", result.MinLatencyMs);
        WriteLatency(lines, "Avg_Latency(ms):", result.AverageLatencyMs);
        WriteLatency(lines, "Max_Latency(ms):", result.MaxLatencyMs);
        if (SqlioHistogram.GetPercents(result) is not { } percents)
            return;
        lines.WriteLine("histogram:");
        lines.WriteLine(
            "ms:"
                + string.Concat(
                    Enumerable
                        .Range(0, SqlioHistogram.BucketCount - 1)
                        .Select(ms => ms.ToString(CultureInfo.InvariantCulture).PadLeft(ms == 0 ? 2 : 3))
                )
                + " 24+"
        );
        lines.WriteLine("%:" + string.Concat(percents.Select(p => p.ToString(CultureInfo.InvariantCulture).PadLeft(3))));
    }

    internal static string FormatValue(double value) => NumberFormat.Plain(value, 2);

    private static void WriteRate(LineWriter lines, string name, double? value)
    {
        if (value is { } rate)
            lines.WriteLine(name + rate.ToString("0.00", CultureInfo.InvariantCulture).PadLeft(9));
    }

    /// <summary>Writes whole milliseconds, truncated instead of rounded, as SQLIO does.</summary>
    private static void WriteLatency(LineWriter lines, string name, double? milliseconds)
    {
        if (milliseconds is { } value)
            lines.WriteLine($"{name} {Math.Floor(value).ToString("0", CultureInfo.InvariantCulture)}");
    }

    private static void WriteInitiationLatency(LineWriter lines, IoTestResult result)
    {
        foreach (var name in (string[])[MinInit, AvgInit, MaxInit])
            if (result.ToolDetails.TryGetValue(name, out var microseconds))
                lines.WriteLine($"{name}: {microseconds}");
    }

    private static void WriteProcessors(LineWriter lines, IoTestResult result)
    {
        var isAsked = result.Specification?.GetOrAddOrigin().Sqlio is not { ProcessorUse: false } || result.Source == Source;
        if (!isAsked || (result.Processors.Count == 0 && !(result.Source == Source && result.CpuPercent is not null)))
            return;
        var loads = result.Processors;
        if (result.Source != Source && result.Specification?.GetOrAddOrigin().Sqlio is { ProcessorUseEach: false })
            loads = [];
        lines.WriteLine(
            "ProcessorNumber:"
                + "ALL".PadLeft(12)
                + string.Concat(loads.Select(l => l.Processor.ToString(CultureInfo.InvariantCulture).PadLeft(9)))
        );
        WriteDetailRow(lines, result, DpcTime);
        WriteDetailRow(lines, result, InterruptTime);
        WriteRow(lines, "PrivilegedTime(%):", GetMean(result, l => l.KernelPercent), loads.Select(l => l.KernelPercent));
        WriteRow(lines, "ProcessorTime(%):", result.CpuPercent ?? GetMean(result, l => l.UsagePercent), loads.Select(l => l.UsagePercent));
        WriteRow(lines, "UserTime(%):", GetMean(result, l => l.UserPercent), loads.Select(l => l.UserPercent));
        WriteDetailRow(lines, result, Interrupts);
    }

    private static double? GetMean(IoTestResult result, Func<IoProcessorLoad, double?> figure) => result.Processors.Average(figure);

    private static void WriteDetailRow(LineWriter lines, IoTestResult result, string name)
    {
        if (result.ToolDetails.TryGetValue(name, out var values))
            lines.WriteLine((name + ":").PadRight(19) + string.Concat(values.Split(' ').Select(v => v.PadLeft(9))));
    }

    private static void WriteRow(LineWriter lines, string name, double? all, IEnumerable<double?> each)
    {
        if (all is null)
            return;
        lines.WriteLine(
            name.PadRight(19)
                + string.Concat(each.Prepend(all).Select(v => (v ?? 0).ToString("0.00", CultureInfo.InvariantCulture).PadLeft(9)))
        );
    }

    /// <summary>Version for results of other tools. Programs that read SQLIO's text search for it.</summary>
    private const string Version = "1.5.SG";

    internal static void WriteParameters(LineWriter lines, IoTestResult result)
    {
        var isSqlio = result.Source == Source;
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
            lines.WriteLine($"\tbuffering set to {DescribeBuffering(buffering)}");
        foreach (var target in result.Targets)
            if (target.FileSizeMB is { } size)
                lines.WriteLine($"using specified size: {FormatValue(size)} MB for file: {target.Path}");
        if (result.IOPS is not null)
            lines.WriteLine("initialization done");
    }

    private static string DescribeBuffering(IoBuffering buffering) =>
        buffering switch
        {
            IoBuffering.None => "not use file nor disk caches (as is SQL Server)",
            IoBuffering.Hardware => "use hardware disk cache (but not file cache)",
            IoBuffering.Software => "use software file cache (but not disk cache)",
            _ => "use both file and disk caches",
        };

    private static void WriteTimer(LineWriter lines, IoTestResult result, bool isSqlio)
    {
        var details = result.ToolDetails;
        if (isSqlio)
        {
            if (details.TryGetValue(Timer, out var timer))
                lines.WriteLine(
                    $"using {timer} counter for latency timings, {details.GetValueOrDefault(TimerFrequency, "0")} counts per second"
                );
        }
        else if (ShouldPrintLatency(result))
        {
            var timer = result.Specification?.GetOrAddOrigin().Sqlio?.LatencyTimer == 'P' ? "processor" : "system";
            lines.WriteLine($"using {timer} counter for latency timings, {System.Diagnostics.Stopwatch.Frequency} counts per second");
        }
    }

    private static void WritePools(LineWriter lines, IoTestResult result)
    {
        var file = result.ToolDetails.GetValueOrDefault(ParameterFile) ?? result.Specification?.GetOrAddOrigin().Sqlio?.ParameterFile;
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
        var requested =
            result.Specification is { } specification && specification.GetOrAddOrigin().Sqlio is not null && result.Source != Source
                ? specification.Duration.TotalSeconds
                : (double?)null;
        var seconds = (requested ?? result.DurationSeconds ?? 0).ToString("0", CultureInfo.InvariantCulture);
        // "1 threads", not "1 thread": SQLIOResult2Excel.ps1 and other scripts search for the plural.
        var writing = isWrite ? "writing" : "reading";
        var to = isWrite ? "to" : "from";
        var files = paths.Count > 1 ? "files" : "file";
        lines.WriteLine($"{threads} threads {writing} for {seconds} secs {to} {files} {SqlioRun.JoinPaths(paths)}");
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
