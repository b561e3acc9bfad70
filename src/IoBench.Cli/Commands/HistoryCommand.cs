using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using IoBench.Analysis;
using IoBench.Cli.Options;
using IoBench.Cli.Output;
using IoBench.Cli.Running;
using IoBench.Engine;

namespace IoBench.Cli.Commands;

/// <summary><c>iobench history</c>: keeps results in a folder and tells where they go over time.</summary>
internal static class HistoryCommand
{
    public static Command Create(CliConsole console)
    {
        var folder = new Argument<string[]>("FOLDER") { Description = "the folder that keeps the history, or files and folders of results.", Arity = ArgumentArity.OneOrMore };
        var add = OptionText.Create("--add", "FILE", "Adds the results of these files to the folder first, as JSON lines.");
        var metric = OptionText.Create("--metric", "NAME", $"{string.Join(", ", HistoryTrend.MetricNames)}. Default IOPS,AverageLatencyMs.");
        var workload = OptionText.Create("--workload", "NAME", "Only these workloads.");
        var computer = OptionText.Create("--computer", "NAME", "Only these computers.", "--computer-name");
        var since = OptionText.Create("--since", "DATE", "Only runs from that day on: 2026-01-31.");
        var format = OptionText.Create("--format", "NAME", "table or json. Default table.", "-f");
        var output = new OutputOptions();
        var command = new Command("history", "Tells how results change over time: a trend a workload and computer.") { folder };
        foreach (var option in new[] { add, metric, workload, computer, since, format })
            command.Add(option);
        output.AddTo(command, reportOnly: true);
        command.SetAction(parsed =>
        {
            var json = parsed.IsJson(format);
            var plan = output.Read(parsed, DateTime.Now);
            plan.CheckPaths();
            var from = parsed.Value(since, Day);
            var paths = parsed.GetValue(folder) ?? [];
            var files = parsed.List(add);
            if (files.Count > 0)
                Add(console, paths, files);
            List<string> warnings = [];
            var wanted = paths.SelectMany(path => ResultHistory.Read(path, warnings.Add))
                .Where(r => IsOneOf(parsed.List(workload), r.Workload) && IsOneOf(parsed.List(computer), r.ComputerName) && (from is null || r.StartTime >= from))
                .OrderBy(r => r.StartTime ?? DateTimeOffset.MinValue).ToList();
            foreach (var warning in warnings)
                console.Error.WriteLine($"Note: {warning}");
            var trends = HistoryTrend.Of(wanted, parsed.List(metric));
            if (json)
                console.Out.WriteLine(JsonSerializer.Serialize(trends, TestCommand.Json));
            else
                AnswerTables.Write(console.Out, trends);
            foreach (var trend in trends.Where(t => !json && t.Direction is TrendDirection.Worse or TrendDirection.Better))
                console.Error.WriteLine(trend.Summary);
            ReportWriting.Write(console, plan, wanted, quiet: false);
            return ExitCodes.Done;
        });
        return command;
    }

    private static void Add(CliConsole console, string[] paths, IReadOnlyList<string> files)
    {
        if (paths.Length != 1 || File.Exists(paths[0]))
            throw IoBenchException.Usage("IoBench.HistoryFolder", "--add needs one FOLDER: the folder that keeps the history.");
        var results = files.SelectMany(file => ResultHistory.Read(file)).ToList();
        var written = ResultHistory.Append(paths[0], results);
        console.Error.WriteLine($"{results.Count} result{(results.Count == 1 ? "" : "s")} added to {string.Join(", ", written)}");
    }

    private static bool IsOneOf(IReadOnlyList<string> names, string? name) => names.Count == 0
        || names.Any(n => System.IO.Enumeration.FileSystemName.MatchesSimpleExpression(n, name ?? ""));

    private static DateTimeOffset Day(string text) => DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out var day) ? day
        : throw IoBenchException.Usage("IoBench.InvalidDate", $"'{text}' is not a day; write it as 2026-01-31.");
}
