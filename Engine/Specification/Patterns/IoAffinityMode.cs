namespace IoBench.Engine.Specification.Patterns;

/// <summary>How worker threads are bound to processors.</summary>
public enum IoAffinityMode
{
    /// <summary>The scheduler decides.</summary>
    Off,

    /// <summary>Thread by thread over all processors, those of one node of memory (NUMA) before the next's, or over <see cref="IoPattern.Processors"/> as listed.</summary>
    RoundRobin,

    /// <summary>Every thread may run on any of <see cref="IoPattern.Processors"/>.</summary>
    Mask,
}
