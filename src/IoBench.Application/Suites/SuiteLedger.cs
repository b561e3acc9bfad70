namespace IoBench.Application.Suites;

/// <summary>What has come of a suite, wherever its tests run: each result is completed, kept, shown and judged, in this order.</summary>
/// <param name="sinks">Where results are kept.</param>
/// <param name="requiresRate">A test that misses its target rate has failed.</param>
internal sealed class SuiteLedger(IReadOnlyList<IResultSink> sinks, bool requiresRate)
{
    private readonly List<SuiteFailure> _failures = [];
    private readonly List<IoTestResult> _results = [];

    public IReadOnlyList<IoTestResult> Results => _results;

    public bool HasFailures => _failures.Count > 0;

    /// <summary>Takes a result.</summary>
    /// <param name="before">What the same host measured before it, in an earlier part of the suite too.</param>
    /// <param name="show">Shows the result, once it is kept.</param>
    /// <param name="failed">Hears that it is a failure, or could not be kept. The latter costs no test and is none of the suite's failures.</param>
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

    /// <summary>Notes a failure.</summary>
    public void Fail(SuiteFailure failure, Action<SuiteFailure> failed)
    {
        _failures.Add(failure);
        failed(failure);
    }

    /// <summary>How the suite ended; what could not be kept is tried once more.</summary>
    public SuiteOutcome Close(bool isCancelled) => new(_results, _failures, isCancelled, sinks.Flush());
}
