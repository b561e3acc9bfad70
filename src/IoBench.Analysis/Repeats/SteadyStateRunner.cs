using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Rounds of one test until they are steady.</summary>
/// <param name="Reached">Five rounds were steady.</param>
/// <param name="Rounds">All rounds, in order; the last five are the measurement when it is steady.</param>
/// <param name="State">Range and slope of the last five; null when there were fewer.</param>
/// <param name="Summary">The answer in a sentence.</param>
public sealed record SteadyStateResult(bool Reached, IReadOnlyList<IoTestResult> Rounds, SteadyState? State, string Summary);

/// <summary>
/// Repeats a test until the SNIA Performance Test Specification's criterion holds: over five rounds the range of IOPS is within 20 % and the slope within 10 % of the average.
/// </summary>
public static class SteadyStateRunner
{
    /// <summary>Rounds after which the specification gives up.</summary>
    public const int DefaultMaxRounds = 25;

    /// <summary>Runs rounds until they are steady, at most <paramref name="maxRounds"/>. A round that was cancelled or failed ends it.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidRounds</c>: fewer than five rounds are allowed. Whatever a run throws.</exception>
    public static SteadyStateResult Run(IoTestSpecification specification, Func<IoTestSpecification, IoTestResult> run, int maxRounds = DefaultMaxRounds)
    {
        if (maxRounds < SteadyState.Window)
            throw IoBenchException.Usage("IoBench.InvalidRounds", $"Steady state is judged over {SteadyState.Window} rounds: allow at least so many.");
        List<IoTestResult> rounds = [];
        SteadyState? state = null;
        while (rounds.Count < maxRounds)
        {
            var round = specification.Clone();
            round.Repeat = rounds.Count + 1;
            var result = run(round);
            rounds.Add(result);
            if (result.Status != IoResultStatus.Complete)
                return new(false, rounds, state, $"{Name(specification)}: round {rounds.Count} is {result.Status.ToString().ToLowerInvariant()}; until then there was no steady state.");
            state = SteadyState.Of([.. rounds.Select(r => r.IOPS ?? 0)]);
            if (state?.IsSteady == true)
                return new(true, rounds, state, string.Create(CultureInfo.InvariantCulture,
                    $"{Name(specification)}: steady after {rounds.Count} rounds: {state.Average:N0} IOPS on average of the last {SteadyState.Window}, range {state.RangePercent:0.#} %, slope {state.SlopePercent:0.#} %."));
        }
        return new(false, rounds, state, string.Create(CultureInfo.InvariantCulture,
            $"{Name(specification)}: never steady in {rounds.Count} rounds: over the last {SteadyState.Window} the range is {state!.RangePercent:0.#} % (limit 20 %) and the slope {state.SlopePercent:0.#} % (limit 10 %)."));
    }

    private static string Name(IoTestSpecification specification) => specification.Workload ?? PatternText.Of(specification);
}
