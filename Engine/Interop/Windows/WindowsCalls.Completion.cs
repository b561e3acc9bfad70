using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Overlapped I/O and completion ports.</summary>
internal static unsafe partial class WindowsCalls
{
    /// <summary>OVERLAPPED_ENTRY: 32 bytes on 64-bit Windows.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Entry
    {
        public nuint Key;
        public OverlappedBlock* Overlapped;
        public nuint Internal;
        public uint BytesTransferred;
    }

    [DllImport(Kernel, ExactSpelling = true, SetLastError = true)]
    public static extern nint CreateIoCompletionPort(nint file, nint port, nuint key, uint threads);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int ReadFile(nint file, byte* buffer, uint bytes, uint* read, OverlappedBlock* overlapped);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int WriteFile(nint file, byte* buffer, uint bytes, uint* written, OverlappedBlock* overlapped);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int FlushFileBuffers(nint file);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int CancelIoEx(nint file, OverlappedBlock* overlapped);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int GetQueuedCompletionStatusEx(nint port, Entry* entries, uint count, uint* removed, uint milliseconds, int alertable);

    [DllImport(Kernel, ExactSpelling = true)]
    public static extern int PostQueuedCompletionStatus(nint port, uint bytes, nuint key, OverlappedBlock* overlapped);

    [DllImport("ntdll", ExactSpelling = true)]
    public static extern uint RtlNtStatusToDosError(int status);

    [DllImport("winmm", ExactSpelling = true)]
    public static extern uint timeBeginPeriod(uint milliseconds);

    [DllImport("winmm", ExactSpelling = true)]
    public static extern uint timeEndPeriod(uint milliseconds);
}
