using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class SqlioResultBuilder(string? sourceFile)
{
    private static readonly double[] s_percentiles = [50, 90, 95, 99, 99.9];

    private readonly SqlioStringCache _strings = new();

    /// <summary>Null if the lines are not a run, such as a command line with redirected output or messages of a script.</summary>
    public IoTestResult? Build(SqlioRun run)
    {
        var commandLine = ParseCommandLine(run);
        if (
            run.Errors.Count == 0
            && !run.Has(~SqlioLineKind.Before)
            && (!run.Has(SqlioLineKind.CommandLine) || commandLine?.GetOrAddOrigin().OutputFile is not null)
        )
            return null;

        var result = new IoTestResult
        {
            Source = SqlioFormat.Source,
            SourceFile = sourceFile,
            SourceLine = run.FirstLine,
            ToolVersion = run.ToolVersion,
            ComputerName = run.ComputerName,
            LoadModel = IoLoadModel.Closed,
            ThreadCount = run.Threads,
            DurationSeconds = run.Seconds,
            BlockSizeKB = run.BlockKB,
            AccessPattern = run.Access,
            Buffering = run.Buffering ?? (commandLine?.Buffering),
            IOPS = run.Iops,
            BandwidthMBps = run.MBps,
            MinLatencyMs = run.MinMs,
            AverageLatencyMs = run.AvgMs,
            MaxLatencyMs = run.MaxMs,
            CpuPercent = run.Processors?.CpuPercent,
        };
        if (run.IsWrite is { } isWrite)
        {
            result.Operation = isWrite ? IoOperation.Write : IoOperation.Read;
            result.WritePercent = isWrite ? 100 : 0;
            SetDirection(result, isWrite);
        }
        if (run.BlockKB is { } block && run.Access is { } access && run.IsWrite is { } write)
            result.IOPattern = _strings.GetPatternText(block, access, write);
        SetTargets(result, run);
        SetOutstanding(result, run);
        SetHistogram(result, run);
        if (run.Has(SqlioLineKind.Processors))
            result.Processors = run.Processors!.ToLoads();
        SetToolDetails(result, run);
        if (CanBuildFromResult(run, result, commandLine))
            SetSpecificationFactory(result, CreateOptions(run));
        else
            result.Specification = BuildSpecification(run, result, commandLine);
        SetStatus(result, run);
        return result;
    }

    private static void SetSpecificationFactory(IoTestResult result, SqlioOptions options) =>
        result.SetSpecificationFactory(r => CreateSpecification(r, options));

    private static void SetDirection(IoTestResult result, bool isWrite)
    {
        if (isWrite)
        {
            result.WriteIOPS = result.IOPS;
            result.WriteMBps = result.BandwidthMBps;
            result.WriteAverageLatencyMs = result.AverageLatencyMs;
        }
        else
        {
            result.ReadIOPS = result.IOPS;
            result.ReadMBps = result.BandwidthMBps;
            result.ReadAverageLatencyMs = result.AverageLatencyMs;
        }
    }

    private static void SetTargets(IoTestResult result, SqlioRun run)
    {
        var only =
            run.Pools.Count == 0
                ? run.SeveralFiles
                    ? null
                    : run.Files
                : run.Pools is [var line] && line.Threads == run.Threads
                    ? line.Path
                    : null;
        if (only is not null)
        {
            SetTarget(result, run, only);
            return;
        }
        var targets = result.Targets;
        if (run.Pools.Count > 0)
        {
            foreach (var pool in run.Pools)
                targets.Add(new IoTargetResult { Path = pool.Path, ThreadCount = pool.Threads });
        }
        else
        {
            foreach (var path in run.GetPaths())
                targets.Add(new IoTargetResult { Path = path, ThreadCount = run.Threads });
        }
        if (targets.Count == 0)
            return;
        foreach (var target in targets)
            target.FileSizeMB = GetFileSize(run, target.Path);
        if (targets.Count == 1)
        {
            result.Path = targets[0].Path;
            result.FileSizeMB = targets[0].FileSizeMB ?? (run.Sizes.Count == 1 ? run.Sizes[0].Megabytes : null);
            FillSingleTarget(targets[0], result);
        }
        else
        {
            result.Path = string.Join("; ", targets.Select(t => t.Path));
            // If the size of one file is unknown, the total would be wrong.
            result.FileSizeMB = targets.All(t => t.FileSizeMB is not null) ? targets.Sum(t => t.FileSizeMB) : null;
            foreach (var target in targets)
                target.IOPattern = result.IOPattern;
        }
        result.TargetCount = targets.Count;
    }

    private static void SetTarget(IoTestResult result, SqlioRun run, string path)
    {
        result.Path = path;
        result.FileSizeMB = GetFileSize(run, path) ?? (run.Sizes.Count == 1 ? run.Sizes[0].Megabytes : null);
        result.TargetCount = 1;
        result.SetTargetsFactory(s_onlyTarget);
    }

    private static readonly Func<IoTestResult, List<IoTargetResult>> s_onlyTarget = result =>
    {
        var only = new IoTargetResult { Path = result.Path ?? "", ThreadCount = result.ThreadCount };
        FillSingleTarget(only, result);
        return [only];
    };

    private static double? GetFileSize(SqlioRun run, string path)
    {
        double? found = null;
        foreach (var size in run.Sizes)
            if (size.Path == path)
                found = size.Megabytes;
        return found;
    }

    private static void FillSingleTarget(IoTargetResult only, IoTestResult result)
    {
        only.FileSizeMB = result.FileSizeMB;
        only.IOPattern = result.IOPattern;
        FillTotals(only.Total, result);
        if (result.Operation is { } operation)
            FillTotals(operation == IoOperation.Write ? only.Write : only.Read, result);
    }

    private static void FillTotals(IoTotals totals, IoTestResult result)
    {
        totals.IOPS = result.IOPS;
        totals.MBps = result.BandwidthMBps;
        totals.MinLatencyMs = result.MinLatencyMs;
        totals.AverageLatencyMs = result.AverageLatencyMs;
        totals.MaxLatencyMs = result.MaxLatencyMs;
    }

    /// <summary>
    /// Without <c>-o</c>, SQLIO is synchronous: one I/O per thread, on each of its files in turn. With <c>-o</c>, the number applies per
    /// thread and file. The threads of a line in a parameter file use only that line's file.
    /// </summary>
    private static void SetOutstanding(IoTestResult result, SqlioRun run)
    {
        if (run.Threads is not { } threads)
            return;
        result.OutstandingIO = run.Outstanding ?? 1;
        var files = run.Pools.Count > 0 || run.Outstanding is null ? 1 : result.TargetCount ?? 1;
        var total = (long)threads * result.OutstandingIO.Value * files;
        if (total is <= 0 or > int.MaxValue)
            return;
        result.TotalOutstanding = (int)total;
        if (result.IOPS > 0)
            result.LittlesLawLatencyMs = total / result.IOPS.Value * 1000;
    }

    private static void SetHistogram(IoTestResult result, SqlioRun run)
    {
        if (!run.Has(SqlioLineKind.Percents) || run.HistogramIsBroken || run.PercentCount != SqlioHistogram.BucketCount)
            return;
        result.Histogram = SqlioHistogram.Create([.. run.Percents]);
        Span<double?> found = stackalloc double?[s_percentiles.Length];
        if (!SqlioHistogram.TryGetPercentiles(run.Percents, s_percentiles, found))
            run.Warnings.Add($"line {NumberFormat.Integer(run.LastLine)}: the percentages of the histogram do not add up to 100.");
        result.P50Ms = found[0];
        result.P90Ms = found[1];
        result.P95Ms = found[2];
        result.P99Ms = found[3];
        result.P999Ms = found[4];
        if (run.IsWrite is { } isWrite)
        {
            if (isWrite)
                result.WriteP99Ms = found[3];
            else
                result.ReadP99Ms = found[3];
        }
        result.SetPercentilesFactory(s_percentilesOf);
    }

    private static readonly Func<IoTestResult, List<IoPercentile>> s_percentilesOf = result =>
    {
        double?[] found = [result.P50Ms, result.P90Ms, result.P95Ms, result.P99Ms, result.P999Ms];
        var percentiles = new List<IoPercentile>(found.Length);
        for (var i = 0; i < found.Length; i++)
            if (found[i] is { } value)
                percentiles.Add(new IoPercentile { Percent = s_percentiles[i], TotalMs = value });
        return percentiles;
    };

    /// <summary>Stores values without a property under SQLIO's own names.</summary>
    private static void SetToolDetails(IoTestResult result, SqlioRun run)
    {
        var details = new List<KeyValuePair<string, string>>();
        Add(SqlioFormat.Timer, run.Timer);
        Add(SqlioFormat.TimerFrequency, run.TimerFrequency);
        Add(SqlioFormat.ParameterFile, run.ParameterFile);
        Add(SqlioFormat.Date, run.Date);
        Add(SqlioFormat.MinInit, run.MinInitUs?.ToString(CultureInfo.InvariantCulture));
        Add(SqlioFormat.AvgInit, run.AvgInitUs?.ToString(CultureInfo.InvariantCulture));
        Add(SqlioFormat.MaxInit, run.MaxInitUs?.ToString(CultureInfo.InvariantCulture));
        if (run.Processors is { } processors)
            details.AddRange(processors.OtherRows);
        if (details.Count > 0)
            result.SetToolDetailsSource(details);

        void Add(string name, string? value)
        {
            if (value is not null)
                details.Add(new(name, value));
        }
    }

    private IoTestSpecification? ParseCommandLine(SqlioRun run)
    {
        if (run.CommandLine is null)
            return null;
        try
        {
            var commandLine = SqlioCommandLine.ParseLine(run.CommandLine, _ => GetParameterLines(run));
            commandLine.GetOrAddOrigin().SourceFile = sourceFile;
            commandLine.GetOrAddOrigin().SourceLine = run.CommandLineNumber;
            return commandLine;
        }
        catch (IoBenchException e)
        {
            run.Warnings.Add(
                $"line {NumberFormat.Integer(run.CommandLineNumber)}: the command line is not a valid SQLIO command line: {e.Message}"
            );
            return null;
        }
    }

    private static void SetStatus(IoTestResult result, SqlioRun run)
    {
        if (run.Warnings.Count > 0)
            result.Warnings.AddRange(run.Warnings);
        var hasResults = run.Iops is not null || run.MBps is not null;
        if (hasResults && run.Errors.Count > 0)
            result.Warnings.AddRange(run.Errors.Select(error => $"The SQLIO output contains the line '{error}'."));
        var latencies = run.Seen & SqlioLineKind.Latencies;
        string? missing = null;
        if (run.Iops is null && run.MBps is null && latencies == 0)
            missing = run.Has(SqlioLineKind.Figures)
                ? "these lines belong to a run that has no results"
                : "the output of the run ends before its results";
        else if (run.Iops is null || run.MBps is null)
            missing = "IOs/sec or MBs/sec is missing";
        else if (
            latencies != SqlioLineKind.Latencies
            && (latencies != 0 || run.Has(SqlioLineKind.LatencyHeading) || run.Has(SqlioLineKind.Timer))
        )
            missing = "the output of the run ends before its latency lines";
        else if ((run.Has(SqlioLineKind.HistogramHeading) || run.Has(SqlioLineKind.Milliseconds)) && !run.Has(SqlioLineKind.Percents))
            missing = "the output of the run ends before the percentages of its histogram";
        else if (run.Has(SqlioLineKind.Percents) && result.Histogram is null && !run.HistogramIsBroken)
            missing =
                $"the histogram has only {NumberFormat.Integer(run.PercentCount)} of {SqlioHistogram.BucketCount} percentages, so IoBench ignores the histogram";
        else if (run.Threads is null)
            missing = "the output of the run is incomplete, because the threads, the file, and the pattern are missing";
        else if (run.Files is null || run.Access is null)
            missing = "some parameters of the run are missing";
        if (!hasResults && run.Errors.Count > 0)
        {
            result.Status = IoResultStatus.Failed;
            result.ErrorId = "IoBench.SqlioFailed";
            result.ErrorMessage = $"SQLIO failed: {string.Join(" ", run.Errors)}";
            if (WindowsErrorCodes.Describe(run.Errors) is { } meanings)
                result.ErrorMessage += $" (Windows error codes: {meanings}.)";
            return;
        }
        result.Status = missing is null ? IoResultStatus.Complete : IoResultStatus.Incomplete;
        if (missing is not null)
            result.Warnings.Add($"line {NumberFormat.Integer(run.LastLine)}: {missing}.");
        else if (latencies == SqlioLineKind.Latencies && !run.Has(SqlioLineKind.Percents))
            result.Warnings.Add(
                $"line {NumberFormat.Integer(run.LastLine)}: no histogram follows the latency lines, so percentiles are not available."
            );
    }

    /// <summary>Creates the specification that repeats a run; null if the output does not state the operation and the file.</summary>
    public static IoTestSpecification? BuildSpecification(SqlioRun run, IoTestResult result, IoTestSpecification? commandLine)
    {
        if (run.Threads is not { } threads || run.BlockKB is not { } block || run.Access is not { } access || result.TargetCount is null)
            return commandLine;
        var specification = commandLine ?? new IoTestSpecification { WarmUp = TimeSpan.Zero };
        specification.GetOrAddOrigin().Sqlio ??= CreateOptions(run);
        specification.BlockSize = block * 1024L;
        specification.ThreadCount = threads;
        specification.OutstandingIO = run.Outstanding ?? 1;
        specification.WritePercent = run.IsWrite == true ? 100 : 0;
        specification.AccessPattern = access;
        specification.Buffering = result.Buffering ?? IoBuffering.None;
        if (run.Seconds is { } seconds)
            specification.Duration = TimeSpan.FromSeconds(seconds);
        if (run.StripeKB is { } stripe && run.StripeRows is { } rows && block > 0)
        {
            specification.StripeColumns = stripe / block;
            specification.StripeRows = rows;
        }
        var baseOffset = specification.Targets.Count > 0 ? specification.Targets[0].BaseOffset : 0;
        specification.Targets.Clear();
        foreach (var measured in result.Targets)
            specification.Targets.Add(CreateTarget(measured.Path, measured.FileSizeMB, baseOffset));
        SetPools(specification, run);
        if (specification.Targets.Count > 1 && run.Pools.Count == 0)
        {
            specification.SharedThreadPool = true;
            specification.PoolOutstandingIO = run.Outstanding is null ? 1 : null;
        }
        return specification;
    }

    /// <summary>If true, <see cref="CreateSpecification"/> creates the specification on demand.</summary>
    public static bool CanBuildFromResult(SqlioRun run, IoTestResult result, IoTestSpecification? commandLine) =>
        commandLine is null
        && run is { Threads: not null, BlockKB: not null, Access: not null, StripeKB: null }
        && result.TargetCount == 1
        && (
            run.Pools.Count == 0
                ? run is { SeveralFiles: false, Files: not null }
                : run.Pools is [{ Mask: 0 } pool] && pool.Threads == run.Threads
        );

    public static IoTestSpecification CreateSpecification(IoTestResult result, SqlioOptions options)
    {
        var specification = new IoTestSpecification
        {
            WarmUp = TimeSpan.Zero,
            Extension = new TestOrigin { Sqlio = options with { } },
            BlockSize = (long)((result.BlockSizeKB ?? 0) * 1024),
            ThreadCount = result.ThreadCount ?? 0,
            OutstandingIO = result.OutstandingIO ?? 1,
            WritePercent = result.WritePercent ?? 0,
            Buffering = result.Buffering ?? IoBuffering.None,
            Targets = [CreateTarget(result.Path ?? "", result.FileSizeMB)],
        };
        // Random is the default. Setting it again would allocate memory for each result.
        if (result.AccessPattern is { } access and not IoAccessPattern.Random)
            specification.AccessPattern = access;
        if (result.DurationSeconds is { } seconds)
            specification.Duration = TimeSpan.FromSeconds(seconds);
        return specification;
    }

    private static IoTargetSpecification CreateTarget(string path, double? megabytes, long baseOffset = 0)
    {
        var target = new IoTargetSpecification(path) { BaseOffset = baseOffset };
        if (megabytes is { } size and < 8e12)
            target.FileSize = (long)Math.Round(size * 1048576);
        return target;
    }

    public static List<SqlioParameterLine> GetParameterLines(SqlioRun run) =>
        run.Pools.ConvertAll(p =>
        {
            var size = run.Sizes.FindIndex(s => s.Path == p.Path);
            return p with { SizeMB = size >= 0 ? run.Sizes[size].Megabytes : null };
        });

    public static SqlioOptions CreateOptions(SqlioRun run) =>
        new()
        {
            LatencyTimer =
                run.Timer is null ? null
                : run.Timer.StartsWith('p') ? 'P'
                : 'S',
            InitiationLatency = run.MinInitUs is not null,
            ProcessorUse = run.Has(SqlioLineKind.Processors),
            ProcessorUseEach = run.Processors?.HasProcessorColumns == true,
            BufferingGiven = run.Buffering is not null,
            OutstandingGiven = run.Outstanding is not null,
            ParameterFile = run.ParameterFile,
        };

    /// <summary>Sets the threads of the parameter file: per target if it has several lines, otherwise in the test's own pattern.</summary>
    private static void SetPools(IoTestSpecification specification, SqlioRun run)
    {
        if (run.Pools.Count == 0 || run.Pools.Count != specification.Targets.Count)
            return;
        if (run.Pools.Count == 1)
        {
            SqlioCommandLine.SetThreads(specification, run.Pools[0].Threads, run.Pools[0].Mask);
            return;
        }
        for (var i = 0; i < run.Pools.Count; i++)
            specification.Targets[i].Pattern = SqlioCommandLine.CreatePoolPattern(specification, run.Pools[i].Threads, run.Pools[i].Mask);
    }
}
