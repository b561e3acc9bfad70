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
        else if (answer.OwnLoads is { } loads)
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
}
