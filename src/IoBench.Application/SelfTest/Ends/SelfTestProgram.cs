using System.Diagnostics;
using System.Globalization;

namespace IoBench.Application.SelfTest.Ends;

/// <summary>The program that the self-test starts, to see how a test of it ends.</summary>
/// <param name="Command">The words of a command line that start it.</param>
public sealed record SelfTestProgram(IReadOnlyList<string> Command)
{
    /// <summary>The program's command that sends an event to a console of Windows; a process that sends one must leave its own console.</summary>
    public const string EventCommand = "console-event";

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    /// <summary>Starts tests of one second each, one after the other, that write; on Windows in a console of its own, without a window.</summary>
    /// <param name="file">The test file.</param>
    /// <param name="results">Where each result is saved as it comes.</param>
    internal Process StartTests(string file, string results) =>
        Start(
            "run",
            file,
            "--size",
            "8MB",
            "--write",
            "100",
            "--threads",
            "1",
            "--qd",
            "1",
            "--duration",
            "1",
            "--warmup",
            "0",
            "--repeat",
            "100",
            "--output",
            results,
            "--quiet"
        );

    /// <summary>Sends what ends it; why that cannot be seen here, or null when it was sent.</summary>
    internal string? Send(Process process, ProgramEnd end)
    {
        if (end == ProgramEnd.Kill)
        {
            process.Kill();
            return null;
        }
        if (OperatingSystem.IsWindows())
            return SendEvent(process, end);
        var signal = end == ProgramEnd.Interrupt ? LinuxCalls.SIGINT : LinuxCalls.SIGTERM;
        if (IsIgnored(process, signal))
            return "this process was started with the signal ignored, as in the background of a shell";
        return LinuxCalls.Kill(process.Id, signal) == 0 ? null : "the signal cannot be sent";
    }

    private string? SendEvent(Process process, ProgramEnd end)
    {
        using var sender = Start(EventCommand, process.Id.ToString(CultureInfo.InvariantCulture), end.ToString());
        var error = sender.StandardError.ReadToEndAsync();
        if (sender.WaitForExit(s_patience))
            return sender.ExitCode == 0 ? null : error.Result.Trim();
        sender.Kill();
        return "the event was not sent within 30 s";
    }

    private Process Start(params string[] arguments)
    {
        var start = new ProcessStartInfo(Command[0], [.. Command.Skip(1), .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            CreateNoWindow = true,
        };
        start.Environment[JournalFolder.Variable] = "off";
        return Process.Start(start)!;
    }

    // The system's own line of it: what is ignored at the start stays so.
    private static bool IsIgnored(Process process, int signal)
    {
        const string name = "SigIgn:";
        return KernelFile
                .Text($"/proc/{process.Id}/status")
                ?.Split('\n')
                .FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal))
                is { } line
            && ulong.TryParse(
                line.AsSpan(name.Length).Trim(),
                NumberStyles.AllowHexSpecifier,
                CultureInfo.InvariantCulture,
                out var ignored
            )
            && (ignored >> (signal - 1) & 1) == 1;
    }
}
