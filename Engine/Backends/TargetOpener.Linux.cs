using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static partial class TargetOpener
{
    /// <summary>By open(2), since .NET drops O_DIRECT.</summary>
    public static unsafe SafeFileHandle OpenLinux(string path, bool write, IoPattern pattern)
    {
        var buffering = pattern.Buffering;
        var flags = LinuxNative.O_CLOEXEC | (write ? LinuxNative.O_RDWR : LinuxNative.O_RDONLY);
        if (buffering is IoBuffering.None or IoBuffering.Hardware)
            flags |= LinuxNative.O_DIRECT;
        if (buffering is IoBuffering.None or IoBuffering.Software)
            flags |= LinuxNative.O_DSYNC;
        fixed (byte* name = Encoding.UTF8.GetBytes(path + "\0"))
        {
            // A read should not cost a write of the access time; only a file's owner may ask for that.
            var descriptor = LinuxNative.Open(name, flags | LinuxNative.O_NOATIME, 0);
            if (descriptor < 0 && Marshal.GetLastSystemError() == LinuxNative.EPERM)
                descriptor = LinuxNative.Open(name, flags, 0);
            if (descriptor >= 0 && pattern is { RandomAccessHint: true } or { SequentialScanHint: true })
                _ = LinuxNative.Fadvise(descriptor, 0, 0, pattern.RandomAccessHint ? LinuxNative.POSIX_FADV_RANDOM : LinuxNative.POSIX_FADV_SEQUENTIAL);
            if (descriptor >= 0)
                return new SafeFileHandle(descriptor, ownsHandle: true);
        }
        throw Explain(path, write, buffering, Marshal.GetLastSystemError());
    }

    private static IoBenchException Explain(string path, bool write, IoBuffering buffering, int error)
    {
        var reason = $"{Marshal.GetPInvokeErrorMessage(error)} ({error})";
        return error switch
        {
            LinuxNative.EINVAL when buffering is IoBuffering.None or IoBuffering.Hardware => IoBenchException.Failure("IoBench.NoDirectIo",
                $"{path}: its file system does not do unbuffered I/O (O_DIRECT): {reason}. Use another file system, or --buffering {(buffering == IoBuffering.None ? "software" : "both")}, and know that memory then answers.", path),
            LinuxNative.EMFILE or LinuxNative.ENFILE => IoBenchException.Failure("IoBench.TooManyOpenFiles",
                $"{path} cannot be opened: {reason}. Use fewer threads or targets, or raise the limit of open files (ulimit -n).", path),
            LinuxNative.ENOENT => IoBenchException.NotFound("IoBench.FileNotFound", $"{path} is not there.", path),
            _ => IoBenchException.Failure("IoBench.CannotOpen", $"{path} cannot be opened for {(write ? "writing" : "reading")}: {reason}.", path),
        };
    }
}
