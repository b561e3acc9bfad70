using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class TestCommand
{
    public static Command Create(CliConsole console)
    {
        var input = new InputOptions();
        var rules = new CommandOptionSet(OptionTables.Rules);
        var rating = new CommandOptionSet(OptionTables.Judging);
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
            SnapshotRating.ThrowIfNotApplicable(
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
        using var output = AnalysisReport.Reserve(reporting);
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
        OutputDestinations.SaveReport(console, output, file => AnalysisReport.Save(file, [rating]));
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
}
