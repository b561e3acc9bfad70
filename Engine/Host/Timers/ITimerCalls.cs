using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal interface ITimerCalls
{
    /// <summary>timeBeginPeriod; returns 0 if the resolution was granted.</summary>
    /// <exception cref="DllNotFoundException">This edition of Windows has no winmm.dll.</exception>
    uint Begin(uint milliseconds);

    uint End(uint milliseconds);

    /// <summary>CreateWaitableTimerEx; returns an invalid handle if this version of Windows does not know the flags.</summary>
    SafeWaitHandle Create(uint flags);

    /// <summary>SetWaitableTimer; negative values are relative to now, in units of 100 ns.</summary>
    bool Set(SafeWaitHandle timer, long due);

    bool Wait(SafeWaitHandle timer);
}
