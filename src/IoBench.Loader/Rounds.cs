using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Loader;

/// <summary>Repeats and rounds for the module, and the warnings of a whole suite.</summary>
public static class Rounds
{
    /// <summary><see cref="SteadyStateRounds.IsWanted"/>.</summary>
    public static bool IsWanted(IoTestSpecification next, IReadOnlyList<IoTestResult> done) => SteadyStateRounds.IsWanted(next, done);

    /// <summary>Adds what <see cref="SteadyStateRounds.WarningOf"/> says to the result's warnings.</summary>
    public static void AddWarning(IoTestResult last, IReadOnlyList<IoTestResult> done)
    {
        ArgumentNullException.ThrowIfNull(last);
        if (SteadyStateRounds.WarningOf(last, done) is { } warning)
            last.Warnings.Add(warning);
    }

    /// <summary><see cref="RepeatSummary.Of"/>, as an array; an error when nothing is complete.</summary>
    public static Attempt Summaries(IReadOnlyList<IoTestResult> results) => Attempt.Of(() => RepeatSummary.Of(results) is { Count: > 0 } summaries ? summaries.ToArray()
        : throw IoBenchException.Usage("IoBench.NoRepeats", "There are no complete results: make them with Invoke-IoTest PATH -Repeat 3 (or -SteadyState)."));

    /// <summary><see cref="WarningDigest.Of"/>, as texts.</summary>
    public static string[] Warnings(IReadOnlyList<IoTestResult> results) => [.. WarningDigest.Of(results).Select(warning => warning.ToString())];
}
