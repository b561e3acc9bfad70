namespace IoBench.Engine.Specification;

/// <summary>What a reader or writer keeps beside a test, such as the command line it came from. The engine carries it along and does not look at it.</summary>
public abstract record IoTestExtension
{
    /// <summary>Whether a run takes the seed as it is given and begins its sequences at the first block, else each run draws its own.</summary>
    public virtual bool FixesSeed => false;

    /// <summary>Whether intervals of the timeline keep the length that was asked for, however many they are; else a long run has longer ones.</summary>
    public virtual bool KeepsTimelineInterval => false;

    /// <summary>A copy that shares nothing with this one.</summary>
    public abstract IoTestExtension Copy();
}
