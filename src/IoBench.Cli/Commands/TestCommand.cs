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
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table or json. Default: table.", "-f");
        var command = new Command("test", "Rate results against a rule set. The exit code is 3 if a rule fails or nothing could be rated.");
        input.AddTo(command);
        rules.AddTo(command);
        rating.AddTo(command);
        monitoring.AddTo(command);
        command.Add(format);
        command.SetAction(parsed =>
        {
            var named = rules.ReadValues(parsed).GetText(new OptionName("RuleSet")) is { } name ? RuleSets.Find(name) : null;
            var given = rating.ReadValues(parsed);
            ThroughputDisplay.Units = given.GetValue<ThroughputUnits>(new OptionName("Units")) ?? ThroughputUnits.Binary;
            var json = parsed.IsJsonRequested(format);
            using var metrics = MetricsFile.Reserve(monitoring.ReadValues(parsed).GetText(new OptionName("MetricsPath")));
            var imported = input.ReadResults(parsed, console);
            var choice = RuleSetChoice.ChooseFor(imported.Results, given.GetValue<StorageClass>(new OptionName("Storage")));
            var set = named ?? choice.Rules;
            var verdict = Verdict.Create(imported.Results, set);
            if (json)
                console.Json.WriteLine(AnalysisJson.SerializeSummary(verdict.Summary));
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

    internal static bool IsJsonRequested(this ParseResult parsed, Option<string[]> format) =>
        parsed.GetText(format)?.ToUpperInvariant() switch
        {
            null or "TABLE" => false,
            "JSON" => true,
            var other => throw OptionParsing.CreateOptionError(parsed, format, $"'{other.ToLowerInvariant()}' is not one of table, json."),
        };

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
