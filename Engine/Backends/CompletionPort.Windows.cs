using System.Runtime.InteropServices;

namespace IoBench.Engine.Backends;

/// <summary>An I/O completion port of Windows, one per worker, so that no worker ever takes another's packets.</summary>
internal unsafe struct WindowsCompletionPort : ICompletionPort
{
    private nint _port;
    private nint[] _files;

    /// <inheritdoc/>
    public long DoneAtOnce { get; private set; }

    /// <inheritdoc/>
    public void Open(TargetHandle[] targets)
    {
        _files = Array.ConvertAll(targets, t => t.Raw);
        for (var i = 0; i < _files.Length; i++)
        {
            var port = WindowsCalls.CreateIoCompletionPort(_files[i], _port, (nuint)i, 1);
            if (port == 0)
            {
                var error = Marshal.GetLastPInvokeError();
                Close();
                throw IoBenchException.Failure(
                    "IoBench.BackendFailed",
                    $"{targets[i].Path}: it cannot be attached to a completion port: {FileErrors.Message(error)} ({error}).",
                    targets[i].Path
                );
            }
            _port = port;
            // Nobody waits for the handle itself: its event need not be set by each I/O. Refused, it costs a little.
            _ = WindowsCalls.SetFileCompletionNotificationModes(_files[i], WindowsCalls.FILE_SKIP_SET_EVENT_ON_HANDLE);
        }
    }

    /// <inheritdoc/>
    public int Start(IoSlot* slot, OverlappedBlock* overlapped)
    {
        var file = _files[slot->Target];
        var done =
            slot->Operation == SlotOperation.Read
                ? WindowsCalls.ReadFile(file, slot->Buffer, (uint)slot->Length, null, overlapped)
                : WindowsCalls.WriteFile(file, slot->Buffer, (uint)slot->Length, null, overlapped);
        if (done != 0)
        {
            DoneAtOnce++;
            return 0;
        }
        var error = Marshal.GetLastSystemError();
        return error == WindowsCalls.ERROR_IO_PENDING ? 0 : error;
    }

    /// <inheritdoc/>
    public readonly int Flush(int target) => WindowsCalls.FlushFileBuffers(_files[target]) != 0 ? 0 : Marshal.GetLastSystemError();

    /// <inheritdoc/>
    public readonly void Post(OverlappedBlock* overlapped)
    {
        // Refused only while the system has no memory for the packet; without it the I/O would never end.
        while (WindowsCalls.PostQueuedCompletionStatus(_port, 0, 0, overlapped) == 0)
            Thread.Sleep(1);
    }

    /// <inheritdoc/>
    public readonly int Dequeue(CompletionPacket* packets, int count, uint milliseconds)
    {
        var entries = stackalloc WindowsCalls.Entry[ICompletionPort.MaxPackets];
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
            throw IoBenchException.Failure("IoBench.BackendFailed", $"The completion port failed: {FileErrors.Message(error)} ({error}).");
        }
        for (var i = 0; i < got; i++)
        {
            // The structure's own field holds the NTSTATUS; the entry's copy is reserved.
            var status = (int)entries[i].Overlapped->Status;
            packets[i].Overlapped = entries[i].Overlapped;
            packets[i].Bytes = entries[i].BytesTransferred;
            packets[i].Error = status == 0 ? 0 : (int)WindowsCalls.RtlNtStatusToDosError(status);
        }
        return (int)got;
    }

    /// <inheritdoc/>
    public readonly void Cancel()
    {
        foreach (var file in _files)
            _ = WindowsCalls.CancelIoEx(file, null); // Nothing left to cancel is no error here.
    }

    /// <inheritdoc/>
    public void Close()
    {
        if (_port != 0)
            _ = WindowsCalls.CloseHandle(_port);
        _port = 0;
    }
}
