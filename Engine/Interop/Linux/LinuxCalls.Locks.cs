using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static unsafe partial class LinuxCalls
{
    public const int F_GETFL = 3,
        F_SETFL = 4,
        F_OFD_GETLK = 36,
        F_OFD_SETLK = 37;

    /// <summary>struct flock of 64-bit Linux.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 32)]
    public struct RangeLock
    {
        [FieldOffset(0)]
        public short Type;

        [FieldOffset(2)]
        public short Whence;

        [FieldOffset(8)]
        public long Start;

        [FieldOffset(16)]
        public long Length;

        [FieldOffset(24)]
        public int Process;

        public const short ForReading = 0,
            ForWriting = 1,
            None = 2;
    }

    [LibraryImport(LibC, EntryPoint = "fcntl", SetLastError = true)]
    public static partial int Lock(SafeFileHandle file, int operation, RangeLock* range);

    [LibraryImport(LibC, EntryPoint = "fcntl", SetLastError = true)]
    public static partial int GetFlags(SafeFileHandle file, int command, nint none);

    [LibraryImport(LibC, EntryPoint = "fcntl", SetLastError = true)]
    public static partial int SetFlags(SafeFileHandle file, int command, nint flags);
}
