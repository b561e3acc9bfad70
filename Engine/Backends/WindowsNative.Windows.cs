using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>The Win32 calls that run and measurement use. Blittable signatures only.</summary>
internal static unsafe partial class WindowsNative
{
    private const string Kernel = "kernel32";

    [DllImport(Kernel)]
    public static extern nint GetCurrentThread();

    public const uint MEM_COMMIT = 0x1000, MEM_RESERVE = 0x2000, MEM_RELEASE = 0x8000, MEM_LARGE_PAGES = 0x20000000, PAGE_READWRITE = 4;

    /// <summary>GROUP_AFFINITY: processors of one group of up to 64.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct GroupAffinity
    {
        public ulong Mask;
        public ushort Group, Reserved0, Reserved1, Reserved2;
    }

    [DllImport(Kernel)]
    public static extern int SetThreadGroupAffinity(nint thread, GroupAffinity* affinity, GroupAffinity* previous);

    [DllImport(Kernel)]
    public static extern ushort GetActiveProcessorGroupCount();

    [DllImport(Kernel)]
    public static extern uint GetActiveProcessorCount(ushort group);

    [DllImport(Kernel)]
    public static extern nint GetCurrentProcess();

    [DllImport(Kernel)]
    public static extern int GetProcessAffinityMask(nint process, nuint* ours, nuint* all);

    [DllImport(Kernel)]
    public static extern int GetLogicalProcessorInformationEx(int relation, byte* buffer, uint* bytes);

    [DllImport(Kernel)]
    public static extern nuint GetLargePageMinimum();

    [DllImport(Kernel)]
    public static extern byte* VirtualAlloc(void* address, nuint bytes, uint type, uint protection);

    [DllImport(Kernel)]
    public static extern int VirtualFree(void* address, nuint bytes, uint type);

    /// <summary>Information on the system by class; an NTSTATUS.</summary>
    [DllImport("ntdll")]
    public static extern int NtQuerySystemInformation(int informationClass, void* buffer, uint bytes, uint* returned);

    /// <summary>The same of one group of processors.</summary>
    [DllImport("ntdll")]
    public static extern int NtQuerySystemInformationEx(int informationClass, void* input, uint inputBytes, void* buffer, uint bytes, uint* returned);

    /// <summary>Idle, kernel (with idle) and user time of all processors, in 100 ns.</summary>
    [DllImport(Kernel)]
    public static extern int GetSystemTimes(long* idle, long* kernel, long* user);
}
