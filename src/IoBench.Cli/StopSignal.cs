namespace IoBench.Cli;

/// <summary>What Ctrl+C, a closed window and a service manager ask for: the run ends and keeps what is finished.</summary>
internal sealed class StopSignal : IDisposable
{
    /// <summary>Windows ends a process 5 s after its window is closed, and at once when the handler returns.</summary>
    public static readonly TimeSpan TimeToEnd = TimeSpan.FromSeconds(4.5);

    private readonly CancellationTokenSource _cancel = new();
    private readonly ManualResetEventSlim _ended = new();

    /// <summary>Set by the first request.</summary>
    public CancellationToken Token => _cancel.Token;

    /// <summary>Asks the program to end; false when it was asked before, and whoever asks again wants it there and then.</summary>
    /// <param name="endsProcess">The system ends the process when this returns: it returns when everything is saved, or the time is up.</param>
    public bool Request(bool endsProcess = false)
    {
        var isFirst = !_cancel.IsCancellationRequested;
        if (isFirst)
            _cancel.Cancel();
        if (endsProcess)
            _ended.Wait(TimeToEnd);
        return isFirst;
    }

    /// <summary>The program has done: everything is saved, and whoever waits goes on.</summary>
    public void Ended() => _ended.Set();

    /// <inheritdoc/>
    // The event is left to the finalizer: a handler may still be waiting for it.
    public void Dispose()
    {
        Ended();
        _cancel.Dispose();
    }
}
