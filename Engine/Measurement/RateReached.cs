namespace IoBench.Engine;

internal static class StreamTotals
{
    /// <summary>
    /// Returns the I/Os that completed in the measured time in percent of those that were due in it, at most 100; null if none was due.
    /// I/Os that are outstanding at the end are not missed: they complete soon after, and about as many were outstanding after the warm-up.
    /// </summary>
    public static double? GetAchievedRatePercent(IReadOnlyList<TargetStream> streams, IoTestSpecification specification)
    {
        var sum = new LatencyDistributions();
        foreach (var stream in streams)
            sum.Add(stream.Latencies);
        var service = sum.Service.Total;
        var (done, due) = (service.Count, sum.Response!.DueCount);
        if (due == 0)
            return null;
        var measured = specification.Duration.TotalSeconds * 1e9;
        var inFlight = done * (service.Average ?? 0) / measured;
        var isPoisson = streams[0].Plan.Pattern.Pace is IoPace.OpenLoop { Arrivals: IoArrivals.Poisson };
        var passing = 1 + (specification.WarmUp > TimeSpan.Zero ? 0 : inFlight) + (isPoisson ? 3 * Math.Sqrt(inFlight) : 0);
        return due - done <= passing ? 100 : 100.0 * done / due;
    }
}
