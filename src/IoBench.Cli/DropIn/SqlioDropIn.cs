using IoBench.Cli.Output;
using IoBench.Cli.Running;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.DropIn;

/// <summary><c>iobench sqlio …</c>: SQLIO 1.5's arguments and its text on standard output. Its exit codes are not known, so they are ours.</summary>
internal static class SqlioDropIn
{
    public static int Run(IReadOnlyList<string> args, bool force, CliConsole console)
    {
        var specification = SqlioCommandLine.Parse(args);
        if (specification.OutputFile is not null)
            throw IoBenchException.Usage("IoBench.Usage", "sqlio: > is the shell's: leave it out of the quotes.");
        if (specification.Sqlio?.Note is { } note)
            console.Error.WriteLine("Note: " + note);
        var options = new TestRunOptions { Force = force, AllowSqlServerRead = force };
        var progress = new ProgressLine(console.Error, console.ErrorIsTerminal);
        // Ctrl+C: as SQLIO did, the normal output for the time that passed.
        var outcome = new SuiteRunner(console, options, progress).Run([specification], result =>
        {
            if (result.IOPS is not null)
                SqlioTextWriter.Write(console.Out, result);
        });
        if (outcome.Cancelled)
            return ExitCodes.Cancelled;
        if (outcome.Error is not { } error)
            return ExitCodes.Done;
        App.WriteError(console, DropIns.ForceHint(error, "sqlio"));
        return error.ExitCode;
    }
}
