using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class CommitCommand
{
    public static Command Create(CliConsole console)
    {
        var path = new Argument<string>("PATH") { Description = "New file, file that IoBench created, or folder for iobench.dat." };
        var options = new CommandOptionSet(OptionTables.Commit);
        var format = OptionParsing.CreateOption("--format", "table|json", "Output: a table with advice, or JSON.", "-f");
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only the table, the advice, and errors.", "-q");
        var command = new Command("commit", "Compare the ways in which SQL Server can write its log, and recommend the settings.") { path };
        options.AddTo(command);
        command.Add(format);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            return RunTest(
                console,
                CommitPlan.Create(parsed.GetValue(path)!, values),
                CommitPlan.CreateSettings(values),
                values,
                parsed.IsJsonRequested(format),
                parsed.GetValue(quiet)
            );
        });
        return command;
    }

    private static int RunTest(CliConsole console, CommitPlan plan, SuiteSettings settings, OptionValues values, bool isJson, bool quiet)
    {
        console.RequireOutput();
        using var output = AnalysisReport.Reserve(values, plan.Test);
        var suite = new ConsoleSuiteFront(console, quiet);
        var approval = SuiteApproval.Create([plan.Test], settings, suite);
        if (!quiet)
            foreach (var line in plan.DescribeStart(approval.Targets[0].Target))
                console.Error.WriteLine(line);
        var result = CancellableFileCall.Run(
            console,
            plan.Test.Targets[0].Path,
            () => CommitRunner.Run(plan, approval.GetOptions(plan.Test), new CommitObserver(suite), console.CancellationToken)
        );
        suite.Progress.Clear();
        if (isJson)
            console.Json.WriteLine(AnalysisJson.Serialize(result));
        else
            WriteResult(console, result);
        OutputDestinations.SaveReport(console, output, file => AnalysisReport.Save(file, result), quiet);
        RunMessages.WriteTestFiles(console, approval.Targets, settings.RemoveTestFile, quiet);
        return ExitCodes.Success;
    }

    private static void WriteResult(CliConsole console, CommitResult result)
    {
        CommandHelp.WriteParagraphs(console.Out, result.DescribeAdvice());
        foreach (var line in CommitTable.Format(result))
            console.Out.WriteLine(line);
        if (result.Replica is not { } replica)
            return;
        console.Out.WriteLine();
        foreach (var line in CommitTable.Format(replica))
            console.Out.WriteLine(line);
    }

    internal sealed class CommitObserver(ConsoleSuiteFront suite) : ICommitObserver
    {
        public void OnPreparing(string path, PreparationStep step, long done, long total) =>
            suite.Progress.Show(SuiteProgressMessages.FormatFileProgress(step, path, done, total, 0));

        public void OnRound(CommitCase what, int done, int total) => suite.Progress.Show(CommitPlan.DescribeRound(what, done, total));

        public void OnWarning(IoWarning warning) => suite.OnWarning(warning);
    }
}
