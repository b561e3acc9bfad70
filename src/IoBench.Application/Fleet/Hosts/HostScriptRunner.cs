using System.ComponentModel;
using System.Diagnostics;
using System.Text;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Result of a script on a host.</summary>
/// <param name="ExitCode">Exit code; null if the script was given up or could not be started.</param>
/// <param name="Error">Last line on standard error; null if there is none.</param>
internal sealed record HostScriptResult(int? ExitCode, string? Error);

/// <summary>
/// Runs scripts in the POSIX shell of hosts: by ssh, or on this computer for local hosts. The scripts store files only in one folder of the
/// user, under unique names.
/// </summary>
internal static class HostScriptRunner
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);

    public static (string File, IReadOnlyList<string> Arguments) GetCommand(FleetHost host, string script, IEnumerable<string> words)
    {
        string[] all = ["sh", "-c", script, "iobench", .. words];
        return host.Transport == FleetTransportKind.Local ? (all[0], all[1..]) : MemberCommandLine.CreateSshCommand(host, all);
    }

    /// <param name="words">Arguments of the script.</param>
    /// <param name="program">Program to send if the host asks for it; null if it never does.</param>
    /// <param name="input">Other standard input; null if there is none.</param>
    /// <param name="heard">Receives each output line.</param>
    /// <param name="silence">Time without output after which the host is given up.</param>
    public static HostScriptResult Run(
        FleetHost host,
        string script,
        IEnumerable<string> words,
        ProgramFile? program,
        string? input,
        Action<string> heard,
        TimeSpan silence,
        CancellationToken cancelled
    )
    {
        var (file, arguments) = GetCommand(host, script, words);
        Process process;
        try
        {
            var encoding = new UTF8Encoding(false);
            process = Process.Start(
                new ProcessStartInfo(file, arguments)
                {
                    RedirectStandardInput = true,
                    RedirectStandardOutput = true,
                    RedirectStandardError = true,
                    UseShellExecute = false,
                    StandardInputEncoding = encoding,
                    StandardOutputEncoding = encoding,
                    StandardErrorEncoding = encoding,
                }
            )!;
        }
        catch (Win32Exception error)
        {
            return new HostScriptResult(null, $"{file} cannot be started: {error.Message}");
        }
        using (process)
        {
            var last = Clock.Now;
            string? complaint = null;
            var errors = StartReader(process.StandardError, line => complaint = line.Trim().Length > 0 ? line.Trim() : complaint);
            var output = StartReader(
                process.StandardOutput,
                line =>
                {
                    Volatile.Write(ref last, Clock.Now);
                    if (line == HostScriptRunner.CopyWanted)
                        TryWriteInput(() => program?.WriteTo(process.StandardInput.BaseStream, () => Volatile.Write(ref last, Clock.Now)));
                    else if (line == HostScriptRunner.CopyComplete)
                        TryWriteInput(() => EndInput(process, input));
                    else
                        heard(line);
                }
            );
            if (program is null)
                TryWriteInput(() => EndInput(process, input));
            while (!process.WaitForExit(s_pollInterval))
            {
                if (!cancelled.IsCancellationRequested && Clock.Now - Volatile.Read(ref last) < Clock.ToNanoseconds(silence))
                    continue;
                process.Kill(entireProcessTree: true);
                return new HostScriptResult(
                    null,
                    cancelled.IsCancellationRequested
                        ? "stopped."
                        : FormattableString.Invariant($"nothing was heard from it for {silence.TotalSeconds:0} s.")
                );
            }
            output.Join(s_pollInterval * 50);
            errors.Join(s_pollInterval * 50);
            return new HostScriptResult(process.ExitCode, complaint);
        }
    }

    private static void EndInput(Process process, string? input)
    {
        process.StandardInput.Write(input);
        process.StandardInput.Close();
    }

    private static void TryWriteInput(Action send)
    {
        try
        {
            send();
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // The script has ended. Its exit code and its last error line tell why.
        }
    }

    private static Thread StartReader(StreamReader reader, Action<string> take)
    {
        var thread = new Thread(() =>
        {
            try
            {
                while (reader.ReadLine() is { } line)
                    take(line);
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
            {
                // Treat an error of the pipe as the end of the output.
            }
        })
        {
            IsBackground = true,
            Name = "IoBench host script",
        };
        thread.Start();
        return thread;
    }
}
