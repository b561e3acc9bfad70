using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>
/// The range of the last five rounds is at most 20% of their average, and the best-fit line changes by at most 10% of it.
/// Source: SNIA Solid State Storage Performance Test Specification, "Steady State".
/// </summary>
/// <param name="SlopePercent">Absolute change of the least-squares line over the window / average, in percent.</param>
public sealed record SteadyState(bool IsSteady, double RangePercent, double SlopePercent, double Average)
{
    /// <summary>Number of rounds in the measurement window.</summary>
    public const int Window = 5;

    public const double RangeLimitPercent = 20;

    public const double SlopeLimitPercent = 10;

    /// <summary>Checks the last <see cref="Window"/> rounds; null if there are fewer.</summary>
    public static SteadyState? FromRounds(IReadOnlyList<double> rounds)
    {
        if (rounds.Count < Window)
            return null;
        var window = rounds.Skip(rounds.Count - Window).ToArray();
        var average = window.Average();
        if (average == 0)
            return new(false, 0, 0, 0);
        var range = (window.Max() - window.Min()) / average * 100;
        const double middle = (Window - 1) / 2.0;
        double cross = 0,
            square = 0;
        for (var i = 0; i < Window; i++)
        {
            cross += (i - middle) * (window[i] - average);
            square += (i - middle) * (i - middle);
        }
        var slope = Math.Abs(cross / square * (Window - 1)) / average * 100;
        return new(range <= RangeLimitPercent && slope <= SlopeLimitPercent, range, slope, average);
    }

    /// <summary>Number of rounds after which the SNIA Performance Test Specification stops.</summary>
    public const int DefaultMaxRounds = 25;

    internal const string NotSteadyAdvice = "Allow more rounds, or check what else uses the storage";

    /// <summary>Returns false for a round of a test that is already steady; true for any other test of a plan.</summary>
    public static bool IsRoundNeeded(IoTestSpecification next, IEnumerable<IoTestResult> done) =>
        next.SteadyStateRounds is null || FromResults(GetRounds(next, done))?.IsSteady != true;

    /// <summary>Creates the warning that the last possible round did not reach a steady state; null for any other run.</summary>
    public static string? CreateWarning(IoTestResult last, IEnumerable<IoTestResult> done)
    {
        if (
            last is not { Status: IoResultStatus.Complete, Specification: { SteadyStateRounds: { } rounds } specification }
            || specification.Repeat != rounds
        )
            return null;
        var state = FromResults([.. GetRounds(specification, done), last]);
        return state is { IsSteady: false }
            ? $"not steady in {rounds} rounds {DescribeCriterion([last])}: {Describe(state)}. {NotSteadyAdvice}."
            : null;
    }

    internal static string Describe(SteadyState state) =>
        Invariant(
            $"in the last {Window} rounds, the range of IOPS is {state.RangePercent:0.#}% of the average (limit {RangeLimitPercent:0}%), and the slope is {state.SlopePercent:0.#}% (limit {SlopeLimitPercent:0}%)"
        );

    /// <summary>
    /// SNIA's criterion requires preconditioned flash (128 KB writes of twice the capacity) and rounds of at least one minute.
    /// Source: SNIA Solid State Storage Performance Test Specification 2.0.2, "Workload independent preconditioning" and "Steady state".
    /// </summary>
    public static string DescribeCriterion(IReadOnlyList<IoTestResult> rounds)
    {
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
                        : Invariant($"preconditioned with {passes}x instead of {Preconditioning.StandardPasses}x"),
                ],
            .. shortest >= Preconditioning.StandardRound
                ? Array.Empty<string>()
                : [$"rounds of {new IoDuration(shortest)} instead of {new IoDuration(Preconditioning.StandardRound)}"],
        ];
        return missing.Length == 0
            ? "by the SNIA criterion"
            : $"by the IoBench criterion, not the SNIA criterion ({string.Join(", ", missing)})";
    }

    internal static SteadyState? FromResults(IEnumerable<IoTestResult> rounds) => FromRounds([.. rounds.Select(r => r.IOPS ?? 0)]);

    private static List<IoTestResult> GetRounds(IoTestSpecification test, IEnumerable<IoTestResult> done)
    {
        var key = GetTestKey(test);
        return
        [
            .. done.Where(r =>
                    r is { Status: IoResultStatus.Complete, Specification: { SteadyStateRounds: not null } specification }
                    && GetTestKey(specification) == key
                )
                .OrderBy(r => r.Repeat),
        ];
    }

    // Rounds of one test are equal except for their number.
    private static string GetTestKey(IoTestSpecification specification)
    {
        var copy = specification.Clone();
        copy.Repeat = null;
        return ResumePlan.GetTestKey(copy);
    }
}
