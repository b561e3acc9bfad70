using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <param name="Results">The results so far; the last one can be of a run that was cut short.</param>
/// <param name="Error">The error that ended the tests, or the call that hung at cancellation; null for none.</param>
internal sealed record DropInOutcome(IReadOnlyList<IoTestResult> Results, bool IsCanceled, IoBenchException? Error);

/// <summary><c>iobench sqlio …</c> and <c>iobench diskspd …</c>, with the arguments and output of the old tools. IoBench's parser must not
/// touch these arguments, so <c>--force</c> and <c>--erase-device NAME</c> precede the tool's name.</summary>
internal static class DropInCommands
{
    /// <summary>Environment variable: 1 has the effect of <c>--force</c>, for batch files that must not change.</summary>
    public const string ForceVariable = "IOBENCH_FORCE";

    private static readonly string s_force = OptionTables.Find(OptionNames.Force.Name)!.ProgramName,
        s_eraseDevice = OptionTables.Find(OptionNames.EraseDevice.Name)!.ProgramName;

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
        var force = Environment.GetEnvironmentVariable(ForceVariable) == "1";
        var devices = new List<string>();
        var at = 0;
        for (; at < args.Count && args[at].StartsWith("--", StringComparison.Ordinal); at++)
        {
            if (args[at] == s_force)
                force = true;
            else if (args[at] == s_eraseDevice && at + 1 < args.Count)
                devices.Add(args[++at]);
            else if (args[at].StartsWith(s_eraseDevice + "=", StringComparison.Ordinal))
                devices.Add(args[at][(s_eraseDevice.Length + 1)..]);
            else
                break;
        }
        return (
            new TestRunOptions
            {
                Force = force,
                EraseDevices = devices,
                AllowSqlServerRead = force,
            },
            at
        );
    }

    /// <summary>Only for the list of commands in the help. The commands are never parsed.</summary>
    public static IEnumerable<Command> CreateHelpCommands() =>
        [
            new Command("sqlio", "SQLIO's own arguments and output: iobench sqlio -kR -s360 -frandom -o8 -b8 -LS -Fparam.txt"),
            new Command("diskspd", "DiskSpd's own arguments and output: iobench diskspd -b8K -d60 -o8 -t4 -r -Sh -L test.dat"),
        ];

    /// <summary>Runs tests as the old tools do: without checks beforehand, and the first failure ends the run.</summary>
    public static DropInOutcome RunTests(
        CliConsole console,
        TestRunOptions options,
        ProgressLine progress,
        IReadOnlyList<IoTestSpecification> plan,
        Action<IoTestResult> emit,
        Action<IoTestSpecification, TestRun, RunProgress>? progressHandler = null
    )
    {
        console.RequireOutput();
        var observer = new ConsoleSuiteObserver(console, progress)
        {
            ResultHandler = emit,
            SkipsFailures = true,
            IsQuiet = true,
        };
        var runner = new SuiteRunner(observer)
        {
            Watch = progressHandler,
            StopsAtFailure = true,
            IsQuiet = options.Quiet,
        };
        var outcome = runner.Run(plan, _ => options, [], console.CancellationToken);
        return new DropInOutcome(outcome.Results, outcome.IsCancelled, outcome.Failures.Count > 0 ? outcome.Failures[0].Error : null);
    }

    /// <returns>The exit code; <paramref name="failed"/> returns the one for a failure.</returns>
    public static int ReportEnd(DropInOutcome outcome, string tool, CliConsole console, Func<IoBenchException, int> failed)
    {
        if (outcome.Error is { } error)
            App.WriteError(console, outcome.IsCanceled ? $"cancelled. {error.Text}" : AddOptionPosition(error, tool));
        if (outcome.IsCanceled)
            return ExitCodes.Canceled;
        if (outcome.Error is null)
            return ExitCodes.Success;
        return failed(outcome.Error);
    }

    /// <summary>The option that allows the use of a file that IoBench did not create must precede the tool's name.</summary>
    private static IoMessage AddOptionPosition(IoBenchException error, string tool)
    {
        if (error.Options.Contains(OptionNames.EraseDevice.Name))
            return $"{error.Text} Both stand before the tool's name: iobench {s_force} {s_eraseDevice} NAME {tool} …";
        return error.Options.Contains(OptionNames.Force.Name)
            ? $"{error.Text} It stands before the tool's name: iobench {s_force} {tool} …; setting {ForceVariable}=1 does the same."
            : error.Text;
    }
}
