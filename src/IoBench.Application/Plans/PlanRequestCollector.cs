using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Collects pipeline objects or table rows as requests. Consecutive paths with equal settings form one request, so that they can
/// be tested concurrently.</summary>
public sealed class PlanRequestCollector
{
    private readonly List<PlanRequest> _requests = [];
    private string? _signature;

    public IReadOnlyList<PlanRequest> All => _requests;

    public void Add(IReadOnlyList<string> paths, OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(paths);
        if (!IsSameAsLast("places", values) || paths.Any(_requests[^1].Paths.Contains))
            AddRequest([], values);
        _requests[^1].Paths = [.. _requests[^1].Paths, .. paths];
    }

    /// <param name="paths">Paths of the command line; empty to use the targets of the tests.</param>
    public void Add(IReadOnlyList<string> paths, OptionValues values, IReadOnlyList<IoTestSpecification> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        var request = IsSameAsLast("tests", values) ? _requests[^1] : AddRequest(paths, values);
        request.Specifications = [.. request.Specifications, .. tests];
    }

    public void AddWorkload(IReadOnlyList<string> paths, OptionValues values, string workload)
    {
        var request = IsSameAsLast("workloads", values) ? _requests[^1] : AddRequest(paths, values);
        request.Workloads = [.. request.Workloads, workload];
    }

    public void Add(PlanRequest request)
    {
        _requests.Add(request);
        _signature = null;
    }

    /// <param name="failed">Receives the error of an invalid request. If there is only one request, its error is thrown.</param>
    public TestPlanResult Create(Action<IoBenchException> failed)
    {
        ArgumentNullException.ThrowIfNull(failed);
        var tests = new List<IoTestSpecification>();
        var warnings = new List<IoWarning>();
        foreach (var request in _requests)
        {
            try
            {
                var made = TestPlanner.Create(request);
                tests.AddRange(made.Tests);
                warnings.AddRange(made.Warnings);
            }
            catch (IoBenchException error) when (_requests.Count > 1)
            {
                failed(error);
            }
        }
        return new TestPlanResult(tests, warnings);
    }

    private bool IsSameAsLast(string kind, OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        var signature = kind + '\n' + values.CreateSignature();
        var isLike = signature == _signature;
        _signature = signature;
        return isLike;
    }

    private PlanRequest AddRequest(IReadOnlyList<string> paths, OptionValues values)
    {
        var request = new PlanRequest(paths, values);
        _requests.Add(request);
        return request;
    }
}
