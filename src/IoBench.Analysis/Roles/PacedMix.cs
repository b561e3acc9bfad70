namespace IoBench.Analysis.Roles;

/// <summary>
/// The rates of a paced mix: each role's pattern is asked for a share of what it reached alone, at random moments as of many independent users, all roles at
/// once. Full speed at once is the worst case; this is a working day.
/// </summary>
public static class PacedMix
{
    // A rate of nothing is none.
    private const double MinRate = 0.001;

    /// <summary>Sets the rates of a paced mix from what its patterns reached alone; nothing for any other test.</summary>
    /// <param name="test">The test, about to be run.</param>
    /// <param name="known">Results so far; those of the same round before others.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoOwnRate</c>: a pattern did not run alone to its end.</exception>
    public static void SetRates(IoTestSpecification test, IEnumerable<IoTestResult> known) => Apply(test, RatesOf(test, known));

    /// <summary>Sets rates that were taken where the results are.</summary>
    /// <param name="test">The test, about to be run.</param>
    /// <param name="rates">I/Os per second, one per target; empty = leave the test as it is.</param>
    public static void Apply(IoTestSpecification test, IReadOnlyList<double> rates)
    {
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(rates);
        for (var i = 0; i < rates.Count; i++)
            test.PatternOf(test.Targets[i]).Pace = new IoPace.Open(rates[i], IoArrivals.Poisson);
    }

    /// <summary>The rates of a paced mix, in I/Os per second, one per target; empty for any other test.</summary>
    /// <param name="test">The test, about to be run.</param>
    /// <param name="known">Results so far, of the host that runs it; those of the same round before others.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoOwnRate</c>: a pattern did not run alone to its end.</exception>
    public static IReadOnlyList<double> RatesOf(IoTestSpecification test, IEnumerable<IoTestResult> known)
    {
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(known);
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
                var pattern = test.PatternOf(target);
                var own = alone.Where(r => IsAlone(r.Specification!, target, pattern)).ToList();
                var round = own.Where(r => r.Repeat == test.Repeat).ToList();
                var rate =
                    (round.Count > 0 ? round : own).Average(r => r.IOPS)
                    ?? throw IoBenchException.Failure(
                        "IoBench.NoOwnRate",
                        $"{target.Role} ({PatternText.Of(pattern)}) did not complete its run alone, so its own rate is not known: the paced mix is left out.",
                        target.Path
                    );
                return Math.Max(MinRate, Math.Round(rate * percent / 100, 3));
            }),
        ];
    }

    /// <summary>The same role, place and pattern by itself.</summary>
    private static bool IsAlone(IoTestSpecification test, IoTargetSpecification target, IoPattern pattern) =>
        test.Targets[0].Role == target.Role
        && IsSamePath(test.Targets[0].Path, target.Path)
        && PatternText.Of(test.PatternOf(test.Targets[0])) == PatternText.Of(pattern);

    // A shell's relative path and a cmdlet's full one.
    private static bool IsSamePath(string one, string other) => one == other || Path.GetFullPath(one) == Path.GetFullPath(other);
}
