using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Creates errors for failed results.</summary>
public static class SuiteFailure
{
    /// <summary>Returns the error of a result; null if its test succeeded.</summary>
    /// <param name="result">The result.</param>
    /// <param name="requiresRate">True if a target rate that was not reached is an error.</param>
    public static IoBenchException? FindError(IoTestResult result, bool requiresRate)
    {
        ArgumentNullException.ThrowIfNull(result);
        // A canceled run has an error if a file did not respond.
        if (result.Status == IoResultStatus.Failed || result is { Status: IoResultStatus.Cancelled, ErrorId: not null })
            return CreateError(result);
        return requiresRate && result.HasMissedRate()
            ? IoBenchException.Failure(
                WarningCodes.RateMissed,
                $"{result.Workload ?? result.IOPattern} on {result.Path}: {IoTestResult.DescribeMissedRate(result)}.",
                result.Path
            )
            : null;
    }

    /// <summary>Creates the error of a failed run.</summary>
    /// <param name="result">The run.</param>
    /// <param name="what">Kind of run for the message.</param>
    public static IoBenchException CreateError(IoTestResult result, string what = "test")
    {
        ArgumentNullException.ThrowIfNull(result);
        var id = result.ErrorId ?? ErrorIds.TestFailed;
        return result.ErrorDetails is { } details
            ? IoBenchException.Failure(id, details.What, result.Path, advice: details.Advice)
            : IoBenchException.Failure(id, result.ErrorMessage ?? $"The {what} of {result.Path} failed.", result.Path);
    }
}
