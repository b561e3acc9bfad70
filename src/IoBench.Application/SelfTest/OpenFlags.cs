using IoBench.Engine;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Application;

/// <summary>How a file is open, as the operating system gives it back.</summary>
/// <param name="IsUnbuffered">Past the file cache.</param>
/// <param name="IsWriteThrough">A write is complete when the device has it.</param>
/// <param name="IsSynchronous">One I/O at a time (Windows).</param>
internal readonly unsafe record struct OpenFlags(bool IsUnbuffered, bool IsWriteThrough, bool IsSynchronous)
{
    /// <summary>The flags of an open file; null when the system does not give them back.</summary>
    public static OpenFlags? Of(SafeFileHandle file) => OperatingSystem.IsWindows() ? OfWindows(file) : OfLinux(file);

    private static OpenFlags? OfLinux(SafeFileHandle file)
    {
        var flags = LinuxCalls.GetFlags(file, LinuxCalls.F_GETFL, 0);
        return flags < 0 ? null : new OpenFlags((flags & LinuxCalls.O_DIRECT) != 0, (flags & LinuxCalls.O_DSYNC) != 0, IsSynchronous: false);
    }

    private static OpenFlags? OfWindows(SafeFileHandle file)
    {
        const uint synchronous = WindowsCalls.FILE_SYNCHRONOUS_IO_ALERT | WindowsCalls.FILE_SYNCHRONOUS_IO_NONALERT;
        WindowsCalls.IoStatus status;
        uint mode;
        return WindowsCalls.NtQueryInformationFile(file, &status, &mode, sizeof(uint), WindowsCalls.FileModeInformation) != 0 ? null
            : new OpenFlags((mode & WindowsCalls.FILE_NO_INTERMEDIATE_BUFFERING) != 0, (mode & WindowsCalls.FILE_WRITE_THROUGH) != 0, (mode & synchronous) != 0);
    }
}
