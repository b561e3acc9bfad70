namespace IoBench.Engine.Drills;

/// <summary>A drill's file as it was opened once: its handle, and the I/Os in flight on it. One that was lost stays until what hangs there has come back.</summary>
internal sealed unsafe class DrillGeneration
{
    private readonly IoBackend _backend;
    private readonly WorkerMemory _memory;
    private readonly Stack<int> _free;
    private TargetHandle? _handle;

    /// <summary>Ready for a file that comes by <see cref="Attach"/>; a modelled device needs none.</summary>
    /// <param name="backend">Does the I/O; any thread may drive it.</param>
    /// <param name="slots">I/Os in flight at most.</param>
    /// <param name="blockSize">Bytes of an I/O.</param>
    public DrillGeneration(IoBackend backend, int slots, int blockSize)
    {
        _backend = backend;
        _memory = new WorkerMemory(
            slots,
            (long)slots * blockSize,
            largePages: false,
            StreamChecks.BytesPerSlot(blockSize, BlockStamp.BlockSize)
        );
        for (var i = 0; i < slots; i++)
        {
            _memory.Slots[i].Buffer = _memory.Slots[i].ReadBuffer = _memory.Slots[i].WriteBuffer = _memory.Buffers + (long)i * blockSize;
            _memory.Slots[i].Checks = _memory.ChecksOf(i);
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

    /// <summary>Gives it the open file, before the first I/O; it is closed with it.</summary>
    /// <exception cref="IoBenchException">The file could not be opened for each thread: nothing of it is open any more.</exception>
    public void Attach(TargetHandle handle)
    {
        _handle = handle;
        try
        {
            ((ThreadsBackend)_backend).Attach([handle]);
        }
        catch
        {
            _ = TryClose();
            throw;
        }
    }

    /// <summary>I/Os in flight.</summary>
    public int Outstanding { get; private set; }

    /// <summary>Whether one more may start.</summary>
    public bool HasRoom => _free.Count > 0;

    /// <summary>A slot's I/O.</summary>
    public IoSlot* Slot(int index) => _memory.Slots + index;

    /// <summary>A slot for an I/O, to be filled in and handed to <see cref="SubmitAndReap"/>.</summary>
    public int Take() => _memory.Batch[0] = _free.Pop();

    /// <summary>Puts the slot that was taken last back: nothing was started.</summary>
    public void GiveBack() => _free.Push(_memory.Batch[0]);

    /// <summary>When the oldest I/O in flight was started; null without any.</summary>
    public long? Oldest
    {
        get
        {
            long? oldest = null;
            for (var i = 0; i < _memory.SlotCount; i++)
                if (_memory.Slots[i].Started is not 0 and var started && !(started >= oldest))
                    oldest = started;
            return oldest;
        }
    }

    /// <summary>The slots with an I/O in flight.</summary>
    public IEnumerable<int> InFlight
    {
        get
        {
            for (var i = 0; i < _memory.SlotCount; i++)
                if (IsInFlight(i))
                    yield return i;
        }
    }

    /// <summary>Starts the slot that was taken last, if one is to be started, and waits for completions until a moment; returns their number.</summary>
    public int SubmitAndReap(bool start, long until)
    {
        Outstanding += start ? 1 : 0;
        return _backend.SubmitAndReap(_memory.Batch, start ? 1 : 0, until, _memory.Completions);
    }

    /// <summary>A completion of the last call.</summary>
    public IoCompletion Completion(int number) => _memory.Completions[number];

    /// <summary>A completion was dealt with.</summary>
    public void Release(int slot)
    {
        _memory.Slots[slot].Started = 0;
        _free.Push(slot);
        Outstanding--;
    }

    /// <summary>Closes it when nothing is in flight; else it stays as it is, since the system may still write into its buffers.</summary>
    public bool TryClose()
    {
        if (Outstanding > 0)
            return false;
        _backend.Close();
        _memory.Free();
        _handle?.Dispose();
        return true;
    }

    private bool IsInFlight(int slot) => _memory.Slots[slot].Started != 0;
}
