namespace IoBench.Analysis;

/// <summary>
/// Periods of a run in which hardly any I/O completed, or in which some I/Os were slow. Typical causes are a controller that flushes its
/// cache, a snapshot, or a path failover.
/// </summary>
/// <param name="Count">Number of stalls.</param>
/// <param name="FirstAt">Start of the first stall in seconds since the start of the measurement.</param>
/// <param name="LongestSeconds">Length of the longest stall in seconds; only as exact as an interval if the source has nothing
/// better.</param>
/// <param name="AverageSeconds">Average length in seconds.</param>
/// <param name="PeriodSeconds">Seconds between the starts of two stalls; null if they are not periodic.</param>
public sealed record StallPattern(int Count, double FirstAt, double LongestSeconds, double AverageSeconds, double? PeriodSeconds)
{
    private const double StalledShare = 0.2;

    /// <summary>With fewer I/Os per interval, an empty interval can occur by chance.</summary>
    private const double MinUsualIOs = 10;

    /// <summary>Whether hardly any I/O completed; false if some I/Os were slow while others completed.</summary>
    public bool IsGap { get; init; } = true;

    /// <summary>Finds the stalls of a run in the counts of its intervals; null if there are none.</summary>
    /// <param name="ends">End of each interval in seconds, ascending.</param>
    /// <param name="counts">I/Os that completed in each interval.</param>
    public static StallPattern? Create(IReadOnlyList<double> ends, IReadOnlyList<double> counts)
    {
        ArgumentNullException.ThrowIfNull(ends);
        ArgumentNullException.ThrowIfNull(counts);
        var usual = counts.Count == 0 ? 0 : counts.Order().ElementAt(counts.Count / 2);
        if (usual < MinUsualIOs)
            return null;
        var stalls = new List<(double Start, double End)>();
        for (var interval = 0; interval < counts.Count; interval++)
            if (counts[interval] < usual * StalledShare)
                AddInterval(stalls, interval == 0 ? 0 : ends[interval - 1], ends[interval]);
        return Create(stalls, ends[^1] / ends.Count);
    }

    internal static StallPattern? Create(IReadOnlyList<(double Start, double End)> stalls, double resolution) =>
        stalls.Count == 0
            ? null
            : new(
                stalls.Count,
                stalls[0].Start,
                stalls.Max(stall => stall.End - stall.Start),
                stalls.Average(stall => stall.End - stall.Start),
                StallPattern.FindPeriod([.. stalls.Select(stall => stall.Start)], resolution)
            );

    internal static void AddInterval(List<(double Start, double End)> stalls, double start, double end)
    {
        if (stalls.Count > 0 && Math.Abs(stalls[^1].End - start) < 1e-6)
            stalls[^1] = (stalls[^1].Start, end);
        else
            stalls.Add((start, end));
    }

    /// <summary>Describes the stalls in one sentence.</summary>
    public string Describe(string subject) =>
        (IsGap, PeriodSeconds) switch
        {
            (true, { } period) => FormattableString.Invariant(
                $"{subject}: every {period:0.#} s hardly any I/O ends for about {AverageSeconds:0.#} s: a stall with a period."
            ),
            (true, null) => FormattableString.Invariant(
                $"{subject}: hardly any I/O ended {Times}, for {LongestSeconds:0.#} s at most (first at {FirstAt:0.#} s)."
            ),
            (false, { } period) => FormattableString.Invariant(
                $"{subject}: every {period:0.#} s I/Os take up to {LongestSeconds:0.#} s while others go on: slow with a period, no gap."
            ),
            _ => FormattableString.Invariant(
                $"{subject}: I/Os took up to {LongestSeconds:0.#} s {Times} while others went on (first at {FirstAt:0.#} s): slow, no gap."
            ),
        };

    private string Times => Count == 1 ? "once" : FormattableString.Invariant($"{Count} times");
}
