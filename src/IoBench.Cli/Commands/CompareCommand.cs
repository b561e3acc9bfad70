using System.CommandLine;
using System.Globalization;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary><c>iobench compare</c>: two or more sides of results, pattern by pattern.</summary>
internal static class CompareCommand
{
    public static Command Create(CliConsole console)
    {
        var input = new InputOptions();
        var by = OptionText.Create("--by", "NAME", "What makes a side: label, file, path, computer, or another property of a result. Default: label where labels differ, else file.");
        var baseline = OptionText.Create("--baseline", "NAME|FILE", "The side the others are compared with, or a file of earlier results; then exit code 3 when something is worse.");
        var role = OptionText.CreateFlag("--role", "Instead of sides: what each role loses when all run at once (iobench run --data-path … --log-path …).");
        var ownLoad = OptionText.CreateFlag("--own-load", "Instead of sides: what SQL Server saw against what the storage gives (iobench run --from-file-stats …).");
        var repeat = OptionText.CreateFlag("--repeat", "Instead of sides: median, spread and 95 % interval of equal runs (iobench run --repeat N, --steady-state).");
        var format = OptionText.Create("--format", "NAME", "table or json. Default table.", "-f");
        var output = new OutputOptions();
        var command = new Command("compare", "Compares results: better, worse, or noise.");
        input.AddTo(command);
        foreach (var option in new Option[] { by, baseline, role, ownLoad, repeat, format })
            command.Add(option);
        output.AddTo(command, reportOnly: true);
        command.SetAction(parsed =>
        {
            var json = parsed.IsJson(format);
            var plan = output.Read(parsed, DateTime.Now);
            using var outputs = plan.Open(console);
            if (plan.HasFile)
                console.ResultsAreInAFile();
            var kinds = new[] { role, ownLoad, repeat }.Where(o => parsed.GetValue(o)).ToList();
            var side = parsed.Text(baseline);
            if (kinds.Count > 1 || (kinds.Count == 1 && (side is not null || parsed.Text(by) is not null)))
                throw IoBenchException.Usage("IoBench.Usage", "--role, --own-load, --repeat and the comparison of sides (--by, --baseline) exclude each other: ask for one.");
            var earlier = side is not null && File.Exists(side) ? ResultReader.ReadFile(side).ToList() : null;
            var imported = input.Read(parsed, console);
            if (imported.Results.Count == 0)
                return imported.ExitCode;
            if (kinds.Count == 1)
            {
                if (kinds[0] == role)
                    Print(console, json, RoleInterference.Of(imported.Results), AnswerTables.Write, answer => answer.Summary);
                else if (kinds[0] == ownLoad)
                    Print(console, json, ObservedLatency.Of(imported.Results), AnswerTables.Write, answer => answer.Summary);
                else
                    Print(console, json, RepeatSummary.Of(imported.Results), AnswerTables.Write, answer => answer.Summary);
                ReportWriting.Write(console, plan, outputs, imported.Results, quiet: false);
                return imported.ExitCode;
            }
            IReadOnlyList<ComparisonResult> comparisons = earlier is not null
                ? [ResultComparer.Compare(earlier, imported.Results, side)]
                : ComparisonSide.Choose(imported.Results, parsed.Text(by), side, result => imported.Files[result]).Compare(imported.Results, side);

            if (json)
                console.Json.WriteLine(AnswerJson.Write(comparisons));
            else
                foreach (var comparison in comparisons)
                    Write(console, comparison);
            if (plan.ReportPath is not null)
                ReportWriting.Write(console, plan, outputs, imported.Results, quiet: false, earlier);
            var worse = comparisons.Any(c => c.Rows.Any(r => r.Verdict == ComparisonVerdict.Worse));
            return imported.ExitCode != ExitCodes.Done ? imported.ExitCode : earlier is not null && worse ? ExitCodes.Missed : ExitCodes.Done;
        });
        return command;
    }

    private static void Print<T>(CliConsole console, bool json, IReadOnlyList<T> answers, Action<TextWriter, IReadOnlyList<T>> write, Func<T, string> summary)
    {
        if (json)
            console.Json.WriteLine(AnswerJson.Write(answers));
        else
            AnswerTables.Print(console, answers, write, summary);
    }

    private static void Write(CliConsole console, ComparisonResult comparison)
    {
        console.Out.WriteLine($"{comparison.Label ?? "new"} against {comparison.BaselineLabel ?? "baseline"}");
        var rows = comparison.Rows.Select(row => new[]
        {
            row.Workload ?? "", row.IOPattern ?? "", Figures.Whole(row.ThreadCount), Figures.Whole(row.OutstandingIO), Figures.Whole(row.BaselineRuns), Figures.Whole(row.Runs),
            Mean(row, current: false), Mean(row, current: true),
            Percent(row.IopsChangePercent), Percent(row.LatencyChangePercent), Percent(row.P99ChangePercent), row.DecidingMetric is { } metric ? MetricCatalog.Get(metric).Words : "",
            row.Verdict switch { ComparisonVerdict.Better => "better", ComparisonVerdict.Worse => "WORSE", ComparisonVerdict.Noise => "noise", _ => "no verdict" },
        }).ToList();
        TextTable.Write(console.Out, rows, "Workload", "IOPattern", "#Thr", "#QD", "#Runs", "#Runs", "#IOPS", "#IOPS now", "#IOPS %", "#Avg %", "#P99 %", "Decided by", "Verdict");
        foreach (var sentence in comparison.Sentences)
            console.Out.WriteLine(sentence);
        foreach (var warning in comparison.Warnings.Concat(comparison.ToolNotes))
            console.Error.WriteLine($"Note: {warning}");
        foreach (var unmatched in comparison.Unmatched)
            console.Error.WriteLine($"Note: not compared: {unmatched}");
    }

    private static string Mean(ComparisonRow row, bool current)
        => row.Metrics.FirstOrDefault(m => m.Metric == "IOPS") is { } iops ? (current ? iops.Current : iops.Baseline).Mean.ToString("#,##0", CultureInfo.InvariantCulture) : "";

    private static string Percent(double? value) => value?.ToString("+0.0;-0.0;0.0", CultureInfo.InvariantCulture) ?? "";
}
