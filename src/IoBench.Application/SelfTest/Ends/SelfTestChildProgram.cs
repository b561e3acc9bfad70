using System.Diagnostics;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>The program that the self-test starts to check how its tests end.</summary>
/// <param name="Command">Program and leading arguments.</param>
public sealed record SelfTestChildProgram(IReadOnlyList<string> Command)
{
    /// <summary>Command that sends a console event on Windows, in its own process, because the sender must leave its console.</summary>
    public const string EventCommand = "console-event";

    private static readonly TimeSpan s_eventTimeout = TimeSpan.FromSeconds(30);

    /// <summary>Starts write tests of one second each. On Windows, the program gets its own console without a window.</summary>
    /// <param name="results">File that receives each result when its test ends.</param>
    internal Process StartTests(string file, string results) =>
        StartProgram(
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

    /// <summary>Ends the program. Returns null on success, or the reason why this cannot be tested here.</summary>
    internal string? SendShutdown(Process process, ShutdownKind end)
    {
        if (end == ShutdownKind.Kill)
        {
            process.Kill();
            return null;
        }
        if (OperatingSystem.IsWindows())
            return SendConsoleEvent(process, end);
        var signal = end == ShutdownKind.Interrupt ? LinuxCalls.SIGINT : LinuxCalls.SIGTERM;
        if (IsSignalIgnored(process, signal))
            return "this process was started with the signal ignored, as in the background of a shell";
        return LinuxCalls.Kill(process.Id, signal) == 0 ? null : "the signal cannot be sent";
    }

    private string? SendConsoleEvent(Process process, ShutdownKind end)
    {
        using var sender = StartProgram(EventCommand, process.Id.ToString(CultureInfo.InvariantCulture), end.ToString());
        var error = sender.StandardError.ReadToEndAsync();
        if (sender.WaitForExit(s_eventTimeout))
            return sender.ExitCode == 0 ? null : error.Result.Trim();
        sender.Kill();
        return "the event was not sent within 30 s";
    }

    private Process StartProgram(params string[] arguments)
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

    // A signal that is ignored at process start stays ignored (SigIgn in /proc/PID/status).
    private static bool IsSignalIgnored(Process process, int signal)
    {
        const string name = "SigIgn:";
        return KernelFile
                .ReadText($"/proc/{process.Id}/status")
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

public enum ShutdownKind
{
    /// <summary>Ctrl+C; SIGINT on Linux.</summary>
    Interrupt,

    /// <summary>Ctrl+Break, on Windows.</summary>
    Break,

    /// <summary>SIGTERM, on Linux.</summary>
    Terminate,

    /// <summary>TerminateProcess; SIGKILL on Linux.</summary>
    Kill,
}
