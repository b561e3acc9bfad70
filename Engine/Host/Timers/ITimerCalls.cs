using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Host.Timers;

/// <summary>Windows' calls for timers.</summary>
internal interface ITimerCalls
{
    /// <summary>timeBeginPeriod: asks for a resolution; 0 when it was granted.</summary>
    /// <exception cref="DllNotFoundException">This edition of Windows has no winmm.</exception>
    uint Begin(uint milliseconds);

    /// <summary>timeEndPeriod: takes the request back.</summary>
    uint End(uint milliseconds);

    /// <summary>CreateWaitableTimerEx; an invalid handle when this Windows does not know the flags.</summary>
    SafeWaitHandle Create(uint flags);

    /// <summary>SetWaitableTimer: below zero from now on, in 100 ns.</summary>
    bool Set(SafeWaitHandle timer, long due);

    /// <summary>WaitForSingleObject, without an end.</summary>
    bool Wait(SafeWaitHandle timer);
}
