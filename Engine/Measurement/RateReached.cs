namespace IoBench.Engine.Measurement;

/// <summary>How much of an open loop's rate the storage kept.</summary>
internal static class RateReached
{
    /// <summary>
    /// I/Os that ended in the measured time in percent of those that were due in it, at most 100; null when none was due. What is in flight in passing is no
    /// miss: it ends soon after, and as much came over from the warm-up, more or less.
    /// </summary>
    public static double? Percent(IReadOnlyList<TargetStream> streams, IoTestSpecification specification)
    {
        var sum = new Distributions();
        foreach (var stream in streams)
            sum.Add(stream.Latencies);
        var service = sum.Service.Total;
        var (done, due) = (service.Count, sum.Response!.DueCount);
        if (due == 0)
            return null;
        var measured = specification.Duration.TotalSeconds * 1e9;
        var inFlight = done * (service.Average ?? 0) / measured;
        var isPoisson = streams[0].Plan.Pattern.Pace is IoPace.Open { Arrivals: IoArrivals.Poisson };
        var passing = 1 + (specification.WarmUp > TimeSpan.Zero ? 0 : inFlight) + (isPoisson ? 3 * Math.Sqrt(inFlight) : 0);
        return due - done <= passing ? 100 : 100.0 * done / due;
    }
}
