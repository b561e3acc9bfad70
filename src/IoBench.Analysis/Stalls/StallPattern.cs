namespace IoBench.Analysis.Stalls;

/// <summary>Times of a run in which hardly any I/O ended, or in which some took long: a controller's cache that is flushed, a snapshot, a path that is switched.</summary>
/// <param name="Count">How many.</param>
/// <param name="FirstAt">When the first began, in seconds from the start of the measurement.</param>
/// <param name="LongestSeconds">The longest of them in seconds; to an interval where the source has nothing better.</param>
/// <param name="AverageSeconds">Their average length in seconds.</param>
/// <param name="PeriodSeconds">Seconds from one to the next; null when they have no period.</param>
public sealed record StallPattern(int Count, double FirstAt, double LongestSeconds, double AverageSeconds, double? PeriodSeconds)
{
    /// <summary>An interval with less than this share of the usual I/Os.</summary>
    private const double StalledShare = 0.2;

    /// <summary>Of fewer I/Os per interval an empty one is chance.</summary>
    private const double FewestUsual = 10;

    /// <summary>Whether it is a gap, in which hardly any I/O ended; else some I/Os took long while others went on.</summary>
    public bool IsGap { get; init; } = true;

    /// <summary>The stalls of a run; null when there are none.</summary>
    /// <param name="ends">End of each interval in seconds, ascending.</param>
    /// <param name="counts">I/Os that ended in each.</param>
    public static StallPattern? Of(IReadOnlyList<double> ends, IReadOnlyList<double> counts)
    {
        ArgumentNullException.ThrowIfNull(ends);
        ArgumentNullException.ThrowIfNull(counts);
        var usual = counts.Count == 0 ? 0 : counts.Order().ElementAt(counts.Count / 2);
        if (usual < FewestUsual)
            return null;
        var stalls = new List<(double Start, double End)>();
        for (var interval = 0; interval < counts.Count; interval++)
            if (counts[interval] < usual * StalledShare)
                Extend(stalls, interval == 0 ? 0 : ends[interval - 1], ends[interval]);
        return Of(stalls, ends[^1] / ends.Count);
    }

    /// <summary>The pattern of times that are known; null without any.</summary>
    /// <param name="stalls">Beginning and end of each in seconds, ascending.</param>
    /// <param name="resolution">How exactly they are known, in seconds.</param>
    internal static StallPattern? Of(IReadOnlyList<(double Start, double End)> stalls, double resolution) =>
        stalls.Count == 0
            ? null
            : new(
                stalls.Count,
                stalls[0].Start,
                stalls.Max(stall => stall.End - stall.Start),
                stalls.Average(stall => stall.End - stall.Start),
                StallPeriod.Of([.. stalls.Select(stall => stall.Start)], resolution)
            );

    /// <summary>Adds a time, or makes the last one longer when it touches.</summary>
    internal static void Extend(List<(double Start, double End)> stalls, double start, double end)
    {
        if (stalls.Count > 0 && Math.Abs(stalls[^1].End - start) < 1e-6)
            stalls[^1] = (stalls[^1].Start, end);
        else
            stalls.Add((start, end));
    }

    /// <summary>What they look like, in a sentence about something.</summary>
    public string Say(string subject) =>
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
