using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace IoBench.Application.Fleet.Transports;

/// <summary>Members as processes: on this computer, or by the ssh program on another.</summary>
/// <param name="program">The program on the hosts that name none; null = <c>iobench</c>.</param>
/// <param name="own">The program on this computer, where <paramref name="program"/> says none; null = as elsewhere.</param>
/// <param name="copy">A program that hosts get and run; null = theirs is run.</param>
public sealed class ProcessTransport(string? program, string? own = null, ProgramFile? copy = null) : IFleetTransport
{
    /// <inheritdoc/>
    public IFleetLine Open(FleetHost host, FleetLaunch launch, IFleetEar ear)
    {
        ArgumentNullException.ThrowIfNull(host);
        ArgumentNullException.ThrowIfNull(launch);
        var (file, arguments) = copy is not null
            ? MemberCommand.Of(host, launch, copy)
            : MemberCommand.Of(host, launch, program ?? (host.Transport == FleetTransportKind.Local ? own : null) ?? "iobench");
        return new Line(file, arguments, launch.Plan, copy, ear);
    }

    private sealed class Line : IFleetLine
    {
        private const int Room = 4096;

        private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

        // Its last words may still be on their way.
        private static readonly TimeSpan s_lastWords = TimeSpan.FromMilliseconds(50);

        private readonly object _gate = new();
        private readonly IFleetEar _ear;
        private readonly Process? _process;
        private readonly List<string> _errors = [];
        private readonly ProgramFile? _copy;
        private readonly string _plan;
        private bool _isClosed;
        private volatile bool _isCopying;

        public Line(string file, IReadOnlyList<string> arguments, string plan, ProgramFile? copy, IFleetEar ear)
        {
            (_ear, _copy, _plan) = (ear, copy, copy is null ? "" : plan);
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
                ear.Closed($"{file} cannot be started: {error.Message}");
                return;
            }
            // Two threads for each of a thousand lines would be two thousand; but a process's pipes are read on Windows by threads that wait.
            Run(OperatingSystem.IsWindows(), ReadErrors);
            Run(OperatingSystem.IsWindows(), Read);
            // A host that gets the program first says when it has it.
            if (copy is null)
                Send(plan);
        }

        public void Send(string line)
        {
            if (EndCopy())
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
                    // The reader hears of it.
                }
            }
        }

        public void Close()
        {
            EndCopy();
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
                    // It was closed from the other end.
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
                if (!_process.WaitForExit(s_patience))
                    _process.Kill(entireProcessTree: true);
            }
            catch (Exception e) when (e is InvalidOperationException or Win32Exception)
            {
                // It ended meanwhile.
            }
            _process.Dispose();
        }

        private static void Run(bool isThread, Func<Task> read)
        {
            if (isThread)
                new Thread(() => read().GetAwaiter().GetResult()) { IsBackground = true, Name = "IoBench line" }.Start();
            else
                _ = Task.Run(read);
        }

        private async Task Read()
        {
            await EachLine(
                    _process!.StandardOutput.BaseStream,
                    async line =>
                    {
                        if (_copy is not null && line.Span.SequenceEqual(Encoding.UTF8.GetBytes(HostScripts.CopyWanted)))
                            // It may take minutes.
                            await Task
                                .Factory.StartNew(
                                    () => Copy(_copy),
                                    CancellationToken.None,
                                    TaskCreationOptions.LongRunning,
                                    TaskScheduler.Default
                                )
                                .ConfigureAwait(false);
                        else if (_copy is not null && line.Span.SequenceEqual(Encoding.UTF8.GetBytes(HostScripts.CopyThere)))
                            Send(_plan);
                        else
                            _ear.Heard(line.Span);
                    }
                )
                .ConfigureAwait(false);
            await Task.Delay(s_lastWords).ConfigureAwait(false);
            _ear.Closed(LastError());
        }

        private Task ReadErrors() =>
            EachLine(
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

        private static async Task EachLine(Stream stream, Func<ReadOnlyMemory<byte>, Task> take)
        {
            using var lines = new LineBytes(stream, Room);
            try
            {
                while ((OperatingSystem.IsWindows() ? lines.Next() : await lines.NextAsync().ConfigureAwait(false)) is { } line)
                    await take(line.TrimEnd((byte)'\r')).ConfigureAwait(false);
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
            {
                // As if it had ended.
            }
        }

        /// <summary>Sends the program. The host works meanwhile, and that is said for it: a slow line is no silence.</summary>
        private void Copy(ProgramFile program)
        {
            var rhythm = new FleetRhythm();
            _isCopying = true;
            program.WriteTo(
                _process!.StandardInput.BaseStream,
                () =>
                {
                    if (rhythm.IsDue())
                        _ear.Heard(Encoding.UTF8.GetBytes(FleetLines.Write(new FleetMessage { State = FleetState.Alive })));
                }
            );
            _isCopying = false;
        }

        /// <summary>A copy can only be ended with its process: until it is there nobody reads orders at the other end.</summary>
        private bool EndCopy()
        {
            if (!_isCopying)
                return false;
            try
            {
                _process!.Kill(entireProcessTree: true);
            }
            catch (Exception e) when (e is InvalidOperationException or Win32Exception)
            {
                // It ended meanwhile.
            }
            return true;
        }

        private string? LastError()
        {
            lock (_errors)
                return _errors.Count == 0 ? null : _errors[^1];
        }
    }
}
