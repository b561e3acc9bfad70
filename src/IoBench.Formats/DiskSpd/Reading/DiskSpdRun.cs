using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdRun
{
    /// <summary>Maximum number of stored warnings. Further warnings are only counted.</summary>
    internal const int MaxWarnings = 50;
    internal const int MaxErrors = 8;

    internal const int MaxTimeSpans = 4096;

    private int _moreWarnings;

    internal required int Line { get; init; }
    internal required string Source { get; init; }
    internal string? ToolVersion { get; set; }
    internal string? CommandLine { get; set; }
    internal string? ComputerName { get; set; }
    internal DateTimeOffset? StartTime { get; set; }
    internal string? Device { get; set; }
    internal Dictionary<string, string> Host { get; } = [];

    internal List<IoTestSpecification> Specifications { get; } = [];
    internal List<DiskSpdTimespan> Timespans { get; } = [];

    /// <summary>Whether the parameters state the threads per file or of a pool. Versions before 2.0.19 state neither for a pool.</summary>
    internal bool HasThreadCounts { get; set; } = true;

    internal bool HasRoundedSizes { get; set; }

    internal int ExperimentFlags { get; set; }

    /// <summary>Description of what is missing after the timespans; null if the output is complete.</summary>
    internal string? MissingParts { get; set; }

    internal List<string> Errors { get; } = [];
    internal List<string> Warnings { get; } = [];

    internal void AddWarning(string text)
    {
        if (Warnings.Count < MaxWarnings)
            Warnings.Add(text);
        else
            _moreWarnings++;
    }

    /// <summary>Returns the string of a target's path, so that the results of many threads share it.</summary>
    internal string ReusePath(ReadOnlySpan<char> path)
    {
        foreach (var specification in Specifications)
        {
            foreach (var target in specification.Targets)
            {
                if (path.SequenceEqual(target.Path))
                    return target.Path;
            }
        }
        return path.ToString();
    }

    internal IEnumerable<string> GetWarnings() =>
        _moreWarnings == 0 ? Warnings : Warnings.Append($"{NumberFormat.Pluralize(_moreWarnings, "more line")} could not be read.");

    /// <summary>Maximum number of characters for one kind of cache.</summary>
    private const int MaxLength = 4096;

    internal void AddCache(string name, string what)
    {
        if (name.Length > 8)
            return;
        var key = "cache " + name;
        var known = Host.GetValueOrDefault(key);
        if (known is null || known.Length < MaxLength)
            Host[key] = known is null ? what : known + "; " + what;
    }

    /// <summary>Completes parameters that the text omits or rounds, from the command line and the results.</summary>
    internal static void CompleteSpecifications(DiskSpdRun run, bool isLinux)
    {
        if (!isLinux && run.CommandLine is not null)
            CompleteFromCommandLine(run, run.CommandLine);
        if (run.HasThreadCounts)
            return;
        for (var i = 0; i < run.Specifications.Count; i++)
        {
            var specification = run.Specifications[i];
            // Before 2.0.19, and on Linux, a text without threads per file has a pool (-F), whose size is in another line.
            if ((isLinux ? specification.ThreadCount : run.Timespans.Find(s => s.Number == i + 1)?.ThreadCount) is int threads)
            {
                specification.SharedThreadPool = true;
                DiskSpdDefaults.SetThreads(specification, threads);
            }
        }
    }

    /// <summary>
    /// DiskSpd prints the command line without quotation marks, so a path with spaces is split. The options precede the paths and apply to
    /// all targets. A profile (-X) is not used, because its file need not exist on this computer.
    /// </summary>
    private static void CompleteFromCommandLine(DiskSpdRun run, string commandLine)
    {
        // The parameters state most settings. Parse the command line only if it states more.
        if (run.Specifications.Count > 0 && !run.HasRoundedSizes && !HasMoreOptions(commandLine))
            return;
        var words = CommandLineSplitter.Split(commandLine);
        var first = words.FindIndex(w => w.StartsWith('-'));
        if (first < 0 || run.Specifications.Count > 1 || words.Exists(w => w.StartsWith("-X", StringComparison.Ordinal)))
            return;
        IoTestSpecification given;
        try
        {
            var call = DiskSpdCommandLine.ReadCall(words.GetRange(first, words.Count - first), null, slashOptions: true, isToRun: false);
            if (call.Specifications.Count == 0)
                return;
            given = call.Specifications[0];
        }
        catch (IoBenchException error)
        {
            if (run.Specifications.Count == 0)
                run.AddWarning(
                    $"The output does not contain the test parameters, and IoBench cannot read the command line in it: {error.Message}"
                );
            return;
        }
        if (run.Specifications.Count == 0)
            run.Specifications.Add(ReplacePaths(given, run));
        else
            MergeOptions(run.Specifications[0], given, run.HasRoundedSizes);
    }

    private static bool HasMoreOptions(ReadOnlySpan<char> commandLine)
    {
        for (var i = 1; i < commandLine.Length; i++)
            if (commandLine[i] is 'c' or 'l' or 'P' or 'v' && commandLine[i - 1] is '-' or '/')
                return true;
        return false;
    }

    private static IoTestSpecification ReplacePaths(IoTestSpecification given, DiskSpdRun run)
    {
        var paths = run.Timespans.SelectMany(s => s.Rows).Select(r => r.Path).OfType<string>().Distinct().ToList();
        if (paths.Count > 0)
        {
            var any = given.Targets[0];
            given.Targets = paths.ConvertAll(p => new IoTargetSpecification(p) { BaseOffset = any.BaseOffset, MaxOffset = any.MaxOffset });
        }
        given.GetOrAddOrigin().CommandLine = run.CommandLine;
        return given;
    }

    internal static void MergeOptions(IoTestSpecification specification, IoTestSpecification given, bool hasRoundedSizes)
    {
        specification.FileSize ??= given.FileSize;
        var print = specification.GetOrAddOrigin().DiskSpd!;
        var givenPrint = given.GetOrAddOrigin().DiskSpd!;
        print.CreateFiles = givenPrint.CreateFiles;
        print.ProgressEvery = givenPrint.ProgressEvery;
        print.VerboseStatistics = givenPrint.VerboseStatistics;
        specification.LargePages = given.LargePages;
        if (!hasRoundedSizes)
            return;
        specification.BlockSize = GetExactSize(specification.BlockSize, given.BlockSize) ?? specification.BlockSize;
        specification.Alignment = GetExactSize(specification.Alignment, given.Alignment);
        specification.Stride = GetExactSize(specification.Stride, given.Stride);
        specification.ThreadStride = GetExactSize(specification.ThreadStride, given.ThreadStride);
        specification.WriteContentSize = GetExactSize(specification.WriteContentSize, given.WriteContentSize);
        if (specification.Distribution.Count == given.Distribution.Count)
            specification.Distribution = given.Distribution;
        foreach (var target in specification.Targets)
        {
            target.BaseOffset = GetExactSize(target.BaseOffset, given.Targets[0].BaseOffset) ?? target.BaseOffset;
            target.MaxOffset = GetExactSize(target.MaxOffset, given.Targets[0].MaxOffset);
        }
    }

    /// <summary>The given size, if the printed one can be its rounded value. The size of a truncated command line differs.</summary>
    private static long? GetExactSize(long? printed, long? given)
    {
        if (printed is not { } rounded || given is not { } exact)
            return printed;
        // Printed sizes have two decimals of the largest unit that they reach.
        var unit = 1L << ((int)long.Log2(Math.Max(1, rounded)) / 10 * 10);
        return Math.Abs(rounded - exact) <= unit / 100 ? exact : rounded;
    }
}

internal sealed class DiskSpdTimespan
{
    internal required int Number { get; init; }

    internal required int Line { get; init; }

    /// <summary>Computer of this timespan, if it differs from the computer of the run.</summary>
    internal string? ComputerName { get; set; }

    /// <summary>Start time of this timespan, if it differs from the start time of the run.</summary>
    internal DateTimeOffset? StartTime { get; set; }
    internal double? Seconds { get; set; }
    internal int? ThreadCount { get; set; }

    /// <summary>Sentence that DiskSpd prints instead of results; null if it printed results.</summary>
    internal string? Interruption { get; set; }

    /// <summary>Description of missing parts; null if the output is complete.</summary>
    internal string? MissingParts { get; set; }
    internal List<IoProcessorLoad> Processors { get; } = [];
    internal double? CpuPercent { get; set; }
    internal IoReadWriteTotals Totals { get; } = new();
    internal List<IoThreadResult> Rows { get; } = [];

    /// <summary>Sizes of the files in bytes, by path.</summary>
    internal Dictionary<string, long> FileSizes { get; } = [];
    internal List<IoPercentile> Percentiles { get; } = [];
    internal Dictionary<string, List<IoPercentile>> TargetPercentiles { get; } = [];
    internal List<IoTimelinePoint> Timeline { get; } = [];
    internal Dictionary<string, string> Details { get; } = [];
}
