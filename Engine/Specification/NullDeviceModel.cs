namespace IoBench.Engine.Specification;

/// <summary>Kinds of modelled service time.</summary>
public enum NullServiceTime
{
    /// <summary>Always the mean.</summary>
    Constant,

    /// <summary>Exponentially distributed around the mean.</summary>
    Exponential,

    /// <summary>The mean, and a share of slow I/Os.</summary>
    Bimodal,
}

/// <summary>A device that is known exactly: so many servers in parallel, each taking a modelled time per I/O.</summary>
/// <param name="Servers">I/Os served at the same time; 0 = without limit.</param>
/// <param name="MeanMs">Service time in milliseconds.</param>
/// <param name="Kind">Distribution of the service time.</param>
/// <param name="SlowMs">Bimodal: the slow I/Os' service time in milliseconds.</param>
/// <param name="SlowPercent">Bimodal: share of slow I/Os in percent.</param>
/// <param name="MsPerKB">Milliseconds that each KB of an I/O adds to the service.</param>
/// <param name="MaxIops">A throttle before the servers: I/Os per second; 0 = none.</param>
/// <param name="MaxBytesPerSecond">A throttle before the servers: bytes per second; 0 = none.</param>
/// <param name="BurstIops">I/Os per second that the throttle lets pass while <paramref name="BurstCredit"/> lasts.</param>
/// <param name="BurstCredit">I/Os above the throttle that pass before it holds; they do not come back.</param>
/// <param name="StallAtSeconds">Seconds from the first I/O to a stall, in which nothing is served.</param>
/// <param name="StallSeconds">Its length in seconds; 0 = no stall.</param>
/// <param name="StallEverySeconds">Seconds from the beginning of one to the next; 0 = once.</param>
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
