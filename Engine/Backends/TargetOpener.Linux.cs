using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static class LinuxFiles
{
    /// <summary>Opens with open(2), because .NET drops O_DIRECT.</summary>
    /// <param name="same">Path in /proc of the file that is already open; null if there is no /proc.</param>
    public static SafeFileHandle OpenWithBuffering(string? same, string path, bool write, IoPattern pattern)
    {
        var buffering = pattern.Buffering;
        var flags = LinuxCalls.O_CLOEXEC | (write ? LinuxCalls.O_RDWR : LinuxCalls.O_RDONLY);
        if (buffering is IoBuffering.None or IoBuffering.Hardware)
            flags |= LinuxCalls.O_DIRECT;
        if (buffering is IoBuffering.None or IoBuffering.Software)
            flags |= LinuxCalls.O_DSYNC;
        if (same is null)
            flags |= LinuxCalls.O_NOFOLLOW;
        // A read should not cause a write of the access time. Only the owner of a file can use this flag.
        var file = LinuxFiles.TryOpen(same ?? path, flags | LinuxCalls.O_NOATIME, out var error);
        if (error == Errno.EPERM)
            file = LinuxFiles.TryOpen(same ?? path, flags, out error);
        if (file is null)
            throw CreateOpenError(path, write, buffering, error);
        if (pattern.RandomAccessHint || pattern.SequentialScanHint)
            _ = LinuxCalls.Advise(file, 0, 0, pattern.RandomAccessHint ? LinuxCalls.POSIX_FADV_RANDOM : LinuxCalls.POSIX_FADV_SEQUENTIAL);
        return file;
    }

    private static IoBenchException CreateOpenError(string path, bool write, IoBuffering buffering, int error)
    {
        var reason = $"{Marshal.GetPInvokeErrorMessage(error)} ({error})";
        return error switch
        {
            Errno.EINVAL when buffering is IoBuffering.None or IoBuffering.Hardware => FileErrors.UnbufferedNotSupported(
                path,
                buffering,
                reason: reason
            ),
            Errno.EMFILE or Errno.ENFILE => IoBenchException.Failure(
                "IoBench.TooManyOpenFiles",
                $"{path} cannot be opened: {reason}.",
                path,
                advice: "Use fewer threads or targets, or raise the limit of open files (ulimit -n)."
            ),
            Errno.ENOENT => IoBenchException.NotFound("IoBench.FileNotFound", $"{path} is not there.", path),
            _ => IoBenchException.Failure(
                "IoBench.CannotOpen",
                $"{path} cannot be opened for {(write ? "writing" : "reading")}: {reason}.",
                path
            ),
        };
    }
}
