namespace IoBench.Engine.Running;

/// <summary>A question that all workers of a run answer before any of them goes on; each learns what all have in common.</summary>
internal sealed class WorkerVote(int workers) : IDisposable
{
    private readonly ManualResetEventSlim _decided = new();
    private int _left = workers;
    private int _common = ~0;

    /// <summary>Gives a worker's answer and waits for the others'; what all of them have, or nothing when the run is off.</summary>
    public int Answer(int mine)
    {
        Interlocked.And(ref _common, mine);
        if (Interlocked.Decrement(ref _left) == 0)
            _decided.Set();
        _decided.Wait();
        return Volatile.Read(ref _common);
    }

    /// <summary>The run is off: nobody waits any more.</summary>
    public void CallOff()
    {
        if (_decided.IsSet)
            return;
        Interlocked.And(ref _common, 0);
        _decided.Set();
    }

    /// <inheritdoc/>
    public void Dispose() => _decided.Dispose();
}
