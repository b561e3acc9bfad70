using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Summarizes the group of a test and saves its results when the test has ended on all hosts.</summary>
internal sealed class FleetResultRecorder(
    string group,
    IFleetObserver inner,
    IReadOnlyList<IResultSink> sinks,
    ResultSpool spool,
    bool isSlim,
    IReadOnlyList<HostWorkload>? work = null
) : IFleetObserver
{
    private readonly Dictionary<string, HostWorkload> _work = (work ?? []).ToDictionary(item => item.Host.Name, StringComparer.Ordinal);
    private readonly ResultTrimmer? _slim = isSlim ? new() : null;
    private readonly List<IoTestResult> _unmeasured = [];
    private readonly List<IoTestResult> _results = [];
    private readonly List<FleetFailure> _failures = [];
    private readonly List<FleetGroup> _groups = [];
    private readonly HashSet<IoTestResult> _saved = [];

    public void OnWarning(IoWarning warning) => inner.OnWarning(warning);

    public void OnProgress(string line) => inner.OnProgress(line);

    public void OnResult(FleetHost host, IoTestResult result)
    {
        _results.Add(result);
        inner.OnResult(host, result);
        _slim?.Trim(result);
    }

    public void OnFailure(FleetFailure failure)
    {
        _failures.Add(failure);
        _unmeasured.Add(CreateFailedResult(failure));
        inner.OnFailure(failure);
    }

    public void OnStatus(IReadOnlyList<string> lines) => inner.OnStatus(lines);

    public void OnTestEnded(int test)
    {
        var id = FleetPlan.GetGroupId(group, test);
        var results = _results.Where(result => result.GroupId == id).ToList();
        foreach (var answer in FleetMerge.FindGroups(results, _failures.Where(failure => failure.GroupId == id)))
        {
            FleetMerge.SetGroupValues(answer);
            _groups.Add(answer);
        }
        SaveResults([.. results, .. _unmeasured.Where(result => result.GroupId == id)]);
        inner.OnTestEnded(test);
    }

    /// <summary>Saves the remaining results, such as those of a test that did not end on all hosts, and returns the outcome.</summary>
    public FleetResult Finish(bool isCancelled)
    {
        SaveResults([.. _results, .. _unmeasured]);
        return new FleetResult(_results, _failures, _groups, [], isCancelled, IResultSink.FlushAll(sinks)) { Unmeasured = _unmeasured };
    }

    private void SaveResults(IEnumerable<IoTestResult> results)
    {
        List<IoTestResult> added = [.. results.Where(_saved.Add).OrderBy(result => result.Member, NaturalNameComparer.Instance)];
        // Save all results of a test together. An output that is rewritten for each of a thousand hosts would delay all of them.
        if (added.Count > 0)
            IResultSink.AddToAll(
                sinks,
                _slim is null ? added : new SpooledResults(added, spool),
                error => inner.OnWarning(new IoWarning(error.ErrorId, error.Text))
            );
    }

    /// <summary>Creates a result without values for a failure, so that the file of results shows which host is missing and why.</summary>
    private IoTestResult CreateFailedResult(FleetFailure failure)
    {
        var number = int.Parse(
            failure.GroupId!.AsSpan(failure.GroupId!.LastIndexOf('/') + 1),
            System.Globalization.CultureInfo.InvariantCulture
        );
        var test = _work.TryGetValue(failure.Host, out var item) && number <= item.Tests.Count ? item.Tests[number - 1] : null;
        return new IoTestResult
        {
            Source = IoTestResult.OwnSource,
            Status = IoResultStatus.Failed,
            Member = failure.Host,
            GroupId = failure.GroupId,
            GroupHosts = _work.Count == 0 ? null : _work.Values.Count(other => other.Tests.Count >= number),
            ErrorId = failure.ErrorId,
            ErrorMessage = failure.Text,
            ErrorDetails = new IoErrorDetails(failure.What, failure.Advice),
            Specification = test,
            Workload = test?.Workload,
            Label = test?.Label,
            IOPattern = test is null ? null : PatternText.Describe(test),
            Path = test is null ? null : string.Join("; ", test.Targets.Select(target => target.Path)),
            StartTime = DateTimeOffset.Now,
        };
    }
}
