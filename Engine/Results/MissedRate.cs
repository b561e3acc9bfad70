namespace IoBench.Engine;

/// <summary>Message about an open loop that did not reach its target rate, the same on every surface.</summary>
public static class IoTestResult
{
    /// <summary>Describes the target rate and the achieved rate of an open loop, such as <c>asked for 200 IOPS, reached 150</c>.</summary>
    /// <remarks>
    /// With random arrivals, or if a target has its own rate, I/Os can be late although the total rate is reached. The text then states the
    /// percentage.
    /// </remarks>
    public static string DescribeMissedRate(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var (asked, reached) = (NumberFormat.Rate(result.TargetIops), NumberFormat.Rate(result.IOPS));
        return result.IOPS < IoTestResult.MinRateReachedPercent / 100 * result.TargetIops || result.RateReachedPercent is not { } share
            ? $"asked for {asked} IOPS, reached {reached}"
            : $"asked for {asked} IOPS, and {NumberFormat.Plain(share, 1)} % of the I/Os that were due{(result.TargetCount > 1 ? " on one of the targets" : "")} were done in time";
    }
}
