using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Flags of an open file, to verify that I/O is unbuffered and write-through.</summary>
/// <param name="IsSynchronous">Whether the handle allows one I/O at a time (Windows).</param>
internal readonly partial record struct OpenFlags(bool IsUnbuffered, bool IsWriteThrough, bool IsSynchronous)
{
    /// <summary>Returns null if the operating system does not report the flags.</summary>
    public static OpenFlags? FromHandle(SafeFileHandle file) =>
        OperatingSystem.IsWindows() ? FromWindowsHandle(file) : FromLinuxHandle(file);

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
