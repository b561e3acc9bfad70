using System.Runtime.CompilerServices;

namespace IoBench.Engine.Running.Workers;

/// <summary>The way of a worker's I/Os to the system and back: what is ready goes there, what did not come back whole goes again.</summary>
internal sealed unsafe class WorkerPipeline
{
    // In a row, of one I/O: more is no passing trouble.
    private const int MaxParts = 64;
    private const long LongestBusy = 60 * Clock.Second;

    private const int FirstPortion = 1;

    // To a device that is done at once: more in one call spare nothing any longer, and what the kernel needs for them falls out of the processor's cache.
    private const int PortionAtOnce = 32;

    // What a read brought is checked while it still lies in the processor's second cache: half of one of 512 KB. Fewer at once would cost a call each, which a virtual machine pays dearly for.
    private const int CheckedAtOnce = 256 << 10;

    private readonly IoBackend _backend;
    private readonly int _maxPortion;

    // I/Os of a checked test that a device gets which is done at once, before they are looked at; else as many as there are.
    private readonly int _atOnce;
    private readonly WorkerCounters _counters;
    private readonly WorkerClock _clock;
    private readonly TargetStream[]? _checked;
    private readonly IoSlot* _slots;
    private readonly IoCompletion* _completions;
    private readonly int* _ready;
    private readonly int* _retries;
    private int _readyCount;
    private int _portion = FirstPortion;
    private bool _isDoneAtOnce;
    private int _retryCount;
    private int _outstanding;

    /// <summary>A pipeline over a worker's memory.</summary>
    /// <param name="backend">Does the I/O.</param>
    /// <param name="memory">The worker's memory.</param>
    /// <param name="counters">What others see of it.</param>
    /// <param name="streams">Of a checked test: the streams, which note what a read must bring before it starts; else null.</param>
    /// <param name="largestBlock">Bytes of the largest I/O.</param>
    public WorkerPipeline(IoBackend backend, WorkerMemory memory, WorkerCounters counters, TargetStream[]? streams, long largestBlock)
    {
        _atOnce = streams is null ? int.MaxValue : (int)Math.Max(1, CheckedAtOnce / largestBlock);
        _backend = backend;
        _checked = streams;
        _maxPortion = Math.Min(backend.MaxPortion, memory.SlotCount);
        _counters = counters;
        _clock = new WorkerClock(backend.VirtualClock);
        _slots = memory.Slots;
        _completions = memory.Completions;
        _ready = memory.Batch;
        _retries = memory.Retries;
    }

    public IoSlot* Slots => _slots;

    /// <summary>What <see cref="SubmitAndReap"/> brought.</summary>
    public IoCompletion* Completions => _completions;

    /// <summary>I/Os that the system has.</summary>
    public int Outstanding => _outstanding;

    /// <summary>Whether the system has none and gets none.</summary>
    public bool IsIdle => _outstanding + _readyCount + _retryCount == 0;

    /// <summary>Transfers that moved a part of their I/O only; the rest was moved by further ones.</summary>
    public long Parts { get; private set; }

    /// <summary>Times that the system sent an I/O back as busy; it was tried again.</summary>
    public long BusyAnswers { get; private set; }

    /// <summary>
    /// A slot's next I/O is about to be prepared: what is ready goes first when it makes a portion. Portions are of 1, 2, 4 … I/Os, since the system
    /// holds one back until it has seen all of it: a device that has just finished everything gets the first I/O at once, and works while the others
    /// are prepared. So a batch of 32 takes 6 calls in place of 32, and the last of them waits as well. A device that has I/Os still is not idle meanwhile: it
    /// gets as many at once as it has. Nor is one that has finished an I/O when the call that starts it returns (memory does): it gets as many as are worth a call.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void MakeRoom()
    {
        if (_readyCount == _portion)
            SubmitPortion();
    }

    /// <summary>A slot has its next I/O.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(int index) => _ready[_readyCount++] = index;

    /// <summary>Nothing more is started: forgets what is ready.</summary>
    public void Discard() => _readyCount = _retryCount = 0;

    /// <summary>Starts what is ready and waits for a completion, at most until a moment; returns the number of completions.</summary>
    /// <remarks>
    /// Reads that are checked, of a device that is done at once, are started a few at a time, since each of them is over before the next begins: so they are checked before the
    /// next ones have pushed them out of the processor's cache. Nothing is waited for as long as others are ready, and none is held back once an I/O is on its way.
    /// </remarks>
    public int SubmitAndReap(long until)
    {
        var rest = _isDoneAtOnce && _retryCount == 0 ? Math.Max(0, _readyCount - _atOnce) : 0;
        var count = _readyCount - rest;
        if (rest > 0 && rest >= count)
            WarmBuffers.Exchange(_slots, _ready, _readyCount, count);
        var now = NoteStarted(count);
        if (rest > 0)
            until = Math.Min(until, now);
        // What the system sent back goes again, and its latency counts from the first try.
        while (_retryCount > 0)
            _ready[count++] = _retries[--_retryCount];
        _outstanding += count;
        Volatile.Write(ref _counters.Outstanding, _outstanding);
        var got = _backend.SubmitAndReap(_ready, count, until, _completions);
        for (var i = 0; i < rest; i++)
            _ready[i] = _ready[count + i];
        _readyCount = rest;
        _outstanding -= got;
        _isDoneAtOnce &= _outstanding == 0;
        _portion =
            _isDoneAtOnce && rest > 0
                ? int.MaxValue
                : Math.Max(FirstPortion, Math.Min(_isDoneAtOnce ? PortionAtOnce : _outstanding, _maxPortion));
        return got;
    }

    /// <summary>Whether an I/O that did not come back whole is tried again: one that found the system busy, or the rest of one that was moved in part.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool Retry(int index, int result)
    {
        var slot = _slots + index;
        if (result > 0 && result < slot->Length && ++slot->Tries <= MaxParts)
        {
            slot->Moved += result;
            slot->Offset += result;
            slot->Buffer += result;
            slot->Length -= result;
            Parts++;
        }
        else if (IsBusy(result) && _clock.Now - slot->Started <= LongestBusy)
        {
            BusyAnswers++;
            slot->Tries++;
            // The system asks for time: to ask at once again would only take the processor from those that it waits for.
            if (slot->Tries > 10)
                Thread.Yield();
        }
        else
        {
            return false;
        }
        _retries[_retryCount++] = index;
        return true;
    }

    private void SubmitPortion()
    {
        _ = NoteStarted(_readyCount);
        var taken = _backend.Submit(_ready, _readyCount);
        _outstanding += taken;
        _readyCount -= taken;
        for (var i = 0; i < _readyCount; i++)
            _ready[i] = _ready[taken + i];
        // A backend that takes no more now gets the rest with the wait.
        _isDoneAtOnce |= _portion == FirstPortion && _backend.HasCompletions;
        _portion = _readyCount > 0 ? int.MaxValue : Math.Min(_isDoneAtOnce ? PortionAtOnce : 2 * _portion, _maxPortion);
    }

    // Right before the call that starts them: their latency holds neither their own preparation nor that of the next.
    private long NoteStarted(int count)
    {
        if (_checked is not null)
            NoteExpected(_checked, count);
        var now = _clock.Now;
        for (var i = 0; i < count; i++)
            _slots[_ready[i]].Started = now;
        return now;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void NoteExpected(TargetStream[] streams, int count)
    {
        for (var i = 0; i < count; i++)
        {
            var slot = _slots + _ready[i];
            if (slot->Operation == SlotOperation.Read)
                streams[slot->Stream].Checks!.BeginRead(slot);
        }
    }

    private static bool IsBusy(int result) =>
        OperatingSystem.IsLinux()
            ? result is -Errno.EAGAIN or -Errno.EINTR
            : OperatingSystem.IsWindows()
                && result
                    is -WindowsCalls.ERROR_NO_SYSTEM_RESOURCES
                        or -WindowsCalls.ERROR_WORKING_SET_QUOTA
                        or -WindowsCalls.ERROR_INVALID_USER_BUFFER;
}
