using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>
/// The two ways to shorter waits on Windows, which by default rounds them up to 15.6 ms: a timer of its own for each thread with a
/// resolution of about half a millisecond, since Windows 10 1803 and Windows Server 2019
/// (<see href="https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-createwaitabletimerexw"/>), and the finest resolution of
/// all timers of the process. <see cref="WindowsPriorityScope"/> makes sure that Windows respects the request.
/// </summary>
internal unsafe class WindowsTimer
{
    private const uint Finest = 1;

    [ThreadStatic]
    private static WindowsTimer? t_ofThread;

    private SafeWaitHandle? _handle;
    private bool _isResolutionRaised;

    public static bool TryWaitOnThread(long nanoseconds) => OperatingSystem.IsWindows() && (t_ofThread ??= new()).TryWait(nanoseconds);

    /// <summary>Returns false without a wait if Windows has no such timer.</summary>
    internal bool TryWait(long nanoseconds)
    {
        _handle ??= CreateTimer(CREATE_WAITABLE_TIMER_HIGH_RESOLUTION);
        if (_handle.IsInvalid)
            return false;
        // Negative values are relative to now, in units of 100 ns.
        var due = -(nanoseconds / 100);
        return SetTimer(_handle, due) && WaitForTimer(_handle);
    }

    public bool TryRaiseResolution()
    {
        try
        {
            return _isResolutionRaised = BeginPeriod(Finest) == 0;
        }
        catch (Exception e) when (e is DllNotFoundException or EntryPointNotFoundException)
        {
            // Small editions of Windows (Nano Server, some containers) have no winmm.dll. Waits are coarser there.
            return false;
        }
    }

    public void RestoreResolution()
    {
        if (_isResolutionRaised)
            _ = EndPeriod(Finest);
        _isResolutionRaised = false;
    }

    /// <summary>Returns 0 if the resolution was granted.</summary>
    /// <exception cref="DllNotFoundException">This edition of Windows has no winmm.dll.</exception>
    internal virtual uint BeginPeriod(uint milliseconds) => timeBeginPeriod(milliseconds);

    internal virtual uint EndPeriod(uint milliseconds) => timeEndPeriod(milliseconds);

    internal virtual SafeWaitHandle CreateTimer(uint flags) => CreateWaitableTimer(0, 0, flags, TIMER_MODIFY_STATE | SYNCHRONIZE);

    internal virtual bool SetTimer(SafeWaitHandle timer, long due) => SetWaitableTimer(timer, &due, 0, 0, 0, 0);

    internal virtual bool WaitForTimer(SafeWaitHandle timer) => WaitForSingleObject(timer, INFINITE) == 0;
}
