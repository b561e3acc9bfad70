using System.CommandLine;
using IoBench.Application;

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
            var isJson = parsed.IsJsonRequested(format);
            console.RequireOutput();
            var plan = LatencySourcePlan.Create(parsed.GetValue(path)!, values);
            using var report = ReportFile.Reserve(values, plan.Tests[0].Test);
            return RunTests(console, plan, LatencySourcePlan.CreateSettings(values), report, isJson, parsed.GetValue(quiet));
        });
        return command;
    }

    private static int RunTests(
        CliConsole console,
        LatencySourcePlan plan,
        SuiteSettings settings,
        OutputFile? report,
        bool isJson,
        bool quiet
    )
    {
        var suite = new ConsoleSuiteFront(console, quiet);
        var approval = SuiteApproval.Create([.. plan.Tests.Select(item => item.Test)], settings, suite);
        if (!quiet)
            foreach (var line in plan.DescribeStart(approval.Targets[0].Target))
                console.Error.WriteLine(line);
        if (plan.IsComparison)
            Compare(console, plan, approval, suite, isJson);
        else
            FindSource(console, plan, approval, suite, report, isJson, quiet);
        RunMessages.WriteTestFiles(console, approval.Targets, settings.RemoveTestFile, quiet);
        return ExitCodes.Success;
    }

    private static void FindSource(
        CliConsole console,
        LatencySourcePlan plan,
        SuiteApproval approval,
        ConsoleSuiteFront suite,
        OutputFile? report,
        bool isJson,
        bool quiet
    )
    {
        var result = new LatencySourceRunner(plan, approval, suite).Run(console.CancellationToken);
        suite.Progress.Clear();
        if (isJson)
            console.Json.WriteLine(AnalysisJson.Serialize(result));
        else
            Write(console, result.DescribeFindings(), LatencySourceTable.Format(result));
        OutputDestinations.SaveReport(console, report, file => ReportFile.Save(file, result), quiet);
    }

    private static void Compare(CliConsole console, LatencySourcePlan plan, SuiteApproval approval, ConsoleSuiteFront suite, bool isJson)
    {
        var result = new ToggleRunner(plan, approval, suite).Run(console.CancellationToken);
        suite.Progress.Clear();
        if (isJson)
            console.Json.WriteLine(AnalysisJson.Serialize(result));
        else
            Write(console, result.DescribeFindings(), LatencySourceTable.Format(result));
    }

    private static void Write(CliConsole console, IEnumerable<string> verdicts, IEnumerable<string> table)
    {
        CommandHelp.WriteParagraphs(console.Out, verdicts);
        foreach (var line in table)
            console.Out.WriteLine(line);
    }
}
