using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Saves the results of a suite and collects its failures.</summary>
/// <param name="requiresRate">True if a test that does not reach its target rate fails.</param>
public sealed class SuiteResults(IReadOnlyList<IResultSink> sinks, bool requiresRate)
{
    private readonly List<SuiteFailure> _failures = [];
    private readonly List<IoTestResult> _results = [];

    public IReadOnlyList<IoTestResult> Results => _results;

    public bool HasFailures => _failures.Count > 0;

    /// <param name="show">Receives the result after it was saved.</param>
    /// <param name="failed">Receives failures. An error of a sink, such as a full disk, does not fail the test.</param>
    public void AddResult(IoTestSpecification test, IoTestResult result, Action<IoTestResult> show, Action<SuiteFailure> failed)
    {
        ArgumentNullException.ThrowIfNull(show);
        ArgumentNullException.ThrowIfNull(failed);
        _results.Add(result);
        IResultSink.AddToAll(sinks, [result], error => failed(new SuiteFailure(test, error, result)));
        show(result);
        if (SuiteFailure.FindError(result, requiresRate) is { } error)
            AddFailure(new SuiteFailure(test, error, result), failed);
    }

    public void AddFailure(SuiteFailure failure, Action<SuiteFailure> failed)
    {
        ArgumentNullException.ThrowIfNull(failed);
        _failures.Add(failure);
        failed(failure);
    }

    public SuiteOutcome Complete(bool isCancelled) => new(_results, _failures, isCancelled, IResultSink.FlushAll(sinks));
}
