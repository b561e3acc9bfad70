using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Collects objects of a pipeline or rows of a table, each with its own settings, as requests. Consecutive paths with equal settings form
/// one request, so that they can be
/// tested concurrently. A path that occurs again creates another test.
/// </summary>
public sealed class PlanRequestCollector
{
    private readonly List<PlanRequest> _requests = [];
    private string? _signature;

    /// <summary>Collected requests.</summary>
    public IReadOnlyList<PlanRequest> All => _requests;

    /// <summary>Adds paths from the pipeline.</summary>
    /// <param name="values">Settings of the paths, including those of the command line.</param>
    public void Add(IReadOnlyList<string> paths, OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(paths);
        if (!IsSameAsLast("places", values) || paths.Any(_requests[^1].Paths.Contains))
            AddRequest([], values);
        _requests[^1].Paths = [.. _requests[^1].Paths, .. paths];
    }

    /// <summary>Adds existing tests from the pipeline. Tests of one call run on the same paths.</summary>
    /// <param name="paths">Paths of the command line; empty to use the targets of the tests.</param>
    /// <param name="values">Settings of the command line.</param>
    public void Add(IReadOnlyList<string> paths, OptionValues values, IReadOnlyList<IoTestSpecification> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        var request = IsSameAsLast("tests", values) ? _requests[^1] : AddRequest(paths, values);
        request.Specifications = [.. request.Specifications, .. tests];
    }

    /// <summary>Adds a workload from the pipeline.</summary>
    /// <param name="paths">Paths of the command line.</param>
    /// <param name="values">Settings of the command line.</param>
    /// <param name="workload">Name of the workload.</param>
    public void AddWorkload(IReadOnlyList<string> paths, OptionValues values, string workload)
    {
        var request = IsSameAsLast("workloads", values) ? _requests[^1] : AddRequest(paths, values);
        request.Workloads = [.. request.Workloads, workload];
    }

    /// <summary>Adds a separate request.</summary>
    public void Add(PlanRequest request)
    {
        _requests.Add(request);
        _signature = null;
    }

    /// <summary>Creates the tests of all requests.</summary>
    /// <param name="failed">Receives the error of an invalid request; the other requests continue. The error of a single request is thrown
    /// instead.</param>
    /// <exception cref="IoBenchException">The only request is invalid.</exception>
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
