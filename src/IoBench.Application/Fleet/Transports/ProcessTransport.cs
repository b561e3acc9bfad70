using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace IoBench.Application;

/// <summary>Members as processes: on this computer, or by the ssh program on another.</summary>
/// <param name="program">The program on the hosts that name none; null = <c>iobench</c>.</param>
/// <param name="own">The program on this computer, where <paramref name="program"/> says none; null = as elsewhere.</param>
public sealed class ProcessTransport(string? program, string? own = null) : IFleetTransport
{
    /// <inheritdoc/>
    public IFleetLine Open(FleetHost host, FleetLaunch launch, IFleetEar ear)
    {
        var (file, arguments) = MemberCommand.Of(host, launch, program ?? (host.Transport == FleetTransportKind.Local ? own : null) ?? "iobench");
        return new Line(file, arguments, launch.Plan, ear);
    }

    private sealed class Line : IFleetLine
    {
        private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

        private readonly object _gate = new();
        private readonly IFleetEar _ear;
        private readonly Process? _process;
        private readonly List<string> _errors = [];
        private bool _isClosed;

        public Line(string file, IReadOnlyList<string> arguments, string plan, IFleetEar ear)
        {
            _ear = ear;
            try
            {
                var encoding = new UTF8Encoding(false);
                _process = Process.Start(new ProcessStartInfo(file, arguments)
                {
                    RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
                    StandardInputEncoding = encoding, StandardOutputEncoding = encoding, StandardErrorEncoding = encoding,
                })!;
            }
            catch (Win32Exception error)
            {
                ear.Closed($"{file} cannot be started: {error.Message}");
                return;
            }
            new Thread(ReadErrors) { IsBackground = true, Name = "IoBench line errors" }.Start();
            new Thread(Read) { IsBackground = true, Name = "IoBench line" }.Start();
            Send(plan);
        }

        public void Send(string line)
        {
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

        private void Read()
        {
            try
            {
                while (_process!.StandardOutput.ReadLine() is { } line)
                    _ear.Heard(line);
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
            {
                // As if it had ended.
            }
            _ear.Closed(LastError());
        }

        private void ReadErrors()
        {
            try
            {
                while (_process!.StandardError.ReadLine() is { } line)
                    lock (_errors)
                        if (_errors.Count < 100 && line.Trim().Length > 0)
                            _errors.Add(line.Trim());
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
            {
                // As if it had ended.
            }
        }

        private string? LastError()
        {
            // Its last words may still be on their way.
            Thread.Sleep(50);
            lock (_errors)
                return _errors.Count == 0 ? null : _errors[^1];
        }
    }
}
