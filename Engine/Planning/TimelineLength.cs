namespace IoBench.Engine.Planning;

/// <summary>How long the intervals of a run's timeline really are: as asked for, or a whole multiple where there would be too many of them.</summary>
internal static class TimelineLength
{
    /// <summary>Intervals of a run at most: 2.8 hours of seconds. A day has intervals of 9 s then, and its timeline stays as small as that of an hour.</summary>
    public const int MaxIntervals = 10_000;

    /// <summary>The length of an interval.</summary>
    public static TimeSpan Interval(IoTestSpecification specification) =>
        specification.Extension is { KeepsTimelineInterval: true }
            ? specification.TimelineInterval
            : specification.TimelineInterval
                * Math.Max(1, Math.Ceiling(specification.Duration / specification.TimelineInterval / MaxIntervals));

    /// <summary>Number of intervals of the measured time; the last may be shorter.</summary>
    public static int Count(IoTestSpecification specification) => (int)Math.Ceiling(specification.Duration / Interval(specification));
}
