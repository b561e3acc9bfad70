namespace IoBench.Engine.Results;

/// <summary>What is said of an open loop whose rate was missed: the same words everywhere.</summary>
public static class MissedRate
{
    /// <summary>What was asked and what was reached: <c>asked for 200 IOPS, reached 150</c>.</summary>
    /// <remarks>
    /// Random arrivals, or a target with a rate of its own, may miss what was due while the sum of what came is as high as the rate: then the share says it.
    /// </remarks>
    public static string Words(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        var (asked, reached) = (Figures.Rate(result.TargetIops), Figures.Rate(result.IOPS));
        return result.IOPS < IoTestResult.MinRateReachedPercent / 100 * result.TargetIops || result.RateReachedPercent is not { } share
            ? $"asked for {asked} IOPS, reached {reached}"
            : $"asked for {asked} IOPS, and {Figures.Plain(share, 1)} % of the I/Os that were due{(result.TargetCount > 1 ? " on one of the targets" : "")} were done in time";
    }
}
