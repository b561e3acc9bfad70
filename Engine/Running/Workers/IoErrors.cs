using System.Globalization;

namespace IoBench.Engine;

internal static unsafe class IoErrors
{
    /// <param name="result">Bytes moved or the negated error number.</param>
    public static IoBenchException FromResult(IoSlot* slot, int result, string path)
    {
        var what =
            slot->Operation == IoRequestKind.Flush
                ? $"flush of {path} failed"
                : string.Create(
                    CultureInfo.InvariantCulture,
                    $"{slot->Operation.ToString().ToLowerInvariant()} of {slot->Length} bytes at offset {slot->Offset:N0} of {path} failed"
                );
        return result >= 0
            ? IoBenchException.Failure(
                "IoBench.IoFailed",
                $"{what}: only {result} bytes were transferred. The file was truncated, or its volume is full.",
                path
            )
            : IoBenchException.Failure(
                "IoBench.IoFailed",
                $"{what}: {FileErrors.GetMessage(-result)} ({-result}).{(IsEndOfFile(-result) ? " The file has become shorter." : "")}",
                path,
                advice: GetAdvice(-result)
            );
    }

    private static bool IsEndOfFile(int error) => OperatingSystem.IsWindows() && error == WindowsCalls.ERROR_HANDLE_EOF;

    private static string? GetAdvice(int error)
    {
        var (full, broken) = OperatingSystem.IsWindows()
            ? (error is WindowsCalls.ERROR_DISK_FULL, error is WindowsCalls.ERROR_CRC or WindowsCalls.ERROR_IO_DEVICE)
            : (error is Errno.ENOSPC or Errno.EDQUOT, error is Errno.EIO);
        if (full)
            return "Free some space on its volume, or use a smaller file.";
        return broken ? "The device or its driver failed. Check the system log." : null;
    }
}
