using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>Latencies of the I/Os that ended in an interval; of an open loop, of those that were scheduled in it.</summary>
/// <param name="Seconds">End of the interval in seconds from the start of the measurement.</param>
internal sealed record LatencyInterval(double Seconds, IoHistogram Histogram)
{
    public static bool HasLatencies(IoTestResult run) => run.HasTimeline() && run.Timeline.Exists(point => point.Latencies is not null);

    /// <returns>null if the result has no latencies of intervals. An interval without I/O has an empty histogram.</returns>
    public static IReadOnlyList<LatencyInterval>? FromResult(IoTestResult run)
    {
        var points = run.Timeline;
        if (points.FindIndex(point => point.Latencies is not null) is var first && first < 0)
            return null;
        // A long run stores one histogram for several intervals, at the last of them.
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
