using System.Runtime.InteropServices;

namespace IoBench.Engine.Backends;

/// <summary>
/// How a worker's I/Os reach the operating system. One instance per worker, used by its thread alone: made, opened, driven and closed there.
/// The contract is per batch, so that its virtual calls cost nothing per I/O: hand over the slots that are ready, get back those that are done.
/// </summary>
internal abstract unsafe class IoBackend
{
    /// <summary>Which it is.</summary>
    public abstract BackendDescriptor Kind { get; }

    /// <summary>What was granted, each for people: <c>defer_taskrun</c>, <c>registered buffers</c>.</summary>
    public virtual IReadOnlyList<string> Grants => [];

    /// <summary>A clock that this backend moves itself; null for the real one.</summary>
    public virtual VirtualClock? VirtualClock => null;

    /// <summary>Gets ready; called once, on the worker's thread.</summary>
    /// <exception cref="IoBenchException">The operating system refused.</exception>
    public abstract void Open(BackendSetup setup);

    /// <summary>Whether there is more that it can take when every worker of the run is ready: <see cref="TakeExtras"/>.</summary>
    public virtual bool HasExtras => false;

    /// <summary>Takes what makes its I/Os cheaper, once every worker has what it needs; returns what was granted.</summary>
    public virtual BackendExtras TakeExtras() => BackendExtras.None;

    /// <summary>Keeps of what it took only what every worker has.</summary>
    public virtual void Keep(BackendExtras common) { }

    /// <summary>I/Os that one call to the system can start: a portion is handed over when it has so many, since more would only wait for each other.</summary>
    public virtual int MaxPortion => int.MaxValue;

    /// <summary>
    /// Starts the I/O of slots while the next are still being prepared; never waits and brings no completions: those come with
    /// <see cref="SubmitAndReap"/>, which always follows. Returns how many it took, the first of them; the others are handed over again.
    /// </summary>
    /// <param name="ready">Indexes of the slots to start.</param>
    /// <param name="count">How many.</param>
    public virtual int Submit(int* ready, int count) => 0;

    /// <summary>Whether what <see cref="Submit"/> started is done already, as far as one look at memory can tell; false where it cannot.</summary>
    public virtual bool HasCompletions => false;

    /// <summary>
    /// Starts the I/O of <paramref name="count"/> slots, then waits until at least one I/O is complete or the moment
    /// <paramref name="until"/> has passed, and returns how many completions it wrote. What the system cannot take at once stays with the
    /// backend and is offered again. Interruptions are retried within; nothing is allocated or thrown because of an I/O.
    /// </summary>
    /// <param name="ready">Indexes of the slots to start.</param>
    /// <param name="count">How many; 0 = only wait.</param>
    /// <param name="until">Moment on the worker's clock in nanoseconds; <see cref="long.MaxValue"/> = wait for ever, allowed only with I/O outstanding.</param>
    /// <param name="completions">Room for one completion per slot.</param>
    public abstract int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions);

    /// <summary>
    /// Asks the system to give up all I/O on its way; for any thread, as long as the backend is open. What is given up comes back by its usual way, as cancelled.
    /// Does nothing where the system cannot.
    /// </summary>
    public virtual void Cancel() { }

    /// <summary>
    /// After a failure: has the I/O given up that is on its way, and waits for it for at most 2 s. True when none is left, so that files and memory may be given back; false
    /// where the system cannot do that, or a device does not answer.
    /// </summary>
    public virtual bool TryDrain() => false;

    /// <summary>Share of its I/Os that the system did within the call that was to start them only; null when it does not say.</summary>
    public virtual (long Started, long DoneAtOnce)? Starts => null;

    /// <summary>Gives everything back; called on the worker's thread when no I/O is outstanding.</summary>
    public abstract void Close();
}

/// <summary>What a slot does.</summary>
internal enum SlotOperation
{
    Read,
    Write,

    /// <summary>Flush the file's data to the device.</summary>
    Flush,
}

/// <summary>One possible I/O of a worker. Lives in native memory, so that the kernel and other threads may look at it.</summary>
/// <remarks>What every read touches lies in one line of the processor's cache: data pass through the cache between two looks at a slot.</remarks>
[StructLayout(LayoutKind.Explicit, Size = 2 * CacheLine)]
internal unsafe struct IoSlot
{
    /// <summary>Bytes of a line of the processor's cache: slots begin at a multiple.</summary>
    public const int CacheLine = 64;

    /// <summary>The buffer of this I/O: <see cref="ReadBuffer"/> or <see cref="WriteBuffer"/>.</summary>
    [FieldOffset(0)]
    public byte* Buffer;

    /// <summary>Where reads go; aligned to a page.</summary>
    [FieldOffset(8)]
    public byte* ReadBuffer;

    /// <summary>Position in the target in bytes.</summary>
    [FieldOffset(16)]
    public long Offset;

    /// <summary>When it was started, in nanoseconds.</summary>
    [FieldOffset(24)]
    public long Started;

    /// <summary>Bytes to transfer; less than the block where an earlier transfer moved a part.</summary>
    [FieldOffset(32)]
    public int Length;

    /// <summary>Bytes that earlier, shorter transfers of this I/O have moved; <see cref="Offset"/>, <see cref="Buffer"/> and <see cref="Length"/> are the rest's.</summary>
    [FieldOffset(36)]
    public int Moved;

    /// <summary>Times in a row that the system sent it back as busy, or moved a part of it.</summary>
    [FieldOffset(40)]
    public int Tries;

    /// <summary>The target's number within the worker.</summary>
    [FieldOffset(44)]
    public int Target;

    /// <summary>The stream's number within the worker.</summary>
    [FieldOffset(48)]
    public int Stream;

    /// <summary>What it does.</summary>
    [FieldOffset(52)]
    public SlotOperation Operation;

    /// <summary>Which of the worker's registered pieces of memory its buffers lie in.</summary>
    [FieldOffset(56)]
    public ushort Piece;

    /// <summary>Of reads and writes with outstanding I/Os of their own: it is one of the writes.</summary>
    [FieldOffset(58)]
    public bool IsForWrites;

    /// <summary>What is written; aligned to a page. A buffer of its own where a slot both reads and writes, so that reads do not spoil the content.</summary>
    [FieldOffset(64)]
    public byte* WriteBuffer;

    /// <summary>When it should have started (open loop), in nanoseconds.</summary>
    [FieldOffset(72)]
    public long Intended;

    /// <summary>Of a checked test: what its read must bring or its write leaves, an entry per group of sectors.</summary>
    [FieldOffset(80)]
    public MapEntry* Checks;
}

/// <summary>A finished I/O.</summary>
internal struct IoCompletion
{
    /// <summary>The slot it belongs to.</summary>
    public int Slot;

    /// <summary>Bytes moved, or the operating system's error number, negated.</summary>
    public int Result;
}

/// <summary>What a worker lends its backend.</summary>
internal sealed unsafe class BackendSetup
{
    public required IoSlot* Slots { get; init; }

    /// <summary>How many slots there are: the highest number that can be outstanding.</summary>
    public required int SlotCount { get; init; }

    /// <summary>The memory all buffers are cut from.</summary>
    public required byte* Buffers { get; init; }

    /// <summary>Its size in bytes.</summary>
    public required long BufferBytes { get; init; }

    /// <summary>Whether some I/Os will be flushes.</summary>
    public bool HasFlushes { get; init; }

    /// <summary>Who polls.</summary>
    public IoPolling Polling { get; init; }

    /// <summary>Whether the file cache copies all data, in small blocks: no device reaches the buffers.</summary>
    public bool IsCopied { get; init; }

    /// <summary>The worker's open targets, by <see cref="IoSlot.Target"/>.</summary>
    public required TargetHandle[] Targets { get; init; }
}
