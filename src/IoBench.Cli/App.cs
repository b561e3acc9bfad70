using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using System.Text;
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
            App.CheckArgumentEncoding(args);
            return DropInCommands.TryRun(args, console) ?? ParseAndInvoke(args, console);
        }
        catch (IoBenchException error)
        {
            foreach (var reason in error.Reasons)
                WriteError(console, reason);
            return error.ExitCode;
        }
        catch (OperationCanceledException)
        {
            return ExitCodes.Canceled;
        }
        catch (FileNotFoundException error) when (error.FileName is null && !App.WorkingFolderExists())
        {
            WriteError(console, App.MissingWorkingFolder);
            return ExitCodes.Usage;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException && !Startup.IsTraceEnabled)
        {
            WriteError(console, error.Message);
            return ExitCodes.Failed;
        }
        catch (OutOfMemoryException error) when (!Startup.IsTraceEnabled)
        {
            WriteError(console, IoBenchException.NotEnoughMemory(error));
            return ExitCodes.Failed;
        }
        catch (Exception error)
        {
            // An unexpected error is a bug: print one line that says how to get the stack trace.
            console.Error.WriteLine(Startup.DescribeUnexpected(error));
            return ExitCodes.Failed;
        }
    }

    public static void WriteError(CliConsole console, IoMessage message) =>
        console.Error.WriteLine("iobench: " + message.Render(console.Spelling));

    public static void WriteError(CliConsole console, IoBenchException error) =>
        console.Error.WriteLine("iobench: " + error.RenderWithId(console.Spelling));

    /// <summary>Describes a warning with its id, or a note if it has no id.</summary>
    /// <param name="names">The tests or files that have the warning; empty for all.</param>
    public static string DescribeWarning(IoWarning warning, OptionSpelling spelling, string names = "") =>
        $"{(warning.Code.Length == 0 ? "Note" : "Warning")}{(names.Length == 0 ? "" : $" ({names})")}: {warning.RenderWithId(spelling)}";

    internal static RootCommand CreateRootCommand(CliConsole console)
    {
        var root = new RootCommand(CommandHelp.Title)
        {
            RunCommand.Create(console),
            ImportCommands.CreateImport(console),
            ImportCommands.CreateReport(console),
            ImportCommands.CreateConvert(console),
            AnalysisCommands.CreateCompare(console),
            AnalysisCommands.CreateTest(console),
            AnalysisCommands.CreateSaturation(console),
            LimitCommands.CreateLimit(console),
            DrillCommand.Create(console),
            FleetCommand.Create(console),
            LimitCommands.CreateCap(console),
            CommitCommand.Create(console),
            CommitCommand.CreateReplica(console),
            WhereCommand.Create(console),
            AnalysisCommands.CreateHistory(console),
            AdviseCommand.Create(console),
            ErrorLogCommand.Create(console),
            VerifyCommand.Create(console),
            VerifyCommand.CreateWitness(console),
            CatalogCommands.CreateWorkloads(console),
            CatalogCommands.CreateRules(console),
            RemoveCommand.Create(console),
            CheckCommand.Create(console),
            HelpCommand.Create(console),
        };
        foreach (var dropIn in DropInCommands.CreateHelpCommands())
            root.Add(dropIn);
        root.Options.OfType<HelpOption>().Single().Action = new CommandHelp();
        return root;
    }

    /// <summary>Errors name an option as the user typed it, so an alias stays an alias.</summary>
    private static CliSpelling CreateSpelling(ParseResult parsed)
    {
        var typed = new Dictionary<string, string>();
        foreach (var option in parsed.CommandResult.Children.OfType<OptionResult>())
            if (option is { IdentifierToken: { } token, Option: RowOption own })
                typed[own.Row.Name] = token.Value;
        return new CliSpelling(typed);
    }

    private static int ParseAndInvoke(IReadOnlyList<string> args, CliConsole console)
    {
        if (CommandHelp.TryShowFileStatsHelp(console, args))
            return ExitCodes.Success;
        var root = CreateRootCommand(console);
        if (args is ["--help" or "-h" or "-?"] or ["help"])
        {
            CommandHelp.WriteStartPage(console.Out, root);
            return ExitCodes.Success;
        }
        // The topic can be an option of another command.
        if (args is ["help", ['-', ..] option] && option is not ("--help" or "-h" or "-?"))
            args = ["help", "--", option];
        if (args.TakeWhile(arg => arg != "--").Contains(CommandHelp.HelpAllOption))
            args = CommandHelp.ExpandHelpRequest(root, args);
        var parsed = root.Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });
        console.Spelling = CreateSpelling(parsed);
        // --help and --version have their own actions, which run even if the rest of the command line is invalid.
        if (parsed.Action is null or ParseErrorAction || parsed.Action == parsed.CommandResult.Command.Action)
            OptionParsing.ThrowIfAny(parsed);
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

    private const char ReplacementCharacter = '\uFFFD';

    /// <summary>Linux file names are bytes. Invalid UTF-8, such as an old name in Latin-1, arrives as U+FFFD, which could name another
    /// file.</summary>
    public static void CheckArgumentEncoding(IReadOnlyList<string> args)
    {
        for (var i = 0; i < args.Count; i++)
        {
            if (args[i].Contains(ReplacementCharacter, StringComparison.Ordinal) && !IsValidUtf8Argument(args.Count - i))
                throw IoBenchException.Usage(
                    "IoBench.InvalidPath",
                    $"{args[i]}: this argument is not valid UTF-8, so IoBench cannot determine the file name.",
                    args[i],
                    advice: "Rename the file, or specify a link to it."
                );
        }
    }

    /// <summary>Only the system's copy of the bytes shows whether an argument really contains U+FFFD.</summary>
    /// <param name="fromEnd">Position of the argument, counted from the last one (1).</param>
    private static bool IsValidUtf8Argument(int fromEnd)
    {
        if (!OperatingSystem.IsLinux())
            return true;
        var words = File.ReadAllBytes("/proc/self/cmdline").AsSpan();
        words = words is [.., 0] ? words[..^1] : words;
        for (; fromEnd > 1 && words.LastIndexOf((byte)0) is >= 0 and var end; fromEnd--)
            words = words[..end];
        try
        {
            _ = new UTF8Encoding(false, throwOnInvalidBytes: true).GetCharCount(words[(words.LastIndexOf((byte)0) + 1)..]);
            return true;
        }
        catch (DecoderFallbackException)
        {
            return false;
        }
    }

    public const string MissingWorkingFolder =
        "the current folder no longer exists, because it was removed or moved. Change to another folder, or use full paths.";

    /// <summary>Another program can remove the current folder. Relative names then do not work.</summary>
    public static bool WorkingFolderExists()
    {
        try
        {
            return Directory.Exists(Environment.CurrentDirectory);
        }
        catch (IOException)
        {
            // The system reports that the folder does not exist.
            return false;
        }
    }
}
