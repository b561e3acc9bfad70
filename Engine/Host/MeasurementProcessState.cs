namespace IoBench.Engine;

/// <summary>
/// Until it is disposed: normal priority, full CPU speed, the finest timer resolution, and no sleep mode. Does nothing on Linux, where
/// timers are fine already and only an administrator can raise a priority.
/// </summary>
internal sealed class MeasurementProcessState : IDisposable
{
    private readonly WindowsPriorityScope? _priorities = WindowsPriorityScope.Raise();
    private readonly TimerResolutionScope _timer = new();
    private readonly SleepInhibitor _awake = new();

    public IoWarning? Warning => _priorities?.Warning;

    public void Dispose()
    {
        _timer.Dispose();
        _awake.Dispose();
        _priorities?.Dispose();
    }
}
