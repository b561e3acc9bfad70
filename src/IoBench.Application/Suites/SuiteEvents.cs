using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Number">Number of the running test, from 1.</param>
/// <param name="LeftAfter">Estimated duration of the tests after it.</param>
public sealed record SuiteProgress(int Number, int Count, string Name, IoTestSpecification Test, RunProgress Run, TimeSpan LeftAfter)
{
    /// <summary>Time to the end of the suite; null if unknown.</summary>
    public TimeSpan? Remaining => Run.RemainingSeconds is { } seconds ? TimeSpan.FromSeconds(seconds) + LeftAfter : null;

    /// <summary>Remaining idle time before the test; null if the test is not in its idle time.</summary>
    public TimeSpan? Rest =>
        Run is { Phase: RunPhase.Preparing or RunPhase.Waiting, PreparingPath: null } && Test.RestBefore.TotalSeconds > Run.ElapsedSeconds
            ? Test.RestBefore - TimeSpan.FromSeconds(Run.ElapsedSeconds)
            : null;

    /// <summary>Progress of the test, or of the creation of its file, in percent; null if unknown.</summary>
    public double? Percent
    {
        get
        {
            if (Run is { Phase: RunPhase.Preparing, PrepareTotalBytes: > 0 })
                return 100.0 * Run.PreparedBytes / Run.PrepareTotalBytes;
            var total = (Test.WarmUp + Test.Duration + Test.CoolDown).TotalSeconds;
            return
                Run.Phase is RunPhase.WarmUp or RunPhase.Measuring or RunPhase.CoolDown or RunPhase.Draining
                && Run.RemainingSeconds is { } left
                && total > 0
                ? Math.Clamp(100 - 100 * left / total, 0, 100)
                : null;
        }
    }
}

/// <summary>Test that returned no result or a failed result, or a result that could not be saved.</summary>
/// <param name="Result">Available result; null if nothing was measured.</param>
public sealed record SuiteFailure(IoTestSpecification Test, IoBenchException Error, IoTestResult? Result)
{
    /// <summary>Returns the error of a result; null if its test succeeded.</summary>
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

    public static IoBenchException CreateError(IoTestResult result, string what = "test")
    {
        ArgumentNullException.ThrowIfNull(result);
        var id = result.ErrorId ?? ErrorIds.TestFailed;
        return result.ErrorDetails is { } details
            ? IoBenchException.Failure(id, details.What, result.Path, advice: details.Advice)
            : IoBenchException.Failure(id, result.ErrorMessage ?? $"The {what} of {result.Path} failed.", result.Path);
    }
}
