namespace IoBench.Engine;

/// <summary>Writes log records of one size with one commit method, one at a time.</summary>
internal sealed unsafe class LogWriter : IDisposable
{
    private readonly CommitMethod _method;
    private readonly FlushGroup _group;
    private readonly TargetHandle _handle;
    private readonly WriteContent _content;
    private readonly WorkerMemory _memory;
    private readonly Func<int> _flush;

    /// <param name="number">Number of the writer, so that each writes other content.</param>
    public LogWriter(CommitMethod method, FlushGroup group, TargetHandle handle, IoPattern pattern, ulong contentSeed, int number)
    {
        _method = method;
        _group = group;
        _handle = handle;
        _content = new WriteContent(pattern, contentSeed, source: null);
        var size = (int)pattern.BlockSize;
        _memory = new WorkerMemory(2, size, largePages: false);
        var random = new RandomSource(contentSeed, number, 0);
        _content.FillBuffer(new Span<byte>(_memory.Buffers, size), ref random);
        Slot->WriteBuffer = _memory.Buffers;
        Slot->Length = size;
        Slot->Operation = IoRequestKind.Write;
        FlushSlot->Operation = IoRequestKind.Flush;
        // Created once, so that a commit allocates nothing.
        _flush = Flush;
    }

    public long Writes { get; private set; }

    public long FlushCalls { get; private set; }

    public IoBenchException? Failure { get; private set; }

    /// <summary>The prepared record.</summary>
    public ReadOnlySpan<byte> Record => new(Slot->WriteBuffer, Slot->Length);

    private IoSlot* Slot => _memory.Slots;

    private IoSlot* FlushSlot => _memory.Slots + 1;

    public void Prepare(long offset)
    {
        Slot->Offset = offset;
        _content.PrepareWrite(Slot);
    }

    /// <summary>Writes the prepared record. Returns when it is on stable storage.</summary>
    /// <returns>false if it failed with <see cref="Failure"/>.</returns>
    public bool TryCommit()
    {
        var result = ThreadsBackend.ExecuteIO(Slot, _handle);
        if (result != Slot->Length)
            return Fail(FileErrors.FromIO(Slot, result, _handle.Path));
        Writes++;
        var flushed = _method switch
        {
            CommitMethod.WriteThrough => 0,
            CommitMethod.GroupedFlush => _group.WaitUntilDurable(_flush),
            _ => Flush(),
        };
        return flushed >= 0 || Fail(FileErrors.FromIO(FlushSlot, flushed, _handle.Path));
    }

    public void Dispose()
    {
        _handle.Dispose();
        _memory.Free();
    }

    private int Flush()
    {
        FlushCalls++;
        return ThreadsBackend.ExecuteIO(FlushSlot, _handle);
    }

    private bool Fail(IoBenchException error)
    {
        Failure = error;
        return false;
    }
}
