using System.CommandLine;
using System.Globalization;
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
        var format = OptionParsing.CreateOption("--format", "NAME", "table or json. Default table.", "-f");
        var output = new OutputOptions(isReportOnly: true);
        var command = new Command("compare", "Compares results: better, worse, or noise.");
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
            if (imported.Results.Count == 0)
                return imported.ExitCode;
            var answer = request.Compare(imported.Results, result => imported.Files[result]);
            PrintAnalysis(console, json, answer);
            var sides = answer as ComparisonResultSet.BaselineComparison;
            OutputDestinations.WriteReport(console, plan, outputs, imported.Results, quiet: false, sides?.Earlier);
            if (imported.ExitCode != ExitCodes.Success)
                return imported.ExitCode;
            if (sides?.IsMissed == true)
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
        console.Out.WriteLine($"{comparison.Label ?? "new"} against {comparison.BaselineLabel ?? "baseline"}");
        var rows = comparison
            .Rows.Select(row =>
                new[]
                {
                    row.Workload ?? "",
                    row.IOPattern ?? "",
                    NumberFormat.Integer(row.ThreadCount),
                    NumberFormat.Integer(row.OutstandingIO),
                    NumberFormat.Integer(row.BaselineRuns),
                    NumberFormat.Integer(row.Runs),
                    FormatMeanIops(row, current: false),
                    FormatMeanIops(row, current: true),
                    FormatPercent(row.IopsChangePercent),
                    FormatPercent(row.LatencyChangePercent),
                    FormatPercent(row.P99ChangePercent),
                    row.DecidingMetric is { } metric ? MetricCatalog.Get(metric).Words : "",
                    row.Verdict switch
                    {
                        ComparisonVerdict.Better => "better",
                        ComparisonVerdict.Worse => "WORSE",
                        ComparisonVerdict.Noise => "noise",
                        _ => "no verdict",
                    },
                }
            )
            .ToList();
        TextTable.WriteTable(
            console.Out,
            rows,
            "Workload",
            "IOPattern",
            "#Thr",
            "#QD",
            "#Runs",
            "#Runs",
            "#IOPS",
            "#IOPS now",
            "#IOPS %",
            "#Avg %",
            "#P99 %",
            "Decided by",
            "Verdict"
        );
        foreach (var sentence in comparison.Sentences)
            console.Out.WriteLine(sentence);
        foreach (var warning in comparison.Warnings.Concat(comparison.ToolNotes))
            console.Error.WriteLine($"Note: {warning}");
        foreach (var unmatched in comparison.Unmatched)
            console.Error.WriteLine($"Note: not compared: {unmatched}");
    }

    private static string FormatMeanIops(ComparisonRow row, bool current) =>
        row.Metrics.FirstOrDefault(m => m.Metric == "IOPS") is { } iops
            ? (current ? iops.Current : iops.Baseline).Mean.ToString("#,##0", CultureInfo.InvariantCulture)
            : "";

    private static string FormatPercent(double? value) => value?.ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture) ?? "";
}
