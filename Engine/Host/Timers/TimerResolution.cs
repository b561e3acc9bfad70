namespace IoBench.Engine;

/// <summary>
/// Requests the finest timer resolution while it exists; by default Windows rounds waits up to 15.6 ms. The only place that requests it.
/// <see cref="WindowsPriorities"/> makes sure that Windows respects the request.
/// </summary>
internal sealed class TimerResolution : IDisposable
{
    private const uint Finest = 1;

    private readonly ITimerCalls? _held;

    public TimerResolution()
        : this(OperatingSystem.IsWindows() ? new WindowsTimerCalls() : null) { }

    internal TimerResolution(ITimerCalls? calls) => _held = calls is not null && Ask(calls) ? calls : null;

    internal bool IsHeld => _held is not null;

    public void Dispose() => _ = _held?.End(Finest);

    private static bool Ask(ITimerCalls calls)
    {
        try
        {
            return calls.Begin(Finest) == 0;
        }
        catch (Exception e) when (e is DllNotFoundException or EntryPointNotFoundException)
        {
            // Small editions of Windows (Nano Server, some containers) have no winmm.dll. Waits are coarser there.
            return false;
        }
    }
}
