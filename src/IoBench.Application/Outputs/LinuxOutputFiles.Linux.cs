using IoBench.Engine;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Application;

/// <summary>Locks files by an open file description lock, which ends with the process. A new file has no name until it is complete
/// (O_TMPFILE), so that a killed process leaves nothing. It is exchanged with the old one (RENAME_EXCHANGE), so that the replaced file can
/// be checked before it is removed.</summary>
internal sealed partial class LinuxOutputFiles : PlatformOutputFiles
{
    private const int MaxAttempts = 10;

    public override LockedFile? TryLockFile(string path, out bool isNew)
    {
        for (var attempt = 1; ; attempt++)
        {
            isNew = false;
            var handle = LinuxFiles.TryOpen(
                path,
                LinuxCalls.O_RDWR | LinuxCalls.O_NOFOLLOW | LinuxCalls.O_NONBLOCK | LinuxCalls.O_CLOEXEC,
                out var errno
            );
            if (errno == Errno.ENOENT)
            {
                isNew = true;
                handle = LinuxOutputFiles.CreateFile(path, out errno);
                if (errno == Errno.EEXIST && attempt < MaxAttempts)
                    continue;
            }
            if (handle is null)
                throw FileErrors.FromErrno(errno, "opening", path);
            var file = new LinuxLockedFile(handle, path);
            if (PlatformFiles.Current.GetStatus(handle, path).Kind != FileKind.Regular)
            {
                file.Dispose();
                throw IoBenchException.Refused(ErrorIds.NotAFile, $"{path} is no longer a file.", path, advice: "Name a file.");
            }
            if (!PlatformFiles.Current.TryLockForWriting(handle))
            {
                file.Dispose();
                return null;
            }
            // Another run can have replaced the file in the meantime.
            if (IsFileAt(path, file))
                return file;
            file.Dispose();
            if (attempt == MaxAttempts)
                return null;
        }
    }

    public override TemporaryFile CreateTemporary(string path)
    {
        var handle = LinuxOutputFiles.CreateUnnamed(Path.GetDirectoryName(path)!);
        string? name = null;
        for (var attempt = 1; handle is null; attempt++)
        {
            name = TemporaryFileName.CreateName(path);
            handle = LinuxOutputFiles.CreateFile(name, out var errno);
            if (handle is null && (errno != Errno.EEXIST || attempt == MaxAttempts))
                throw FileErrors.FromErrno(errno, "making a file beside", path);
        }
        PlatformFiles.Current.TryLockForWriting(handle);
        return new LinuxTemporaryFile(handle, path, name);
    }

    public override LockedFile? TryMoveIntoPlace(TemporaryFile file, string path, LockedFile? held)
    {
        var fresh = (LinuxTemporaryFile)file;
        for (var attempt = 0; attempt < MaxAttempts; attempt++)
        {
            var there = PlatformFiles.Current.TryGetStatus(path);
            if (there is not null && (held is null || there.Value.Identity != held.Identity || !held.IsUnmodified))
                return null;
            var placed = there is null ? fresh.TrySetName(path) : TryExchange(fresh, (LinuxLockedFile)held!, path);
            if (placed is null)
                continue;
            if (placed == false)
                return null;
            LinuxOutputFiles.SyncFolder(path);
            held?.Dispose();
            return fresh.ToLockedFile(path);
        }
        return null;
    }

    public override void RemoveIfUnmodified(LockedFile held, string path)
    {
        if (held.IsUnmodified)
            LinuxOutputFiles.RemoveIfSame(path, PlatformFiles.Current.GetStatus(((LinuxLockedFile)held).Handle, path));
    }

    public override void RemoveLeftovers(string path)
    {
        foreach (var leftover in Directory.EnumerateFiles(Path.GetDirectoryName(path)!, TemporaryFileName.GetSearchPattern(path)))
        {
            using var handle = LinuxFiles.TryOpen(
                leftover,
                LinuxCalls.O_RDWR | LinuxCalls.O_NOFOLLOW | LinuxCalls.O_NONBLOCK | LinuxCalls.O_CLOEXEC,
                out _
            );
            if (handle is null)
                continue;
            var status = PlatformFiles.Current.GetStatus(handle, leftover);
            if (
                status is { Kind: FileKind.Regular, LinkCount: 1 }
                && TemporaryFileName.IsLeftoverOf(path, leftover, LinuxFiles.ReadStatx(handle, leftover).Inode)
                && PlatformFiles.Current.TryLockForWriting(handle)
            )
                LinuxOutputFiles.RemoveIfSame(leftover, status);
        }
    }

    /// <returns>False if the name led to another file than the locked one; null if the name no longer existed.</returns>
    private static bool? TryExchange(LinuxTemporaryFile fresh, LinuxLockedFile held, string path)
    {
        LinuxOutputFiles.CopyPermissions(held.Handle, fresh.Handle);
        var aside = fresh.SetExchangeName(held);
        var errno = LinuxOutputFiles.Rename(aside, path, LinuxOutputFiles.RenameExchange);
        if (errno == Errno.ENOENT)
            return null;
        if (errno is Errno.EINVAL or Errno.ENOSYS or Errno.EOPNOTSUPP)
            errno = LinuxOutputFiles.Rename(aside, path, 0);
        else if (errno == 0 && !(IsFileAt(aside, held) && held.IsUnmodified))
        {
            // Another file took the name after the check, or another process wrote to the file: exchange them back.
            errno = LinuxOutputFiles.Rename(aside, path, LinuxOutputFiles.RenameExchange);
            return errno == 0 ? false : throw FileErrors.FromErrno(errno, "putting back", path);
        }
        else if (errno == 0)
            LinuxOutputFiles.RemoveIfSame(aside, PlatformFiles.Current.GetStatus(((LinuxLockedFile)held!).Handle, aside));
        if (errno != 0)
            throw FileErrors.FromErrno(errno, "replacing", path);
        fresh.MarkPlaced();
        return true;
    }

    private static bool IsFileAt(string path, LockedFile file) => PlatformFiles.Current.TryGetStatus(path)?.Identity == file.Identity;
}

internal sealed class LinuxLockedFile(SafeFileHandle handle, string path) : LockedFile
{
    private readonly (long Size, long Modified) _initial = GetSizeAndTime(handle, path);

    public SafeFileHandle Handle => handle;

    // Not cached: a file system without creation times can renumber its files.
    public override string Identity => PlatformFiles.Current.GetStatus(handle, path).Identity;

    public override bool IsUnmodified => GetSizeAndTime(handle, path) == _initial;

    public override Stream OpenRead()
    {
        var stream = new FileStream(new SafeFileHandle(handle.DangerousGetHandle(), ownsHandle: false), FileAccess.Read, bufferSize: 1);
        stream.Position = 0;
        return stream;
    }

    public override void Dispose() => handle.Dispose();

    private static (long Size, long Modified) GetSizeAndTime(SafeFileHandle handle, string path)
    {
        var status = PlatformFiles.Current.GetStatus(handle, path);
        return (status.Size, status.Modified);
    }
}

internal sealed class LinuxTemporaryFile(SafeFileHandle handle, string path, string? name) : TemporaryFile
{
    // The finalizer of a FileStream with a buffer would write the buffer, possibly to another file that has the same descriptor by then.
    private readonly BufferedStream _stream = new(new FileStream(handle, FileAccess.ReadWrite, bufferSize: 1), 1 << 16);
    private string? _name = name;
    private bool _isHandleTransferred;

    public SafeFileHandle Handle => handle;

    public override Stream Stream => _stream;

    public override void Flush()
    {
        _stream.Flush();
        PlatformFiles.Current.Flush(handle, path);
    }

    /// <returns>True if the file has the name now, false if another file has it.</returns>
    public bool? TrySetName(string wanted)
    {
        var errno = _name is null ? LinuxOutputFiles.LinkToName(handle, wanted) : LinuxOutputFiles.RenameWithoutReplacing(_name, wanted);
        if (errno == Errno.EEXIST)
            return false;
        if (errno != 0)
            throw FileErrors.FromErrno(errno, "write of", wanted);
        MarkPlaced();
        return true;
    }

    public string SetExchangeName(LinuxLockedFile other)
    {
        var wanted = TemporaryFileName.CreateExchangeName(
            path,
            LinuxFiles.ReadStatx(handle, path).Inode,
            LinuxFiles.ReadStatx(other.Handle, path).Inode
        );
        var errno = _name is null ? LinuxOutputFiles.LinkToName(handle, wanted) : LinuxOutputFiles.Rename(_name, wanted, 0);
        if (errno != 0)
            throw FileErrors.FromErrno(errno, "making a file beside", path);
        _name = wanted;
        return wanted;
    }

    public void MarkPlaced() => _name = null;

    public LockedFile ToLockedFile(string place)
    {
        _isHandleTransferred = true;
        return new LinuxLockedFile(handle, place);
    }

    public override void Dispose()
    {
        // Do not close the stream: it would close the handle that is still in use, or retry a failed write.
        if (_isHandleTransferred)
            return;
        try
        {
            if (_name is not null)
                LinuxOutputFiles.RemoveIfSame(_name, PlatformFiles.Current.GetStatus(handle, _name));
        }
        catch (IoBenchException)
        {
            // The original error is reported. The next run removes the leftover file.
        }
        handle.Dispose();
    }
}
