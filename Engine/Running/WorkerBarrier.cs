namespace IoBench.Engine;

/// <summary>Barrier for all workers of a run. Each worker gets the flags that all of them have.</summary>
internal sealed class WorkerBarrier(int workers) : IDisposable
{
    private readonly ManualResetEventSlim _decided = new();
    private int _left = workers;
    private int _common = ~0;

    /// <summary>Adds a worker's flags and waits for the others. Returns the common flags, or 0 if the run was stopped.</summary>
    public int SignalAndWait(int mine)
    {
        Interlocked.And(ref _common, mine);
        if (Interlocked.Decrement(ref _left) == 0)
            _decided.Set();
        _decided.Wait();
        return Volatile.Read(ref _common);
    }

    public void Cancel()
    {
        if (_decided.IsSet)
            return;
        Interlocked.And(ref _common, 0);
        _decided.Set();
    }

    public void Dispose() => _decided.Dispose();
}
