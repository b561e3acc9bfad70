using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static unsafe partial class WindowsCalls
{
    [StructLayout(LayoutKind.Sequential)]
    public struct OverlappedEntry
    {
        public nuint Key;
        public OverlappedBlock* Overlapped;
        public nuint Internal;
        public uint BytesTransferred;
    }

    [DllImport(Kernel, ExactSpelling = true, SetLastError = true)]
    public static extern nint CreateIoCompletionPort(nint file, nint port, nuint key, uint threads);

    public const byte FILE_SKIP_SET_EVENT_ON_HANDLE = 2;

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int SetFileCompletionNotificationModes(nint file, byte flags);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int ReadFile(nint file, byte* buffer, uint bytes, uint* read, OverlappedBlock* overlapped);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int WriteFile(nint file, byte* buffer, uint bytes, uint* written, OverlappedBlock* overlapped);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int FlushFileBuffers(nint file);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int CancelIoEx(nint file, OverlappedBlock* overlapped);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int GetQueuedCompletionStatusEx(
        nint port,
        OverlappedEntry* entries,
        uint count,
        uint* removed,
        uint milliseconds,
        int alertable
    );

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int PostQueuedCompletionStatus(nint port, uint bytes, nuint key, OverlappedBlock* overlapped);

    [DllImport("ntdll", ExactSpelling = true)]
    public static extern uint RtlNtStatusToDosError(int status);

    public const uint CREATE_WAITABLE_TIMER_HIGH_RESOLUTION = 2,
        TIMER_MODIFY_STATE = 2,
        SYNCHRONIZE = 0x00100000,
        INFINITE = 0xFFFFFFFF;

    [LibraryImport(Kernel, EntryPoint = "CreateWaitableTimerExW", SetLastError = true)]
    public static partial SafeWaitHandle CreateWaitableTimer(nint security, nint name, uint flags, uint access);

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetWaitableTimer(SafeWaitHandle timer, long* due, int period, nint routine, nint argument, int resume);

    [LibraryImport(Kernel, SetLastError = true)]
    public static partial uint WaitForSingleObject(SafeWaitHandle handle, uint milliseconds);

    [DllImport("winmm", ExactSpelling = true)]
    public static extern uint timeBeginPeriod(uint milliseconds);

    [DllImport("winmm", ExactSpelling = true)]
    public static extern uint timeEndPeriod(uint milliseconds);
}
