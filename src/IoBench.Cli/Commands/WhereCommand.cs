using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class WhereCommand
{
    public static Command Create(CliConsole console)
    {
        var path = new Argument<string>("PATH") { Description = "New file, file that IoBench created, or folder for iobench.dat." };
        var options = new CommandOptionSet(OptionTables.LatencySource);
        var format = OptionParsing.CreateOption("--format", "table|json", "Output: a table with a verdict, or JSON.", "-f");
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only the table, the verdict, and errors.", "-q");
        var command = new Command("where", "Find the layer that adds the latency: host, file system, volume, or device.") { path };
        options.AddTo(command);
        command.Add(format);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            var isJson = IsJson(parsed.GetText(format));
            console.RequireOutput();
            var plan = LatencySourcePlan.Create(parsed.GetValue(path)!, values);
            using var report = LatencySourceReport.Reserve(values, plan);
            return RunTests(console, plan, LatencySourcePlan.CreateSettings(values), report, isJson, parsed.GetValue(quiet));
        });
        return command;
    }

    private static bool IsJson(string? format) =>
        format?.ToUpperInvariant() switch
        {
            "JSON" => true,
            null or "TABLE" => false,
            _ => throw IoBenchException.Usage("IoBench.Usage", $"{new OptionName("Format")}: where prints a table or json."),
        };

    private static int RunTests(
        CliConsole console,
        LatencySourcePlan plan,
        SuiteSettings settings,
        OutputFile? report,
        bool isJson,
        bool quiet
    )
    {
        var progress = new ProgressLine(console.Error, console.IsErrorTerminal && !quiet);
        var suite = new ConsoleSuiteObserver(console, progress) { IsQuiet = quiet };
        var approval = SuiteApproval.Create([.. plan.Tests.Select(item => item.Test)], settings, suite, needsAll: true);
        approval.ThrowIfRefused();
        if (!quiet)
            foreach (var line in LatencySourceMessages.DescribeStart(plan, approval.Targets[0].Target))
                console.Error.WriteLine(line);
        if (plan.IsComparison)
            Compare(console, plan, approval, suite, progress, isJson);
        else
            FindSource(console, plan, approval, suite, progress, report, isJson, quiet);
        var files = settings.RemoveTestFile
            ? SuiteTestFiles.RemoveOwnFiles([approval.Targets[0].Target.Path]).Where(removal => removal.Error is not null)
            : SuiteTestFiles.DescribeKeptFiles(approval.Targets);
        foreach (var file in files)
            if (file.Error is not null)
                App.WriteError(console, file.Error);
            else if (!quiet)
                console.Error.WriteLine(file.Text.Render(console.Spelling));
        return ExitCodes.Success;
    }

    private static void FindSource(
        CliConsole console,
        LatencySourcePlan plan,
        SuiteApproval approval,
        ConsoleSuiteObserver suite,
        ProgressLine progress,
        OutputFile? report,
        bool isJson,
        bool quiet
    )
    {
        var result = new LatencySourceRunner(plan, approval, suite).Run(console.CancellationToken);
        progress.Clear();
        if (isJson)
            console.Json.WriteLine(AnalysisJson.SerializeLatencySource(result));
        else
            Write(console, LatencySourceMessages.DescribeFindings(result), LatencySourceTable.Format(result));
        if (report is null)
            return;
        CancellableFileCall.RunToCompletion(console, report.Path, () => LatencySourceReport.Save(report, result));
        if (!quiet)
            console.Error.WriteLine($"Report saved: {report.Path}");
    }

    private static void Compare(
        CliConsole console,
        LatencySourcePlan plan,
        SuiteApproval approval,
        ConsoleSuiteObserver suite,
        ProgressLine progress,
        bool isJson
    )
    {
        var result = new ToggleRunner(plan, approval, suite).Run(console.CancellationToken);
        progress.Clear();
        if (isJson)
            console.Json.WriteLine(AnalysisJson.SerializeToggle(result));
        else
            Write(console, LatencySourceMessages.DescribeComparison(result), LatencySourceTable.Format(result));
    }

    private static void Write(CliConsole console, IEnumerable<string> verdicts, IEnumerable<string> table)
    {
        CommandHelp.WriteParagraphs(console.Out, verdicts);
        foreach (var line in table)
            console.Out.WriteLine(line);
    }
}
