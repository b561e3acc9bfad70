using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>
/// Waitable timer with a resolution of about half a millisecond, since Windows 10 1803 and Windows Server 2019
/// (<see href="https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerexw"/>).
/// </summary>
internal sealed class HighResolutionTimer
{
    [ThreadStatic]
    private static HighResolutionTimer? t_ofThread;

    private readonly ITimerCalls _calls;
    private readonly SafeWaitHandle _handle;

    internal HighResolutionTimer(ITimerCalls calls)
    {
        _calls = calls;
        _handle = calls.CreateTimer(CREATE_WAITABLE_TIMER_HIGH_RESOLUTION);
    }

    public static bool TryWait(long nanoseconds) =>
        OperatingSystem.IsWindows() && (t_ofThread ??= new(new WindowsTimerCalls())).Wait(nanoseconds);

    internal bool Wait(long nanoseconds)
    {
        if (_handle.IsInvalid)
            return false;
        // Negative values are relative to now, in units of 100 ns.
        var due = -(nanoseconds / 100);
        return _calls.SetTimer(_handle, due) && _calls.WaitForTimer(_handle);
    }
}
