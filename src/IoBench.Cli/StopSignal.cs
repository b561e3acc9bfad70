namespace IoBench.Cli;

internal sealed class StopSignal : IDisposable
{
    /// <summary>Windows ends a process 5 s after its window is closed, and immediately when the handler returns.</summary>
    public static readonly TimeSpan MaxEndTime = TimeSpan.FromSeconds(4.5);

    private readonly CancellationTokenSource _cancel = new();
    private readonly ManualResetEventSlim _ended = new();

    public CancellationToken Token => _cancel.Token;

    /// <param name="endsProcess">The system ends the process when the handler returns, so wait until everything is saved or the time is
    /// up.</param>
    /// <returns>false if the end was requested before: the user then wants to end immediately.</returns>
    public bool RequestStop(bool endsProcess = false)
    {
        var isFirst = !_cancel.IsCancellationRequested;
        if (isFirst)
            _cancel.Cancel();
        if (endsProcess)
            _ended.Wait(MaxEndTime);
        return isFirst;
    }

    /// <summary>Everything is saved, so waiting handlers can return.</summary>
    public void SignalEnd() => _ended.Set();

    // The event is left to the finalizer, because a handler can still wait for it.
    public void Dispose()
    {
        SignalEnd();
        _cancel.Dispose();
    }
}
