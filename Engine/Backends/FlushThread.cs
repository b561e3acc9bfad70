namespace IoBench.Engine;

/// <summary>Flushes on its own thread, because Windows has no asynchronous flush. A packet reports each completed flush.</summary>
internal sealed unsafe class FlushThread<TPort>
    where TPort : struct, ICompletionPort
{
    private readonly object _gate = new();
    private readonly TPort _port;
    private readonly FlushRequest[] _queue;
    private readonly Thread _thread;
    private int _head;
    private int _count;
    private bool _closing;

    public FlushThread(TPort port, int capacity)
    {
        _port = port;
        _queue = new FlushRequest[capacity];
        _thread = new Thread(ProcessQueue, 256 * 1024) { IsBackground = true, Name = "IoBench flush" };
        _thread.Start();
    }

    /// <param name="error">Receives 0 or the Win32 error before the packet arrives.</param>
    public void QueueFlush(int target, OverlappedBlock* overlapped, int* error)
    {
        lock (_gate)
        {
            _queue[(_head + _count++) % _queue.Length] = new FlushRequest
            {
                Target = target,
                Overlapped = overlapped,
                Error = error,
            };
            Monitor.Pulse(_gate);
        }
    }

    /// <summary>Ends the thread. No flush may be outstanding.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _closing = true;
            Monitor.Pulse(_gate);
        }
        _thread.Join();
    }

    private void ProcessQueue()
    {
        while (true)
        {
            FlushRequest request;
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

    private struct FlushRequest
    {
        public int Target;
        public OverlappedBlock* Overlapped;
        public int* Error;
    }
}
