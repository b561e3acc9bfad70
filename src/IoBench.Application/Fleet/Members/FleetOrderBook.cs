using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Commands that have arrived, for tests that wait for them. Thread-safe.</summary>
internal sealed class FleetOrderBook : IDisposable
{
    private readonly Dictionary<int, FleetOrder> _orders = [];
    private readonly ManualResetEventSlim _came = new();

    /// <summary>Adds a command for a test. Later commands for the same test are ignored.</summary>
    public void Take(FleetOrder order)
    {
        lock (_orders)
        {
            if (order.Test is { } test)
                _orders.TryAdd(test, order);
            _came.Set();
        }
    }

    public IReadOnlyList<string> HostsOf(int test)
    {
        lock (_orders)
            return _orders.GetValueOrDefault(test)?.Hosts ?? [];
    }

    /// <summary>Waits for the command of a test. Returns its start time on the monotonic clock, or null if the wait was canceled.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FleetSkipped</c>: the test is skipped.</exception>
    public long? Wait(int test, CancellationToken cancelled)
    {
        while (true)
        {
            lock (_orders)
            {
                if (_orders.TryGetValue(test, out var order))
                    return order.Order == FleetOrderKind.Go
                        ? order.At
                        : throw IoBenchException.Failure(FleetErrors.Skipped, order.Text ?? "the group leaves this test out.");
                _came.Reset();
            }
            try
            {
                _came.Wait(cancelled);
            }
            catch (OperationCanceledException)
            {
                return null;
            }
        }
    }

    public void Dispose() => _came.Dispose();
}

/// <summary>Limits an action to once per second. Not thread-safe.</summary>
internal sealed class FleetRhythm
{
    private long _last = long.MinValue / 2;

    public bool IsDue()
    {
        var now = Clock.Now;
        if (now - _last < Clock.Second)
            return false;
        _last = now;
        return true;
    }
}
