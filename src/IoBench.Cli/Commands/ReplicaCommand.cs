using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class ReplicaCommand
{
    public static Command Create(CliConsole console)
    {
        var path = new Argument<string>("PATH") { Description = "New file, file that IoBench created, or folder for iobench.dat." };
        var options = new CommandOptionSet(OptionTables.Replica);
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only errors.", "-q");
        var command = new Command(
            "replica",
            "Serve as the synchronous replica of iobench commit --replica on another computer, until Ctrl+C. The replica writes only to its own test file."
        )
        {
            path,
        };
        options.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            return Serve(
                console,
                ReplicaPlan.Create(parsed.GetValue(path)!, values),
                CommitPlan.CreateSettings(values),
                parsed.GetValue(quiet)
            );
        });
        return command;
    }

    private static int Serve(CliConsole console, ReplicaPlan plan, SuiteSettings settings, bool quiet)
    {
        var suite = new ConsoleSuiteFront(console, quiet);
        var approval = SuiteApproval.Create([plan.Test], settings, suite);
        var gate = new object();
        try
        {
            CancellableFileCall.Run(
                console,
                plan.Test.Targets[0].Path,
                () =>
                {
                    plan.Serve(
                        approval.GetOptions(plan.Test),
                        (text, _, _) => suite.Progress.Show(text),
                        suite.OnWarning,
                        Say,
                        console.CancellationToken
                    );
                    return true;
                }
            );
        }
        finally
        {
            suite.Progress.Clear();
            if (settings.RemoveTestFile)
                RunMessages.WriteTestFiles(console, approval.Targets, remove: true, quiet);
        }
        // Ctrl+C is the way to end a replica.
        return ExitCodes.Success;

        void Say(string line)
        {
            if (quiet)
                return;
            lock (gate)
            {
                suite.Progress.Clear();
                console.Error.WriteLine(SafeText.Escape(line));
            }
        }
    }
}
