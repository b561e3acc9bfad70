namespace IoBench.Engine;

/// <summary>Distribution of a modeled service time.</summary>
public enum NullServiceTime
{
    Constant,
    Exponential,

    /// <summary>The mean, and a percentage of slow I/Os.</summary>
    Bimodal,
}

/// <summary>A modeled device: a number of parallel servers that each take a modeled time per I/O.</summary>
/// <param name="Servers">I/Os served at the same time; 0 = no limit.</param>
/// <param name="SlowMs">Bimodal: service time of a slow I/O.</param>
/// <param name="MaxIops">Throttle in front of the servers; 0 = none.</param>
/// <param name="MaxBytesPerSecond">Throttle in front of the servers; 0 = none.</param>
/// <param name="BurstIops">Rate that the throttle allows while <paramref name="BurstCredit"/> lasts.</param>
/// <param name="BurstCredit">I/Os above the throttle that are allowed once; the credit does not refill.</param>
/// <param name="StallAtSeconds">Seconds from the first I/O to a stall, in which no I/O is served.</param>
/// <param name="StallSeconds">Length of the stall; 0 = no stall.</param>
/// <param name="StallEverySeconds">Seconds from the start of one stall to the next; 0 = one stall only.</param>
public sealed record NullDeviceModel(
    int Servers,
    double MeanMs,
    NullServiceTime Kind = NullServiceTime.Constant,
    double SlowMs = 0,
    double SlowPercent = 0,
    double MsPerKB = 0,
    double MaxIops = 0,
    double MaxBytesPerSecond = 0,
    double BurstIops = 0,
    double BurstCredit = 0,
    double StallAtSeconds = 0,
    double StallSeconds = 0,
    double StallEverySeconds = 0
);
