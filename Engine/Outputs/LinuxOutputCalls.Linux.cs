using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal sealed unsafe partial class LinuxOutputFiles
{
    private const uint NewFileMode = 0x1B6; // 0666, of which the umask takes its part

    public static SafeFileHandle? CreateFile(OutputName name, out int errno) =>
        TryOpen(name, LinuxCalls.O_RDWR | LinuxCalls.O_CREAT | LinuxCalls.O_EXCL | LinuxCalls.O_NOFOLLOW, out errno);

    /// <summary>The file disappears with its handle. Null if the file system does not support this, or /proc is not mounted to name it
    /// later.</summary>
    public static SafeFileHandle? CreateUnnamed(OutputFolder folder) =>
        Directory.Exists("/proc/self/fd") ? TryOpen(folder.GetName("."), LinuxCalls.O_RDWR | LinuxCalls.O_TMPFILE, out _) : null;

    /// <summary>Renames a file within its folder.</summary>
    /// <returns>0 or the error number.</returns>
    public static int Rename(OutputName from, string to, uint flags) => LinuxFiles.Rename(from.Folder.Handle!, from.Name, to, flags);

    /// <summary>Falls back to a link or a plain rename if the file system does not support RENAME_NOREPLACE.</summary>
    /// <returns>0 or the error number; EEXIST if the name exists.</returns>
    public static int RenameWithoutReplacing(OutputName from, string to)
    {
        var errno = Rename(from, to, LinuxFiles.RenameNoReplace);
        if (errno is not (LinuxCalls.EINVAL or LinuxCalls.ENOSYS or LinuxCalls.EOPNOTSUPP))
            return errno;
        // Link the new name, then unlink the old one: unlike a plain rename, this never replaces a file.
        var folder = from.Folder.Handle!;
        if (LinuxCalls.LinkAt(folder, from.Name, folder, to, 0) == 0)
            return LinuxCalls.UnlinkAt(folder, from.Name, 0) == 0 ? 0 : Marshal.GetLastPInvokeError();
        errno = Marshal.GetLastPInvokeError();
        return errno is LinuxCalls.EPERM or LinuxCalls.ENOSYS or LinuxCalls.EOPNOTSUPP ? Rename(from, to, 0) : errno;
    }

    /// <summary>Unlinks directly: a file that is moved aside first stays under the other name if the process is killed in
    /// between.</summary>
    public static void RemoveIfSame(OutputName name, FileStatus file)
    {
        if (TryGetStatus(name)?.IsSame(file) != true || LinuxCalls.UnlinkAt(name.Folder.Handle!, name.Name, 0) == 0)
            return;
        var errno = Marshal.GetLastPInvokeError();
        if (errno != LinuxCalls.ENOENT)
            throw FileErrors.FromErrno(errno, "removing", name.Path);
    }

    public static FileStatus? TryGetStatus(OutputName name)
    {
        var status = LinuxFiles.TryGetStatus(name.Folder.Handle!, name.Name, out var errno);
        return errno is 0 or LinuxCalls.ENOENT ? status : throw FileErrors.FromErrno(errno, "checking", name.Path);
    }

    /// <summary>Copies owner, group, permissions, access control list, and attributes of users from the replaced file. What is not allowed
    /// stays as it is in the new file.</summary>
    public static void CopyProperties(SafeFileHandle from, SafeFileHandle to)
    {
        const uint rights = 0x1FF;
        const uint unchanged = uint.MaxValue;
        var status = LinuxFiles.ReadStatx(from, "");
        if (ChangeOwner(to, status.UserId, status.GroupId) != 0)
            _ = ChangeOwner(to, unchanged, status.GroupId);
        _ = ChangeMode(to, status.Mode & rights);
        foreach (var attribute in ListAttributes(from).Where(IsCopiedAttribute))
            CopyAttribute(from, to, attribute);
    }

    public static void SyncFolder(OutputFolder folder)
    {
        using var handle = TryOpen(folder.GetName("."), LinuxCalls.O_RDONLY | LinuxCalls.O_DIRECTORY, out _);
        if (handle is not null)
            _ = LinuxCalls.Sync(handle);
    }

    private static SafeFileHandle? TryOpen(OutputName name, int flags, out int errno) =>
        LinuxFolder.TryOpenAt(name.Folder.Handle!, name.Name, flags | LinuxCalls.O_CLOEXEC, out errno, NewFileMode);

    // The ownership marker belongs to one file. Attributes of the system, such as checksums and capabilities, belong to the content.
    private static bool IsCopiedAttribute(string name) =>
        name is "system.posix_acl_access" or "security.selinux"
        || (name.StartsWith("user.", StringComparison.Ordinal) && name != "user.iobench");

    private static string[] ListAttributes(SafeFileHandle file)
    {
        // Linux limits a list to 64 KB.
        var names = new byte[65536];
        fixed (byte* start = names)
        {
            var length = ListAttributes(file, start, names.Length);
            return length > 0 ? Encoding.UTF8.GetString(names, 0, (int)length).Split('\0', StringSplitOptions.RemoveEmptyEntries) : [];
        }
    }

    private static void CopyAttribute(SafeFileHandle from, SafeFileHandle to, string name)
    {
        var value = new byte[65536];
        fixed (byte* start = value)
        {
            var length = LinuxCalls.GetAttribute(from, name, start, value.Length);
            if (length >= 0)
                _ = LinuxCalls.SetAttribute(to, name, start, length, 0);
        }
    }

    [LibraryImport("libc", EntryPoint = "fchmod", SetLastError = true)]
    private static partial int ChangeMode(SafeFileHandle file, uint mode);

    [LibraryImport("libc", EntryPoint = "fchown", SetLastError = true)]
    private static partial int ChangeOwner(SafeFileHandle file, uint user, uint group);

    [LibraryImport("libc", EntryPoint = "flistxattr", SetLastError = true)]
    private static partial nint ListAttributes(SafeFileHandle file, byte* names, nint size);
}
