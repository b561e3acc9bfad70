using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Commands that have arrived, for tests that wait for them. Thread-safe.</summary>
internal sealed class ControllerCommandQueue : IDisposable
{
    private readonly Dictionary<int, ControllerCommand> _commands = [];
    private readonly ManualResetEventSlim _commandAdded = new();

    /// <summary>Adds a command for a test. Later commands for the same test are ignored.</summary>
    public void AddCommand(ControllerCommand command)
    {
        lock (_commands)
        {
            if (command.Test is { } test)
                _commands.TryAdd(test, command);
            _commandAdded.Set();
        }
    }

    public IReadOnlyList<string> GetHosts(int test)
    {
        lock (_commands)
            return _commands.GetValueOrDefault(test)?.Hosts ?? [];
    }

    /// <summary>Waits for the command of a test. Returns its start time on the monotonic clock, or null if the wait was canceled.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FleetSkipped</c>: the test is skipped.</exception>
    public long? WaitForStart(int test, CancellationToken cancelled)
    {
        while (true)
        {
            lock (_commands)
            {
                if (_commands.TryGetValue(test, out var command))
                    return command.Order == ControllerCommandKind.Go
                        ? command.At
                        : throw IoBenchException.Failure(FleetErrorIds.Skipped, command.Text ?? "the group does not run this test.");
                _commandAdded.Reset();
            }
            try
            {
                _commandAdded.Wait(cancelled);
            }
            catch (OperationCanceledException)
            {
                return null;
            }
        }
    }

    public void Dispose() => _commandAdded.Dispose();
}
