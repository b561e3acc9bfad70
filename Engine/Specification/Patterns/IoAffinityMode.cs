namespace IoBench.Engine;

/// <summary>How worker threads are bound to CPUs.</summary>
public enum IoAffinityMode
{
    /// <summary>The scheduler decides.</summary>
    Off,

    /// <summary>
    /// One thread per CPU in turn, all CPUs of a NUMA node before the next node; or over <see cref="IoPattern.Processors"/> in the listed
    /// order.
    /// </summary>
    RoundRobin,

    /// <summary>Every thread can run on any of <see cref="IoPattern.Processors"/>.</summary>
    Mask,
}
