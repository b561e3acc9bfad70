using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary><c>iobench sqlio …</c> and <c>iobench diskspd …</c>, with the arguments and output of the old tools. IoBench's parser must not
/// touch these arguments, so the options of <see cref="TargetPermissions"/> precede the tool's name.</summary>
internal static class DropInCommands
{
    private static readonly string s_force = OptionTables.Find(OptionNames.Force.Name)!.ProgramName;

    /// <returns>The exit code; null if the arguments do not name a drop-in.</returns>
    public static int? TryRun(IReadOnlyList<string> args, CliConsole console)
    {
        var (options, first) = ParseOptions(args);
        if (first >= args.Count)
            return null;
        string[] own = [.. args.Skip(first + 1)];
        return args[first] switch
        {
            "sqlio" => SqlioDropIn.Run(own, options, console),
            "diskspd" => DiskSpdDropIn.Run(own, options, console),
            _ => null,
        };
    }

    private static (TestRunOptions Options, int First) ParseOptions(IReadOnlyList<string> args)
    {
        var request = new PlanRequest();
        var values = new OptionValues(OptionTables.Permissions);
        var names = new Dictionary<OptionRow, List<string>>();
        var at = 0;
        for (; at < args.Count && args[at].StartsWith("--", StringComparison.Ordinal); at++)
        {
            var parts = args[at].Split('=', 2);
            if (OptionTables.Permissions.FirstOrDefault(row => row.ProgramName == parts[0]) is not { } row)
                break;
            if (row.Kind == OptionKind.Flag && parts.Length == 1)
                values.Set(row, true);
            else if (row.Kind != OptionKind.Flag && (parts.Length == 2 || at + 1 < args.Count))
                (names.TryGetValue(row, out var given) ? given : names[row] = []).Add(parts.Length == 2 ? parts[1] : args[++at]);
            else
                break;
        }
        if (at + 1 < args.Count && args[at] == s_force && IsTool(args[at + 1]))
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{OptionNames.Force} replaces output files, but {args[at + 1]} writes no output files.",
                advice: $"Use {OptionNames.OverwriteFile.WithValue("NAME")}, {OptionNames.EraseDevice.WithValue("NAME")}, {OptionNames.FillVolume}, or {OptionNames.ReadDatabase} before the name of the tool."
            );
        foreach (var (row, given) in names)
            values.Set(row, given);
        values.ApplyTo(request);
        return (new TestRunOptions { Permissions = request.Suite.Permissions }, at);
    }

    private static bool IsTool(string name) => name is "sqlio" or "diskspd";

    /// <summary>Only for the list of commands in the help. The commands are never parsed.</summary>
    public static IEnumerable<Command> CreateHelpCommands() =>
        [
            new Command(
                "sqlio",
                "Run a test with SQLIO arguments, and print SQLIO output: iobench sqlio -kR -s360 -frandom -o8 -b8 -LS -Fparam.txt"
            ),
            new Command(
                "diskspd",
                "Run a test with DiskSpd arguments, and print DiskSpd output: iobench diskspd -b8K -d60 -o8 -t4 -r -Sh -L test.dat"
            ),
        ];

    /// <summary>Runs tests as the old tools do: without checks beforehand, and the first failure ends the run.</summary>
    public static SuiteOutcome RunTests(
        CliConsole console,
        TestRunOptions options,
        IReadOnlyList<IoTestSpecification> plan,
        Action<IoTestResult> emit,
        Action<IoTestSpecification, TestRun, RunProgress>? progressHandler = null
    )
    {
        console.RequireOutput();
        var observer = new ConsoleSuiteFront(console, isQuiet: true)
        {
            Progress = new ProgressLine(console.Error, console.IsErrorTerminal),
            ResultHandler = emit,
            SkipsFailures = true,
        };
        var runner = new SuiteRunner(observer)
        {
            Watch = progressHandler,
            StopsAtFailure = true,
            IsQuiet = options.Quiet,
        };
        return runner.Run(plan, _ => options, [], console.CancellationToken);
    }

    /// <returns>The exit code; <paramref name="failed"/> returns the one for a failure.</returns>
    public static int ReportEnd(SuiteOutcome outcome, string tool, CliConsole console, Func<IoBenchException, int> failed)
    {
        var error = outcome.Failures.Count > 0 ? outcome.Failures[0].Error : null;
        if (error is not null)
            App.WriteError(console, outcome.IsCancelled ? $"Canceled. {error.Text}" : AddOptionPosition(error, tool));
        if (outcome.IsCancelled)
            return ExitCodes.Canceled;
        return error is null ? ExitCodes.Success : failed(error);
    }

    /// <summary>The option that allows what the error refuses must precede the tool's name.</summary>
    private static IoMessage AddOptionPosition(IoBenchException error, string tool) =>
        TargetPermissions.Options.FirstOrDefault(option => error.Options.Contains(option.Name)) is { Name: not null } option
            ? $"{error.Text} Put the option before the name of the tool: iobench {OptionTables.Find(option.Name)!.ProgramName} … {tool} …"
            : error.Text;
}
