using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>A Windows I/O completion port. Each worker has its own, so that no worker dequeues packets of another.</summary>
internal unsafe struct WindowsCompletionPort : ICompletionPort
{
    private nint _port;
    private nint[] _files;

    public long SynchronousCompletions { get; private set; }

    public void Open(TargetHandle[] targets)
    {
        _files = Array.ConvertAll(targets, t => t.RawHandle);
        for (var i = 0; i < _files.Length; i++)
        {
            var port = WindowsCalls.CreateIoCompletionPort(_files[i], _port, (nuint)i, 1);
            if (port == 0)
            {
                var error = Marshal.GetLastPInvokeError();
                Close();
                throw IoBenchException.Failure(
                    "IoBench.BackendFailed",
                    $"{targets[i].Path}: Windows cannot attach the file to a completion port: {FileErrors.GetMessage(error)} ({error}).",
                    targets[i].Path
                );
            }
            _port = port;
            // No thread waits on the handle, so its event need not be set for each I/O. If Windows refuses, I/Os only cost slightly more.
            _ = WindowsCalls.SetFileCompletionNotificationModes(_files[i], WindowsCalls.FILE_SKIP_SET_EVENT_ON_HANDLE);
        }
    }

    public int Start(IoSlot* slot, OverlappedBlock* overlapped)
    {
        var file = _files[slot->HandleIndex];
        var done =
            slot->Operation == IoRequestKind.Read
                ? WindowsCalls.ReadFile(file, slot->Buffer, (uint)slot->Length, null, overlapped)
                : WindowsCalls.WriteFile(file, slot->Buffer, (uint)slot->Length, null, overlapped);
        if (done != 0)
        {
            SynchronousCompletions++;
            return 0;
        }
        var error = Marshal.GetLastSystemError();
        return error == WindowsCalls.ERROR_IO_PENDING ? 0 : error;
    }

    public readonly int Flush(int target) => WindowsCalls.FlushFileBuffers(_files[target]) != 0 ? 0 : Marshal.GetLastSystemError();

    public readonly void Post(OverlappedBlock* overlapped)
    {
        // Posting fails only while Windows has no memory for the packet. Without the packet, the I/O would never complete.
        while (WindowsCalls.PostQueuedCompletionStatus(_port, 0, 0, overlapped) == 0)
            Thread.Sleep(1);
    }

    public readonly int Dequeue(CompletionPacket* packets, int count, uint milliseconds)
    {
        var entries = stackalloc WindowsCalls.OverlappedEntry[ICompletionPort.MaxPackets];
        uint got = 0;
        if (
            WindowsCalls.GetQueuedCompletionStatusEx(
                _port,
                entries,
                (uint)Math.Min(count, ICompletionPort.MaxPackets),
                &got,
                milliseconds,
                0
            ) == 0
        )
        {
            var error = Marshal.GetLastSystemError();
            if (error == WindowsCalls.WAIT_TIMEOUT)
                return 0;
            throw IoBenchException.Failure(
                "IoBench.BackendFailed",
                $"The completion port failed: {FileErrors.GetMessage(error)} ({error})."
            );
        }
        for (var i = 0; i < got; i++)
        {
            // The NTSTATUS is in the OVERLAPPED structure. The field in the entry is reserved.
            var status = (int)entries[i].Overlapped->Status;
            packets[i].Overlapped = entries[i].Overlapped;
            packets[i].Bytes = entries[i].BytesTransferred;
            packets[i].Error = status == 0 ? 0 : (int)WindowsCalls.RtlNtStatusToDosError(status);
        }
        return (int)got;
    }

    public readonly void Cancel()
    {
        foreach (var file in _files)
            _ = WindowsCalls.CancelIoEx(file, null); // Nothing left to cancel is no error here.
    }

    public void Close()
    {
        if (_port != 0)
            _ = WindowsCalls.CloseHandle(_port);
        _port = 0;
    }
}
