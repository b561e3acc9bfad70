using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static unsafe partial class WindowsCalls
{
    public const uint TOKEN_QUERY = 8,
        TOKEN_ADJUST_PRIVILEGES = 0x20,
        SE_PRIVILEGE_ENABLED = 2;

    [LibraryImport("advapi32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool OpenProcessToken(nint process, uint access, nint* token);

    [LibraryImport("advapi32", EntryPoint = "LookupPrivilegeValueW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool LookupPrivilegeValue(string? system, string name, long* luid);

    [LibraryImport("advapi32", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool AdjustTokenPrivileges(nint token, int disableAll, void* state, uint size, nint previous, nint previousSize);
}
