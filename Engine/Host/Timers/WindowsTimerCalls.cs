using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.Interop.Windows.WindowsCalls;

namespace IoBench.Engine.Host.Timers;

/// <summary>The calls themselves.</summary>
internal sealed unsafe class WindowsTimerCalls : ITimerCalls
{
    /// <inheritdoc/>
    public uint Begin(uint milliseconds) => timeBeginPeriod(milliseconds);

    /// <inheritdoc/>
    public uint End(uint milliseconds) => timeEndPeriod(milliseconds);

    /// <inheritdoc/>
    public SafeWaitHandle Create(uint flags) => CreateWaitableTimer(0, 0, flags, TIMER_MODIFY_STATE | SYNCHRONIZE);

    /// <inheritdoc/>
    public bool Set(SafeWaitHandle timer, long due) => SetWaitableTimer(timer, &due, 0, 0, 0, 0);

    /// <inheritdoc/>
    public bool Wait(SafeWaitHandle timer) => WaitForSingleObject(timer, INFINITE) == 0;
}
