using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal interface ITimerCalls
{
    /// <summary>timeBeginPeriod; returns 0 if the resolution was granted.</summary>
    /// <exception cref="DllNotFoundException">This edition of Windows has no winmm.dll.</exception>
    uint BeginPeriod(uint milliseconds);

    uint EndPeriod(uint milliseconds);

    /// <summary>CreateWaitableTimerEx; returns an invalid handle if this version of Windows does not know the flags.</summary>
    SafeWaitHandle CreateTimer(uint flags);

    /// <summary>SetWaitableTimer; negative values are relative to now, in units of 100 ns.</summary>
    bool SetTimer(SafeWaitHandle timer, long due);

    bool WaitForTimer(SafeWaitHandle timer);
}
