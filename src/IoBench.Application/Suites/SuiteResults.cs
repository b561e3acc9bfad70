using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal sealed class SuiteResults(IReadOnlyList<IResultSink> sinks, bool requiresRate)
{
    private readonly List<SuiteFailure> _failures = [];
    private readonly List<IoTestResult> _results = [];

    public IReadOnlyList<IoTestResult> Results => _results;

    public bool HasFailures => _failures.Count > 0;

    public void AddResult(
        IoTestSpecification test,
        IoTestResult result,
        IEnumerable<IoTestResult> before,
        Action<IoTestResult> show,
        Action<SuiteFailure> failed
    )
    {
        if (SteadyState.CreateWarning(result, before) is { } warning)
            result.AddWarning(new IoWarning(WarningCodes.NeverSteady, warning));
        _results.Add(result);
        sinks.SaveResult(test, result, failed);
        show(result);
        if (SuiteFailure.FindError(result, requiresRate) is { } error)
            AddFailure(new SuiteFailure(test, error, result), failed);
    }

    public void AddFailure(SuiteFailure failure, Action<SuiteFailure> failed)
    {
        _failures.Add(failure);
        failed(failure);
    }

    public SuiteOutcome Complete(bool isCancelled) => new(_results, _failures, isCancelled, sinks.Flush());
}
