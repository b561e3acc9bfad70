namespace IoBench.Engine;

/// <summary>One handle on the drill's file and its pending I/Os. A lost file stays open until its pending I/Os have completed.</summary>
internal sealed unsafe class OpenDrillFile
{
    private readonly IoBackend _backend;
    private readonly WorkerMemory _memory;
    private readonly Stack<int> _free;
    private TargetHandle? _handle;

    /// <summary>Creates a file without a handle; <see cref="Attach"/> adds it. A modeled device needs none.</summary>
    public OpenDrillFile(IoBackend backend, int slots, int blockSize)
    {
        _backend = backend;
        _memory = new WorkerMemory(
            slots,
            (long)slots * blockSize,
            largePages: false,
            StreamVerifier.GetBytesPerSlot(blockSize, BlockHeader.BlockSize)
        );
        for (var i = 0; i < slots; i++)
        {
            var buffer = _memory.Buffers + (long)i * blockSize;
            _memory.Slots[i].Buffer = buffer;
            _memory.Slots[i].ReadBuffer = buffer;
            _memory.Slots[i].WriteBuffer = buffer;
            _memory.Slots[i].Checks = _memory.GetChecks(i);
        }
        _free = new Stack<int>(Enumerable.Range(0, slots).Reverse());
        backend.Open(
            new BackendSetup
            {
                Slots = _memory.Slots,
                SlotCount = slots,
                Buffers = _memory.Buffers,
                BufferBytes = _memory.BufferBytes,
                Targets = [],
            }
        );
    }

    /// <summary>
    /// Call before the first I/O. <see cref="TryClose"/> closes the handle; if opening for a thread fails, nothing stays open.
    /// </summary>
    public void Attach(TargetHandle handle)
    {
        _handle = handle;
        try
        {
            ((ThreadsBackend)_backend).AttachTargets([handle]);
        }
        catch
        {
            _ = TryClose();
            throw;
        }
    }

    public int Outstanding { get; private set; }

    public bool HasFreeSlot => _free.Count > 0;

    public IoSlot* GetSlot(int index) => _memory.Slots + index;

    public int AcquireSlot()
    {
        var slot = _free.Pop();
        _memory.Batch[0] = slot;
        return slot;
    }

    public void ReturnSlot() => _free.Push(_memory.Batch[0]);

    /// <summary>In nanoseconds; null if no I/O is pending.</summary>
    public long? OldestStarted
    {
        get
        {
            long? oldest = null;
            for (var i = 0; i < _memory.SlotCount; i++)
            {
                var started = _memory.Slots[i].Started;
                if (started != 0 && (oldest is null || started < oldest))
                    oldest = started;
            }
            return oldest;
        }
    }

    public IEnumerable<int> PendingSlots
    {
        get
        {
            for (var i = 0; i < _memory.SlotCount; i++)
                if (IsPending(i))
                    yield return i;
        }
    }

    /// <summary>
    /// Starts the I/O of the slot that was acquired last (if <paramref name="start"/>) and returns the number of completions.
    /// </summary>
    public int SubmitAndReap(bool start, long until)
    {
        Outstanding += start ? 1 : 0;
        return _backend.SubmitAndReap(_memory.Batch, start ? 1 : 0, until, _memory.Completions);
    }

    public IoCompletion GetCompletion(int number) => _memory.Completions[number];

    public void ReleaseSlot(int slot)
    {
        _memory.Slots[slot].Started = 0;
        _free.Push(slot);
        Outstanding--;
    }

    /// <summary>Closes the file if no I/O is pending; otherwise the operating system could still write into its buffers.</summary>
    public bool TryClose()
    {
        if (Outstanding > 0)
            return false;
        _backend.Close();
        _memory.Free();
        _handle?.Dispose();
        return true;
    }

    private bool IsPending(int slot) => _memory.Slots[slot].Started != 0;
}
