namespace IoBench.Application.Suites;

/// <summary>Results that are failures, and the error that each of them is.</summary>
public static class ResultFailure
{
    /// <summary>The error of a result; null where its test is as good as it was to be.</summary>
    /// <param name="requiresRate">A missed target rate is an error.</param>
    public static IoBenchException? Of(IoTestResult result, bool requiresRate)
    {
        ArgumentNullException.ThrowIfNull(result);
        // A cancelled run has an error when a file did not answer.
        if (result.Status == IoResultStatus.Failed || result is { Status: IoResultStatus.Cancelled, ErrorId: not null })
            return OfTest(result);
        return requiresRate && result.HasMissedRate()
            ? IoBenchException.Failure(
                WarningCodes.RateMissed,
                $"{result.Workload ?? result.IOPattern} on {result.Path}: {MissedRate.Words(result)}.",
                result.Path
            )
            : null;
    }

    /// <summary>The error of a run that failed.</summary>
    /// <param name="result">The run.</param>
    /// <param name="what">What it was: the test, unless it is said.</param>
    public static IoBenchException OfTest(IoTestResult result, string what = "test")
    {
        ArgumentNullException.ThrowIfNull(result);
        var id = result.ErrorId ?? ErrorIds.TestFailed;
        return result.ErrorDetails is { } details
            ? IoBenchException.Failure(id, details.What, result.Path, advice: details.Advice)
            : IoBenchException.Failure(id, result.ErrorMessage ?? $"The {what} of {result.Path} failed.", result.Path);
    }
}
