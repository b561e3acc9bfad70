namespace IoBench.Engine;

/// <summary>
/// Prepares this process for a measurement until it is disposed: normal priority, full CPU speed, the finest timer resolution, and no sleep
/// mode.
/// Does nothing on Linux: timers are fine already, and only an administrator can raise a priority.
/// </summary>
internal sealed class ReadyProcess : IDisposable
{
    private readonly WindowsPriorities? _priorities = WindowsPriorities.Raise();
    private readonly TimerResolution _timer = new();
    private readonly StayAwake _awake = new();

    public IoWarning? Warning => _priorities?.Warning;

    public void Dispose()
    {
        _timer.Dispose();
        _awake.Dispose();
        _priorities?.Dispose();
    }
}
