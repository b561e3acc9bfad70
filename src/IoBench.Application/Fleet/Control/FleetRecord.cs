using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Keeps what a fleet gives: as a test is over on all hosts, its answer is worked out, noted in its results, and they are saved.</summary>
internal sealed class FleetRecord(string group, IFleetObserver inner, IReadOnlyList<IResultSink> sinks) : IFleetObserver
{
    private readonly List<IoTestResult> _results = [];
    private readonly List<FleetFailure> _failures = [];
    private readonly List<FleetGroup> _groups = [];
    private readonly HashSet<IoTestResult> _saved = [];

    public void OnWarning(string text) => inner.OnWarning(text);

    public void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time) => inner.OnWaiting(hosts, time);

    public void OnTestBegun(int test, IReadOnlyList<string> hosts) => inner.OnTestBegun(test, hosts);

    public void OnResult(FleetHost host, IoTestResult result)
    {
        _results.Add(result);
        inner.OnResult(host, result);
    }

    public void OnFailure(FleetFailure failure)
    {
        _failures.Add(failure);
        inner.OnFailure(failure);
    }

    public void OnLeft(FleetHost host, FleetPhase phase) => inner.OnLeft(host, phase);

    public void OnStatus(FleetStatus status) => inner.OnStatus(status);

    public void OnTestEnded(int test)
    {
        var id = FleetIds.OfTest(group, test);
        var results = _results.Where(result => result.GroupId == id).ToList();
        foreach (var answer in FleetMerge.Find(results, _failures.Where(failure => failure.GroupId == id)))
        {
            FleetMerge.Mark(answer);
            _groups.Add(answer);
        }
        Save(results);
        inner.OnTestEnded(test);
    }

    /// <summary>The outcome; what came of a test that was never over is saved too.</summary>
    public FleetOutcome End(bool isCancelled)
    {
        Save(_results);
        return new FleetOutcome(_results, _failures, _groups, isCancelled, sinks.Flush());
    }

    private void Save(IEnumerable<IoTestResult> results)
    {
        foreach (var result in results.Where(_saved.Add).OrderBy(result => result.Member, NameOrder.Instance))
            sinks.Add(result, error => inner.OnWarning(error.Message));
    }
}
