using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// Functions of the C library and the kernel that .NET does not provide, one file per topic, with the kernel's names and numbers for x64
/// and arm64. Functions on the hot path are blittable, so that calls need no marshaling. After they return -1, the error is
/// <see cref="Marshal.GetLastSystemError"/>; for the other functions, it is <see cref="Marshal.GetLastPInvokeError"/>.
/// </summary>
internal static unsafe partial class LinuxCalls
{
    private const string LibC = "libc";

    // A property, because the order in which the fields of several partial files are initialized is undefined.
    private static bool IsX64 => RuntimeInformation.ProcessArchitecture == Architecture.X64;

    /// <summary>
    /// The general system call. It is variadic in C; on Linux x64 and arm64, integers are passed as for any other function.
    /// </summary>
    [DllImport(LibC, EntryPoint = "syscall")]
    public static extern nint Syscall(nint number, nint a1, nint a2, nint a3, nint a4, nint a5, nint a6);

    public struct Timespec
    {
        public long Seconds;
        public long Nanoseconds;

        /// <summary>Returns the time from now to a time of <see cref="Clock"/>, at least 0.</summary>
        public static Timespec FromNowTo(long moment)
        {
            var left = Math.Max(0, moment - Clock.Now);
            return new Timespec { Seconds = left / Clock.Second, Nanoseconds = left % Clock.Second };
        }
    }
}
