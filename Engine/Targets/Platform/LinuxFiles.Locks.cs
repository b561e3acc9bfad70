using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

internal unsafe partial class LinuxFiles
{
    // Locks of the open file (not of the process), on bytes beyond any file size. flock(2) would conflict with .NET's own locks.
    private const long UsedByte = long.MaxValue - 2,
        WrittenByte = long.MaxValue - 1;

    public override bool TryLockForWriting(SafeFileHandle handle) =>
        TrySetLock(handle, RangeLock.ForWriting, WrittenByte, 1) is 0 or Errno.EBADF;

    public override void UnlockForWriting(SafeFileHandle handle) => _ = TrySetLock(handle, RangeLock.None, WrittenByte, 1);

    // Closing alone is not sufficient: a child process that is just starting has the open file, and with it the lock, for a moment longer.
    public override void UnlockAndClose(SafeFileHandle handle)
    {
        _ = TrySetLock(handle, RangeLock.None, UsedByte, 2);
        handle.Dispose();
    }

    public override bool TryLockForUse(SafeFileHandle handle) => TrySetLock(handle, RangeLock.ForReading, UsedByte, 1) is 0 or Errno.EBADF;

    public override bool TryLockToRemove(SafeFileHandle handle)
    {
        var result = TrySetLock(handle, RangeLock.ForWriting, UsedByte, 2);
        if (result != Errno.EBADF)
            return result == 0;
        // A file that is open only for reading cannot get an exclusive lock, so at least query the lock.
        var range = new RangeLock
        {
            Type = RangeLock.ForWriting,
            Start = UsedByte,
            Length = 2,
        };
        return Lock(handle, F_OFD_GETLK, &range) != 0 || range.Type == RangeLock.None;
    }

    // Rename the file to a random name first and check its identity there; another file is moved back. A check followed by a removal would
    // leave a moment in which another file could get this name and be lost.
    public override bool DeleteIfSame(string path, FileStatus file)
    {
        using var folder = TryOpen(Path.GetDirectoryName(path) ?? "/", O_RDONLY | LinuxCalls.O_DIRECTORY | O_CLOEXEC, out var errno);
        if (folder is null)
            throw FileErrors.FromErrno(errno, "removing", path);
        var name = Path.GetFileName(path);
        if (TryGetStatus(folder, name) is not { } there || !there.IsSame(file))
            return false;
        var aside = $".iobench-removed-{Guid.NewGuid():N}";
        if (RenameAt(folder, name, folder, aside) != 0)
        {
            errno = Marshal.GetLastPInvokeError();
            return errno == Errno.ENOENT ? false : throw FileErrors.FromErrno(errno, "removing", path);
        }
        if (TryGetStatus(folder, aside)?.IsSame(file) == true)
            return UnlinkAt(folder, aside, 0) == 0 ? true : throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "removing", path);
        MoveBack(folder, aside, path);
        return false;
    }

    // Use a link instead of a rename, because it does not replace a file that has the name by now. vfat and others have no links, but
    // support a rename without replacing.
    private static void MoveBack(SafeFileHandle folder, string aside, string path)
    {
        var name = Path.GetFileName(path);
        if (LinkAt(folder, aside, folder, name, 0) == 0 ? UnlinkAt(folder, aside, 0) == 0 : RenameWithoutReplacing(folder, aside, name))
            return;
        throw IoBenchException.Refused(
            ErrorIds.ForeignFile,
            $"{path} was replaced by another file while it was to be removed; that file is now {Path.Combine(Path.GetDirectoryName(path) ?? "/", aside)}.",
            path,
            advice: "Move it back."
        );
    }

    private static bool RenameWithoutReplacing(SafeFileHandle folder, string from, string to)
    {
        const int noReplace = 1;
        var descriptor = folder.DangerousGetHandle();
        // Call by number, because older C libraries do not have this function.
        fixed (
            byte* source = Encoding.UTF8.GetBytes(from + "\0"),
                target = Encoding.UTF8.GetBytes(to + "\0")
        )
            return LinuxCalls.Syscall(LinuxCalls.SYS_renameat2, descriptor, (nint)source, descriptor, (nint)target, noReplace, 0) == 0;
    }

    private static FileStatus? TryGetStatus(SafeFileHandle folder, string name)
    {
        Statx status;
        return
            LinuxCalls.GetStatx((int)folder.DangerousGetHandle(), name, AT_SYMLINK_NOFOLLOW, Statx.BasicStats | Statx.BirthTime, &status)
            == 0
            ? ToStatus(status)
            : null;
    }

    // Returns 0, EAGAIN if another handle has the lock, or EBADF if the handle's access does not allow the lock. File systems without locks
    // (some of FUSE)
    // return other errors; then nothing is locked and nothing is refused.
    private static int TrySetLock(SafeFileHandle handle, short type, long start, long length)
    {
        var range = new RangeLock
        {
            Type = type,
            Start = start,
            Length = length,
        };
        if (Lock(handle, F_OFD_SETLK, &range) == 0)
            return 0;
        return Marshal.GetLastPInvokeError() switch
        {
            Errno.EAGAIN or Errno.EACCES => Errno.EAGAIN,
            Errno.EBADF => Errno.EBADF,
            _ => 0,
        };
    }
}
