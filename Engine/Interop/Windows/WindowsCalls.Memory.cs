using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static unsafe partial class WindowsCalls
{
    public const uint MEM_COMMIT = 0x1000,
        MEM_RESERVE = 0x2000,
        MEM_RELEASE = 0x8000,
        MEM_LARGE_PAGES = 0x20000000,
        PAGE_READWRITE = 4;

    [StructLayout(LayoutKind.Sequential)]
    public struct MemoryStatus
    {
        public uint Length,
            Load;
        public ulong TotalPhysical,
            AvailablePhysical,
            TotalPageFile,
            AvailablePageFile,
            TotalVirtual,
            AvailableVirtual,
            AvailableExtendedVirtual;
    }

    [DllImport(Kernel)]
    public static extern nuint GetLargePageMinimum();

    [DllImport(Kernel)]
    public static extern byte* VirtualAlloc(void* address, nuint bytes, uint type, uint protection);

    [DllImport(Kernel)]
    public static extern int VirtualFree(void* address, nuint bytes, uint type);

    [LibraryImport(Kernel)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GlobalMemoryStatusEx(MemoryStatus* status);

    [LibraryImport(Kernel)]
    public static partial nint LocalFree(nint memory);
}
