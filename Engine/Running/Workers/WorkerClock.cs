using System.Runtime.CompilerServices;

namespace IoBench.Engine.Running.Workers;

/// <summary>The moments of a worker: the system's, or those that a modelled device moves.</summary>
internal readonly struct WorkerClock(VirtualClock? modelled)
{
    /// <summary>Now, in nanoseconds.</summary>
    public long Now
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => modelled is null ? Clock.Now : modelled.Now;
    }

    /// <summary>Waits for a moment; a modelled device moves there by itself.</summary>
    public void WaitUntil(long moment)
    {
        if (modelled is null)
            Clock.WaitUntil(moment);
    }
}
