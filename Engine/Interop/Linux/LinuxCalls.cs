using System.Runtime.InteropServices;

namespace IoBench.Engine.Interop.Linux;

/// <summary>
/// The C library's and the kernel's calls that .NET does not offer, a file per topic. Names and numbers are the kernel's, for x64 and arm64. What the hot path
/// calls is blittable, so that a call costs 2-3 ns: after -1 the reason is <see cref="Marshal.GetLastSystemError"/>; after the others it is
/// <see cref="Marshal.GetLastPInvokeError"/>.
/// </summary>
internal static unsafe partial class LinuxCalls
{
    private const string LibC = "libc";

    // A property: the order in which fields of several files are set is open.
    private static bool IsX64 => RuntimeInformation.ProcessArchitecture == Architecture.X64;

    /// <summary>The general system call: variadic in C, which on Linux x64 and arm64 passes integers like any function.</summary>
    [DllImport(LibC, EntryPoint = "syscall")]
    public static extern nint Syscall(nint number, nint a1, nint a2, nint a3, nint a4, nint a5, nint a6);

    /// <summary>Seconds and nanoseconds, as the kernel takes them.</summary>
    public struct Timespec
    {
        public long Seconds;
        public long Nanoseconds;

        /// <summary>The time from now to a moment, at least 0.</summary>
        public static Timespec Until(long moment)
        {
            var left = Math.Max(0, moment - Clock.Now);
            return new Timespec { Seconds = left / Clock.Second, Nanoseconds = left % Clock.Second };
        }
    }
}
