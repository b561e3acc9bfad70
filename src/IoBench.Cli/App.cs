using System.CommandLine;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Runs the command line. Every error becomes one line on standard error and an exit code.</summary>
internal static class App
{
    public static int Run(IReadOnlyList<string> args, CliConsole console)
    {
        try
        {
            ArgumentText.Check(args);
            return DropIns.TryRun(args, console) ?? RunCommand(args, console);
        }
        catch (IoBenchException error)
        {
            WriteError(console, error.Text);
            return error.ExitCode;
        }
        catch (OperationCanceledException)
        {
            return ExitCodes.Cancelled;
        }
        catch (FileNotFoundException error) when (error.FileName is null && !WorkingFolder.Exists())
        {
            WriteError(console, WorkingFolder.Missing);
            return ExitCodes.Usage;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException && !Startup.IsTraced)
        {
            WriteError(console, error.Message);
            return ExitCodes.Failed;
        }
        catch (OutOfMemoryException error) when (!Startup.IsTraced)
        {
            WriteError(console, IoBenchException.NotEnoughMemory(error).Text);
            return ExitCodes.Failed;
        }
        catch (Exception error)
        {
            // An unexpected error is a bug: print one line that says how to get the stack trace.
            console.Error.WriteLine(Startup.Unexpected(error));
            return ExitCodes.Failed;
        }
    }

    public static void WriteError(CliConsole console, IoText message) =>
        console.Error.WriteLine("iobench: " + message.Render(console.Spelling));

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
            DrillCommand.Create(console),
            FleetCommand.Create(console),
            CapCommand.Create(console),
            HistoryCommand.Create(console),
            VerifyCommand.Create(console),
            WitnessCommand.Create(console),
            WorkloadsCommand.Create(console),
            RulesCommand.Create(console),
            RemoveCommand.Create(console),
            SelfTestCommand.Create(console),
            ConsoleEventCommand.Create(console),
        };
        foreach (var dropIn in DropIns.Describe())
            root.Add(dropIn);
        return root;
    }

    /// <summary>Errors name an option as the user typed it, so an alias stays an alias.</summary>
    private static ProgramSpelling Spelling(ParseResult parsed)
    {
        var typed = new Dictionary<string, string>();
        foreach (var option in parsed.CommandResult.Children.OfType<OptionResult>())
            if (option is { IdentifierToken: { } token, Option: IRowOption own })
                typed[own.Row.Name] = token.Value;
        return new ProgramSpelling(typed);
    }

    private static int RunCommand(IReadOnlyList<string> args, CliConsole console)
    {
        if (HelpPages.TryShowQuery(console, args))
            return ExitCodes.Done;
        var root = CreateRoot(console);
        if (args.TakeWhile(arg => arg != "--").Contains(HelpPages.AllOption))
            args = HelpPages.ShowAll(root, args);
        var parsed = root.Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });
        console.Spelling = Spelling(parsed);
        // --help and --version have their own actions, which run even if the rest of the command line is invalid.
        if (parsed.Action is null or ParseErrorAction || parsed.Action == parsed.CommandResult.Command.Action)
            ParseErrors.ThrowIfAny(parsed);
        return parsed.Invoke(
            new InvocationConfiguration
            {
                Output = console.Out,
                Error = console.Error,
                // App handles errors and signals, in the same way as for the drop-in commands.
                EnableDefaultExceptionHandler = false,
                ProcessTerminationTimeout = null,
            }
        );
    }
}
