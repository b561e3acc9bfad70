namespace IoBench.Engine;

/// <summary>
/// Additional data that a reader or writer attaches to a test, such as the original command line. The engine passes it on and does not use
/// it.
/// </summary>
public abstract record IoTestExtension
{
    /// <summary>
    /// Whether a run uses the seed as given and starts its sequences at the first block; otherwise, each run has its own.
    /// </summary>
    public virtual bool FixesSeed => false;

    /// <summary>Whether the timeline keeps the requested interval for any run length; otherwise, a long run has longer intervals.</summary>
    public virtual bool KeepsTimelineInterval => false;

    /// <summary>Creates a deep copy.</summary>
    public abstract IoTestExtension Copy();
}
