using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

internal sealed unsafe class WindowsTimerCalls : ITimerCalls
{
    public uint Begin(uint milliseconds) => timeBeginPeriod(milliseconds);

    public uint End(uint milliseconds) => timeEndPeriod(milliseconds);

    public SafeWaitHandle Create(uint flags) => CreateWaitableTimer(0, 0, flags, TIMER_MODIFY_STATE | SYNCHRONIZE);

    public bool Set(SafeWaitHandle timer, long due) => SetWaitableTimer(timer, &due, 0, 0, 0, 0);

    public bool Wait(SafeWaitHandle timer) => WaitForSingleObject(timer, INFINITE) == 0;
}
