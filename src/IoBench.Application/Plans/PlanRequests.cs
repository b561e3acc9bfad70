namespace IoBench.Application.Plans;

/// <summary>
/// What comes one by one (objects of a pipeline, rows of a table), each with its own settings. Paths that follow one another with the same settings are one
/// request, so that they are tested together where that is asked for; a path that comes again is a test again.
/// </summary>
public sealed class PlanRequests
{
    private readonly List<PlanRequest> _requests = [];
    private string? _signature;

    /// <summary>The requests so far.</summary>
    public IReadOnlyList<PlanRequest> All => _requests;

    /// <summary>Adds places that come through the pipeline, with their settings, those given by hand included.</summary>
    public void Add(IReadOnlyList<string> paths, OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(paths);
        if (!IsLike("places", values) || paths.Any(_requests[^1].Paths.Contains))
            Begin([], values);
        _requests[^1].Paths = [.. _requests[^1].Paths, .. paths];
    }

    /// <summary>Adds tests that are there already: those of one call run on the same places.</summary>
    /// <param name="paths">Places that were given by hand; empty = the tests name their own.</param>
    /// <param name="values">Settings that were given by hand.</param>
    public void Add(IReadOnlyList<string> paths, OptionValues values, IReadOnlyList<IoTestSpecification> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        var request = IsLike("tests", values) ? _requests[^1] : Begin(paths, values);
        request.Specifications = [.. request.Specifications, .. tests];
    }

    /// <summary>Adds a workload that comes through the pipeline.</summary>
    /// <param name="paths">Places that were given by hand.</param>
    /// <param name="values">Settings that were given by hand.</param>
    /// <param name="workload">Its name.</param>
    public void AddWorkload(IReadOnlyList<string> paths, OptionValues values, string workload)
    {
        var request = IsLike("workloads", values) ? _requests[^1] : Begin(paths, values);
        request.Workloads = [.. request.Workloads, workload];
    }

    /// <summary>Adds a request of its own.</summary>
    public void Add(PlanRequest request)
    {
        _requests.Add(request);
        _signature = null;
    }

    /// <summary>The tests of all requests.</summary>
    /// <param name="failed">Takes the error of a request that is not possible; the others are made all the same. Where there is only one request its error is thrown.</param>
    /// <exception cref="IoBenchException">The only request is not possible.</exception>
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

    /// <summary>Whether an object of a kind goes into the last request: nothing of one kind of object touches another.</summary>
    private bool IsLike(string kind, OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        var signature = kind + '\n' + values.Signature();
        var isLike = signature == _signature;
        _signature = signature;
        return isLike;
    }

    private PlanRequest Begin(IReadOnlyList<string> paths, OptionValues values)
    {
        var request = new PlanRequest(paths, values);
        _requests.Add(request);
        return request;
    }
}
