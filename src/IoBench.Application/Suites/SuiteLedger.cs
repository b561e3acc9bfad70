using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal sealed class SuiteLedger(IReadOnlyList<IResultSink> sinks, bool requiresRate)
{
    private readonly List<SuiteFailure> _failures = [];
    private readonly List<IoTestResult> _results = [];

    public IReadOnlyList<IoTestResult> Results => _results;

    public bool HasFailures => _failures.Count > 0;

    public void Take(
        IoTestSpecification test,
        IoTestResult result,
        IEnumerable<IoTestResult> before,
        Action<IoTestResult> show,
        Action<SuiteFailure> failed
    )
    {
        if (SteadyStateRounds.WarningOf(result, before) is { } warning)
            result.AddWarning(new IoWarning(WarningCodes.NeverSteady, warning));
        _results.Add(result);
        sinks.Save(test, result, failed);
        show(result);
        if (ResultFailure.Of(result, requiresRate) is { } error)
            Fail(new SuiteFailure(test, error, result), failed);
    }

    public void Fail(SuiteFailure failure, Action<SuiteFailure> failed)
    {
        _failures.Add(failure);
        failed(failure);
    }

    public SuiteOutcome Close(bool isCancelled) => new(_results, _failures, isCancelled, sinks.Flush());
}
