using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Targets.Platform;

/// <summary>How a file is open, as the operating system gives it back: that figures are those of unbuffered, written-through I/O is not taken on trust.</summary>
/// <param name="IsUnbuffered">Past the file cache.</param>
/// <param name="IsWriteThrough">A write is complete when the device has it.</param>
/// <param name="IsSynchronous">One I/O at a time (Windows).</param>
internal readonly partial record struct OpenFlags(bool IsUnbuffered, bool IsWriteThrough, bool IsSynchronous)
{
    /// <summary>The flags of an open file; null when the system does not give them back.</summary>
    public static OpenFlags? Of(SafeFileHandle file) => OperatingSystem.IsWindows() ? OfWindows(file) : OfLinux(file);

    /// <summary>In the system's own words, as in "O_DIRECT, O_DSYNC"; "none" without any.</summary>
    public string Words =>
        (IsUnbuffered, IsWriteThrough) switch
        {
            (true, true) => $"{UnbufferedName}, {WriteThroughName}",
            (true, false) => UnbufferedName,
            (false, true) => WriteThroughName,
            _ => "none",
        };

    private static string UnbufferedName => OperatingSystem.IsWindows() ? "NO_BUFFERING" : "O_DIRECT";

    private static string WriteThroughName => OperatingSystem.IsWindows() ? "WRITE_THROUGH" : "O_DSYNC";

    /// <summary>What is not as a kind of buffering asks for, as in "buffered" or "unbuffered, not write-through"; null when all is.</summary>
    public string? Against(IoBuffering buffering)
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
