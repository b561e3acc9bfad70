using System.Globalization;
using System.Runtime.InteropServices;
using IoBench.Engine;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Application;

internal sealed unsafe partial class LinuxOutputFiles
{
    public const uint RenameNoReplace = 1;
    public const uint RenameExchange = 2;
    private const uint NewFileMode = 0x1B6; // 0666, of which the umask takes its part

    public static SafeFileHandle? CreateFile(string path, out int errno) =>
        TryOpen(path, LinuxCalls.O_RDWR | LinuxCalls.O_CREAT | LinuxCalls.O_EXCL | LinuxCalls.O_NOFOLLOW | LinuxCalls.O_CLOEXEC, out errno);

    /// <summary>The file disappears with its handle. Null if the file system does not support this, or /proc is not mounted to name it
    /// later.</summary>
    public static SafeFileHandle? CreateUnnamed(string folder) =>
        Directory.Exists("/proc/self/fd") ? TryOpen(folder, LinuxCalls.O_RDWR | LinuxCalls.O_TMPFILE | LinuxCalls.O_CLOEXEC, out _) : null;

    public static int LinkToName(SafeFileHandle handle, string path)
    {
        var self = string.Create(CultureInfo.InvariantCulture, $"/proc/self/fd/{(int)handle.DangerousGetHandle()}");
        return LinuxCalls.LinkAt(LinuxCalls.AT_FDCWD, self, LinuxCalls.AT_FDCWD, path, LinuxCalls.AT_SYMLINK_FOLLOW) == 0
            ? 0
            : Marshal.GetLastPInvokeError();
    }

    public static int Rename(string from, string to, uint flags)
    {
        var result = flags == 0 ? RenamePlainly(from, to) : RenameAt(LinuxCalls.AT_FDCWD, from, LinuxCalls.AT_FDCWD, to, flags);
        return result == 0 ? 0 : Marshal.GetLastPInvokeError();
    }

    /// <summary>Falls back to a link or a plain rename if the file system does not support RENAME_NOREPLACE.</summary>
    /// <returns>0 or the error number; EEXIST if the name exists.</returns>
    public static int RenameWithoutReplacing(string from, string to)
    {
        var errno = Rename(from, to, RenameNoReplace);
        if (errno is not (Errno.EINVAL or Errno.ENOSYS or Errno.EOPNOTSUPP))
            return errno;
        // Link the new name, then unlink the old one: unlike a plain rename, this never replaces a file.
        if (LinuxCalls.LinkAt(LinuxCalls.AT_FDCWD, from, LinuxCalls.AT_FDCWD, to, 0) == 0)
            return LinuxCalls.Unlink(from) == 0 ? 0 : Marshal.GetLastPInvokeError();
        errno = Marshal.GetLastPInvokeError();
        return errno is Errno.EPERM or Errno.ENOSYS or Errno.EOPNOTSUPP ? Rename(from, to, 0) : errno;
    }

    /// <summary>Unlinks directly: a file that is moved aside first stays under the other name if the process is killed in
    /// between.</summary>
    public static void RemoveIfSame(string path, FileStatus file)
    {
        if (PlatformFiles.Current.TryGetStatus(path)?.IsSame(file) != true || LinuxCalls.Unlink(path) == 0)
            return;
        var errno = Marshal.GetLastPInvokeError();
        if (errno != Errno.ENOENT)
            throw FileErrors.FromErrno(errno, "removing", path);
    }

    /// <summary>Copies the permissions of the replaced file. If that is not allowed, the new file's permissions stay.</summary>
    public static void CopyPermissions(SafeFileHandle from, SafeFileHandle to)
    {
        const uint rights = 0x1FF;
        _ = ChangeMode(to, LinuxFiles.ReadStatx(from, "").Mode & rights);
    }

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
