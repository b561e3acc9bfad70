using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>The Win32 calls that run and measurement use. Blittable signatures only.</summary>
internal static unsafe partial class WindowsNative
{
    private const string Kernel = "kernel32";

    [DllImport(Kernel)]
    public static extern nint GetCurrentThread();

    [DllImport(Kernel)]
    public static extern nuint SetThreadAffinityMask(nint thread, nuint mask);

    /// <summary>Idle, kernel (with idle) and user time of all processors, in 100 ns.</summary>
    [DllImport(Kernel)]
    public static extern int GetSystemTimes(long* idle, long* kernel, long* user);
}
