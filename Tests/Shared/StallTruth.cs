namespace IoBench.Tests;

/// <summary>
/// What an open loop's response times are when the storage, or the program, stands still once for a known time: from the schedule alone. Times are in
/// seconds; the storage's own time and what a busy computer adds come on top.
/// </summary>
/// <param name="Rate">I/Os due per second, evenly.</param>
/// <param name="Window">The measured time.</param>
/// <param name="Length">How long everything stood still.</param>
/// <param name="Within">How much of it lay within the measured time; the rest came after it.</param>
/// <param name="Drain">I/Os per second that the storage does when it has to catch up.</param>
internal sealed record StallTruth(double Rate, double Window, double Length, double Within, double Drain = double.PositiveInfinity)
{
    /// <summary>
    /// Average response in milliseconds. What is due x seconds into the stall waits for the rest of it, Length - x: together
    /// Rate (Within Length - Within^2 / 2). While the backlog is worked off, new I/Os queue up behind it: 1 / (1 - Rate / Drain) times as much.
    /// </summary>
    public double AverageMs => 1000 * (Within * Length - Within * Within / 2) / Window / (1 - Rate / Drain);

    /// <summary>The 99th percentile in milliseconds, where one of a hundred fell into the stall: the hundredth part of the window after the stall's first I/O.</summary>
    public double P99Ms => 1000 * (Length - 0.01 * Window * (1 - Rate / Drain));

    /// <summary>The longest: the first I/O of the stall.</summary>
    public double LongestMs => 1000 * Length;
}
