using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Displays a fleet. All calls come on the thread that coordinates the fleet. Members have empty defaults.</summary>
public interface IFleetObserver
{
    void OnWarning(IoWarning warning) { }

    /// <summary>Reports hosts that all others wait for, and for how long.</summary>
    void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time) { }

    /// <param name="test">Number of the test, starting at 1.</param>
    void OnTestBegun(int test, IReadOnlyList<string> hosts) { }

    void OnResult(FleetHost host, IoTestResult result) { }

    void OnFailure(FleetFailure failure) { }

    /// <summary>Reports that every host has a result for a test or failed it.</summary>
    void OnTestEnded(int test) { }

    /// <summary>Reports that a host has finished or is lost.</summary>
    void OnLeft(FleetHost host, FleetHostPhase phase) { }

    /// <summary>Reports the state of all hosts, once per second.</summary>
    void OnStatus(FleetStatus status) { }
}
