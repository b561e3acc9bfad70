namespace IoBench.Engine.Backends;

/// <summary>
/// What <see cref="OverlappedBackend{TPort}"/> needs of a completion port: Windows' own, or one that tests script (out of order, failures
/// with and without a packet, late packets). Implemented by structs, so that the calls are direct ones.
/// </summary>
internal unsafe interface ICompletionPort
{
    /// <summary>The highest number of packets one call takes: a call brings what has piled up, and 256 entries are 8 KB of stack.</summary>
    public const int MaxPackets = 256;

    /// <summary>Makes the port and ties the targets to it.</summary>
    /// <exception cref="IoBenchException">The operating system refused.</exception>
    void Open(TargetHandle[] targets);

    /// <summary>
    /// Starts a read or write. 0 = it is on its way, or done already, and a packet comes; else the Win32 error it failed with at once.
    /// A failure usually has no packet, but some drivers and file systems queue one all the same.
    /// </summary>
    int Start(IoSlot* slot, OverlappedBlock* overlapped);

    /// <summary>Starts that did not pend: the system did the I/O within the call.</summary>
    long DoneAtOnce { get; }

    /// <summary>Flushes a target's data to its device and waits for it; 0 or a Win32 error. For any thread.</summary>
    int Flush(int target);

    /// <summary>Puts a packet for a structure into the port: no error, no bytes. For any thread.</summary>
    void Post(OverlappedBlock* overlapped);

    /// <summary>Takes up to <paramref name="count"/> packets (at most <see cref="MaxPackets"/>), waiting at most so many milliseconds for the first; the number taken.</summary>
    int Dequeue(CompletionPacket* packets, int count, uint milliseconds);

    /// <summary>Asks the system to give up what is on its way on all targets; packets still come.</summary>
    void Cancel();

    /// <summary>Gives the port back.</summary>
    void Close();
}

/// <summary>A packet of a port: which I/O, how many bytes, and 0 or the Win32 error it ended with.</summary>
internal unsafe struct CompletionPacket
{
    /// <summary>The I/O's structure.</summary>
    public OverlappedBlock* Overlapped;

    /// <summary>Bytes moved.</summary>
    public uint Bytes;

    /// <summary>0 or a Win32 error.</summary>
    public int Error;
}

/// <summary>Windows' OVERLAPPED (32 bytes on 64-bit): our own declaration, so that the loop over it also compiles and is tested elsewhere.</summary>
internal struct OverlappedBlock
{
    /// <summary>NTSTATUS of the I/O.</summary>
    public nuint Status;

    /// <summary>Bytes moved.</summary>
    public nuint Bytes;

    /// <summary>Low half of the position.</summary>
    public uint OffsetLow;

    /// <summary>High half of the position.</summary>
    public uint OffsetHigh;

    /// <summary>Event to signal; none.</summary>
    public nint Event;
}
