using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static unsafe partial class WindowsCalls
{
    public const uint LOCKFILE_FAIL_IMMEDIATELY = 1,
        LOCKFILE_EXCLUSIVE_LOCK = 2;

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool LockFileEx(
        SafeFileHandle file,
        uint flags,
        uint reserved,
        uint lengthLow,
        uint lengthHigh,
        OverlappedBlock* range
    );

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool UnlockFileEx(SafeFileHandle file, uint reserved, uint lengthLow, uint lengthHigh, OverlappedBlock* range);
}
