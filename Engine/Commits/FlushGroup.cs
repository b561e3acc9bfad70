namespace IoBench.Engine;

/// <summary>Group commit: one committer flushes for all committers whose writes completed before the flush began.</summary>
internal sealed class FlushGroup
{
    private readonly object _gate = new();
    private long _written;
    private long _durable;
    private bool _isFlushing;
    private int _error;

    /// <summary>Returns when a flush that began after the caller's write has completed.</summary>
    /// <returns>0, or the negated error number of the flush.</returns>
    public int WaitUntilDurable(Func<int> flush)
    {
        long mine;
        long covered;
        lock (_gate)
        {
            mine = ++_written;
            while (_isFlushing && _durable < mine && _error == 0)
                Monitor.Wait(_gate);
            if (_durable >= mine || _error != 0)
                return _error;
            _isFlushing = true;
            covered = _written;
        }
        var result = flush();
        lock (_gate)
        {
            _isFlushing = false;
            if (result < 0)
                _error = result;
            else
                _durable = covered;
            Monitor.PulseAll(_gate);
        }
        return result;
    }
}
