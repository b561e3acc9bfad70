using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Windows functions that .NET does not provide. Those on the hot path are blittable and allocate nothing.</summary>
internal static unsafe partial class WindowsCalls
{
    private const string Kernel = "kernel32";

    public const int ERROR_FILE_NOT_FOUND = 2,
        ERROR_PATH_NOT_FOUND = 3,
        ERROR_TOO_MANY_OPEN_FILES = 4,
        ERROR_ACCESS_DENIED = 5,
        ERROR_WRITE_PROTECT = 19,
        ERROR_CRC = 23,
        ERROR_SHARING_VIOLATION = 32,
        ERROR_LOCK_VIOLATION = 33,
        ERROR_HANDLE_EOF = 38,
        ERROR_HANDLE_DISK_FULL = 39,
        ERROR_NOT_SUPPORTED = 50,
        ERROR_FILE_EXISTS = 80,
        ERROR_INVALID_PARAMETER = 87,
        ERROR_DISK_FULL = 112,
        ERROR_ALREADY_EXISTS = 183,
        ERROR_FILENAME_EXCED_RANGE = 206,
        ERROR_FILE_TOO_LARGE = 223,
        ERROR_MORE_DATA = 234,
        WAIT_TIMEOUT = 258,
        ERROR_IO_PENDING = 997,
        ERROR_IO_DEVICE = 1117,
        ERROR_PRIVILEGE_NOT_HELD = 1314,
        ERROR_NO_SYSTEM_RESOURCES = 1450,
        ERROR_WORKING_SET_QUOTA = 1453,
        ERROR_INVALID_USER_BUFFER = 1784;

    [LibraryImport(Kernel)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool CloseHandle(nint handle);
}
