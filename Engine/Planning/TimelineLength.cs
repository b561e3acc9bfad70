namespace IoBench.Engine;

/// <summary>
/// Length and number of the intervals of a run's timeline. Too many intervals are merged into multiples of the requested length.
/// </summary>
internal static class TimelineInterval
{
    /// <summary>
    /// Maximum number of intervals of a run: 2.8 hours of seconds. For a day, the interval is 9 s, so that the timeline stays small.
    /// </summary>
    public const int MaxIntervals = 10_000;

    public static TimeSpan GetLength(IoTestSpecification specification) =>
        specification.Extension is { KeepsTimelineInterval: true }
            ? specification.TimelineInterval
            : specification.TimelineInterval
                * Math.Max(1, Math.Ceiling(specification.Duration / specification.TimelineInterval / MaxIntervals));

    public static int CountIntervals(IoTestSpecification specification) =>
        (int)Math.Ceiling(specification.Duration / GetLength(specification));
}
