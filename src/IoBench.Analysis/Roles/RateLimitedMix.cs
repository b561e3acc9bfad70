using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Each file role runs at a share of the rate that it reached alone, with random arrivals as of many independent users. Full speed shows
/// the worst case, a rate-limited mix a normal working day.
/// </summary>
public static class RateLimitedMix
{
    // A target rate of 0 means "no target rate", so never go below this value.
    private const double MinRate = 0.001;

    /// <summary>Sets the rates from those that the patterns reached alone; leaves any other test unchanged.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoOwnRate</c>: a pattern has no complete run alone.</exception>
    public static void SetRates(IoTestSpecification test, IEnumerable<IoTestResult> known)
    {
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(known);
        var rates = GetRates(test, known);
        for (var i = 0; i < rates.Count; i++)
        {
            var pattern = test.GetPattern(test.Targets[i]);
            pattern.RemoveRateLimits();
            pattern.TargetIops = rates[i];
            pattern.Arrivals = IoArrivals.Poisson;
        }
    }

    /// <summary>Returns IOPS, one value per target; empty for any other test. Results of the same round take precedence.</summary>
    private static List<double> GetRates(IoTestSpecification test, IEnumerable<IoTestResult> known)
    {
        if (test.MixLoadPercent is not { } percent)
            return [];
        var alone = known
            .Where(r =>
                r is { Status: IoResultStatus.Complete, IOPS: > 0, Specification: { Targets.Count: 1, MixLoadPercent: null } }
                && r.Label == test.Label
            )
            .ToList();
        return
        [
            .. test.Targets.Select(target =>
            {
                var pattern = test.GetPattern(target);
                var own = alone.Where(r => IsSamePatternAlone(r.Specification!, target, pattern)).ToList();
                var round = own.Where(r => r.Repeat == test.Repeat).ToList();
                var rate =
                    (round.Count > 0 ? round : own).Average(r => r.IOPS)
                    ?? throw IoBenchException.Failure(
                        "IoBench.NoOwnRate",
                        $"The test of {target.Role} alone ({PatternText.Describe(pattern)}) did not complete, so the rate that it reaches alone is unknown. IoBench skips the rate-limited mix.",
                        target.Path
                    );
                return Math.Max(MinRate, Math.Round(rate * percent / 100, 3));
            }),
        ];
    }

    private static bool IsSamePatternAlone(IoTestSpecification test, IoTargetSpecification target, IoPattern pattern) =>
        test.Targets[0].Role == target.Role
        && IsSamePath(test.Targets[0].Path, target.Path)
        && PatternText.Describe(test.GetPattern(test.Targets[0])) == PatternText.Describe(pattern);

    // The CLI can pass a relative path, while a cmdlet passes the full path.
    private static bool IsSamePath(string one, string other) => one == other || Path.GetFullPath(one) == Path.GetFullPath(other);
}
