using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static unsafe partial class WindowsCalls
{
    public const uint SC_MANAGER_ENUMERATE_SERVICE = 4,
        SERVICE_KERNEL_DRIVER = 1,
        SERVICE_FILE_SYSTEM_DRIVER = 2,
        SERVICE_ACTIVE = 1;

    public const int SC_ENUM_PROCESS_INFO = 0,
        PowerRequestSystemRequired = 1;

    public const uint POWER_REQUEST_CONTEXT_VERSION = 0,
        POWER_REQUEST_CONTEXT_SIMPLE_STRING = 1;

    /// <summary>A value of SYSTEM_INFORMATION_CLASS, and the bit of its result for drivers that the hypervisor checks.</summary>
    public const int SystemCodeIntegrityInformation = 103;
    public const uint CODEINTEGRITY_OPTION_HVCI_KMCI_ENABLED = 0x400;

    /// <summary>ENUM_SERVICE_STATUS_PROCESSW.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ServiceStatus
    {
        public char* Name;
        public char* DisplayName;
        public fixed uint Status[9];
    }

    /// <summary>REASON_CONTEXT with a simple string.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct ReasonContext
    {
        public uint Version,
            Flags;
        public char* Text;
        public ulong Reserved0,
            Reserved1;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct CodeIntegrity
    {
        public uint Length,
            Options;
    }

    [LibraryImport("advapi32", EntryPoint = "OpenSCManagerW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    public static partial nint OpenSCManager(string? machine, string? database, uint access);

    [LibraryImport("advapi32", EntryPoint = "EnumServicesStatusExW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool EnumServicesStatus(
        nint manager,
        int level,
        uint type,
        uint state,
        byte* services,
        uint size,
        uint* needed,
        uint* count,
        uint* resume,
        string? group
    );

    [LibraryImport("advapi32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool CloseServiceHandle(nint manager);

    [LibraryImport(Kernel, SetLastError = true)]
    public static partial nint PowerCreateRequest(ReasonContext* reason);

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool PowerSetRequest(nint request, int type);
}
