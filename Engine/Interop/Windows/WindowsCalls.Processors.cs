using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static unsafe partial class WindowsCalls
{
    public const int RelationProcessorCore = 0,
        RelationNumaNode = 1,
        RelationNumaNodeEx = 6;

    /// <summary>Values of PROCESSINFOCLASS and PROCESS_INFORMATION_CLASS, and the normal priority levels.</summary>
    public const int ProcessIoPriority = 33,
        IoPriorityNormal = 2,
        ProcessMemoryPriority = 0,
        MEMORY_PRIORITY_NORMAL = 5,
        ProcessPowerThrottling = 4;
    public const uint NORMAL_PRIORITY_CLASS = 0x20,
        IDLE_PRIORITY_CLASS = 0x40,
        BELOW_NORMAL_PRIORITY_CLASS = 0x4000;
    public const uint PROCESS_POWER_THROTTLING_CURRENT_VERSION = 1,
        PROCESS_POWER_THROTTLING_EXECUTION_SPEED = 1,
        PROCESS_POWER_THROTTLING_IGNORE_TIMER_RESOLUTION = 4;

    [StructLayout(LayoutKind.Sequential)]
    public struct PowerThrottling
    {
        public uint Version,
            ControlMask,
            StateMask;
    }

    /// <summary>GROUP_AFFINITY: up to 64 processors of one group.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct GroupAffinity
    {
        public ulong Mask;
        public ushort Group,
            Reserved0,
            Reserved1,
            Reserved2;
    }

    [DllImport(Kernel)]
    public static extern nint GetCurrentThread();

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

    /// <summary>Returns an NTSTATUS.</summary>
    [DllImport("ntdll")]
    public static extern int NtQuerySystemInformation(int informationClass, void* buffer, uint bytes, uint* returned);

    /// <summary>Queries one processor group. Returns an NTSTATUS.</summary>
    [DllImport("ntdll")]
    public static extern int NtQuerySystemInformationEx(
        int informationClass,
        void* input,
        uint inputBytes,
        void* buffer,
        uint bytes,
        uint* returned
    );

    /// <summary>Queries by PROCESSINFOCLASS. Returns an NTSTATUS.</summary>
    [LibraryImport("ntdll")]
    public static partial int NtQueryInformationProcess(nint process, int informationClass, void* information, uint bytes, uint* returned);

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetProcessInformation(nint process, int informationClass, void* information, uint bytes);

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetProcessInformation(nint process, int informationClass, void* information, uint bytes);

    /// <summary>Sets information by PROCESSINFOCLASS. Returns an NTSTATUS.</summary>
    [LibraryImport("ntdll")]
    public static partial int NtSetInformationProcess(nint process, int informationClass, void* information, uint bytes);

    [LibraryImport(Kernel, SetLastError = true)]
    public static partial uint GetPriorityClass(nint process);

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetPriorityClass(nint process, uint priority);

    /// <summary>Idle, kernel (including idle), and user time of all processors, in 100 ns.</summary>
    [DllImport(Kernel)]
    public static extern int GetSystemTimes(long* idle, long* kernel, long* user);

    [LibraryImport(Kernel)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetNumaHighestNodeNumber(uint* node);
}
