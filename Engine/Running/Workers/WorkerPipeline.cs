using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>Submits prepared I/Os, receives completions, and resubmits I/Os that did not complete in full.</summary>
internal sealed unsafe class WorkerPipeline
{
    // Consecutive partial transfers of one I/O. More of them are not a temporary problem.
    private const int MaxParts = 64;
    private const long MaxBusyTime = 60 * Clock.Second;

    private const int FirstBatchSize = 1;

    // A larger batch saves no more time, and the kernel's data for it no longer fits in the CPU cache.
    private const int SynchronousBatchSize = 32;

    // Half of an L2 cache of 512 KB. Smaller batches cost a call each (docs/concepts/performance.md).
    private const int CheckedAtOnce = 256 << 10;

    private readonly IoBackend _backend;
    private readonly int _maxPortion;

    // Number of I/Os of a verified test that start together on a device that completes them within the call; otherwise no limit.
    private readonly int _atOnce;
    private readonly WorkerCounters _counters;
    private readonly WorkerClock _clock;
    private readonly TargetStream[]? _checked;
    private readonly IoSlot* _slots;
    private readonly IoCompletion* _completions;
    private readonly int* _ready;
    private readonly int* _retries;
    private int _readyCount;
    private int _batchSize = FirstBatchSize;
    private bool _isDoneAtOnce;
    private int _retryCount;
    private int _outstanding;

    /// <param name="streams">Streams of a verified test, which record what a read must return before it starts; otherwise null.</param>
    public WorkerPipeline(IoBackend backend, WorkerMemory memory, WorkerCounters counters, TargetStream[]? streams, long largestBlock)
    {
        _atOnce = streams is null ? int.MaxValue : (int)Math.Max(1, CheckedAtOnce / largestBlock);
        _backend = backend;
        _checked = streams;
        _maxPortion = Math.Min(backend.MaxSubmissionBatch, memory.SlotCount);
        _counters = counters;
        _clock = new WorkerClock(backend.VirtualClock);
        _slots = memory.Slots;
        _completions = memory.Completions;
        _ready = memory.Batch;
        _retries = memory.Retries;
    }

    public IoSlot* Slots => _slots;

    public IoCompletion* Completions => _completions;

    public int Outstanding => _outstanding;

    public bool IsIdle => _outstanding + _readyCount + _retryCount == 0;

    public long PartialTransfers { get; private set; }

    public long BusyRetries { get; private set; }

    /// <summary>Submits the ready I/Os if they fill a batch. Called before the next I/O of a slot is prepared.</summary>
    /// <remarks>Batches of 1, 2, 4, … I/Os: an idle device starts at once and works while the others are prepared. A busy device gets
    /// as many as it has. A device that completes I/Os within the call gets as many as are worth a call.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void SubmitFullBatch()
    {
        if (_readyCount == _batchSize)
            SubmitBatch();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddReady(int index) => _ready[_readyCount++] = index;

    public void DiscardReady()
    {
        _readyCount = 0;
        _retryCount = 0;
    }

    /// <summary>Starts the ready I/Os, waits for a completion until a time at most, and returns the number of completions.</summary>
    /// <remarks>If I/Os complete within the call, verified reads start a few at a time, so that their data is still in the cache.</remarks>
    public int SubmitAndReap(long until)
    {
        var rest = _isDoneAtOnce && _retryCount == 0 ? Math.Max(0, _readyCount - _atOnce) : 0;
        var count = _readyCount - rest;
        if (rest > 0 && rest >= count)
            SwapInWarmBuffers(_slots, _ready, _readyCount, count);
        var now = MarkStarted(count);
        if (rest > 0)
            until = Math.Min(until, now);
        // Retried I/Os start again, but their latency counts from the first attempt.
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
        _batchSize = GetNextBatchSize(rest > 0);
        return got;
    }

    private int GetNextBatchSize(bool hasRest)
    {
        // The rest of a group that completes within the call waits until its turn; new I/Os do not start a batch.
        if (_isDoneAtOnce && hasRest)
            return int.MaxValue;
        var wanted = _isDoneAtOnce ? SynchronousBatchSize : _outstanding;
        return Math.Max(FirstBatchSize, Math.Min(wanted, _maxPortion));
    }

    /// <summary>Retries a busy I/O or the rest of a partial transfer. Returns false if the I/O failed.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool TryRetry(int index, int result)
    {
        var slot = _slots + index;
        if (result > 0 && result < slot->Length && ++slot->Tries <= MaxParts)
        {
            slot->Moved += result;
            slot->Offset += result;
            slot->Buffer += result;
            slot->Length -= result;
            PartialTransfers++;
        }
        else if (IsBusy(result) && _clock.Now - slot->Started <= MaxBusyTime)
        {
            BusyRetries++;
            slot->Tries++;
            // An immediate retry would only take CPU time from the work that the system waits for.
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

    private void SubmitBatch()
    {
        _ = MarkStarted(_readyCount);
        var taken = _backend.Submit(_ready, _readyCount);
        _outstanding += taken;
        _readyCount -= taken;
        for (var i = 0; i < _readyCount; i++)
            _ready[i] = _ready[taken + i];
        // If the backend accepts no more I/Os now, the others are submitted with the wait.
        _isDoneAtOnce |= _batchSize == FirstBatchSize && _backend.HasCompletions;
        _batchSize = _readyCount > 0 ? int.MaxValue : Math.Min(_isDoneAtOnce ? SynchronousBatchSize : 2 * _batchSize, _maxPortion);
    }

    // Set right before the call that starts the I/Os, so that their latency excludes their own preparation and that of the next ones.
    private long MarkStarted(int count)
    {
        if (_checked is not null)
            BeginChecks(_checked, count);
        var now = _clock.Now;
        for (var i = 0; i < count; i++)
            _slots[_ready[i]].Started = now;
        return now;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void BeginChecks(TargetStream[] streams, int count)
    {
        for (var i = 0; i < count; i++)
        {
            var slot = _slots + _ready[i];
            if (slot->Operation == IoRequestKind.Read)
                streams[slot->Stream].Checks!.BeginRead(slot);
        }
    }

    private static bool IsBusy(int result) =>
        OperatingSystem.IsLinux()
            ? result is -LinuxCalls.EAGAIN or -LinuxCalls.EINTR
            : OperatingSystem.IsWindows()
                && result
                    is -WindowsCalls.ERROR_NO_SYSTEM_RESOURCES
                        or -WindowsCalls.ERROR_WORKING_SET_QUOTA
                        or -WindowsCalls.ERROR_INVALID_USER_BUFFER;

    /// <summary>Gives the I/Os that start now the last buffers, which were verified just now and are in the L2 cache.</summary>
    /// <param name="count">Number of I/Os that start now; at most half of the queue.</param>
    public static void SwapInWarmBuffers(IoSlot* slots, int* ready, int readyCount, int count)
    {
        var last = ready + readyCount - count;
        for (var i = 0; i < count; i++)
        {
            var slot = slots + ready[i];
            var warm = slots + last[i];
            // The slots of a pool can belong to different streams, and registered buffers have different indexes.
            if (
                slot->Operation != IoRequestKind.Read
                || warm->Operation != IoRequestKind.Read
                || slot->Stream != warm->Stream
                || slot->RegisteredBuffer != warm->RegisteredBuffer
            )
                continue;
            slot->Buffer = warm->ReadBuffer;
            warm->ReadBuffer = warm->Buffer = slot->ReadBuffer;
            slot->ReadBuffer = slot->Buffer;
        }
    }
}
