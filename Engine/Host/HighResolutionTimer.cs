using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>
/// A waitable timer of Windows that is as fine as its hardware (about half a millisecond), whatever the timer's resolution is: Windows 10 1803 and Server 2019 on
/// (<see href="https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerexw"/>).
/// </summary>
internal sealed unsafe class HighResolutionTimer
{
    [ThreadStatic]
    private static HighResolutionTimer? t_ofThread;

    private readonly SafeWaitHandle _handle = CreateWaitableTimer(0, 0, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, TIMER_MODIFY_STATE | SYNCHRONIZE);

    private HighResolutionTimer()
    {
    }

    /// <summary>Waits for a time; false where there is no such timer.</summary>
    /// <param name="nanoseconds">How long.</param>
    public static bool TryWait(long nanoseconds) => OperatingSystem.IsWindows() && (t_ofThread ??= new()).Wait(nanoseconds);

    private bool Wait(long nanoseconds)
    {
        if (_handle.IsInvalid)
            return false;
        // Below zero: from now on, in 100 ns.
        var due = -(nanoseconds / 100);
        return SetWaitableTimer(_handle, &due, 0, 0, 0, 0) && WaitForSingleObject(_handle, INFINITE) == 0;
    }
}
