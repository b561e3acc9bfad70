namespace IoBench.Engine.Host;

/// <summary>
/// This process as a load needs it, until it is disposed of: at normal priority and full speed, with waits as fine as the system has them, on a computer that does not go
/// to sleep. On Linux there is nothing to do: waits are fine, and only an administrator may raise a priority.
/// </summary>
internal sealed class ReadyProcess : IDisposable
{
    private readonly WindowsPriorities? _priorities = WindowsPriorities.Raise();
    private readonly TimerResolution _timer = new();
    private readonly StayAwake _awake = new();

    /// <summary>Says that the process was started below normal priority; null when it was not.</summary>
    public IoWarning? Warning => _priorities?.Warning;

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer.Dispose();
        _awake.Dispose();
        _priorities?.Dispose();
    }
}
