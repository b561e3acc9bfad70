using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class HistoryCommand
{
    private static readonly OptionName s_fromOption = new("From");

    public static Command Create(CliConsole console)
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
            throw IoBenchException.Usage("IoBench.HistoryFolder", $"{s_fromOption} requires one FOLDER, the folder of the history.");
        var added = HistoryWriter.ImportResults(paths[0], files);
        foreach (var note in added.Notes)
            console.Error.WriteLine($"Note: {note}");
        foreach (var failure in added.Failures)
            App.WriteError(console, failure.Message);
        console.Error.WriteLine(added.ToString());
        return added.Failures.Count > 0 ? added.Failures[0].ExitCode : ExitCodes.Success;
    }
}
