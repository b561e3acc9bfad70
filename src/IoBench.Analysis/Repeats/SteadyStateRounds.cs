using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

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
        if (last is not { Status: IoResultStatus.Complete, Specification: { SteadyStateRounds: { } rounds } specification } || specification.Repeat != rounds)
            return null;
        var state = StateOf([.. RoundsOf(specification, done), last]);
        return state is { IsSteady: false } ? $"never steady in {rounds} rounds: {Words(state)}. {WhatToDo}." : null;
    }

    /// <summary>Range and slope of rounds in order, with their limits.</summary>
    internal static string Words(SteadyState state) => string.Create(CultureInfo.InvariantCulture,
        $"over the last {SteadyState.Window} the range of IOPS is {state.RangePercent:0.#} % of their average (limit {SteadyState.RangeLimitPercent:0} %), the slope {state.SlopePercent:0.#} % (limit {SteadyState.SlopeLimitPercent:0} %)");

    /// <summary>The state that rounds, in order, have reached; null while there are too few.</summary>
    internal static SteadyState? StateOf(IEnumerable<IoTestResult> rounds) => SteadyState.Of([.. rounds.Select(r => r.IOPS ?? 0)]);

    private static List<IoTestResult> RoundsOf(IoTestSpecification test, IEnumerable<IoTestResult> done)
    {
        var key = KeyOf(test);
        return [.. done.Where(r => r is { Status: IoResultStatus.Complete, Specification: { SteadyStateRounds: not null } specification } && KeyOf(specification) == key).OrderBy(r => r.Repeat)];
    }

    // Equal but for the number of the round.
    private static string KeyOf(IoTestSpecification specification)
    {
        var copy = specification.Clone();
        copy.Repeat = null;
        return ResumePlan.KeyOf(copy);
    }
}
