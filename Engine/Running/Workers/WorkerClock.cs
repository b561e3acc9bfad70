using System.Runtime.CompilerServices;

namespace IoBench.Engine;

internal readonly struct WorkerClock(VirtualClock? modelled)
{
    public long Now
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => modelled is null ? Clock.Now : modelled.Now;
    }

    /// <summary>Waits until a time. A modeled device advances its clock to that time itself.</summary>
    public void WaitUntil(long moment)
    {
        if (modelled is null)
            Clock.WaitUntil(moment);
    }
}
