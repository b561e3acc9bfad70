using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>A completion port whose packets come from this process. Each packet passes through the kernel's queue without I/O.</summary>
internal unsafe struct NoOpCompletionPort : ICompletionPort
{
    private const int Batch = 64;

    private nint _port;

    public void Open(TargetHandle[] targets)
    {
        const nint noFile = -1;
        _port = WindowsCalls.CreateIoCompletionPort(noFile, 0, 0, 1);
        if (_port == 0)
            throw IoBenchException.Failure(
                "IoBench.BackendFailed",
                $"no completion port can be opened: {FileErrors.GetMessage(Marshal.GetLastPInvokeError())}."
            );
    }

    public readonly int Start(IoSlot* slot, OverlappedBlock* overlapped) =>
        WindowsCalls.PostQueuedCompletionStatus(_port, (uint)slot->Length, 0, overlapped) != 0 ? 0 : Marshal.GetLastSystemError();

    public readonly int Flush(int target) => 0;

    public readonly long SynchronousCompletions => 0;

    public readonly void Post(OverlappedBlock* overlapped) => _ = WindowsCalls.PostQueuedCompletionStatus(_port, 0, 0, overlapped);

    public readonly int Dequeue(CompletionPacket* packets, int max, uint milliseconds)
    {
        var entries = stackalloc WindowsCalls.OverlappedEntry[Batch];
        uint got = 0;
        if (WindowsCalls.GetQueuedCompletionStatusEx(_port, entries, (uint)Math.Min(max, Batch), &got, milliseconds, 0) == 0)
            return 0;
        for (var i = 0; i < got; i++)
            packets[i] = new CompletionPacket { Overlapped = entries[i].Overlapped, Bytes = entries[i].BytesTransferred };
        return (int)got;
    }

    public readonly void Cancel() { }

    public void Close()
    {
        if (_port != 0)
            _ = WindowsCalls.CloseHandle(_port);
        _port = 0;
    }
}
