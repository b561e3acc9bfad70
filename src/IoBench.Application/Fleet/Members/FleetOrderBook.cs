namespace IoBench.Application.Fleet.Members;

/// <summary>Orders that came, for tests that wait for theirs.</summary>
internal sealed class FleetOrderBook : IDisposable
{
    private readonly Dictionary<int, FleetOrder> _orders = [];
    private readonly ManualResetEventSlim _came = new();

    /// <summary>Notes an order for a test; the first one holds.</summary>
    public void Take(FleetOrder order)
    {
        lock (_orders)
        {
            if (order.Test is { } test)
                _orders.TryAdd(test, order);
            _came.Set();
        }
    }

    /// <summary>Names of the members that run a test at one moment; empty when nobody said so.</summary>
    public IReadOnlyList<string> HostsOf(int test)
    {
        lock (_orders)
            return _orders.GetValueOrDefault(test)?.Hosts ?? [];
    }

    /// <summary>Waits for the order about a test; its moment, or null when the wait was cancelled.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FleetSkipped</c>: the test is left out.</exception>
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

    /// <inheritdoc/>
    public void Dispose() => _came.Dispose();
}

/// <summary>Lets something through once a second.</summary>
internal sealed class FleetRhythm
{
    private long _last = long.MinValue / 2;

    /// <summary>Whether a second has gone since it was due last.</summary>
    public bool IsDue()
    {
        var now = Clock.Now;
        if (now - _last < Clock.Second)
            return false;
        _last = now;
        return true;
    }
}
