using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>One read, write or flush that returns when it is done: pread/pwrite on Linux, .NET's RandomAccess elsewhere.</summary>
internal static unsafe class PositionalIo
{
    /// <summary>Does a slot's I/O; bytes moved, or the operating system's error number, negated.</summary>
    public static int Do(IoSlot* slot, TargetHandle target)
        => OperatingSystem.IsLinux() ? DoLinux(slot, (int)target.Raw) : DoPortable(slot, target);

    private static int DoLinux(IoSlot* slot, int descriptor)
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

    private static int DoPortable(IoSlot* slot, TargetHandle target)
    {
        try
        {
            switch (slot->Operation)
            {
                case SlotOperation.Read:
                    return RandomAccess.Read(target.File, new Span<byte>(slot->Buffer, slot->Length), slot->Offset);
                case SlotOperation.Write:
                    RandomAccess.Write(target.File, new ReadOnlySpan<byte>(slot->Buffer, slot->Length), slot->Offset);
                    return slot->Length;
                default:
                    RandomAccess.FlushToDisk(target.File);
                    return 0;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The low half of an HRESULT made from a Win32 error is that error.
            return -Math.Max(1, e.HResult & 0xFFFF);
        }
    }
}
