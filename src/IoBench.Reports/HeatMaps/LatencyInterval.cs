namespace IoBench.Reports.HeatMaps;

/// <summary>The latencies of the I/Os that ended in an interval; of an open loop, of those that were due in it.</summary>
/// <param name="Seconds">End of the interval in seconds from the start of the measurement.</param>
/// <param name="Histogram">Its I/Os by latency.</param>
internal sealed record LatencyInterval(double Seconds, IoHistogram Histogram)
{
    /// <summary>Whether a result has the latencies of its intervals.</summary>
    public static bool AreIn(IoTestResult run) => run.HasTimeline() && run.Timeline.Exists(point => point.Latencies is not null);

    /// <summary>Those of a result; null where it has none. An interval without any I/O has an empty histogram.</summary>
    public static IReadOnlyList<LatencyInterval>? Of(IoTestResult run)
    {
        var points = run.Timeline;
        if (points.FindIndex(point => point.Latencies is not null) is var first && first < 0)
            return null;
        // A long run has them for several intervals together, with the last of these.
        var from = points[first].Latencies!.FromSeconds;
        var each = Math.Max(1, points.Count(point => point.Seconds > from + 1e-9 && point.Seconds <= points[first].Seconds));
        return
        [
            .. points
                .Chunk(each)
                .Select(chunk => new LatencyInterval(
                    chunk[^1].Seconds,
                    Array.FindLast(chunk, point => point.Latencies is not null)?.Latencies!.ToHistogram() ?? new()
                )),
        ];
    }
}
