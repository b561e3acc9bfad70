using Microsoft.Win32.SafeHandles;

namespace IoBench.Application.Outputs;

/// <summary>
/// Linux. A file is held by a lock of its open description, which ends with the process; a new one has no name until it is whole (O_TMPFILE), so that a kill leaves nothing, and changes
/// places with the old one (RENAME_EXCHANGE), so that what was replaced can be looked at before it goes.
/// </summary>
internal sealed class LinuxOutputs : OutputSystem
{
    private const int Attempts = 10;

    /// <inheritdoc/>
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
            // A run that saved in this moment has put another file there.
            if (LeadsTo(path, file))
                return file;
            file.Dispose();
            if (attempt == Attempts)
                return null;
        }
    }

    /// <inheritdoc/>
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

    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public override void Remove(HeldFile held, string path)
    {
        if (held.IsUntouched)
            LinuxOutputCalls.Remove(path, PlatformFiles.Current.GetStatus(((LinuxHeldFile)held).Handle, path));
    }

    /// <inheritdoc/>
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

    /// <summary>True when it changed places with the one that is held, false when that is not what stood there, null when nothing did any more.</summary>
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
            // Somebody's file took the name between our look and the exchange, or got somebody's content: it goes back.
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

/// <summary>An open, locked file.</summary>
internal sealed class LinuxHeldFile(SafeFileHandle handle, string path) : HeldFile
{
    private readonly (long Size, long Modified) _left = Content(handle, path);

    public SafeFileHandle Handle => handle;

    // Asked each time: a file system without times of birth may number its files anew.
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

/// <summary>An open, locked file without its name yet.</summary>
internal sealed class LinuxNewFile(SafeFileHandle handle, string path, string? name) : NewFile
{
    // A FileStream's own buffer is written by its finalizer too, perhaps into a file that got the same descriptor since.
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

    /// <summary>Gives it a name that nothing has: true, or false when something has it.</summary>
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

    /// <summary>Gives it the name under which it changes places with another.</summary>
    public string TakeChangingName(LinuxHeldFile other)
    {
        var wanted = LeftoverName.Changing(path, LinuxFiles.Look(handle, path).Inode, LinuxFiles.Look(other.Handle, path).Inode);
        var errno = _name is null ? LinuxOutputCalls.Link(handle, wanted) : LinuxOutputCalls.Rename(_name, wanted, 0);
        if (errno != 0)
            throw FileErrors.FromErrno(errno, "making a file beside", path);
        return _name = wanted;
    }

    /// <summary>The name that it had until now is another's or nobody's.</summary>
    public void HasItsName() => _name = null;

    /// <summary>It is in place: its handle and lock go on.</summary>
    public HeldFile Keep(string place)
    {
        _isKept = true;
        return new LinuxHeldFile(handle, place);
    }

    public override void Dispose()
    {
        // The stream is left alone: closing it would close the handle that goes on, or try again what could not be written.
        if (_isKept)
            return;
        try
        {
            if (_name is not null)
                LinuxOutputCalls.Remove(_name, PlatformFiles.Current.GetStatus(handle, _name));
        }
        catch (IoBenchException)
        {
            // The error that is reported is why it could not be written; the next run clears what stays.
        }
        handle.Dispose();
    }
}
