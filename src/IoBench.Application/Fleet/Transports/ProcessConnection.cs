using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>A member that is a process on this computer, or a process on another computer over ssh.</summary>
internal sealed class ProcessConnection : IMemberConnection
{
    private const int InitialBufferSize = 4096;

    private static readonly TimeSpan s_exitTimeout = TimeSpan.FromSeconds(10);

    // The last error line can arrive shortly after the end of the output.
    private static readonly TimeSpan s_errorDelay = TimeSpan.FromMilliseconds(50);

    private readonly object _gate = new();
    private readonly Action<ReadOnlyMemory<byte>> _onLine;
    private readonly Action<string?> _onClosed;
    private readonly Process? _process;
    private readonly List<string> _errors = [];
    private readonly ProgramFile? _copy;
    private readonly string _plan;
    private bool _isClosed;
    private volatile bool _isCopying;

    /// <param name="program">Program on hosts that have none in the inventory.</param>
    /// <param name="copy">Program to copy to the host and run; null to use the program that is installed there.</param>
    public ProcessConnection(
        HostWorkload work,
        string group,
        string program,
        ProgramFile? copy,
        Action<ReadOnlyMemory<byte>> onLine,
        Action<string?> onClosed
    )
    {
        _onLine = onLine;
        _onClosed = onClosed;
        _copy = copy;
        var plan = JsonResultSerializer.SerializePlan(work.Tests);
        _plan = copy is null ? "" : plan;
        var (file, arguments) = CreateCommand(work.Host, group, program, copy);
        try
        {
            var encoding = new UTF8Encoding(false);
            _process = Process.Start(
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
            onClosed($"{file} cannot be started: {error.Message}");
            return;
        }
        // Read asynchronously, because two threads for each of a thousand connections are too many. On Windows, pipes of a process are
        // read by blocked threads anyway.
        StartReading(ReadErrors);
        StartReading(ReadOutput);
        // A host that receives the program first reports when it has it.
        if (copy is null)
            Send(plan);
    }

    public void Send(string line)
    {
        if (AbortCopy())
            return;
        lock (_gate)
        {
            if (_isClosed || _process is null)
                return;
            try
            {
                _process.StandardInput.Write(line + "\n");
                _process.StandardInput.Flush();
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException)
            {
                // ReadOutput reports the end of the process.
            }
        }
    }

    public void Close()
    {
        AbortCopy();
        lock (_gate)
        {
            if (_isClosed || _process is null)
                return;
            _isClosed = true;
            try
            {
                _process.StandardInput.Close();
            }
            catch (IOException)
            {
                // The other end has already closed the pipe.
            }
        }
    }

    public void Dispose()
    {
        Close();
        if (_process is null)
            return;
        try
        {
            if (!_process.WaitForExit(s_exitTimeout))
                _process.Kill(entireProcessTree: true);
        }
        catch (Exception e) when (e is InvalidOperationException or Win32Exception)
        {
            // The process has ended in the meantime.
        }
        _process.Dispose();
    }

    private static void StartReading(Func<Task> read)
    {
        if (OperatingSystem.IsWindows())
            new Thread(() => read().GetAwaiter().GetResult()) { IsBackground = true, Name = "IoBench line" }.Start();
        else
            _ = Task.Run(read);
    }

    private async Task ReadOutput()
    {
        await ForEachLine(
                _process!.StandardOutput.BaseStream,
                async line =>
                {
                    if (_copy is not null && line.Span.SequenceEqual(Encoding.UTF8.GetBytes(ProgramFile.CopyWanted)))
                        // Copying can take minutes.
                        await Task
                            .Factory.StartNew(
                                () => SendProgram(_copy),
                                CancellationToken.None,
                                TaskCreationOptions.LongRunning,
                                TaskScheduler.Default
                            )
                            .ConfigureAwait(false);
                    else if (_copy is not null && line.Span.SequenceEqual(Encoding.UTF8.GetBytes(ProgramFile.CopyComplete)))
                        Send(_plan);
                    else
                        _onLine(line);
                }
            )
            .ConfigureAwait(false);
        await Task.Delay(s_errorDelay).ConfigureAwait(false);
        _onClosed(GetLastError());
    }

    private Task ReadErrors() =>
        ForEachLine(
            _process!.StandardError.BaseStream,
            line =>
            {
                var text = Encoding.UTF8.GetString(line.Span).Trim();
                lock (_errors)
                    if (_errors.Count < 100 && text.Length > 0)
                        _errors.Add(text);
                return Task.CompletedTask;
            }
        );

    private static async Task ForEachLine(Stream stream, Func<ReadOnlyMemory<byte>, Task> take)
    {
        using var lines = new ByteLineReader(stream, InitialBufferSize);
        try
        {
            while ((OperatingSystem.IsWindows() ? lines.ReadLine() : await lines.ReadLineAsync().ConfigureAwait(false)) is { } line)
                await take(line.TrimEnd((byte)'\r')).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
        {
            // Treat an error of the pipe as the end of the output.
        }
    }

    /// <summary>Reports keep-alives while it sends the program, so that the controller does not treat a slow connection as a silent
    /// host.</summary>
    private void SendProgram(ProgramFile program)
    {
        var throttle = new Throttle();
        _isCopying = true;
        program.WriteTo(
            _process!.StandardInput.BaseStream,
            () =>
            {
                if (throttle.IsDue())
                    _onLine(
                        Encoding.UTF8.GetBytes(FleetMessageSerializer.Serialize(new MemberMessage { State = MemberMessageKind.Alive }))
                    );
            }
        );
        _isCopying = false;
    }

    /// <summary>Kills the process if it is still copying, because the host reads no commands before the program is complete.</summary>
    private bool AbortCopy()
    {
        if (!_isCopying)
            return false;
        try
        {
            _process!.Kill(entireProcessTree: true);
        }
        catch (Exception e) when (e is InvalidOperationException or Win32Exception)
        {
            // The process has ended in the meantime.
        }
        return true;
    }

    private string? GetLastError()
    {
        lock (_errors)
            return _errors.Count == 0 ? null : _errors[^1];
    }

    internal static (string File, IReadOnlyList<string> Arguments) CreateCommand(
        FleetHost host,
        string group,
        string program,
        ProgramFile? copy
    )
    {
        string[] member = ["run", "--specification", "-", "--start-at", "line", "--group", group, "--member", host.Name];
        string[] words = copy is null
            ? [host.Program ?? program, .. member]
            : ["sh", "-c", ProgramFile.CopyScript, "iobench", copy.Hash, copy.Length.ToString(CultureInfo.InvariantCulture), .. member];
        if (host.IsLocal)
            return (words[0], words[1..]);
        // BatchMode, because no user can type a password. ServerAlive options end a dead connection.
        List<string> ssh = [.. "-T -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4".Split(' ')];
        if (host.Port is { } port)
            ssh.AddRange(["-p", port.ToString(CultureInfo.InvariantCulture)]);
        if (host.User is { } user)
            ssh.AddRange(["-l", user]);
        ssh.AddRange(["--", host.ConnectionName, string.Join(' ', words.Select(QuoteForShell))]);
        return ("ssh", ssh);
    }

    /// <summary>Quotes a word for the shell of the host, because ssh joins its arguments to one command line.</summary>
    private static string QuoteForShell(string word) =>
        word.Length > 0 && word.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.' or '/' or ':' or '=' or '\\')
            ? word
            : $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
