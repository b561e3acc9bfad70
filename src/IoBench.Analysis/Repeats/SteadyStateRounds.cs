using System.Globalization;

namespace IoBench.Analysis.Repeats;

/// <summary>
/// The rounds of a test that is run until it is steady: a plan holds as many as there may be, and those after the steady state are left out.
/// The criterion is that of <see cref="SteadyState"/>, on IOPS.
/// </summary>
public static class SteadyStateRounds
{
    /// <summary>Rounds after which the SNIA Performance Test Specification gives up.</summary>
    public const int DefaultMaxRounds = 25;

    /// <summary>What to do about rounds that never become steady.</summary>
    internal const string WhatToDo = "Allow more rounds, or see what else uses the storage";

    /// <summary>Whether a test of a plan is to be run: always, but for a round of a test that is steady already.</summary>
    public static bool IsWanted(IoTestSpecification next, IEnumerable<IoTestResult> done)
    {
        ArgumentNullException.ThrowIfNull(next);
        return next.SteadyStateRounds is null || StateOf(RoundsOf(next, done))?.IsSteady != true;
    }

    /// <summary>What must be said with the last round that may be: that there was no steady state. Null for every other run.</summary>
    /// <param name="last">The run that has just ended.</param>
    /// <param name="done">The runs before it.</param>
    public static string? WarningOf(IoTestResult last, IEnumerable<IoTestResult> done)
    {
        ArgumentNullException.ThrowIfNull(last);
        if (
            last is not { Status: IoResultStatus.Complete, Specification: { SteadyStateRounds: { } rounds } specification }
            || specification.Repeat != rounds
        )
            return null;
        var state = StateOf([.. RoundsOf(specification, done), last]);
        return state is { IsSteady: false } ? $"never steady in {rounds} rounds: {Words(state)}, {Criterion([last])}. {WhatToDo}." : null;
    }

    /// <summary>Range and slope of rounds in order, with their limits.</summary>
    internal static string Words(SteadyState state) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"over the last {SteadyState.Window} the range of IOPS is {state.RangePercent:0.#} % of their average (limit {SteadyState.RangeLimitPercent:0} %), the slope {state.SlopePercent:0.#} % (limit {SteadyState.SlopeLimitPercent:0} %)"
        );

    /// <summary>
    /// Whose criterion it is: SNIA's where the flash was preconditioned as the standard has it (128 KB writes of twice the capacity) and each round had its minute; the same limits are else our own.
    /// Source: SNIA Solid State Storage Performance Test Specification 2.0.2, "Workload independent preconditioning" and "Steady state".
    /// </summary>
    public static string Criterion(IReadOnlyList<IoTestResult> rounds)
    {
        ArgumentNullException.ThrowIfNull(rounds);
        var passes = rounds.Min(r => r.Specification?.Precondition ?? 0);
        var shortest = rounds.Min(r => r.Specification?.Duration ?? TimeSpan.Zero);
        string[] missing =
        [
            .. passes >= Preconditioning.StandardPasses
                ? Array.Empty<string>()
                :
                [
                    passes == 0
                        ? "not preconditioned"
                        : string.Create(
                            CultureInfo.InvariantCulture,
                            $"preconditioned with {passes}x, not {Preconditioning.StandardPasses}x"
                        ),
                ],
            .. shortest >= Preconditioning.StandardRound
                ? Array.Empty<string>()
                : [$"rounds of {new IoDuration(shortest)}, not {new IoDuration(Preconditioning.StandardRound)}"],
        ];
        return missing.Length == 0 ? "by SNIA's criterion" : $"by our own criterion, not SNIA's: {string.Join(", ", missing)}";
    }

    /// <summary>The state that rounds, in order, have reached; null while there are too few.</summary>
    internal static SteadyState? StateOf(IEnumerable<IoTestResult> rounds) => SteadyState.Of([.. rounds.Select(r => r.IOPS ?? 0)]);

    private static List<IoTestResult> RoundsOf(IoTestSpecification test, IEnumerable<IoTestResult> done)
    {
        var key = KeyOf(test);
        return
        [
            .. done.Where(r =>
                    r is { Status: IoResultStatus.Complete, Specification: { SteadyStateRounds: not null } specification }
                    && KeyOf(specification) == key
                )
                .OrderBy(r => r.Repeat),
        ];
    }

    // Equal but for the number of the round.
    private static string KeyOf(IoTestSpecification specification)
    {
        var copy = specification.Clone();
        copy.Repeat = null;
        return ResumePlan.KeyOf(copy);
    }
}
