namespace IoBench.Engine;

/// <summary>
/// Requests the finest timer resolution; by default Windows rounds waits up to 15.6 ms. The only place that requests it.
/// <see cref="WindowsPriorityScope"/> makes sure that Windows respects the request.
/// </summary>
internal sealed class TimerResolutionScope : IDisposable
{
    private const uint Finest = 1;

    private readonly ITimerCalls? _calls;

    public TimerResolutionScope()
        : this(OperatingSystem.IsWindows() ? new WindowsTimerCalls() : null) { }

    internal TimerResolutionScope(ITimerCalls? calls) => _calls = calls is not null && TryRequest(calls) ? calls : null;

    internal bool IsGranted => _calls is not null;

    public void Dispose() => _ = _calls?.EndPeriod(Finest);

    private static bool TryRequest(ITimerCalls calls)
    {
        try
        {
            return calls.BeginPeriod(Finest) == 0;
        }
        catch (Exception e) when (e is DllNotFoundException or EntryPointNotFoundException)
        {
            // Small editions of Windows (Nano Server, some containers) have no winmm.dll. Waits are coarser there.
            return false;
        }
    }
}
