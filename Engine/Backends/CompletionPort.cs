namespace IoBench.Engine;

/// <summary>Completion port of <see cref="OverlappedBackend{TPort}"/>. Implementations are structs, so that calls are direct.</summary>
internal unsafe interface ICompletionPort
{
    /// <summary>Maximum number of packets per call. 256 entries need 8 KB of stack.</summary>
    public const int MaxPackets = 256;

    void Open(TargetHandle[] targets);

    /// <summary>Returns 0 if a packet follows, else the Win32 error. Some drivers queue a packet even after a failure.</summary>
    int Start(IoSlot* slot, OverlappedBlock* overlapped);

    long SynchronousCompletions { get; }

    /// <summary>Returns 0 or a Win32 error after the flush has ended. Can be called from any thread.</summary>
    int Flush(int target);

    /// <summary>Posts a packet without an error and with 0 bytes. Can be called from any thread.</summary>
    void Post(OverlappedBlock* overlapped);

    /// <summary>Waits at most the given time for the first packet. Returns the number of packets.</summary>
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

/// <summary>The Windows OVERLAPPED structure, declared here so that its users are tested on other systems too.</summary>
internal struct OverlappedBlock
{
    public nuint Status;

    public nuint Bytes;

    public uint OffsetLow;

    public uint OffsetHigh;

    public nint Event;
}
