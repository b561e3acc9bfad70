using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>The commands that analyze results: ratings, comparisons, trends, and saturation.</summary>
internal static class AnalysisCommands
{
    public static Command CreateTest(CliConsole console)
    {
        var input = new InputOptions();
        var rules = new CommandOptionSet(OptionTables.Rules);
        var rating = new CommandOptionSet(OptionTables.Rating);
        var monitoring = new CommandOptionSet(OptionTables.Metrics);
        var report = new CommandOptionSet(OptionTables.AnalysisReport);
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table or json. Default: table.", "-f");
        var command = new Command(
            "test",
            "Rate results, or snapshots of sys.dm_io_virtual_file_stats, against a rule set. The exit code is 3 if a rule fails or nothing could be rated."
        );
        input.AddTo(command);
        rules.AddTo(command);
        rating.AddTo(command);
        monitoring.AddTo(command);
        report.AddTo(command);
        command.Add(format);
        command.SetAction(parsed =>
        {
            var named = rules.ReadValues(parsed).GetText(new OptionName("RuleSet")) is { } name ? IoRuleSet.Find(name) : null;
            var given = rating.ReadValues(parsed);
            ThroughputDisplay.Units = given.GetValue<ThroughputUnits>(new OptionName("Units")) ?? ThroughputUnits.Binary;
            var json = parsed.IsJsonRequested(format);
            using var metrics = MetricsFile.Reserve(monitoring.ReadValues(parsed).GetText(new OptionName("MetricsPath")));
            var (snapshots, hasOthers) = input.FindSnapshotFiles(parsed);
            var reporting = report.ReadValues(parsed);
            SnapshotAnalysis.CheckRating(
                snapshots.Count > 0,
                hasOthers,
                metrics is not null,
                reporting.GetText(new OptionName("ReportPath")) is not null
            );
            if (snapshots.Count > 0)
                return RateSnapshots(
                    console,
                    snapshots,
                    named ?? FileStatsRating.ChooseRules(given.GetValue<StorageClass>(new OptionName("Storage"))),
                    reporting,
                    json
                );
            var imported = input.ReadResults(parsed, console);
            // The error says enough: "the input contains no results" would be a second reason.
            if (imported.Results.Count == 0 && !imported.IsEmpty)
                return imported.ExitCode;
            var choice = RuleSetChoice.ChooseFor(imported.Results, given.GetValue<StorageClass>(new OptionName("Storage")));
            var set = named ?? choice.Rules;
            var verdict = Verdict.Create(imported.Results, set);
            if (json)
                console.Json.WriteLine(AnalysisJson.Serialize(verdict.Summary));
            else if (verdict.Rules.Count > 0)
                WriteVerdicts(console.Out, verdict.Rules);
            console.Error.WriteLine(verdict.Sentence);
            if (!json)
                console.Error.WriteLine($"Rule set {set.Name}{(named is null ? $" (storage type: {choice.Words})" : "")}: {set.Source}");
            if (!imported.IsEmpty)
                metrics?.WriteResults("test", imported.Results, [set]);
            if (imported.ExitCode != ExitCodes.Success && !imported.IsEmpty)
                return imported.ExitCode;
            if (verdict.FailsRequirement)
                return ExitCodes.RequirementNotMet;
            return ExitCodes.Success;
        });
        return command;
    }

    private static int RateSnapshots(CliConsole console, IReadOnlyList<string> files, IoRuleSet set, OptionValues reporting, bool json)
    {
        using var output = ReportFile.Reserve(reporting);
        var rating = CancellableFileCall.Run(
            console,
            files[0],
            () => FileStatsRating.Create([.. files.SelectMany(FileStatsSnapshot.LoadFile)], set)
        );
        foreach (var warning in rating.Warnings)
            console.Error.WriteLine(App.DescribeWarning(warning, console.Spelling));
        if (json)
        {
            console.Json.WriteLine(AnalysisJson.Serialize(rating));
            console.Error.WriteLine(rating.Sentence);
        }
        else
        {
            console.Out.WriteLine(rating.Sentence);
            console.Out.WriteLine();
            WriteFiles(console.Out, rating.Files);
            console.Error.WriteLine($"Rule set {set.Name}: {set.Source}");
        }
        OutputDestinations.SaveReport(console, output, file => ReportFile.Save(file, [rating]));
        return rating.FailsRequirement ? ExitCodes.RequirementNotMet : ExitCodes.Success;
    }

    private static void WriteFiles(TextWriter output, IReadOnlyList<FileVerdict> files)
    {
        var rows = files
            .Select(file =>
                new[]
                {
                    file.Role,
                    file.File,
                    NumberFormat.Rate(file.ReadIOPS),
                    FormatMs(file.ReadLatencyMs),
                    NumberFormat.Rate(file.WriteIOPS),
                    FormatMs(file.WriteLatencyMs),
                    file.Word,
                }
            )
            .ToList();
        TextTable.WriteTable(output, rows, "Role", "File", "#Reads/s", "#Read ms", "#Writes/s", "#Write ms", "Verdict");
    }

    private static string FormatMs(double? milliseconds) => milliseconds is null ? "" : NumberFormat.Latency(milliseconds);

    private static void WriteVerdicts(TextWriter output, IReadOnlyList<RuleVerdict> verdicts)
    {
        var rows = verdicts
            .Select(v =>
                new[]
                {
                    v.Workload ?? v.IOPattern ?? "",
                    v.Rule,
                    v.MeasuredText,
                    v.Band ?? "",
                    v.RuleSet,
                    v.Outcome == VerdictOutcome.NotRated ? $"{v.Word}: {v.Reason}" : v.Word,
                }
            )
            .ToList();
        TextTable.WriteTable(output, rows, "Workload", "Rule", "#Measured", "Band", "Rule set", "Verdict");
    }

    public static Command CreateCompare(CliConsole console)
    {
        var input = new InputOptions();
        var options = new CommandOptionSet(OptionTables.Comparison);
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table or json. Default: table.", "-f");
        var output = new OutputOptions(isReportOnly: true);
        var command = new Command("compare", "Compare results: better, worse, no detectable change, or inconclusive.");
        input.AddTo(command);
        options.AddTo(command);
        command.Add(format);
        output.AddTo(command);
        command.SetAction(parsed =>
        {
            var json = parsed.IsJsonRequested(format);
            var plan = output.ReadTargets(parsed, DateTime.Now);
            using var outputs = plan.OpenFiles(console);
            if (plan.HasFile)
                console.MarkResultsSaved();
            var request = new ComparisonRequest(options.ReadValues(parsed));
            var imported = input.ReadResults(parsed, console);
            if (imported.Results.Count == 0 && imported.ExitCode != ExitCodes.Success)
                return imported.ExitCode;
            var answer = request.Compare(imported.Results, result => imported.Files[result]);
            PrintAnalysis(console, json, answer);
            OutputDestinations.WriteReport(console, plan, outputs, imported.Results, quiet: false, answer.Earlier);
            var problems = IntegrityResult.FindProblems([.. answer.Earlier ?? [], .. imported.Results]);
            foreach (var problem in problems)
                console.Error.WriteLine(problem.Summary);
            if (imported.ExitCode != ExitCodes.Success)
                return imported.ExitCode;
            if (answer.HasWorse || answer.IsUndecided || problems.Count > 0)
                return ExitCodes.RequirementNotMet;
            return ExitCodes.Success;
        });
        return command;
    }

    private static void PrintAnalysis(CliConsole console, bool json, ComparisonResultSet answer)
    {
        if (answer.Roles is { } roles)
            PrintAnalysis(console, json, roles, AnalysisTables.WriteTable, role => role.Summary);
        else if (answer.ObservedLatencies is { } loads)
            PrintAnalysis(console, json, loads, AnalysisTables.WriteTable, load => load.Summary);
        else if (answer.Repeats is { } repeats)
            PrintAnalysis(console, json, repeats, AnalysisTables.WriteTable, repeat => repeat.Summary);
        else if (json)
            console.Json.WriteLine(AnalysisJson.SerializeAnalyses(answer.Comparisons!));
        else
            foreach (var comparison in answer.Comparisons!)
                WriteComparison(console, comparison);
    }

    private static void PrintAnalysis<T>(
        CliConsole console,
        bool json,
        IReadOnlyList<T> answers,
        Action<TextWriter, IReadOnlyList<T>> write,
        Func<T, string> summary
    )
    {
        if (json)
            console.Json.WriteLine(AnalysisJson.SerializeAnalyses(answers));
        else
            AnalysisTables.PrintAnalyses(console, answers, write, summary);
    }

    private static void WriteComparison(CliConsole console, ComparisonResult comparison)
    {
        console.Out.WriteLine($"{comparison.Label ?? "new"} compared with {comparison.BaselineLabel ?? "baseline"}");
        var rows = comparison
            .Rows.Select(row =>
                new[]
                {
                    VerdictWords.Describe(row.Verdict),
                    row.Test,
                    row.DecidedBy ?? "",
                    row.FormatValue(row.Before),
                    row.FormatValue(row.After),
                    FormatPercent(row.ChangePercent),
                    row.Interval ?? "",
                    row.Detectable ?? "",
                }
            )
            .ToList();
        TextTable.WriteTable(
            console.Out,
            rows,
            "Verdict",
            "Test",
            "Decided by",
            "#Before",
            "#After",
            "#Change",
            "#Interval",
            "?#Detectable"
        );
        foreach (var sentence in comparison.Sentences)
            console.Out.WriteLine(sentence);
        foreach (var warning in comparison.Warnings.Concat(comparison.ToolNotes))
            console.Error.WriteLine($"Note: {warning}");
        foreach (var unmatched in comparison.Unmatched)
            console.Error.WriteLine($"Note: not compared: {unmatched}");
    }

    private static string FormatPercent(double? value) => value is { } percent ? NumberFormat.Change(percent) : "";

    public static Command CreateSaturation(CliConsole console)
    {
        var input = new InputOptions();
        var options = new CommandOptionSet(OptionTables.Saturation);
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table or json. Default: table.", "-f");
        var command = new Command(
            "saturation",
            "Find the saturation point in the results of a sweep, such as iobench run PATH --outstanding-io 1,2,4,8,16,32."
        );
        input.AddTo(command);
        options.AddTo(command);
        command.Add(format);
        command.SetAction(parsed =>
        {
            ThroughputDisplay.Units =
                options.ReadValues(parsed).GetValue<ThroughputUnits>(new OptionName("Units")) ?? ThroughputUnits.Binary;
            var json = parsed.IsJsonRequested(format);
            var imported = input.ReadResults(parsed, console);
            if (imported.Results.Count == 0)
                return imported.ExitCode;
            var sweeps = SaturationResult.Analyze(imported.Results);
            if (json)
                console.Json.WriteLine(AnalysisJson.SerializeAnalyses(sweeps));
            foreach (var sweep in sweeps)
            {
                if (!json)
                {
                    console.Out.WriteLine(sweep.Summary);
                    AnalysisTables.WriteTable(console.Out, sweep);
                    console.Out.WriteLine();
                }
                foreach (var warning in sweep.Warnings)
                    console.Error.WriteLine($"Note: {warning}");
            }
            return imported.ExitCode;
        });
        return command;
    }

    private static readonly OptionName s_fromOption = new("From");

    public static Command CreateHistory(CliConsole console)
    {
        var folder = new Argument<string[]>("FOLDER")
        {
            Description = "History folder, or files and folders of results.",
            Arity = ArgumentArity.OneOrMore,
        };
        var add = new CommandOptionSet(OptionTables.HistoryIntake);
        var options = new CommandOptionSet(OptionTables.History);
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table or json. Default: table.", "-f");
        var output = new OutputOptions(isReportOnly: true, hasMetrics: true);
        var command = new Command("history", "Show how results change over time, with one trend per workload and computer.") { folder };
        add.AddTo(command);
        options.AddTo(command);
        command.Add(format);
        output.AddTo(command);
        command.SetAction(parsed =>
        {
            var json = parsed.IsJsonRequested(format);
            var plan = output.ReadTargets(parsed, DateTime.Now);
            using var outputs = plan.OpenFiles(console);
            if (plan.HasFile)
                console.MarkResultsSaved();
            var query = new HistoryQuery(options.ReadValues(parsed));
            var paths = parsed.GetValue(folder) ?? [];
            var files = add.ReadValues(parsed).GetList<string>(s_fromOption);
            var exitCode = files.Count > 0 ? AddFiles(console, paths, files) : ExitCodes.Success;
            List<string> warnings = [];
            var all = paths.SelectMany(path => ResultHistory.Read(path, warnings.Add)).ToList();
            var wanted = query.SelectResults(all);
            foreach (var warning in warnings)
                console.Error.WriteLine($"Note: {warning}");
            var trends = query.GetTrends(all);
            if (json)
                console.Json.WriteLine(AnalysisJson.SerializeAnalyses(trends));
            else
                AnalysisTables.WriteTable(console.Out, trends);
            foreach (var trend in trends.Where(t => !json && t.Direction is TrendDirection.Worse or TrendDirection.Better))
                console.Error.WriteLine(trend.Summary);
            OutputDestinations.WriteReport(console, plan, outputs, wanted, quiet: false);
            outputs.Metrics?.WriteTrends(trends);
            OutputDestinations.WriteNotices(console, outputs);
            return exitCode;
        });
        return command;
    }

    private static int AddFiles(CliConsole console, string[] paths, IReadOnlyList<string> files)
    {
        if (paths.Length != 1 || File.Exists(paths[0]))
            throw IoBenchException.Usage(
                "IoBench.HistoryFolder",
                $"{s_fromOption} requires one FOLDER: the history folder to which IoBench adds the results."
            );
        var added = HistoryWriter.ImportResults(paths[0], files);
        foreach (var note in added.Notes)
            console.Error.WriteLine($"Note: {note}");
        foreach (var failure in added.Failures)
            App.WriteError(console, failure.Message);
        console.Error.WriteLine(added.ToString());
        return added.Failures.Count > 0 ? added.Failures[0].ExitCode : ExitCodes.Success;
    }
}
