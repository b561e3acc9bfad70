using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Flags of an open file as the operating system reports them, to verify that I/O is unbuffered and write-through.</summary>
/// <param name="IsUnbuffered">Whether I/O bypasses the file cache.</param>
/// <param name="IsWriteThrough">Whether a write completes only when the device has it.</param>
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

    /// <summary>
    /// Describes how the flags differ from the requested buffering, such as "buffered" or "unbuffered, not write-through"; null if they
    /// match.
    /// </summary>
    public string? DescribeMismatch(IoBuffering buffering)
    {
        var (unbuffered, through) = (
            buffering is IoBuffering.None or IoBuffering.Hardware,
            buffering is IoBuffering.None or IoBuffering.Software
        );
        var wrong = new[]
        {
            IsUnbuffered == unbuffered ? null
            : IsUnbuffered ? "unbuffered"
            : "buffered",
            IsWriteThrough == through ? null
            : IsWriteThrough ? "write-through"
            : "not write-through",
        };
        return wrong.Any(word => word is not null) ? string.Join(", ", wrong.OfType<string>()) : null;
    }
}
