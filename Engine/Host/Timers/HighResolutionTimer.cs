using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.Interop.Windows.WindowsCalls;

namespace IoBench.Engine.Host.Timers;

/// <summary>
/// A waitable timer of Windows that is as fine as its hardware (about half a millisecond), whatever the timer's resolution is: Windows 10 1803 and Server 2019 on
/// (<see href="https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerexw"/>).
/// </summary>
internal sealed class HighResolutionTimer
{
    [ThreadStatic]
    private static HighResolutionTimer? t_ofThread;

    private readonly ITimerCalls _calls;
    private readonly SafeWaitHandle _handle;

    /// <summary>Asks for one.</summary>
    internal HighResolutionTimer(ITimerCalls calls)
    {
        _calls = calls;
        _handle = calls.Create(CREATE_WAITABLE_TIMER_HIGH_RESOLUTION);
    }

    /// <summary>Waits for a time on a timer of this thread; false where there is no such timer.</summary>
    /// <param name="nanoseconds">How long.</param>
    public static bool TryWait(long nanoseconds) =>
        OperatingSystem.IsWindows() && (t_ofThread ??= new(new WindowsTimerCalls())).Wait(nanoseconds);

    /// <summary>Waits for a time; false, at once, where Windows made no such timer or refuses to set it.</summary>
    /// <param name="nanoseconds">How long.</param>
    internal bool Wait(long nanoseconds)
    {
        if (_handle.IsInvalid)
            return false;
        // Below zero: from now on, in 100 ns.
        var due = -(nanoseconds / 100);
        return _calls.Set(_handle, due) && _calls.Wait(_handle);
    }
}
