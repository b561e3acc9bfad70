using System.CommandLine;
using System.CommandLine.Invocation;
using IoBench.Cli.Commands;
using IoBench.Cli.DropIn;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Finds the command, runs it, and turns every error into one line and an exit code.</summary>
internal static class App
{
    /// <summary>Set to 1, an unexpected error is shown with its stack.</summary>
    private const string DebugVariable = "IOBENCH_DEBUG";

    public static int Run(IReadOnlyList<string> args, CliConsole console)
    {
        try
        {
            return DropIns.TryRun(args, console) ?? RunCommand(args, console);
        }
        catch (IoBenchException error)
        {
            WriteError(console, error.Message);
            return error.ExitCode;
        }
        catch (OperationCanceledException)
        {
            return ExitCodes.Cancelled;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            WriteError(console, error.Message);
            return ExitCodes.Failed;
        }
        catch (Exception error) when (Environment.GetEnvironmentVariable(DebugVariable) != "1")
        {
            // A bug of ours: still one line, and a way to all of it.
            WriteError(console, $"{error.GetType().Name}: {error.Message} This is a bug of IoBench: with {DebugVariable}=1 it tells where; please report it.");
            return ExitCodes.Failed;
        }
    }

    /// <summary>One line on standard error, whatever the message holds.</summary>
    public static void WriteError(CliConsole console, string message)
        => console.Error.WriteLine("iobench: " + message.ReplaceLineEndings(" "));

    internal static RootCommand CreateRoot(CliConsole console)
    {
        var root = new RootCommand("Measures storage the way SQL Server uses it; reads what SQLIO and DiskSpd wrote.")
        {
            RunCommandLine.Create(console),
            ImportCommand.Create(console),
            ReportCommand.Create(console),
            ConvertCommand.Create(console),
            CompareCommand.Create(console),
            TestCommand.Create(console),
            SaturationCommand.Create(console),
            LimitCommand.Create(console),
            CapCommand.Create(console),
            HistoryCommand.Create(console),
            WorkloadsCommand.Create(console),
            RemoveCommand.Create(console),
        };
        foreach (var dropIn in DropIns.Describe())
            root.Add(dropIn);
        return root;
    }

    private static int RunCommand(IReadOnlyList<string> args, CliConsole console)
    {
        var root = CreateRoot(console);
        if (args.Contains(HelpPages.AllOption))
            args = HelpPages.ShowAll(root, args);
        var parsed = root.Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });
        // --help and --version bring actions of their own: what else is wrong does not matter then.
        if (parsed.Action is null or ParseErrorAction || parsed.Action == parsed.CommandResult.Command.Action)
            ParseErrors.ThrowIfAny(parsed);
        return parsed.Invoke(new InvocationConfiguration
        {
            Output = console.Out,
            Error = console.Error,
            // Errors and signals are handled here, the same way for the old tools' commands.
            EnableDefaultExceptionHandler = false,
            ProcessTerminationTimeout = null,
        });
    }
}
