namespace IoBench.Engine;

/// <summary>Waits as fine as the system has them while it is held: Windows rounds them up to 15.6 ms else. The one place that asks for it.</summary>
internal sealed class TimerResolution : IDisposable
{
    private readonly bool _isHeld;

    /// <summary>Asks for it.</summary>
    public TimerResolution() => _isHeld = OperatingSystem.IsWindows() && Ask();

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isHeld)
            _ = WindowsCalls.timeEndPeriod(1);
    }

    private static bool Ask()
    {
        try
        {
            return WindowsCalls.timeBeginPeriod(1) == 0;
        }
        catch (Exception e) when (e is DllNotFoundException or EntryPointNotFoundException)
        {
            // Small editions of Windows (Nano Server, some containers) have no winmm: waits are coarser there.
            return false;
        }
    }
}
