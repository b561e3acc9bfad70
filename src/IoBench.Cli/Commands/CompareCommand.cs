using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class CompareCommand
{
    public static Command Create(CliConsole console)
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
            var sides = answer as ComparisonResultSet.BaselineComparison;
            OutputDestinations.WriteReport(console, plan, outputs, imported.Results, quiet: false, sides?.Earlier);
            var problems = IntegrityResult.FindProblems([.. sides?.Earlier ?? [], .. imported.Results]);
            foreach (var problem in problems)
                console.Error.WriteLine(problem.Summary);
            if (imported.ExitCode != ExitCodes.Success)
                return imported.ExitCode;
            if (sides is { HasWorse: true } or { IsUndecided: true } || problems.Count > 0)
                return ExitCodes.RequirementNotMet;
            return ExitCodes.Success;
        });
        return command;
    }

    private static void PrintAnalysis(CliConsole console, bool json, ComparisonResultSet answer)
    {
        switch (answer)
        {
            case ComparisonResultSet.RoleInterferences roles:
                PrintAnalysis(console, json, roles.List, AnalysisTables.WriteTable, role => role.Summary);
                break;
            case ComparisonResultSet.ObservedLatencies loads:
                PrintAnalysis(console, json, loads.List, AnalysisTables.WriteTable, load => load.Summary);
                break;
            case ComparisonResultSet.RepeatSummaries repeats:
                PrintAnalysis(console, json, repeats.List, AnalysisTables.WriteTable, repeat => repeat.Summary);
                break;
            case ComparisonResultSet.BaselineComparison { Comparisons: var comparisons } when json:
                console.Json.WriteLine(AnalysisJson.SerializeAnalyses(comparisons));
                break;
            case ComparisonResultSet.BaselineComparison { Comparisons: var comparisons }:
                foreach (var comparison in comparisons)
                    WriteComparison(console, comparison);
                break;
        }
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
}
