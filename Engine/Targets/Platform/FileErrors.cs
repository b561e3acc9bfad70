using System.Globalization;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static class FileErrors
{
    /// <param name="operation">The operation, such as <c>opening</c> or <c>write of 1048576 bytes at offset 0 of</c>.</param>
    /// <param name="suffix">Text after the name of the file, such as <c> to 4096 bytes</c>.</param>
    public static IoBenchException FromErrno(int errno, string operation, string path, string suffix = "") =>
        errno switch
        {
            LinuxCalls.EPERM or LinuxCalls.EACCES => AccessDenied(path),
            LinuxCalls.ENOENT => NotFound(path),
            LinuxCalls.ENOTDIR => IoBenchException.NotFound(
                "IoBench.DirectoryNotFound",
                $"{path}: a part of this path is a file, not a folder.",
                path,
                advice: "Specify a folder that exists."
            ),
            LinuxCalls.EROFS => IoBenchException.Refused(
                ErrorIds.ReadOnlyVolume,
                $"{path} is on a volume that is mounted read-only.",
                path,
                advice: "Specify a file on another volume, or remount the volume."
            ),
            LinuxCalls.ENAMETOOLONG => PathTooLong(path),
            LinuxCalls.ELOOP => IoBenchException.Refused(
                "IoBench.BadLink",
                $"{path}: a symbolic link forms a loop, or replaced the file.",
                path,
                advice: "Specify the file itself."
            ),
            LinuxCalls.ENOSPC => DiskFull(path),
            LinuxCalls.EDQUOT => IoBenchException.Failure(
                "IoBench.DiskFull",
                $"{path}: the disk quota is exceeded.",
                path,
                advice: $"Choose a smaller {OptionNames.FileSize} or another folder."
            ),
            LinuxCalls.EFBIG => IoBenchException.Refused(
                "IoBench.FileTooLarge",
                $"{path}: the file system or a limit of this session does not allow a file of this size.",
                path,
                advice: $"Choose a smaller {OptionNames.FileSize}."
            ),
            LinuxCalls.ETXTBSY or LinuxCalls.EBUSY => IoBenchException.Refused(
                ErrorIds.FileInUse,
                $"{path} is in use: {GetMessage(errno)}.",
                path,
                advice: "End the program that uses this file, or specify another file."
            ),
            LinuxCalls.EMFILE or LinuxCalls.ENFILE => IoBenchException.Failure(
                "IoBench.TooManyOpenFiles",
                $"{path} cannot be opened: too many open files.",
                path,
                advice: "Raise the limit (ulimit -n), or test fewer files."
            ),
            _ => IoBenchException.Failure("IoBench.FileFailed", $"{operation} {path}{suffix} failed: {GetMessage(errno)} ({errno}).", path),
        };

    public static IoBenchException FromWindows(int error, string operation, string path, string suffix = "") =>
        error switch
        {
            WindowsCalls.ERROR_FILE_NOT_FOUND => NotFound(path),
            WindowsCalls.ERROR_PATH_NOT_FOUND => DirectoryNotFound(path),
            WindowsCalls.ERROR_ACCESS_DENIED or WindowsCalls.ERROR_PRIVILEGE_NOT_HELD when WindowsPath.IsDevice(path) =>
                IoBenchException.Refused(
                    ErrorIds.AccessDenied,
                    $"{path}: access denied.",
                    path,
                    advice: "Only administrators can open disks. Start IoBench with Run as administrator."
                ),
            WindowsCalls.ERROR_ACCESS_DENIED => AccessDenied(path),
            WindowsCalls.ERROR_WRITE_PROTECT => IoBenchException.Refused(
                ErrorIds.ReadOnlyVolume,
                $"{path} is on a write-protected volume.",
                path,
                advice: "Specify a file on another volume."
            ),
            WindowsCalls.ERROR_SHARING_VIOLATION or WindowsCalls.ERROR_LOCK_VIOLATION => IoBenchException.Refused(
                ErrorIds.FileInUse,
                $"{path} is in use by another program.",
                path,
                advice: "End the program, or specify another file."
            ),
            WindowsCalls.ERROR_HANDLE_DISK_FULL or WindowsCalls.ERROR_DISK_FULL => DiskFull(path),
            WindowsCalls.ERROR_FILENAME_EXCED_RANGE => PathTooLong(path),
            WindowsCalls.ERROR_FILE_TOO_LARGE => IoBenchException.Refused(
                "IoBench.FileTooLarge",
                $"{path}: the file system does not allow a file of this size.",
                path,
                advice: $"Choose a smaller {OptionNames.FileSize}."
            ),
            _ => IoBenchException.Failure("IoBench.FileFailed", $"{operation} {path}{suffix} failed: {GetMessage(error)} ({error}).", path),
        };

    public static IoBenchException FromException(Exception exception, string operation, string path, string suffix = "") =>
        exception switch
        {
            UnauthorizedAccessException => AccessDenied(path),
            FileNotFoundException => NotFound(path),
            DirectoryNotFoundException => DirectoryNotFound(path),
            PathTooLongException => PathTooLong(path),
            IOException when (exception.HResult & 0xFFFF0000) == 0x80070000 => FromWindows(
                exception.HResult & 0xFFFF,
                operation,
                path,
                suffix
            ),
            IOException when !OperatingSystem.IsWindows() && exception.HResult is > 0 and < 4096 => FromErrno(
                exception.HResult,
                operation,
                path,
                suffix
            ),
            _ => IoBenchException.Failure(
                "IoBench.FileFailed",
                $"{operation} {path}{suffix} failed: {GetMessage(exception)}.",
                path,
                exception
            ),
        };

    /// <param name="reason">Message of the operating system; null if it only reported no support.</param>
    public static IoBenchException UnbufferedNotSupported(
        string path,
        IoBuffering buffering,
        string? fileSystem = null,
        string? reason = null
    ) =>
        IoBenchException.Failure(
            "IoBench.NoDirectIo",
            $"{path}: its file system{(fileSystem is null ? "" : $" ({fileSystem})")} does not support unbuffered "
                + $"I/O{(reason is null ? "" : ": " + reason)}.",
            path,
            advice: $"Use another file system, or "
                + $"{OptionNames.Buffering.WithValue(buffering == IoBuffering.None ? IoBuffering.Software : IoBuffering.Both)}. With "
                + $"this buffering, the file cache serves the I/Os."
        );

    public static IoBenchException DeviceInUse(string path, string user) =>
        IoBenchException.Refused(
            "IoBench.DeviceInUse",
            $"{path} is in use: {user}.",
            path,
            advice: "IoBench writes to a raw device only if nothing uses it. Specify another device."
        );

    public static IoBenchException FileAppeared(string path) =>
        IoBenchException.Refused(
            ErrorIds.ForeignFile,
            $"Another program created {path} before IoBench could create it.",
            path,
            advice: "Specify another file."
        );

    public static IoBenchException TargetReplaced(string path) =>
        IoBenchException.Refused(
            "IoBench.TargetReplaced",
            $"{path} was replaced by another file after IoBench checked it. IoBench did not write to the new file.",
            path,
            advice: "Find out which program did this, and run the test again."
        );

    public static IoBenchException AccessDenied(string path) =>
        IoBenchException.Refused(
            ErrorIds.AccessDenied,
            $"{path}: access denied.",
            path,
            advice: "Run IoBench as a user who has access, or specify a file in your own folder."
        );

    public static IoBenchException NotFound(string path) =>
        IoBenchException.NotFound("IoBench.FileNotFound", $"{path} does not exist.", path, advice: "Check the name.");

    public static IoBenchException DirectoryNotFound(string path) =>
        IoBenchException.NotFound(
            "IoBench.DirectoryNotFound",
            $"{path}: the folder does not exist.",
            path,
            advice: "Create the folder first, or specify another folder."
        );

    public static IoBenchException PathTooLong(string path) =>
        IoBenchException.Usage(
            "IoBench.PathTooLong",
            $"{Shorten(path)}: the name is too long for this file system.",
            path,
            advice: "Choose a shorter name."
        );

    public static IoBenchException DiskFull(string path) =>
        IoBenchException.Failure(
            "IoBench.DiskFull",
            $"{path}: the volume is full.",
            path,
            advice: $"Free some space, or choose a smaller {OptionNames.FileSize}."
        );

    /// <summary>Gets the operating system's message without the period that Windows adds.</summary>
    public static string GetMessage(int error) => TrimMessage(Marshal.GetPInvokeErrorMessage(error));

    public static string GetMessage(Exception error) => TrimMessage(error.Message);

    private static string TrimMessage(string text) => text.Trim().TrimEnd('.');

    private static string Shorten(string path) => path.Length <= 120 ? path : path[..50] + "..." + path[^50..];

    /// <param name="result">Bytes moved or the negated error number.</param>
    public static unsafe IoBenchException FromIO(IoSlot* slot, int result, string path)
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
                $"{what}: {GetMessage(-result)} ({-result}).{(IsEndOfFile(-result) ? " The file has become shorter." : "")}",
                path,
                advice: GetAdvice(-result)
            );
    }

    private static bool IsEndOfFile(int error) => OperatingSystem.IsWindows() && error == WindowsCalls.ERROR_HANDLE_EOF;

    private static string? GetAdvice(int error)
    {
        var (full, broken) = OperatingSystem.IsWindows()
            ? (error is WindowsCalls.ERROR_DISK_FULL, error is WindowsCalls.ERROR_CRC or WindowsCalls.ERROR_IO_DEVICE)
            : (error is LinuxCalls.ENOSPC or LinuxCalls.EDQUOT, error is LinuxCalls.EIO);
        if (full)
            return "Free some space on its volume, or use a smaller file.";
        return broken ? "The device or its driver failed. Check the system log." : null;
    }
}
