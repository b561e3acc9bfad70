namespace IoBench.Tests;

/// <summary>
/// Response times of an open loop if the storage, or the program, stalls once for a known time, computed from the schedule alone. Times are
/// in seconds unless the name says otherwise. The service time of the storage and delays of a busy computer are not included.
/// </summary>
/// <param name="DueIops">I/Os due per second, evenly spaced.</param>
/// <param name="WindowSeconds">Measured time.</param>
/// <param name="StallSeconds">Length of the stall.</param>
/// <param name="StallSecondsInWindow">Part of the stall within the measured time. The rest comes after it.</param>
/// <param name="DrainIops">I/Os per second of the storage while it works off the backlog.</param>
internal sealed record ExpectedStallLatency(
    double DueIops,
    double WindowSeconds,
    double StallSeconds,
    double StallSecondsInWindow,
    double DrainIops = double.PositiveInfinity
)
{
    /// <summary>
    /// Average response time in milliseconds. An I/O due x seconds into the stall waits Length - x, in total Rate (Within Length - Within^2
    /// / 2). While the backlog is worked off, new I/Os queue, which multiplies the total by 1 / (1 - Rate / Drain).
    /// </summary>
    public double AverageMs =>
        1000
        * (StallSecondsInWindow * StallSeconds - StallSecondsInWindow * StallSecondsInWindow / 2)
        / WindowSeconds
        / (1 - DueIops / DrainIops);

    /// <summary>
    /// The 99th percentile in milliseconds if at least 1% of the I/Os are due in the stall: the I/O that is due 1% of the window after the
    /// first I/O of the stall.
    /// </summary>
    public double P99Ms => 1000 * (StallSeconds - 0.01 * WindowSeconds * (1 - DueIops / DrainIops));

    /// <summary>Maximum response time in milliseconds: the first I/O of the stall.</summary>
    public double MaxMs => 1000 * StallSeconds;
}
