using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Functions of the C library and the kernel that .NET does not provide, with the kernel's names and numbers.</summary>
/// <remarks>Errors: <see cref="Marshal.GetLastSystemError"/> on the hot path, else <see cref="Marshal.GetLastPInvokeError"/>.</remarks>
internal static unsafe partial class LinuxCalls
{
    private const string LibC = "libc";

    // A property, because the order in which the fields of several partial files are initialized is undefined.
    private static bool IsX64 => RuntimeInformation.ProcessArchitecture == Architecture.X64;

    /// <summary>Variadic in C; on Linux x64 and arm64, integers are passed as for any other function.</summary>
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
