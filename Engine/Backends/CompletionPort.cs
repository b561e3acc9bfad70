namespace IoBench.Engine;

/// <summary>
/// Completion port of <see cref="OverlappedBackend{TPort}"/>. Tests use a scripted port with out-of-order, missing, and late packets.
/// Implementations are structs, so that calls are direct.
/// </summary>
internal unsafe interface ICompletionPort
{
    /// <summary>Maximum number of packets per call. 256 entries need 8 KB of stack.</summary>
    public const int MaxPackets = 256;

    void Open(TargetHandle[] targets);

    /// <summary>
    /// Starts a read or write. Returns 0 if a packet follows (the I/O is pending or already complete), otherwise the Win32 error. A failure
    /// usually has no packet, but some drivers and file systems queue one.
    /// </summary>
    int Start(IoSlot* slot, OverlappedBlock* overlapped);

    long SynchronousCompletions { get; }

    /// <summary>
    /// Flushes a target's data to its device and waits for the end. Returns 0 or a Win32 error. Can be called from any thread.
    /// </summary>
    int Flush(int target);

    /// <summary>Posts a packet without an error and with 0 bytes. Can be called from any thread.</summary>
    void Post(OverlappedBlock* overlapped);

    /// <summary>
    /// Dequeues up to <paramref name="count"/> packets (at most <see cref="MaxPackets"/>). Waits at most the given time for the first one.
    /// Returns the number of packets.
    /// </summary>
    int Dequeue(CompletionPacket* packets, int count, uint milliseconds);

    /// <summary>Cancels the pending I/Os of all targets. Their packets still arrive.</summary>
    void Cancel();

    void Close();
}

internal unsafe struct CompletionPacket
{
    public OverlappedBlock* Overlapped;

    public uint Bytes;

    public int Error;
}

/// <summary>
/// The Windows OVERLAPPED structure (32 bytes on 64-bit). Declared here so that the code that uses it also compiles and is tested on other
/// systems.
/// </summary>
internal struct OverlappedBlock
{
    public nuint Status;

    public nuint Bytes;

    public uint OffsetLow;

    public uint OffsetHigh;

    public nint Event;
}
