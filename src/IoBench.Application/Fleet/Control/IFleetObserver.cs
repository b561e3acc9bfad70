namespace IoBench.Application.Fleet.Control;

/// <summary>Whoever shows a fleet; what it does not show it leaves out. All calls come on the thread that leads it.</summary>
public interface IFleetObserver
{
    /// <summary>Something to beware of.</summary>
    void OnWarning(IoWarning warning) { }

    /// <summary>Hosts that all others wait for, and for how long.</summary>
    void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time) { }

    /// <summary>A test begins.</summary>
    /// <param name="test">Its number, from 1.</param>
    /// <param name="hosts">Who begins.</param>
    void OnTestBegun(int test, IReadOnlyList<string> hosts) { }

    /// <summary>A host's result came.</summary>
    void OnResult(FleetHost host, IoTestResult result) { }

    /// <summary>A host gives no result of a test.</summary>
    void OnFailure(FleetFailure failure) { }

    /// <summary>Every host has a result of a test or failed it.</summary>
    void OnTestEnded(int test) { }

    /// <summary>A host is through or lost.</summary>
    void OnLeft(FleetHost host, FleetPhase phase) { }

    /// <summary>How all are doing, once a second.</summary>
    void OnStatus(FleetStatus status) { }
}
