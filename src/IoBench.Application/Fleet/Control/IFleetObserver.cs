using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Receives events of a fleet. All calls come from the thread that coordinates the fleet.</summary>
public interface IFleetObserver
{
    void OnWarning(IoWarning warning) { }

    /// <summary>Receives a line about the progress: the start of a test, or the hosts that all others wait for.</summary>
    void OnProgress(string line) { }

    void OnResult(FleetHost host, IoTestResult result) { }

    void OnFailure(FleetFailure failure) { }

    /// <summary>Reports that every host has a result for a test or failed it.</summary>
    void OnTestEnded(int test) { }

    /// <summary>Reports a note or a log line of a host.</summary>
    void OnNote(FleetHost host, MemberMessage note) { }

    /// <summary>Receives the state of all hosts in up to four lines, once per second.</summary>
    void OnStatus(IReadOnlyList<string> lines) { }
}
