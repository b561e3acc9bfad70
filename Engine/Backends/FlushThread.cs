namespace IoBench.Engine.Backends;

/// <summary>
/// Flushes a worker's files beside its other I/O: Windows has no asynchronous flush, and one that the worker waited for itself would hold up the completions
/// of all its other I/Os. A packet in the worker's port reports that one is done. Flushes go one after the other, as they were asked for.
/// </summary>
/// <typeparam name="TPort">The port.</typeparam>
internal sealed unsafe class FlushThread<TPort>
    where TPort : struct, ICompletionPort
{
    private readonly object _gate = new();
    private readonly TPort _port;
    private readonly Request[] _queue;
    private readonly Thread _thread;
    private int _head;
    private int _count;
    private bool _closing;

    /// <summary>A thread over an open port, with room for so many flushes at a time.</summary>
    public FlushThread(TPort port, int room)
    {
        _port = port;
        _queue = new Request[room];
        _thread = new Thread(Work, 256 * 1024) { IsBackground = true, Name = "IoBench flush" };
        _thread.Start();
    }

    /// <summary>Asks for a flush; returns at once.</summary>
    /// <param name="target">Number of the file.</param>
    /// <param name="overlapped">What the packet shall hold.</param>
    /// <param name="error">Receives 0 or the Win32 error before the packet comes.</param>
    public void Start(int target, OverlappedBlock* overlapped, int* error)
    {
        lock (_gate)
        {
            _queue[(_head + _count++) % _queue.Length] = new Request
            {
                Target = target,
                Overlapped = overlapped,
                Error = error,
            };
            Monitor.Pulse(_gate);
        }
    }

    /// <summary>Ends the thread; only when no flush is on its way.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _closing = true;
            Monitor.Pulse(_gate);
        }
        _thread.Join();
    }

    private void Work()
    {
        while (true)
        {
            Request request;
            lock (_gate)
            {
                while (_count == 0)
                {
                    if (_closing)
                        return;
                    Monitor.Wait(_gate);
                }
                request = _queue[_head];
                _head = (_head + 1) % _queue.Length;
                _count--;
            }
            *request.Error = _port.Flush(request.Target);
            _port.Post(request.Overlapped);
        }
    }

    private struct Request
    {
        public int Target;
        public OverlappedBlock* Overlapped;
        public int* Error;
    }
}
