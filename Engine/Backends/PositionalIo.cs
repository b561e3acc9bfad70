using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static unsafe class ThreadsBackend
{
    public static int ExecuteIO(IoSlot* slot, TargetHandle target) =>
        OperatingSystem.IsLinux() ? ExecuteOnLinux(slot, (int)target.RawHandle) : ExecuteOnWindows(slot, target.RawHandle);

    private static int ExecuteOnLinux(IoSlot* slot, int descriptor)
    {
        while (true)
        {
            var result = slot->Operation switch
            {
                SlotOperation.Read => (int)LinuxCalls.Pread(descriptor, slot->Buffer, (nuint)slot->Length, slot->Offset),
                SlotOperation.Write => (int)LinuxCalls.Pwrite(descriptor, slot->Buffer, (nuint)slot->Length, slot->Offset),
                _ => LinuxCalls.Fdatasync(descriptor),
            };
            if (result >= 0)
                return result;
            var error = Marshal.GetLastSystemError();
            if (error != Errno.EINTR)
                return -error;
        }
    }

    // On a synchronous handle, the call returns when the I/O is complete. The structure contains the offset. No event and no allocation are
    // needed.
    private static int ExecuteOnWindows(IoSlot* slot, nint file)
    {
        if (slot->Operation == SlotOperation.Flush)
            return WindowsCalls.FlushFileBuffers(file) != 0 ? 0 : -Marshal.GetLastSystemError();
        var place = new OverlappedBlock { OffsetLow = (uint)slot->Offset, OffsetHigh = (uint)(slot->Offset >> 32) };
        uint moved = 0;
        var done =
            slot->Operation == SlotOperation.Read
                ? WindowsCalls.ReadFile(file, slot->Buffer, (uint)slot->Length, &moved, &place)
                : WindowsCalls.WriteFile(file, slot->Buffer, (uint)slot->Length, &moved, &place);
        return done != 0 ? (int)moved : -Marshal.GetLastSystemError();
    }
}
