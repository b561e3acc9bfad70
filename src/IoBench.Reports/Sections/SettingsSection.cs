using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

internal static class SettingsSection
{
    private const int MaxRunsWithFacts = 10_000,
        MaxFacts = 500,
        MaxValues = 6,
        MaxWarnings = 1000;

    /// <summary>A command is as long as several columns of the table of runs are wide.</summary>
    private const int CommandColumns = 8;

    private static readonly (TableColumn, Func<RunGroup, CellValue>)[] s_columns =
    [
        (new("Run", false, 46), item => CellValue.Create(item.Name)),
        CreateTextColumn("Path", run => run.Path),
        CreateTextColumn("Buffering", run => run.Buffering?.ToString()),
        CreateNumberColumn("Warm-up (s)", run => run.Source == SqlioFormat.Source ? null : run.Specification?.WarmUp.TotalSeconds),
        CreateNumberColumn("Measured (s)", run => run.DurationSeconds),
        CreateNumberColumn("File (MiB)", run => run.FileSizeMB),
        CreateNumberColumn("Threads", run => run.ThreadCount),
        CreateNumberColumn("Outstanding", run => run.OutstandingIO),
        CreateNumberColumn("Target IOPS", run => run.TargetIops),
        CreateNumberColumn("Seed of the suite", run => run.Specification?.SeedBase),
        CreateNumberColumn("Seed", run => run.Specification is { Seed: > 0 } specification ? specification.Seed : null),
        CreateTextColumn(
            "Write content",
            run => run.Specification is { WritePercent: > 0 } specification ? specification.WriteContent.ToString() : null
        ),
        CreateTextColumn("Backend", run => run.Backend),
        CreateTextColumn("Tool", RunDescription.DescribeTool),
        (new("Started", false), item => CellValue.Create(item.First.StartTime)),
        (new("Last started", false), item => item.Runs.Count > 1 ? CellValue.Create(item.Runs.Max(run => run.StartTime)) : CellValue.Empty),
        (new("Status", false, 50), item => CellValue.Create(DescribeStatus(item.Runs))),
    ];

    private static readonly (TableColumn, Func<RunGroup, CellValue>) s_runCount = (
        new("Runs"),
        item => CellValue.Create(item.Runs.Count, CellStyle.Integer)
    );

    private static readonly (TableColumn, Func<RunGroup, CellValue>)[] s_commandColumns =
    [
        (new("Run", false, 46), item => CellValue.Create(item.Name)),
        (new("Command", false, 20) { Span = CommandColumns }, item => CellValue.Create(GetCommand(item.First))),
    ];

    public static ReportSection Build(ReportContext context)
    {
        var runs = context.Results;
        var blocks = new List<SectionBlock> { new TextBlock("Runs", CellStyle.Heading) };
        if (context.HasMergedRuns)
            blocks.Add(
                new TextBlock(
                    "Runs of the same test share one row, with the settings of the first run. The sheet Details contains every run."
                )
            );
        blocks.Add(
            TableBlock.FromItems(
                "Settings",
                context.Rows,
                context.HasMergedRuns ? [s_columns[0], s_runCount, .. s_columns[1..]] : s_columns
            )
        );
        if (context.Rows.Where(item => CanBeRepeated(item.First)).ToList() is { Count: > 0 } repeatable)
        {
            blocks.Add(new TextBlock("Command lines", CellStyle.Heading));
            blocks.Add(TableBlock.FromItems("Commands", repeatable, s_commandColumns, isFilterable: false));
        }
        AddFacts(blocks, runs);
        AddWarnings(blocks, runs);
        var unit =
            ThroughputDisplay.Units == ThroughputUnits.Si
                ? "MB/s of 10^6 bytes on every sheet"
                : "MiB/s (2^20 bytes), also in the column Bandwidth(MB/s), which has this name for compatibility with an old script";
        blocks.Add(
            new TextBlock(
                $"Written by IoBench {WorkbookWriter.ProgramVersion}. Sizes are 1024-based. Throughput is in {unit}. "
                    + $"Latency is in milliseconds. Rule set: {context.RuleSet.Name}.",
                CellStyle.Small
            )
        );
        return new("Settings", "Settings: how to repeat the tests", blocks);
    }

    /// <summary>The command line of the old tool, else an iobench command that repeats the run; null if too little is known.</summary>
    internal static string? GetCommand(IoTestResult run)
    {
        if (run.Specification?.GetOrAddOrigin().CommandLine is { } command)
            return command;
        if (!CanBeRepeated(run))
            return null;
        var paths = run.Path!.Split("; ");
        var pattern = run.AccessPattern!.Value.ToString().ToLowerInvariant();
        var parts = new List<string> { "iobench run" };
        parts.AddRange(paths.Select(path => path.Contains(' ', StringComparison.Ordinal) ? $"\"{path}\"" : path));
        parts.Add(Invariant($"--block {new IoSize(run.BlockSizeKB!.Value * 1024)} --pattern {pattern} --write {run.WritePercent}"));
        parts.Add(Invariant($"--threads {run.ThreadCount / paths.Length} --outstanding {run.OutstandingIO}"));
        if (run.FileSizeMB is { } size)
            parts.Add($"--size {new IoSize(size / paths.Length * 1024 * 1024)}");
        if (run.DurationSeconds is { } seconds)
            parts.Add(Invariant($"--duration {Math.Round(seconds, 3)}"));
        if (run.Specification is { } specification)
            parts.Add(Invariant($"--warmup {specification.WarmUp.TotalSeconds}"));
        if (run.Buffering is { } buffering and not IoBuffering.None)
            parts.Add("--buffering " + buffering.ToString().ToLowerInvariant());
        if (run.TargetIops is { } rate)
            parts.Add(Invariant($"--target-iops {rate}"));
        if (paths.Length > 1)
            parts.Add("--path-mode together");
        return string.Join(' ', parts);
    }

    private static string DescribeStatus(IReadOnlyList<IoTestResult> runs)
    {
        var run = runs.FirstOrDefault(one => one.Status != IoResultStatus.Complete) ?? runs[0];
        var failed = runs.Count(one => one.Status != IoResultStatus.Complete);
        var status = run.ErrorMessage is { } error ? $"{run.Status}: {error}" : run.Status.ToString();
        return runs.Count > 1 && failed > 0 ? Invariant($"{failed} of {runs.Count}: {status}") : status;
    }

    private static bool CanBeRepeated(IoTestResult run) =>
        run.Specification?.GetOrAddOrigin().CommandLine is not null
        || run
            is {
                Path: not null,
                BlockSizeKB: not null,
                AccessPattern: not null,
                WritePercent: not null,
                ThreadCount: not null,
                OutstandingIO: not null
            };

    private static void AddFacts(List<SectionBlock> blocks, IReadOnlyList<IoTestResult> runs)
    {
        var facts = new List<(string Name, string Value)>();
        foreach (var run in runs.Take(MaxRunsWithFacts))
        {
            AddFact("Computer", run.ComputerName);
            AddFact("Device", run.Device);
            AddFact("File system", run.FileSystem);
            AddFact("Read from", run.SourceFile);
            facts.AddRange(
                (run.HasHost() ? run.Host : [])
                    .Where(item => item.Key.Length > 0)
                    .Select(item => (char.ToUpperInvariant(item.Key[0]) + item.Key[1..], item.Value))
            );
        }
        var rows = facts
            .Distinct()
            .GroupBy(fact => fact.Name, fact => fact.Value)
            .Take(MaxFacts)
            .Select(group => new[] { CellValue.Create(group.Key), CellValue.Create(SummarizeValues([.. group])) })
            .ToList();
        if (rows.Count == 0)
            return;
        blocks.Add(new TextBlock("Computer and storage", CellStyle.Heading));
        blocks.Add(TableBlock.FromRows("Host", [new("What", false, 46), new("Value", false, 60)], rows, isFilterable: false));

        void AddFact(string name, string? value)
        {
            if (!string.IsNullOrEmpty(value))
                facts.Add((name, value));
        }
    }

    private static string SummarizeValues(List<string> values)
    {
        if (values.Count > 1 && values.TrueForAll(value => double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out _)))
            values = [values.MinBy(Parse)!, values.MaxBy(Parse)!];
        else if (values.Count > MaxValues)
            return Invariant($"{string.Join("; ", values.Take(MaxValues))}; and {values.Count - MaxValues:#,##0} more");
        return string.Join(values.TrueForAll(value => value.All(char.IsAsciiDigit)) ? " to " : "; ", values.Select(FormatBytes));
        static double Parse(string value) => double.Parse(value, CultureInfo.InvariantCulture);
    }

    private static string FormatBytes(string value) =>
        value.Length >= 9
        && value.All(char.IsAsciiDigit)
        && double.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var bytes)
            ? Invariant($"{NumberFormat.Size(bytes / 1024 / 1024)} ({bytes:#,##0} bytes)")
            : value;

    private static void AddWarnings(List<SectionBlock> blocks, IReadOnlyList<IoTestResult> runs)
    {
        if (WarningSummary.Summarize(runs) is not { Count: > 0 } warnings)
            return;
        blocks.Add(new TextBlock("Warnings", CellStyle.Heading));
        blocks.AddRange(warnings.Take(MaxWarnings).Select(warning => new TextBlock(RunDescription.DescribeWarning(warning))));
    }

    private static (TableColumn, Func<RunGroup, CellValue>) CreateTextColumn(string header, Func<IoTestResult, string?> value) =>
        (new(header, false, 50), item => CellValue.Create(value(item.First)));

    private static (TableColumn, Func<RunGroup, CellValue>) CreateNumberColumn(string header, Func<IoTestResult, double?> value) =>
        (new(header), item => CellValue.Create(value(item.First)));
}
