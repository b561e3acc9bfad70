namespace IoBench.Analysis.Fleet;

/// <summary>Where a result lies on the clock of its group, and what it holds of a part of that time.</summary>
internal static class FleetWindow
{
    /// <summary>Begin and end of the measured time in seconds from the agreed moment; null of a result that says no such moment.</summary>
    public static (double From, double To)? Of(IoTestResult result) =>
        result is { StartOffsetSeconds: { } offset, DurationSeconds: > 0 and var seconds }
        && offset + (result.Specification?.WarmUp.TotalSeconds ?? 0) is var from
            ? (from, from + seconds)
            : null;

    /// <summary>Rates between two moments on the group's clock, from the intervals that lie there; an interval that is cut counts by its part.</summary>
    /// <param name="from">Begin.</param>
    /// <param name="to">End.</param>
    public static (double? Iops, double? MBps) Between(IoTestResult result, double from, double to)
    {
        if (Of(result) is not { } own || to <= from)
            return (null, null);
        if (result.Timeline.Count == 0)
            return (result.IOPS, result.BandwidthMBps);
        var (count, bytes, seconds, begin) = (0.0, 0.0, 0.0, own.From);
        foreach (var point in result.Timeline)
        {
            var end = own.From + point.Seconds;
            var part = Math.Min(end, to) - Math.Max(begin, from);
            if (part > 0)
            {
                count += (point.IOPS ?? 0) * part;
                bytes += (point.MBps ?? 0) * part;
                seconds += part;
            }
            begin = end;
        }
        return seconds > 0 ? (count / seconds, bytes / seconds) : (null, null);
    }
}
