using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Flags of an open file, to verify that I/O is unbuffered and write-through.</summary>
/// <param name="IsSynchronous">Whether the handle allows one I/O at a time (Windows).</param>
internal readonly record struct OpenFlags(bool IsUnbuffered, bool IsWriteThrough, bool IsSynchronous)
{
    /// <summary>Returns null if the operating system does not report the flags.</summary>
    public static OpenFlags? FromHandle(SafeFileHandle file) =>
        OperatingSystem.IsWindows() ? FromWindowsHandle(file) : FromLinuxHandle(file);

    private static OpenFlags? FromLinuxHandle(SafeFileHandle file)
    {
        var flags = LinuxCalls.GetFlags(file, LinuxCalls.F_GETFL, 0);
        return flags < 0
            ? null
            : new OpenFlags((flags & LinuxCalls.O_DIRECT) != 0, (flags & LinuxCalls.O_DSYNC) != 0, IsSynchronous: false);
    }

    // NtQueryInformationFile(FileModeInformation) needs no event tracing.
    private static unsafe OpenFlags? FromWindowsHandle(SafeFileHandle file)
    {
        const uint synchronous = WindowsCalls.FILE_SYNCHRONOUS_IO_ALERT | WindowsCalls.FILE_SYNCHRONOUS_IO_NONALERT;
        WindowsCalls.IoStatusBlock status;
        uint mode;
        return WindowsCalls.NtQueryInformationFile(file, &status, &mode, sizeof(uint), WindowsCalls.FileModeInformation) != 0
            ? null
            : new OpenFlags(
                (mode & WindowsCalls.FILE_NO_INTERMEDIATE_BUFFERING) != 0,
                (mode & WindowsCalls.FILE_WRITE_THROUGH) != 0,
                (mode & synchronous) != 0
            );
    }

    public string Description =>
        (IsUnbuffered, IsWriteThrough) switch
        {
            (true, true) => $"{UnbufferedName}, {WriteThroughName}",
            (true, false) => UnbufferedName,
            (false, true) => WriteThroughName,
            _ => "none",
        };

    private static string UnbufferedName => OperatingSystem.IsWindows() ? "NO_BUFFERING" : "O_DIRECT";

    private static string WriteThroughName => OperatingSystem.IsWindows() ? "WRITE_THROUGH" : "O_DSYNC";

    /// <summary>Such as "buffered" or "unbuffered, not write-through"; null if the flags match.</summary>
    public string? DescribeMismatch(IoBuffering buffering)
    {
        List<string> differences = [];
        var wantsUnbuffered = buffering is IoBuffering.None or IoBuffering.Hardware;
        var wantsWriteThrough = buffering is IoBuffering.None or IoBuffering.Software;
        if (IsUnbuffered != wantsUnbuffered)
            differences.Add(IsUnbuffered ? "unbuffered" : "buffered");
        if (IsWriteThrough != wantsWriteThrough)
            differences.Add(IsWriteThrough ? "write-through" : "not write-through");
        return differences.Count > 0 ? string.Join(", ", differences) : null;
    }
}
