using System.ComponentModel;
using System.Diagnostics;
using System.Text;
using IoBench.Formats;

namespace IoBench.Application;

/// <param name="program">Program on hosts that have none in the inventory; null for <c>iobench</c>.</param>
/// <param name="own">Program on this computer if <paramref name="program"/> is null; null for <c>iobench</c>.</param>
/// <param name="copy">Program to copy to the hosts and run; null to use the program that is installed there.</param>
public sealed class ProcessTransport(string? program, string? own = null, ProgramFile? copy = null) : IFleetTransport
{
    public IMemberConnection Open(HostWorkload work, string group, Action<ReadOnlyMemory<byte>> onLine, Action<string?> onClosed)
    {
        ArgumentNullException.ThrowIfNull(work);
        var host = work.Host;
        var (file, arguments) = copy is not null
            ? MemberCommandLine.Create(host, group, copy)
            : MemberCommandLine.Create(host, group, program ?? (host.Transport == FleetTransportKind.Local ? own : null) ?? "iobench");
        return new ProcessConnection(file, arguments, JsonResultSerializer.SerializePlan(work.Tests), copy, onLine, onClosed);
    }

    private sealed class ProcessConnection : IMemberConnection
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

        public ProcessConnection(
            string file,
            IReadOnlyList<string> arguments,
            string plan,
            ProgramFile? copy,
            Action<ReadOnlyMemory<byte>> onLine,
            Action<string?> onClosed
        )
        {
            _onLine = onLine;
            _onClosed = onClosed;
            _copy = copy;
            _plan = copy is null ? "" : plan;
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
            StartReading(OperatingSystem.IsWindows(), ReadErrors);
            StartReading(OperatingSystem.IsWindows(), ReadOutput);
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
                    // The reader notices the end of the process.
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

        private static void StartReading(bool isThread, Func<Task> read)
        {
            if (isThread)
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
                        if (_copy is not null && line.Span.SequenceEqual(Encoding.UTF8.GetBytes(ProgramCopyScript.CopyWanted)))
                            // Copying can take minutes.
                            await Task
                                .Factory.StartNew(
                                    () => SendProgram(_copy),
                                    CancellationToken.None,
                                    TaskCreationOptions.LongRunning,
                                    TaskScheduler.Default
                                )
                                .ConfigureAwait(false);
                        else if (_copy is not null && line.Span.SequenceEqual(Encoding.UTF8.GetBytes(ProgramCopyScript.CopyComplete)))
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

        /// <summary>Reports keep-alives while it sends the program, so that a slow connection is not taken for a silent host.</summary>
        private void SendProgram(ProgramFile program)
        {
            var rhythm = new Throttle();
            _isCopying = true;
            program.WriteTo(
                _process!.StandardInput.BaseStream,
                () =>
                {
                    if (rhythm.IsDue())
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
    }
}
