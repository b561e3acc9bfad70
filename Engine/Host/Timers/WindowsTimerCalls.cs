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
