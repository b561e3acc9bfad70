using System.Runtime.InteropServices;
using static IoBench.Engine.IoUringAbi;

namespace IoBench.Engine;

/// <summary>
/// Sends a worker's I/Os to the operating system. Each worker has one instance, which only its thread uses. The contract is per batch, so
/// that virtual calls cost nothing per I/O.
/// </summary>
internal abstract unsafe class IoBackend
{
    public abstract BackendDescriptor Kind { get; }

    public virtual IReadOnlyList<string> FeatureNames => [];

    /// <summary>Clock that the backend advances itself; null for the system clock.</summary>
    public virtual VirtualClock? VirtualClock => null;

    /// <summary>Called once, on the worker's thread.</summary>
    /// <exception cref="IoBenchException">The operating system refuses.</exception>
    public abstract void Open(BackendSetup setup);

    public virtual bool HasOptionalFeatures => false;

    /// <summary>
    /// Enables the optional features and returns those that the system grants. Called after every worker of the run is ready.
    /// </summary>
    public virtual BackendFeatures EnableOptionalFeatures() => BackendFeatures.None;

    public virtual void DisableFeaturesExcept(BackendFeatures common) { }

    public virtual int MaxSubmissionBatch => int.MaxValue;

    /// <summary>
    /// Starts I/Os while the next ones are being prepared. Never waits and returns no completions; <see cref="SubmitAndReap"/> always
    /// follows. Returns how many of the first slots were accepted. The caller offers the others again.
    /// </summary>
    public virtual int Submit(int* ready, int count) => 0;

    /// <summary>
    /// Whether a started I/O has completed, as far as memory shows without a system call; false if the backend cannot tell.
    /// </summary>
    public virtual bool HasCompletions => false;

    /// <summary>
    /// Starts the I/Os of <paramref name="count"/> slots, waits until an I/O completes or until the given time, and returns the number of
    /// completions. I/Os that the system cannot accept stay in the backend and are offered again. Interrupted calls are retried. An I/O
    /// causes no allocation and no exception.
    /// </summary>
    /// <param name="count">Number of slots; 0 = only wait.</param>
    /// <param name="until">Time on the worker's clock in nanoseconds. <see cref="long.MaxValue"/> waits without a limit, which requires an
    /// outstanding I/O.</param>
    /// <param name="completions">Room for one completion per slot.</param>
    public abstract int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions);

    /// <summary>
    /// Cancels all outstanding I/O, if the system supports that. Canceled I/Os complete as usual. Can be called from any thread while the
    /// backend is open.
    /// </summary>
    public virtual void Cancel() { }

    /// <summary>
    /// After a failure, cancels the outstanding I/O and waits for it for at most 2 s. Returns true if none is left, so that files and
    /// memory can be released.
    /// </summary>
    public virtual bool TryDrain() => false;

    /// <summary>
    /// Number of started I/Os, and of those that completed within the starting call; null if the backend does not count them.
    /// </summary>
    public virtual (long Started, long DoneAtOnce)? SynchronousStarts => null;

    /// <summary>Releases all resources. Called on the worker's thread when no I/O is outstanding.</summary>
    public abstract void Close();
}

internal enum SlotOperation
{
    Read,
    Write,

    Flush,
}

/// <summary>One possible I/O of a worker, in native memory that the kernel and other threads read.</summary>
/// <remarks>
/// The fields that every read uses are in one cache line, because data passes through the CPU cache between two uses of a slot.
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = 2 * CacheLine)]
internal unsafe struct IoSlot
{
    /// <summary>Size of a CPU cache line in bytes. Slots are aligned to it.</summary>
    public const int CacheLine = 64;

    /// <summary>Buffer of the current I/O: <see cref="ReadBuffer"/>, or a part of <see cref="WriteBuffer"/>.</summary>
    [FieldOffset(0)]
    public byte* Buffer;

    [FieldOffset(8)]
    public byte* ReadBuffer;

    [FieldOffset(16)]
    public long Offset;

    /// <summary>Start time in nanoseconds; 0 if the slot has no outstanding I/O.</summary>
    [FieldOffset(24)]
    public long Started;

    [FieldOffset(32)]
    public int Length;

    /// <summary>
    /// Bytes that earlier partial transfers of this I/O moved. <see cref="Offset"/>, <see cref="Buffer"/>, and <see cref="Length"/>
    /// describe the rest.
    /// </summary>
    [FieldOffset(36)]
    public int Moved;

    [FieldOffset(40)]
    public int Tries;

    [FieldOffset(44)]
    public int Target;

    [FieldOffset(48)]
    public int Stream;

    [FieldOffset(52)]
    public SlotOperation Operation;

    [FieldOffset(56)]
    public ushort Piece;

    /// <summary>Whether the slot belongs to the writes, if reads and writes have separate queue depths.</summary>
    [FieldOffset(58)]
    public bool IsForWrites;

    /// <summary>
    /// Content of writes. Separate from <see cref="ReadBuffer"/> if a slot both reads and writes, so that reads do not overwrite the
    /// content.
    /// </summary>
    [FieldOffset(64)]
    public byte* WriteBuffer;

    /// <summary>Scheduled start of an open loop, in nanoseconds.</summary>
    [FieldOffset(72)]
    public long Intended;

    /// <summary>Expected content of a verified read, or the content that a write leaves, one entry per group of sectors.</summary>
    [FieldOffset(80)]
    public ChecksumMapEntry* Checks;
}

internal struct IoCompletion
{
    public int Slot;

    /// <summary>Bytes moved, or the negated error number of the operating system.</summary>
    public int Result;
}

internal sealed unsafe class BackendSetup
{
    public required IoSlot* Slots { get; init; }

    public required int SlotCount { get; init; }

    public required byte* Buffers { get; init; }

    public required long BufferBytes { get; init; }

    public bool HasFlushes { get; init; }

    public IoPolling Polling { get; init; }

    /// <summary>Whether the CPU copies all data through the file cache, so that no device accesses the buffers.</summary>
    public bool UsesFileCache { get; init; }

    public required TargetHandle[] Targets { get; init; }

    /// <summary>
    /// Splits the memory of a worker into buffers for registration with the kernel. The buffers of a slot stay together, and each slot gets
    /// the index of its registered buffer.
    /// </summary>
    /// <param name="setup">Slots in the order of their buffers, and the memory.</param>
    /// <param name="largest">Maximum bytes of a registered buffer. A slot that is larger gets its own, which the kernel can refuse.</param>
    public static IoVector[] SplitIntoRegisteredBuffers(BackendSetup setup, long largest)
    {
        var pieces = new List<IoVector>();
        var begin = setup.Buffers;
        for (var i = 0; i < setup.SlotCount; i++)
        {
            var slot = setup.Slots + i;
            var start = GetFirstBuffer(slot);
            var end = i + 1 < setup.SlotCount ? GetFirstBuffer(slot + 1) : setup.Buffers + setup.BufferBytes;
            if (end - begin > largest && start > begin)
            {
                pieces.Add(new IoVector { Base = begin, Length = (nuint)(start - begin) });
                begin = start;
            }
            slot->Piece = (ushort)pieces.Count;
        }
        pieces.Add(new IoVector { Base = begin, Length = (nuint)(setup.Buffers + setup.BufferBytes - begin) });
        return [.. pieces];
    }

    private static byte* GetFirstBuffer(IoSlot* slot) => slot->ReadBuffer < slot->WriteBuffer ? slot->ReadBuffer : slot->WriteBuffer;
}

/// <summary>
/// Optional features that make I/Os cheaper. Either all workers of a run have a feature or none has it, so that their results are
/// comparable.
/// </summary>
[Flags]
internal enum BackendFeatures
{
    None = 0,

    RegisteredFiles = 1,

    RegisteredBuffers = 2,
}
