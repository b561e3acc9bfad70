using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

internal sealed unsafe class WindowsTimerCalls : ITimerCalls
{
    public uint BeginPeriod(uint milliseconds) => timeBeginPeriod(milliseconds);

    public uint EndPeriod(uint milliseconds) => timeEndPeriod(milliseconds);

    public SafeWaitHandle CreateTimer(uint flags) => CreateWaitableTimer(0, 0, flags, TIMER_MODIFY_STATE | SYNCHRONIZE);

    public bool SetTimer(SafeWaitHandle timer, long due) => SetWaitableTimer(timer, &due, 0, 0, 0, 0);

    public bool WaitForTimer(SafeWaitHandle timer) => WaitForSingleObject(timer, INFINITE) == 0;
}

internal interface ITimerCalls
{
    /// <summary>timeBeginPeriod; returns 0 if the resolution was granted.</summary>
    /// <exception cref="DllNotFoundException">This edition of Windows has no winmm.dll.</exception>
    uint BeginPeriod(uint milliseconds);

    uint EndPeriod(uint milliseconds);

    SafeWaitHandle CreateTimer(uint flags);

    /// <summary>SetWaitableTimer; negative values are relative to now, in units of 100 ns.</summary>
    bool SetTimer(SafeWaitHandle timer, long due);

    bool WaitForTimer(SafeWaitHandle timer);
}
