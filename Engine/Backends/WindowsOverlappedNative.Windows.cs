using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>The few functions of Windows that overlapped I/O needs. Blittable signatures: nothing is marshalled, nothing allocated on a call.</summary>
internal static unsafe partial class WindowsNative
{
    public const uint GENERIC_READ = 0x80000000, GENERIC_WRITE = 0x40000000;
    public const uint FILE_SHARE_READ = 1, FILE_SHARE_WRITE = 2, FILE_SHARE_DELETE = 4;
    public const uint OPEN_EXISTING = 3;
    public const uint FILE_ATTRIBUTE_NORMAL = 0x80, FILE_ATTRIBUTE_TEMPORARY = 0x100;
    public const uint FILE_FLAG_WRITE_THROUGH = 0x80000000, FILE_FLAG_OVERLAPPED = 0x40000000, FILE_FLAG_NO_BUFFERING = 0x20000000,
        FILE_FLAG_RANDOM_ACCESS = 0x10000000, FILE_FLAG_SEQUENTIAL_SCAN = 0x08000000;

    public const int ERROR_FILE_NOT_FOUND = 2, ERROR_PATH_NOT_FOUND = 3, ERROR_TOO_MANY_OPEN_FILES = 4, ERROR_ACCESS_DENIED = 5, ERROR_NOT_ENOUGH_MEMORY = 8,
        ERROR_WRITE_PROTECT = 19, ERROR_SHARING_VIOLATION = 32, ERROR_HANDLE_EOF = 38, ERROR_INVALID_PARAMETER = 87, ERROR_OPERATION_ABORTED = 995,
        ERROR_IO_PENDING = 997, WAIT_TIMEOUT = 258;

    /// <summary>OVERLAPPED_ENTRY: 32 bytes on 64-bit Windows.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Entry
    {
        public nuint Key;
        public OverlappedBlock* Overlapped;
        public nuint Internal;
        public uint BytesTransferred;
    }

    [DllImport("kernel32", EntryPoint = "CreateFileW", ExactSpelling = true, SetLastError = true, CharSet = CharSet.Unicode)]
    public static extern SafeFileHandle CreateFile(string path, uint access, uint share, nint security, uint disposition, uint flags, nint template);

    [DllImport("kernel32", ExactSpelling = true, SetLastError = true)]
    public static extern nint CreateIoCompletionPort(nint file, nint port, nuint key, uint threads);

    [DllImport("kernel32", ExactSpelling = true)]
    public static extern int CloseHandle(nint handle);

    [DllImport("kernel32", ExactSpelling = true)]
    public static extern int ReadFile(nint file, byte* buffer, uint bytes, uint* read, OverlappedBlock* overlapped);

    [DllImport("kernel32", ExactSpelling = true)]
    public static extern int WriteFile(nint file, byte* buffer, uint bytes, uint* written, OverlappedBlock* overlapped);

    [DllImport("kernel32", ExactSpelling = true)]
    public static extern int FlushFileBuffers(nint file);

    [DllImport("kernel32", ExactSpelling = true)]
    public static extern int CancelIoEx(nint file, OverlappedBlock* overlapped);

    [DllImport("kernel32", ExactSpelling = true)]
    public static extern int GetQueuedCompletionStatusEx(nint port, Entry* entries, uint count, uint* removed, uint milliseconds, int alertable);

    [DllImport("ntdll", ExactSpelling = true)]
    public static extern uint RtlNtStatusToDosError(int status);

    [DllImport("winmm", ExactSpelling = true)]
    public static extern uint timeBeginPeriod(uint milliseconds);

    [DllImport("winmm", ExactSpelling = true)]
    public static extern uint timeEndPeriod(uint milliseconds);

    [DllImport("kernel32", ExactSpelling = true, SetLastError = true)]
    public static extern int SetFileInformationByHandle(SafeFileHandle file, int informationClass, int* information, uint bytes);
}
