using IoBench.Engine;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Application;

/// <summary>
/// Locks files by an open file description lock, which ends with the process. A new file has no name until it is complete (O_TMPFILE), so
/// that a killed process
/// leaves nothing. The new file is exchanged with the old one (RENAME_EXCHANGE), so that the replaced file can be checked before it is
/// removed.
/// </summary>
internal sealed class LinuxOutputs : OutputSystem
{
    private const int Attempts = 10;

    public override HeldFile? TryHold(string path, out bool isNew)
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
                handle = LinuxOutputCalls.Create(path, out errno);
                if (errno == Errno.EEXIST && attempt < Attempts)
                    continue;
            }
            if (handle is null)
                throw FileErrors.FromErrno(errno, "opening", path);
            var file = new LinuxHeldFile(handle, path);
            if (PlatformFiles.Current.GetStatus(handle, path).Kind != FileKind.Regular)
            {
                file.Dispose();
                throw IoBenchException.Refused(ErrorIds.NotAFile, $"{path} is no longer a file.", path, advice: "Name a file.");
            }
            if (!PlatformFiles.Current.TryLock(handle))
            {
                file.Dispose();
                return null;
            }
            // Another run can have replaced the file in the meantime.
            if (LeadsTo(path, file))
                return file;
            file.Dispose();
            if (attempt == Attempts)
                return null;
        }
    }

    public override NewFile Begin(string path)
    {
        var handle = LinuxOutputCalls.CreateNameless(Path.GetDirectoryName(path)!);
        string? name = null;
        for (var attempt = 1; handle is null; attempt++)
        {
            name = LeftoverName.Writing(path);
            handle = LinuxOutputCalls.Create(name, out var errno);
            if (handle is null && (errno != Errno.EEXIST || attempt == Attempts))
                throw FileErrors.FromErrno(errno, "making a file beside", path);
        }
        PlatformFiles.Current.TryLock(handle);
        return new LinuxNewFile(handle, path, name);
    }

    public override HeldFile? TryPlace(NewFile file, string path, HeldFile? held)
    {
        var fresh = (LinuxNewFile)file;
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            var there = PlatformFiles.Current.TryGetStatus(path);
            if (there is not null && (held is null || there.Value.Identity != held.Identity || !held.IsUntouched))
                return null;
            var placed = there is null ? fresh.TryName(path) : Exchange(fresh, (LinuxHeldFile)held!, path);
            if (placed is null)
                continue;
            if (placed == false)
                return null;
            LinuxOutputCalls.SyncFolder(path);
            held?.Dispose();
            return fresh.Keep(path);
        }
        return null;
    }

    public override void Remove(HeldFile held, string path)
    {
        if (held.IsUntouched)
            LinuxOutputCalls.Remove(path, PlatformFiles.Current.GetStatus(((LinuxHeldFile)held).Handle, path));
    }

    public override void ClearLeftovers(string path)
    {
        foreach (var leftover in Directory.EnumerateFiles(Path.GetDirectoryName(path)!, LeftoverName.Pattern(path)))
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
                && LeftoverName.IsOf(path, leftover, LinuxFiles.Look(handle, leftover).Inode)
                && PlatformFiles.Current.TryLock(handle)
            )
                LinuxOutputCalls.Remove(leftover, status);
        }
    }

    /// <returns>
    /// True if the files were exchanged, false if the name led to another file than the locked one, null if the name no longer existed.
    /// </returns>
    private static bool? Exchange(LinuxNewFile fresh, LinuxHeldFile held, string path)
    {
        LinuxOutputCalls.CopyMode(held.Handle, fresh.Handle);
        var aside = fresh.TakeChangingName(held);
        var errno = LinuxOutputCalls.Rename(aside, path, LinuxOutputCalls.RenameExchange);
        if (errno == Errno.ENOENT)
            return null;
        if (errno is Errno.EINVAL or Errno.ENOSYS or Errno.EOPNOTSUPP)
            errno = LinuxOutputCalls.Rename(aside, path, 0);
        else if (errno == 0 && !(LeadsTo(aside, held) && held.IsUntouched))
        {
            // Another file took the name after the check, or another process wrote to the file: exchange them back.
            errno = LinuxOutputCalls.Rename(aside, path, LinuxOutputCalls.RenameExchange);
            return errno == 0 ? false : throw FileErrors.FromErrno(errno, "putting back", path);
        }
        else if (errno == 0)
            LinuxOutputCalls.Remove(aside, PlatformFiles.Current.GetStatus(((LinuxHeldFile)held!).Handle, aside));
        if (errno != 0)
            throw FileErrors.FromErrno(errno, "replacing", path);
        fresh.HasItsName();
        return true;
    }

    private static bool LeadsTo(string path, HeldFile file) => PlatformFiles.Current.TryGetStatus(path)?.Identity == file.Identity;
}

internal sealed class LinuxHeldFile(SafeFileHandle handle, string path) : HeldFile
{
    private readonly (long Size, long Modified) _left = Content(handle, path);

    public SafeFileHandle Handle => handle;

    // Not cached: a file system without creation times can renumber its files.
    public override string Identity => PlatformFiles.Current.GetStatus(handle, path).Identity;

    public override bool IsUntouched => Content(handle, path) == _left;

    public override Stream OpenRead()
    {
        var stream = new FileStream(new SafeFileHandle(handle.DangerousGetHandle(), ownsHandle: false), FileAccess.Read, bufferSize: 1);
        stream.Position = 0;
        return stream;
    }

    public override void Dispose() => handle.Dispose();

    private static (long Size, long Modified) Content(SafeFileHandle handle, string path)
    {
        var status = PlatformFiles.Current.GetStatus(handle, path);
        return (status.Size, status.Modified);
    }
}

internal sealed class LinuxNewFile(SafeFileHandle handle, string path, string? name) : NewFile
{
    // The finalizer of a FileStream with a buffer would write the buffer, possibly to another file that has the same descriptor by then.
    private readonly BufferedStream _stream = new(new FileStream(handle, FileAccess.ReadWrite, bufferSize: 1), 1 << 16);
    private string? _name = name;
    private bool _isKept;

    public SafeFileHandle Handle => handle;

    public override Stream Stream => _stream;

    public override void Flush()
    {
        _stream.Flush();
        PlatformFiles.Current.Flush(handle, path);
    }

    /// <returns>True if the file has the name now, false if another file has it.</returns>
    public bool? TryName(string wanted)
    {
        var errno = _name is null ? LinuxOutputCalls.Link(handle, wanted) : LinuxOutputCalls.RenameToFree(_name, wanted);
        if (errno == Errno.EEXIST)
            return false;
        if (errno != 0)
            throw FileErrors.FromErrno(errno, "write of", wanted);
        HasItsName();
        return true;
    }

    public string TakeChangingName(LinuxHeldFile other)
    {
        var wanted = LeftoverName.Changing(path, LinuxFiles.Look(handle, path).Inode, LinuxFiles.Look(other.Handle, path).Inode);
        var errno = _name is null ? LinuxOutputCalls.Link(handle, wanted) : LinuxOutputCalls.Rename(_name, wanted, 0);
        if (errno != 0)
            throw FileErrors.FromErrno(errno, "making a file beside", path);
        return _name = wanted;
    }

    public void HasItsName() => _name = null;

    public HeldFile Keep(string place)
    {
        _isKept = true;
        return new LinuxHeldFile(handle, place);
    }

    public override void Dispose()
    {
        // Do not close the stream: it would close the handle that is still in use, or retry a failed write.
        if (_isKept)
            return;
        try
        {
            if (_name is not null)
                LinuxOutputCalls.Remove(_name, PlatformFiles.Current.GetStatus(handle, _name));
        }
        catch (IoBenchException)
        {
            // The original error is reported. The next run removes the leftover file.
        }
        handle.Dispose();
    }
}
