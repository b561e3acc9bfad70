using System.Runtime.InteropServices;
using static IoBench.Engine.IoUringAbi;

namespace IoBench.Engine;

/// <summary>Sends a worker's I/Os to the operating system. Only the worker's thread uses it, and calls work on batches.</summary>
internal abstract unsafe class IoBackend
{
    public abstract BackendDescriptor Kind { get; }

    public virtual IReadOnlyList<string> FeatureNames => [];

    /// <summary>Clock that the backend advances itself; null for the system clock.</summary>
    public virtual VirtualClock? VirtualClock => null;

    /// <summary>Called once, on the worker's thread.</summary>
    public abstract void Open(BackendSetup setup);

    public virtual bool HasOptionalFeatures => false;

    /// <summary>Returns the features that the system grants. Called after every worker of the run is ready.</summary>
    public virtual BackendFeatures EnableOptionalFeatures() => BackendFeatures.None;

    public virtual void DisableFeaturesExcept(BackendFeatures common) { }

    public virtual int MaxSubmissionBatch => int.MaxValue;

    /// <summary>Starts the first slots without waiting and returns their number. <see cref="SubmitAndReap"/> always follows.</summary>
    public virtual int Submit(int* ready, int count) => 0;

    /// <summary>Whether memory shows a completion without a system call; false if the backend cannot tell.</summary>
    public virtual bool HasCompletions => false;

    /// <summary>Starts I/Os, waits for a completion until a time at most, and returns the number of completions.</summary>
    /// <remarks>I/Os that the system cannot accept stay in the backend. Allocates nothing and throws nothing per I/O.</remarks>
    /// <param name="until">Nanoseconds on the worker's clock. <see cref="long.MaxValue"/> requires an outstanding I/O.</param>
    /// <param name="completions">Room for one completion per slot.</param>
    public abstract int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions);

    /// <summary>Canceled I/Os complete as usual. Can be called from any thread while the backend is open.</summary>
    public virtual void Cancel() { }

    /// <summary>Cancels after a failure and waits up to 2 s. If true, no I/O is left, and memory can be released.</summary>
    public virtual bool TryDrain() => false;

    /// <summary>Started I/Os, and those that completed within the starting call; null if they are not counted.</summary>
    public virtual (long Started, long DoneAtOnce)? SynchronousStarts => null;

    /// <summary>Releases all resources. Called on the worker's thread when no I/O is outstanding.</summary>
    public abstract void Close();
}

/// <summary>One possible I/O of a worker, in native memory that the kernel and other threads read.</summary>
/// <remarks>The fields that every read uses are in one cache line.</remarks>
[StructLayout(LayoutKind.Explicit, Size = 2 * CacheLine)]
internal unsafe struct IoSlot
{
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

    /// <summary>Bytes that earlier partial transfers moved. Offset, buffer, and length describe the rest.</summary>
    [FieldOffset(36)]
    public int Moved;

    [FieldOffset(40)]
    public int Tries;

    [FieldOffset(44)]
    public int HandleIndex;

    [FieldOffset(48)]
    public int Stream;

    [FieldOffset(52)]
    public IoRequestKind Operation;

    [FieldOffset(56)]
    public ushort RegisteredBuffer;

    /// <summary>Whether the slot belongs to the writes, if reads and writes have separate queue depths.</summary>
    [FieldOffset(58)]
    public bool IsForWrites;

    /// <summary>Separate from <see cref="ReadBuffer"/> if a slot reads and writes, so that reads do not overwrite it.</summary>
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

    /// <summary>Splits a worker's memory into buffers to register. A slot's buffers stay together and share an index.</summary>
    /// <param name="largest">Maximum bytes of a buffer. A larger slot gets its own, which the kernel can refuse.</param>
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
            slot->RegisteredBuffer = (ushort)pieces.Count;
        }
        pieces.Add(new IoVector { Base = begin, Length = (nuint)(setup.Buffers + setup.BufferBytes - begin) });
        return [.. pieces];
    }

    private static byte* GetFirstBuffer(IoSlot* slot) => slot->ReadBuffer < slot->WriteBuffer ? slot->ReadBuffer : slot->WriteBuffer;
}

/// <summary>Optional features. Either all workers of a run have one or none has it, so that results are comparable.</summary>
[Flags]
internal enum BackendFeatures
{
    None = 0,

    RegisteredFiles = 1,

    RegisteredBuffers = 2,
}
