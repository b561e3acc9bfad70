namespace IoBench.Analysis;

/// <summary>Times of a run in which hardly any I/O ended: a controller's cache that is flushed, a snapshot, a path that is switched.</summary>
/// <param name="Count">How many.</param>
/// <param name="FirstAt">When the first began, in seconds from the start of the measurement.</param>
/// <param name="LongestSeconds">The longest of them in seconds, to an interval.</param>
/// <param name="AverageSeconds">Their average length in seconds.</param>
/// <param name="PeriodSeconds">Seconds from one to the next; null when they have no period.</param>
public sealed record StallPattern(int Count, double FirstAt, double LongestSeconds, double AverageSeconds, double? PeriodSeconds)
{
    /// <summary>An interval with less than this share of the usual I/Os.</summary>
    private const double StalledShare = 0.2;

    /// <summary>Of fewer I/Os per interval an empty one is chance.</summary>
    private const double FewestUsual = 10;
    private const int MinForPeriod = 3;
    private const double MaxVariation = 0.15;

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
        {
            if (counts[interval] >= usual * StalledShare)
                continue;
            var start = interval == 0 ? 0 : ends[interval - 1];
            if (stalls.Count > 0 && Math.Abs(stalls[^1].End - start) < 1e-6)
                stalls[^1] = (stalls[^1].Start, ends[interval]);
            else
                stalls.Add((start, ends[interval]));
        }
        if (stalls.Count == 0)
            return null;
        var gaps = stalls.Zip(stalls.Skip(1), (one, next) => next.Start - one.Start).ToList();
        double? period = stalls.Count >= MinForPeriod && gaps.TrueForAll(gap => Math.Abs(gap - gaps.Average()) <= gaps.Average() * MaxVariation) ? gaps.Average() : null;
        return new(stalls.Count, stalls[0].Start, stalls.Max(stall => stall.End - stall.Start), stalls.Average(stall => stall.End - stall.Start), period);
    }

    /// <summary>What they look like, in a sentence about something.</summary>
    public string Say(string subject) => PeriodSeconds is { } period
        ? FormattableString.Invariant($"{subject}: every {period:0.#} s hardly any I/O ends for about {AverageSeconds:0.#} s: a stall with a period.")
        : FormattableString.Invariant($"{subject}: hardly any I/O ended {(Count == 1 ? "once" : $"{Count} times")}, for {LongestSeconds:0.#} s at most (first at {FirstAt:0.#} s).");
}
