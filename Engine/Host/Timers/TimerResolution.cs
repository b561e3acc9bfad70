namespace IoBench.Engine.Host.Timers;

/// <summary>
/// Waits as fine as the system has them while it is held: Windows rounds them up to 15.6 ms else. The one place that asks for it; that Windows heeds it,
/// whatever it saves power by, <see cref="WindowsPriorities"/> sees to.
/// </summary>
internal sealed class TimerResolution : IDisposable
{
    private const uint Finest = 1;

    private readonly ITimerCalls? _held;

    /// <summary>Asks for it.</summary>
    public TimerResolution()
        : this(OperatingSystem.IsWindows() ? new WindowsTimerCalls() : null) { }

    /// <summary>The same over other calls; null where nothing rounds waits up.</summary>
    internal TimerResolution(ITimerCalls? calls) => _held = calls is not null && Ask(calls) ? calls : null;

    /// <summary>Whether it was granted.</summary>
    internal bool IsHeld => _held is not null;

    /// <inheritdoc/>
    public void Dispose() => _ = _held?.End(Finest);

    private static bool Ask(ITimerCalls calls)
    {
        try
        {
            return calls.Begin(Finest) == 0;
        }
        catch (Exception e) when (e is DllNotFoundException or EntryPointNotFoundException)
        {
            // Small editions of Windows (Nano Server, some containers) have no winmm: waits are coarser there.
            return false;
        }
    }
}
