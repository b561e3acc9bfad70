using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

internal unsafe partial class LinuxFiles : PlatformFiles
{
    private const string AttributeName = "user.iobench";
    private const uint NewFileMode = 0x1A0; // 0640: the owner reads and writes, and the group reads

    private static readonly bool s_hasProc = System.IO.Directory.Exists("/proc/self/fd");

    public override FileStatus? TryGetStatus(string path)
    {
        Statx status;
        if (LinuxCalls.GetStatx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, Statx.BasicStats | Statx.BirthTime, &status) == 0)
            return ToStatus(status);
        var errno = Marshal.GetLastPInvokeError();
        return errno == LinuxCalls.ENOENT ? null : throw FileErrors.FromErrno(errno, "checking", path);
    }

    public override void CheckFolderLinks(string path)
    {
        try
        {
            LinuxFolder.OpenParent(path).Dispose();
        }
        catch (IoBenchException error) when (error.ErrorId != ErrorIds.UntrustedLink)
        {
            // The call that opens the file reports this problem.
        }
    }

    // Do not resolve ".." as text: after a link to a folder, it leads to another folder.
    public override string? FollowLink(string path) =>
        LinuxFolder.ReadLink(path) is { } target ? Path.Combine(Path.GetDirectoryName(path) ?? "/", target) : null;

    public override FileStatus GetStatus(SafeFileHandle handle, string path) => ToStatus(ReadStatx(handle, path));

    // A file that is mounted over another one (mount --bind) has its own name as the root of the mount.
    internal override string? GetNameBelowMount(string path)
    {
        const string deleted = "//deleted";
        Statx status;
        if (LinuxCalls.GetStatx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, Statx.MountIdMask, &status) != 0)
            return null;
        var mountId = (status.Mask & Statx.MountIdMask) != 0 ? (int)status.MountId : (int?)null;
        if (
            LinuxMount.Find(LinuxMount.ReadAll(), path, mountId) is not { } mount
            || TryGetStatus(mount.MountPoint) is not { Kind: FileKind.Regular }
        )
            return null;
        return mount.Root.EndsWith(deleted, StringComparison.Ordinal) ? mount.Root[..^deleted.Length] : mount.Root;
    }

    internal static Statx ReadStatx(SafeFileHandle handle, string path)
    {
        Statx status;
        if (
            LinuxCalls.GetStatx(
                (int)handle.DangerousGetHandle(),
                "",
                AT_EMPTY_PATH,
                Statx.BasicStats | Statx.BirthTime | Statx.MountIdMask | Statx.DirectAlignment,
                &status
            ) != 0
        )
            throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "checking", path);
        return status;
    }

    public override SafeFileHandle OpenToRead(string path)
    {
        var flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
        using var folder = LinuxFolder.OpenParent(path);
        var name = Path.GetFileName(path);
        // Only the owner can open without changing the access time; for others, the mount's rule (relatime) applies.
        var handle = LinuxFolder.TryOpenAt(folder, name, flags | O_NOATIME, out var errno);
        if (errno == LinuxCalls.EPERM)
            handle = LinuxFolder.TryOpenAt(folder, name, flags, out errno);
        return handle ?? throw FileErrors.FromErrno(errno, "opening", path);
    }

    internal override SafeFileHandle OpenToWrite(string path)
    {
        using var folder = LinuxFolder.OpenParent(path);
        return LinuxFolder.TryOpenAt(folder, Path.GetFileName(path), O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, out var errno)
            ?? throw FileErrors.FromErrno(errno, "opening", path);
    }

    internal override SafeFileHandle? TryReopenUnbuffered(SafeFileHandle handle, string path, bool write)
    {
        return GetReopenPath(handle) is { } same ? TryOpen(same, (write ? O_RDWR : O_RDONLY) | O_DIRECT | O_CLOEXEC, out _) : null;
    }

    internal override SafeFileHandle Reopen(SafeFileHandle handle, string path, bool write)
    {
        var flags = (write ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC;
        if (GetReopenPath(handle) is { } same)
            return TryOpen(same, flags, out var error) ?? throw FileErrors.FromErrno(error, "opening", path);
        var reopened = TryOpen(path, flags | O_NOFOLLOW, out var errno) ?? throw FileErrors.FromErrno(errno, "opening", path);
        if (GetStatus(reopened, path).IsSame(GetStatus(handle, path)))
            return reopened;
        reopened.Dispose();
        throw FileErrors.TargetReplaced(path);
    }

    // /proc opens the same inode, even if the name leads to another file by now.
    internal override string? GetReopenPath(SafeFileHandle handle) => s_hasProc ? GetProcPath(handle) : null;

    internal static string GetProcPath(SafeFileHandle handle) =>
        string.Create(CultureInfo.InvariantCulture, $"/proc/self/fd/{(int)handle.DangerousGetHandle()}");

    internal override SafeFileHandle CreateWithMarker(string path, Func<FileStatus, string> makeMark)
    {
        using var folder = LinuxFolder.OpenParent(path);
        var name = Path.GetFileName(path);
        var handle = LinuxFolder.TryOpenAt(folder, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, out var errno, NewFileMode);
        var named = handle is null;
        // Some file systems have no unnamed files (NFS, vfat, most of FUSE); there the marker is written just after the file gets its name.
        if (named)
            handle = LinuxFolder.TryOpenAt(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, out errno, NewFileMode);
        if (handle is null)
            throw errno == LinuxCalls.EEXIST ? FileErrors.FileAppeared(path) : FileErrors.FromErrno(errno, "creating", path);
        FileStatus? made = null;
        try
        {
            made = GetStatus(handle, path);
            OwnershipMarker.WriteText(handle, path, makeMark(made.Value));
            errno = named ? 0 : LinkToName(handle, folder, name);
            if (errno != 0)
                throw errno == LinuxCalls.EEXIST ? FileErrors.FileAppeared(path) : FileErrors.FromErrno(errno, "creating", path);
            return handle;
        }
        catch
        {
            handle.Dispose();
            if (named && made is { } file)
                RemoveUnmarkedFile(path, file);
            throw;
        }
    }

    internal override string? ReadNativeMarker(SafeFileHandle handle, string path)
    {
        // Linux limits an attribute to 64 KB.
        var buffer = new byte[65536];
        fixed (byte* start = buffer)
        {
            var length = GetAttribute(handle, AttributeName, start, buffer.Length);
            if (length >= 0)
                return Encoding.UTF8.GetString(buffer, 0, (int)length);
        }
        var errno = Marshal.GetLastPInvokeError();
        return errno is LinuxCalls.ENODATA or LinuxCalls.EOPNOTSUPP or LinuxCalls.EPERM or LinuxCalls.EACCES or LinuxCalls.ENOSYS
            ? null
            : throw FileErrors.FromErrno(errno, "reading the ownership marker of", path);
    }

    internal override bool TryWriteNativeMarker(SafeFileHandle handle, string path, string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        fixed (byte* start = bytes)
        {
            if (SetAttribute(handle, AttributeName, start, bytes.Length, 0) == 0)
                return true;
        }
        var errno = Marshal.GetLastPInvokeError();
        return errno is LinuxCalls.EOPNOTSUPP or LinuxCalls.EPERM or LinuxCalls.ENOSYS
            ? false
            : throw FileErrors.FromErrno(errno, "writing the ownership marker of", path);
    }

    internal override (bool IsReserved, string? SlowFillReason) ReserveSpace(SafeFileHandle handle, string path, long size)
    {
        while (Fallocate(handle, 0, 0, size) != 0)
        {
            var errno = Marshal.GetLastPInvokeError();
            if (errno is LinuxCalls.EOPNOTSUPP or LinuxCalls.ENOSYS or LinuxCalls.EINVAL)
                return (IsReserved: false, SlowFillReason: null);
            if (errno != LinuxCalls.EINTR)
                throw FileErrors.FromErrno(errno, $"allocating {size} bytes for", path);
        }
        return (IsReserved: true, SlowFillReason: null);
    }

    internal override void Truncate(SafeFileHandle handle, string path, long size)
    {
        if (LinuxCalls.Truncate(handle, size) != 0)
            throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "truncating", path, $" to {size} bytes");
    }

    internal override void Write(SafeFileHandle handle, string path, ReadOnlySpan<byte> buffer, long offset)
    {
        fixed (byte* start = buffer)
        {
            for (var done = 0; done < buffer.Length; )
            {
                var written = LinuxCalls.Write(handle, start + done, buffer.Length - done, offset + done);
                if (written > 0)
                {
                    done += (int)written;
                    continue;
                }
                var errno = written == 0 ? LinuxCalls.ENOSPC : Marshal.GetLastPInvokeError();
                if (errno != LinuxCalls.EINTR)
                    throw FileErrors.FromErrno(errno, $"write of {buffer.Length} bytes at offset {offset} of", path);
            }
        }
    }

    internal override void Flush(SafeFileHandle handle, string path)
    {
        if (Sync(handle) != 0)
            throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "flush of", path);
    }

    internal override void DropCache(SafeFileHandle handle) => _ = Advise(handle, 0, 0, POSIX_FADV_DONTNEED);

    // Allocated extents that were not written count as unallocated too (ext4, xfs), unless a page of them is in memory.
    internal override bool HasUnallocatedRanges(SafeFileHandle handle, FileStatus status) =>
        Seek(handle, 0, SEEK_HOLE) is >= 0 and var hole && hole < status.Size;

    internal override void CheckCanCreate(string folder, string path)
    {
        // Creating an unnamed file tests the file system itself and leaves no trace; access(2) is the fallback.
        using var probe = TryOpen(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, out var errno);
        if (probe is not null)
            return;
        if (errno is LinuxCalls.EOPNOTSUPP or LinuxCalls.EISDIR or LinuxCalls.EINVAL or LinuxCalls.ENOENT)
        {
            const int writeAndSearch = 2 | 1;
            if (Access(folder, writeAndSearch) == 0)
                return;
            errno = Marshal.GetLastPInvokeError();
        }
        throw FileErrors.FromErrno(errno, "creating", path);
    }

    internal override (long Total, long Available)? GetSpace(string path)
    {
        StatVfs space;
        if (GetStatVfs(path, &space) != 0 || space.Blocks == 0)
            return null;
        var unit = space.FragmentSize == 0 ? space.BlockSize : space.FragmentSize;
        return ((long)(space.Blocks * unit), (long)(space.Available * unit));
    }

    /// <summary>Opens with the system call, because .NET does not accept all flags; returns null and the error number on failure.</summary>
    internal static SafeFileHandle? TryOpen(string path, int flags, out int errno)
    {
        int descriptor;
        do
        {
            descriptor = Open(path, flags, NewFileMode);
            errno = descriptor >= 0 ? 0 : Marshal.GetLastPInvokeError();
        } while (errno == LinuxCalls.EINTR);
        return descriptor >= 0 ? new SafeFileHandle(descriptor, ownsHandle: true) : null;
    }

    /// <summary>Gives a name to a file without one.</summary>
    /// <returns>0 or the error number; EEXIST if the name exists.</returns>
    internal static int LinkToName(SafeFileHandle handle, SafeFileHandle folder, string name) =>
        LinkAt(AT_FDCWD, GetProcPath(handle), (int)folder.DangerousGetHandle(), name, AT_SYMLINK_FOLLOW) == 0
            ? 0
            : Marshal.GetLastPInvokeError();

    internal const uint RenameNoReplace = 1;
    internal const uint RenameExchange = 2;

    /// <summary>Renames a file within its folder.</summary>
    /// <returns>0 or the error number.</returns>
    internal static int Rename(SafeFileHandle folder, string from, string to, uint flags = 0)
    {
        var number = folder.DangerousGetHandle();
        var result =
            flags == 0 ? RenameAt(folder, from, folder, to) : RenameWithFlags(SYS_renameat2, number, from, number, to, (nint)flags);
        return result == 0 ? 0 : Marshal.GetLastPInvokeError();
    }

    private static FileStatus ToStatus(in Statx status)
    {
        var kind = status.FileType switch
        {
            Statx.RegularFile => FileKind.Regular,
            Statx.Folder => FileKind.Directory,
            Statx.Link => FileKind.Link,
            Statx.BlockDevice => FileKind.BlockDevice,
            _ => FileKind.Other,
        };
        // The device number can change at the next start, so use it only if the file system has no creation time.
        var second =
            (status.Mask & Statx.BirthTime) != 0
                ? string.Create(CultureInfo.InvariantCulture, $"born {status.BirthSeconds}.{status.BirthNanoseconds:000000000}")
                : $"device {status.DeviceNumber}";
        // A snapshot of a subvolume (btrfs) has files with the same inode and birth. Kernels before 6.10 do not report it.
        var subvolume =
            (status.Mask & Statx.SubvolumeMask) != 0 ? string.Create(CultureInfo.InvariantCulture, $" subvolume {status.Subvolume}") : "";
        var isDevice = kind == FileKind.BlockDevice;
        return new FileStatus(
            kind,
            string.Create(CultureInfo.InvariantCulture, $"inode {status.Inode} {second}{subvolume}"),
            isDevice
                ? CombineDeviceNumber(status.SpecialMajor, status.SpecialMinor)
                : CombineDeviceNumber(status.DeviceMajor, status.DeviceMinor),
            (long)status.Size,
            status.ModifiedSeconds * 1_000_000_000 + status.ModifiedNanoseconds,
            status.ChangedSeconds * 1_000_000_000 + status.ChangedNanoseconds,
            status.LinkCount,
            (long)status.Blocks * 512
        )
        {
            IsWriteProtected = kind == FileKind.Regular && !status.HasWritePermission,
            OwnerId = status.UserId,
        };
    }

    private static ulong CombineDeviceNumber(uint major, uint minor) => (ulong)major << 32 | minor;

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
        if (error == LinuxCalls.EPERM)
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
            LinuxCalls.EINVAL when buffering is IoBuffering.None or IoBuffering.Hardware => FileErrors.UnbufferedNotSupported(
                path,
                buffering,
                reason: reason
            ),
            LinuxCalls.EMFILE or LinuxCalls.ENFILE => IoBenchException.Failure(
                "IoBench.TooManyOpenFiles",
                $"{path} cannot be opened: {reason}.",
                path,
                advice: "Use fewer threads or targets, or raise the open-file limit (ulimit -n)."
            ),
            LinuxCalls.ENOENT => IoBenchException.NotFound("IoBench.FileNotFound", $"{path} does not exist.", path),
            _ => IoBenchException.Failure(
                "IoBench.CannotOpen",
                $"{path} cannot be opened for {(write ? "writing" : "reading")}: {reason}.",
                path
            ),
        };
    }

    // Locks of the open file (not of the process), on bytes beyond any file size. flock(2) would conflict with .NET's own locks.
    private const long UsedByte = long.MaxValue - 2,
        WrittenByte = long.MaxValue - 1;

    internal override bool TryLockForWriting(SafeFileHandle handle) =>
        TrySetLock(handle, RangeLock.ForWriting, WrittenByte, 1) is 0 or LinuxCalls.EBADF;

    internal override bool TryLockOutWriters(SafeFileHandle handle) =>
        TrySetLock(handle, RangeLock.ForReading, WrittenByte, 1) is 0 or LinuxCalls.EBADF;

    internal override void UnlockForWriting(SafeFileHandle handle) => _ = TrySetLock(handle, RangeLock.None, WrittenByte, 1);

    // Closing alone is not sufficient: a child process that is just starting has the open file, and with it the lock, for a moment longer.
    internal override void UnlockAndClose(SafeFileHandle handle)
    {
        _ = TrySetLock(handle, RangeLock.None, UsedByte, 2);
        handle.Dispose();
    }

    internal override bool TryLockForUse(SafeFileHandle handle) =>
        TrySetLock(handle, RangeLock.ForReading, UsedByte, 1) is 0 or LinuxCalls.EBADF;

    internal override bool TryLockToRemove(SafeFileHandle handle)
    {
        var result = TrySetLock(handle, RangeLock.ForWriting, UsedByte, 2);
        if (result != LinuxCalls.EBADF)
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

    // Rename to a random name and check there; another file is moved back. A removal after a check could lose another file.
    internal override bool DeleteIfSame(string path, FileStatus file)
    {
        using var folder = LinuxFolder.OpenParent(path);
        var name = Path.GetFileName(path);
        if (TryGetStatus(folder, name, out _) is not { } there || !there.IsSame(file))
            return false;
        var aside = $".iobench-removed-{Guid.NewGuid():N}";
        if (Rename(folder, name, aside) is not 0 and var errno)
            return errno == LinuxCalls.ENOENT ? false : throw FileErrors.FromErrno(errno, "removing", path);
        if (TryGetStatus(folder, aside, out _)?.IsSame(file) == true)
            return UnlinkAt(folder, aside, 0) == 0 ? true : throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "removing", path);
        MoveBack(folder, aside, path);
        return false;
    }

    // A link does not replace a file that has the name by now. vfat and others have no links, but can rename without replacing.
    private static void MoveBack(SafeFileHandle folder, string aside, string path)
    {
        var name = Path.GetFileName(path);
        if (
            LinkAt(folder, aside, folder, name, 0) == 0
                ? UnlinkAt(folder, aside, 0) == 0
                : Rename(folder, aside, name, RenameNoReplace) == 0
        )
            return;
        throw IoBenchException.Refused(
            ErrorIds.ForeignFile,
            $"{path} was replaced by another file while IoBench was removing it. The other file is now named "
                + $"{Path.Combine(Path.GetDirectoryName(path) ?? "/", aside)}.",
            path,
            advice: "Rename that file back to its original name."
        );
    }

    // By number, because older C libraries do not have this function.
    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint RenameWithFlags(nint call, nint fromFolder, string from, nint toFolder, string to, nint flags);

    internal static FileStatus? TryGetStatus(SafeFileHandle folder, string name, out int errno)
    {
        Statx status;
        const uint mask = Statx.BasicStats | Statx.BirthTime;
        var result = LinuxCalls.GetStatx((int)folder.DangerousGetHandle(), name, AT_SYMLINK_NOFOLLOW, mask, &status);
        errno = result == 0 ? 0 : Marshal.GetLastPInvokeError();
        return result == 0 ? ToStatus(status) : null;
    }

    // Returns 0, EAGAIN (another handle has the lock), or EBADF (no access). On other errors (no locks), nothing is refused.
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
            LinuxCalls.EAGAIN or LinuxCalls.EACCES => LinuxCalls.EAGAIN,
            LinuxCalls.EBADF => LinuxCalls.EBADF,
            _ => 0,
        };
    }

    internal override string? GetVolumeId(string folder)
    {
        LinuxCalls.Statx status;
        return LinuxCalls.GetStatx(LinuxCalls.AT_FDCWD, folder, 0, LinuxCalls.Statx.BasicStats, &status) == 0 ? status.DeviceNumber : null;
    }

    internal override void CollectFacts(VolumeFacts facts, string existing, SafeFileHandle? file) => facts.CollectLinux(existing, file);

    internal override SafeFileHandle OpenForWorker(
        SafeFileHandle known,
        string path,
        bool write,
        IoPattern pattern,
        BackendDescriptor backend
    ) => LinuxFiles.OpenWithBuffering(GetReopenPath(known), path, write, pattern);

    internal override string? FindDeviceBackedBy(FileStatus status)
    {
        var mounts = LinuxMount.ReadAll();
        if (
            LoopDevice
                .FindAll(LinuxBlockDevice.DefaultSysfsRoot)
                .FirstOrDefault(loop =>
                    loop.BackingId is { } under && (under.IsSameFile(status) || IsBehindOverlay(loop, under, mounts, status))
                ) is
            { } loop
        )
            return $"the loop device /dev/{loop.Name}";
        return LinuxDeviceUsers.ReadSwaps().Any(swap => swap.Id is { } file && file.IsSameFile(status)) ? "swap space" : null;
    }

    // Overlay has a device number of its own, so compare the files of its layers. Inode and birth are the same seen through it.
    private bool IsBehindOverlay(LoopDevice loop, FileId under, IReadOnlyList<LinuxMount> mounts, FileStatus status) =>
        !loop.IsDeleted
        && mounts
            .Where(m => m.FileSystem == "overlay" && m.DeviceNumber == under.FileSystem)
            .SelectMany(m => m.GetOverlayLayerPaths(loop.BackingPath))
            .Prepend(loop.BackingPath)
            .Any(path => IsSameInode(path, status));

    private bool IsSameInode(string path, FileStatus status)
    {
        try
        {
            return TryGetStatus(path) is { Kind: FileKind.Regular } there && there.Identity == status.Identity;
        }
        catch (IoBenchException)
        {
            // A layer of another container is not visible here.
            return false;
        }
    }

    internal override ulong? GetMediumNumber(SafeFileHandle device)
    {
        // Kernels before 5.15 do not count media.
        ulong number;
        return Control(device, LinuxCalls.BLKGETDISKSEQ, &number) == 0 ? number : null;
    }
}
