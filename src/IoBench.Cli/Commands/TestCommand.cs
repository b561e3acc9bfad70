using System.CommandLine;
using System.Globalization;
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
        var judging = new CommandOptionSet(OptionTables.Judging);
        var format = OptionParsing.CreateOption("--format", "NAME", "table or json. Default table.", "-f");
        var command = new Command("test", "Judges results by rules; exit code 3 when one is missed or nothing could be rated.");
        input.AddTo(command);
        rules.AddTo(command);
        judging.AddTo(command);
        command.Add(format);
        command.SetAction(parsed =>
        {
            var named = rules.ReadValues(parsed).GetText(new OptionName("RuleSet")) is { } name ? RuleSets.Find(name) : null;
            var given = judging.ReadValues(parsed);
            ThroughputDisplay.Units = given.GetValue<ThroughputUnits>(new OptionName("Units")) ?? ThroughputUnits.Binary;
            var json = parsed.IsJsonRequested(format);
            var imported = input.ReadResults(parsed, console);
            var yardstick = RuleSetChoice.ChooseFor(imported.Results, given.GetValue<StorageClass>(new OptionName("Storage")));
            var set = named ?? yardstick.Rules;
            var verdict = Verdict.Create(imported.Results, set);
            if (json)
                console.Json.WriteLine(AnalysisJson.SerializeAnalyses(verdict.Rules));
            else if (verdict.Rules.Count > 0)
                WriteVerdicts(console.Out, verdict.Rules);
            console.Error.WriteLine(
                verdict.Rules.Count == 0 && imported.Results.Count > 0
                    ? $"Nothing could be rated: {set.Name} has no rule for these results."
                    : verdict.Sentence
            );
            if (!json)
                console.Error.WriteLine($"Rule set {set.Name}{(named is null ? $" (storage: {yardstick.Words})" : "")}: {set.Source}");
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
                    v.Measured?.ToString("#,##0.###", CultureInfo.InvariantCulture) ?? "",
                    v.Band ?? "",
                    v.Outcome switch
                    {
                        RuleOutcome.Pass => "kept",
                        RuleOutcome.Fail => "MISSED",
                        RuleOutcome.Warn => "warning",
                        RuleOutcome.Provisional => "kept, as far as a quick look can tell",
                        _ => $"not rated: {v.Reason}",
                    },
                }
            )
            .ToList();
        TextTable.WriteTable(output, rows, "Workload", "Rule", "#Measured", "Band", "Verdict");
    }
}
