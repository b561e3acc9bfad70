using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Application.Outputs;

/// <summary>The C library's calls that outputs need beyond the engine's.</summary>
internal static unsafe partial class LinuxOutputCalls
{
    public const uint RenameNoReplace = 1;
    public const uint RenameExchange = 2;
    private const uint NewFileMode = 0x1B6; // 0666, of which the umask takes its part

    /// <summary>A new empty file; null and the error when the system refuses, or something has the name.</summary>
    public static SafeFileHandle? Create(string path, out int errno) =>
        TryOpen(path, LinuxCalls.O_RDWR | LinuxCalls.O_CREAT | LinuxCalls.O_EXCL | LinuxCalls.O_NOFOLLOW | LinuxCalls.O_CLOEXEC, out errno);

    /// <summary>A file without a name, which goes with its handle; null where the file system has none, or no /proc to name it by.</summary>
    public static SafeFileHandle? CreateNameless(string folder) =>
        Directory.Exists("/proc/self/fd") ? TryOpen(folder, LinuxCalls.O_RDWR | LinuxCalls.O_TMPFILE | LinuxCalls.O_CLOEXEC, out _) : null;

    /// <summary>Names a file without a name; the error, or 0.</summary>
    public static int Link(SafeFileHandle handle, string path)
    {
        var self = string.Create(CultureInfo.InvariantCulture, $"/proc/self/fd/{(int)handle.DangerousGetHandle()}");
        return LinuxCalls.LinkAt(LinuxCalls.AT_FDCWD, self, LinuxCalls.AT_FDCWD, path, LinuxCalls.AT_SYMLINK_FOLLOW) == 0
            ? 0
            : Marshal.GetLastPInvokeError();
    }

    /// <summary>Renames; the error, or 0.</summary>
    public static int Rename(string from, string to, uint flags)
    {
        var result = flags == 0 ? RenamePlainly(from, to) : RenameAt(LinuxCalls.AT_FDCWD, from, LinuxCalls.AT_FDCWD, to, flags);
        return result == 0 ? 0 : Marshal.GetLastPInvokeError();
    }

    /// <summary>Renames to a name that nothing has; the error, or 0.</summary>
    public static int RenameToFree(string from, string to)
    {
        var errno = Rename(from, to, RenameNoReplace);
        if (errno is not (Errno.EINVAL or Errno.ENOSYS or Errno.EOPNOTSUPP))
            return errno;
        // A second name, then the first away: a name that something took since is left alone.
        if (LinuxCalls.LinkAt(LinuxCalls.AT_FDCWD, from, LinuxCalls.AT_FDCWD, to, 0) == 0)
            return LinuxCalls.Unlink(from) == 0 ? 0 : Marshal.GetLastPInvokeError();
        errno = Marshal.GetLastPInvokeError();
        return errno is Errno.EPERM or Errno.ENOSYS or Errno.EOPNOTSUPP ? Rename(from, to, 0) : errno;
    }

    /// <summary>
    /// Removes a name that leads to the very file; any other file stays. In one step: one that moved the file aside first would leave it there when it is killed in
    /// between.
    /// </summary>
    public static void Remove(string path, FileStatus file)
    {
        if (
            PlatformFiles.Current.TryGetStatus(path)?.IsSame(file) == true
            && LinuxCalls.Unlink(path) != 0
            && Marshal.GetLastPInvokeError() is not Errno.ENOENT and var errno
        )
            throw FileErrors.FromErrno(errno, "removing", path);
    }

    /// <summary>Gives a file that replaces another the other's rights; who may not keeps those of a new file.</summary>
    public static void CopyMode(SafeFileHandle from, SafeFileHandle to)
    {
        const uint rights = 0x1FF;
        _ = ChangeMode(to, LinuxFiles.Look(from, "").Mode & rights);
    }

    /// <summary>Brings a folder's names to the device, as far as the file system does that.</summary>
    public static void SyncFolder(string path)
    {
        using var folder = LinuxFiles.TryOpen(
            Path.GetDirectoryName(path)!,
            LinuxCalls.O_RDONLY | LinuxCalls.O_DIRECTORY | LinuxCalls.O_CLOEXEC,
            out _
        );
        if (folder is not null)
            _ = LinuxCalls.Sync(folder);
    }

    private static SafeFileHandle? TryOpen(string path, int flags, out int errno)
    {
        int descriptor;
        do
        {
            descriptor = LinuxCalls.Open(path, flags, NewFileMode);
            errno = descriptor >= 0 ? 0 : Marshal.GetLastPInvokeError();
        } while (errno == Errno.EINTR);
        return descriptor >= 0 ? new SafeFileHandle(descriptor, ownsHandle: true) : null;
    }

    [LibraryImport("libc", EntryPoint = "renameat2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int RenameAt(int fromFolder, string from, int toFolder, string to, uint flags);

    [LibraryImport("libc", EntryPoint = "rename", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int RenamePlainly(string from, string to);

    [LibraryImport("libc", EntryPoint = "fchmod", SetLastError = true)]
    private static partial int ChangeMode(SafeFileHandle file, uint mode);
}
