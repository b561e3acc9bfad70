using System.CommandLine;
using System.ComponentModel;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Sends a console event for the self-test, in its own process, because a sender must leave its own console.</summary>
internal static class ConsoleEventCommand
{
    public static Command Create(CliConsole console)
    {
        var process = new Argument<int>("PROCESS") { Description = "number of a program with a console." };
        var kind = new Argument<ShutdownKind>("EVENT") { Description = "Interrupt or Break." };
        var command = new Command(SelfTestChildProgram.EventCommand, "Sends a Ctrl+C or Ctrl+Break to a console.") { process, kind };
        command.Hidden = true;
        command.SetAction(parsed => SendEvent(console, parsed.GetValue(process), parsed.GetValue(kind)));
        return command;
    }

    private static int SendEvent(CliConsole console, int process, ShutdownKind kind)
    {
        if (!OperatingSystem.IsWindows())
            throw IoBenchException.Usage("IoBench.NoConsoles", "only Windows has such events.", advice: $"Elsewhere: kill -INT {process}.");
        try
        {
            ConsoleSignalSender.SendEvent(
                (uint)process,
                kind == ShutdownKind.Break ? ConsoleSignalSender.CtrlBreak : ConsoleSignalSender.CtrlC
            );
            return ExitCodes.Success;
        }
        catch (Win32Exception error)
        {
            App.WriteError(console, $"the event was not sent: {error.Message.Trim().TrimEnd('.')} ({error.NativeErrorCode}).");
            return ExitCodes.Failed;
        }
    }
}
