using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace IoBench.Application.Fleet.Hosts;

/// <summary>How a script on a host ended.</summary>
/// <param name="ExitCode">Its exit code; null when it was given up or could not be started.</param>
/// <param name="Error">What it said last on standard error; null = nothing.</param>
internal sealed record HostAnswer(int? ExitCode, string? Error);

/// <summary>Runs scripts on hosts: by ssh, or on this computer.</summary>
internal static class HostShell
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    /// <summary>The program that this computer starts for a script, and its arguments.</summary>
    public static (string File, IReadOnlyList<string> Arguments) Command(FleetHost host, string script, IEnumerable<string> words)
    {
        string[] all = ["sh", "-c", script, "iobench", .. words];
        return host.Transport == FleetTransportKind.Local ? (all[0], all[1..]) : MemberCommand.Ssh(host, all);
    }

    /// <summary>Runs a script to its end.</summary>
    /// <param name="words">Arguments of the script.</param>
    /// <param name="program">Sent when the host asks for it; null = it never does.</param>
    /// <param name="input">What else it reads; null = nothing.</param>
    /// <param name="heard">Takes each line.</param>
    /// <param name="silence">So long without a word means that the host is gone.</param>
    /// <param name="cancelled">Ends it.</param>
    public static HostAnswer Run(
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
        var (file, arguments) = Command(host, script, words);
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
            return new HostAnswer(null, $"{file} cannot be started: {error.Message}");
        }
        using (process)
        {
            var last = Clock.Now;
            string? complaint = null;
            var errors = Start(process.StandardError, line => complaint = line.Trim().Length > 0 ? line.Trim() : complaint);
            var output = Start(
                process.StandardOutput,
                line =>
                {
                    Volatile.Write(ref last, Clock.Now);
                    if (line == HostScripts.CopyWanted)
                        Send(() => program?.WriteTo(process.StandardInput.BaseStream, () => Volatile.Write(ref last, Clock.Now)));
                    else if (line == HostScripts.CopyThere)
                        Send(() => End(process, input));
                    else
                        heard(line);
                }
            );
            if (program is null)
                Send(() => End(process, input));
            while (!process.WaitForExit(s_look))
            {
                if (!cancelled.IsCancellationRequested && Clock.Now - Volatile.Read(ref last) < Clock.Nanoseconds(silence))
                    continue;
                process.Kill(entireProcessTree: true);
                return new HostAnswer(
                    null,
                    cancelled.IsCancellationRequested
                        ? "stopped."
                        : FormattableString.Invariant($"nothing was heard from it for {silence.TotalSeconds:0} s.")
                );
            }
            output.Join(s_look * 50);
            errors.Join(s_look * 50);
            return new HostAnswer(process.ExitCode, complaint);
        }
    }

    private static void End(Process process, string? input)
    {
        process.StandardInput.Write(input);
        process.StandardInput.Close();
    }

    private static void Send(Action send)
    {
        try
        {
            send();
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // The other end is gone: its exit code and last words say why.
        }
    }

    private static Thread Start(StreamReader reader, Action<string> take)
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
                // As if it had ended.
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
