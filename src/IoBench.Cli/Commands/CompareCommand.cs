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
        var options = new RowOptions(OptionTables.Comparison);
        var format = OptionText.Create("--format", "NAME", "table or json. Default table.", "-f");
        var output = new OutputOptions(isReportOnly: true);
        var command = new Command("compare", "Compares results: better, worse, or noise.");
        input.AddTo(command);
        options.AddTo(command);
        command.Add(format);
        output.AddTo(command);
        command.SetAction(parsed =>
        {
            var json = parsed.IsJson(format);
            var plan = output.Read(parsed, DateTime.Now);
            using var outputs = plan.Open(console);
            if (plan.HasFile)
                console.ResultsAreInAFile();
            var request = new ComparisonRequest(options.Read(parsed));
            var imported = input.Read(parsed, console);
            if (imported.Results.Count == 0)
                return imported.ExitCode;
            var answer = request.Answer(imported.Results, result => imported.Files[result]);
            Print(console, json, answer);
            var sides = answer as ComparisonAnswer.Sides;
            ReportWriting.Write(console, plan, outputs, imported.Results, quiet: false, sides?.Earlier);
            return imported.ExitCode != ExitCodes.Done ? imported.ExitCode
                : sides?.IsMissed == true ? ExitCodes.Missed
                : ExitCodes.Done;
        });
        return command;
    }

    private static void Print(CliConsole console, bool json, ComparisonAnswer answer)
    {
        switch (answer)
        {
            case ComparisonAnswer.Roles roles:
                Print(console, json, roles.List, AnswerTables.Write, role => role.Summary);
                break;
            case ComparisonAnswer.OwnLoad loads:
                Print(console, json, loads.List, AnswerTables.Write, load => load.Summary);
                break;
            case ComparisonAnswer.Repeats repeats:
                Print(console, json, repeats.List, AnswerTables.Write, repeat => repeat.Summary);
                break;
            case ComparisonAnswer.Sides { Comparisons: var comparisons } when json:
                console.Json.WriteLine(AnswerJson.Write(comparisons));
                break;
            case ComparisonAnswer.Sides { Comparisons: var comparisons }:
                foreach (var comparison in comparisons)
                    Write(console, comparison);
                break;
        }
    }

    private static void Print<T>(
        CliConsole console,
        bool json,
        IReadOnlyList<T> answers,
        Action<TextWriter, IReadOnlyList<T>> write,
        Func<T, string> summary
    )
    {
        if (json)
            console.Json.WriteLine(AnswerJson.Write(answers));
        else
            AnswerTables.Print(console, answers, write, summary);
    }

    private static void Write(CliConsole console, ComparisonResult comparison)
    {
        console.Out.WriteLine($"{comparison.Label ?? "new"} against {comparison.BaselineLabel ?? "baseline"}");
        var rows = comparison
            .Rows.Select(row =>
                new[]
                {
                    row.Workload ?? "",
                    row.IOPattern ?? "",
                    Figures.Whole(row.ThreadCount),
                    Figures.Whole(row.OutstandingIO),
                    Figures.Whole(row.BaselineRuns),
                    Figures.Whole(row.Runs),
                    Mean(row, current: false),
                    Mean(row, current: true),
                    Percent(row.IopsChangePercent),
                    Percent(row.LatencyChangePercent),
                    Percent(row.P99ChangePercent),
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
        TextTable.Write(
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

    private static string Mean(ComparisonRow row, bool current) =>
        row.Metrics.FirstOrDefault(m => m.Metric == "IOPS") is { } iops
            ? (current ? iops.Current : iops.Baseline).Mean.ToString("#,##0", CultureInfo.InvariantCulture)
            : "";

    private static string Percent(double? value) => value?.ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture) ?? "";
}
