using IoBench.Engine;

namespace IoBench.Analysis;

internal static class FleetMerge
{
    /// <summary>
    /// Returns start and end of the measurement in seconds since the group's start time; null if the result has no such start.
    /// </summary>
    public static (double From, double To)? GetMeasuredTime(IoTestResult result) =>
        result is { StartOffsetSeconds: { } offset, DurationSeconds: > 0 and var seconds }
        && offset + (result.Specification?.WarmUp.TotalSeconds ?? 0) is var from
            ? (from, from + seconds)
            : null;

    /// <summary>
    /// Returns the rates between two times (in seconds since the group's start time), from the timeline. Intervals that are partly inside
    /// count by that part.
    /// </summary>
    public static (double? Iops, double? MBps) GetRatesBetween(IoTestResult result, double from, double to)
    {
        if (GetMeasuredTime(result) is not { } own || to <= from)
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
