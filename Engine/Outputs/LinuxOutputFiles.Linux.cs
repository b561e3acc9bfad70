using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Locks files by an open file description lock, which ends with the process. A new file has no name until it is complete
/// (O_TMPFILE), so that a killed process leaves nothing. It is exchanged with the old one (RENAME_EXCHANGE), so that the replaced file can
/// be checked before it is removed.</summary>
internal sealed partial class LinuxOutputFiles : PlatformOutputFiles
{
    private const int MaxAttempts = 10;

    public override LockedFile? TryLockFile(OutputName name, out bool isNew)
    {
        for (var attempt = 1; ; attempt++)
        {
            isNew = false;
            var handle = TryOpen(name, LinuxCalls.O_RDWR | LinuxCalls.O_NOFOLLOW | LinuxCalls.O_NONBLOCK, out var errno);
            if (errno == LinuxCalls.ENOENT)
            {
                isNew = true;
                handle = CreateFile(name, out errno);
                if (errno == LinuxCalls.EEXIST && attempt < MaxAttempts)
                    continue;
            }
            if (handle is null)
                throw FileErrors.FromErrno(errno, "opening", name.Path);
            var file = new LinuxLockedFile(handle, name.Path);
            try
            {
                CheckFile(name, handle);
            }
            catch
            {
                file.Dispose();
                throw;
            }
            if (!PlatformFiles.Current.TryLockForWriting(handle))
            {
                file.Dispose();
                return null;
            }
            // Another run can have replaced the file in the meantime.
            if (IsFileAt(name, file))
                return file;
            file.Dispose();
            if (attempt == MaxAttempts)
                return null;
        }
    }

    public override TemporaryFile CreateTemporary(OutputName name)
    {
        var handle = CreateUnnamed(name.Folder);
        OutputName? temporary = null;
        for (var attempt = 1; handle is null; attempt++)
        {
            temporary = name.CreateTemporary();
            handle = CreateFile(temporary.Value, out var errno);
            if (handle is null && (errno != LinuxCalls.EEXIST || attempt == MaxAttempts))
                throw FileErrors.FromErrno(errno, "creating a file in the folder of", name.Path);
        }
        PlatformFiles.Current.TryLockForWriting(handle);
        return new LinuxTemporaryFile(handle, name, temporary);
    }

    public override LockedFile? TryMoveIntoPlace(TemporaryFile file, OutputName name, LockedFile? held)
    {
        var fresh = (LinuxTemporaryFile)file;
        for (var attempt = 0; attempt < MaxAttempts; attempt++)
        {
            var there = TryGetStatus(name);
            if (there is not null && (held is null || there.Value.Identity != held.Identity || !held.IsUnmodified))
                return null;
            var placed = there is null ? fresh.TrySetName(name) : TryExchange(fresh, (LinuxLockedFile)held!, name);
            if (placed is null)
                continue;
            if (placed == false)
                return null;
            SyncFolder(name.Folder);
            held?.Dispose();
            return fresh.ToLockedFile(name.Path);
        }
        return null;
    }

    public override void RemoveIfUnmodified(LockedFile held, OutputName name)
    {
        if (held.IsUnmodified)
            RemoveIfSame(name, PlatformFiles.Current.GetStatus(((LinuxLockedFile)held).Handle, name.Path));
    }

    public override void RemoveLeftovers(OutputName name, bool isNew)
    {
        // Names of another folder that has the path by now do no harm: they are opened in the folder that is held open.
        foreach (var leftover in name.EnumerateTemporary())
        {
            using var handle = TryOpen(leftover, LinuxCalls.O_RDWR | LinuxCalls.O_NOFOLLOW | LinuxCalls.O_NONBLOCK, out _);
            if (handle is null)
                continue;
            var status = PlatformFiles.Current.GetStatus(handle, leftover.Path);
            // If the output itself is missing, an exchange that failed or was killed left its only content.
            var inode = isNew ? (ulong?)null : LinuxFiles.ReadStatx(handle, leftover.Path).Inode;
            if (
                status is { Kind: FileKind.Regular, LinkCount: 1 }
                && name.HasLeftover(leftover, inode)
                && PlatformFiles.Current.TryLockForWriting(handle)
            )
                RemoveIfSame(leftover, status);
        }
    }

    private static void CheckFile(OutputName name, SafeFileHandle handle)
    {
        if (PlatformFiles.Current.GetStatus(handle, name.Path).Kind != FileKind.Regular)
            throw IoBenchException.Refused(ErrorIds.NotAFile, $"{name.Path} is no longer a file.", name.Path, advice: "Specify a file.");
        var folder = LinuxFiles.ReadStatx(name.Folder.Handle!, name.Folder.Path);
        if (LinuxFolder.IsPlacedByOther(folder, LinuxFiles.ReadStatx(handle, name.Path)))
            throw IoBenchException.Refused(
                ErrorIds.UntrustedFile,
                $"{name.Path} belongs to another user and is in a folder that other users can write to, so IoBench does not replace it.",
                name.Path,
                advice: "Choose another name, or use a folder that only you can write to."
            );
    }

    /// <returns>False if the name led to another file than the locked one; null if the name no longer existed.</returns>
    private static bool? TryExchange(LinuxTemporaryFile fresh, LinuxLockedFile held, OutputName name)
    {
        CopyProperties(held.Handle, fresh.Handle);
        var aside = fresh.SetExchangeName(held);
        var errno = Rename(aside, name.Name, LinuxFiles.RenameExchange);
        if (errno == LinuxCalls.ENOENT)
            return null;
        if (errno is LinuxCalls.EINVAL or LinuxCalls.ENOSYS or LinuxCalls.EOPNOTSUPP)
            errno = ReplaceByRename(fresh, held, aside, name);
        else if (errno == 0 && !(IsFileAt(aside, held) && held.IsUnmodified))
        {
            // Another file took the name after the check, or another process wrote to the file: exchange them back.
            errno = Rename(aside, name.Name, LinuxFiles.RenameExchange);
            return errno == 0 ? false : throw FileErrors.FromErrno(errno, "restoring", name.Path);
        }
        else if (errno == 0)
            RemoveIfSame(aside, PlatformFiles.Current.GetStatus(held.Handle, aside.Path));
        if (errno != 0)
            throw FileErrors.FromErrno(errno, "replacing", name.Path);
        fresh.MarkPlaced();
        return true;
    }

    // File systems of libfuse's high-level interface replace a file that is held open by two renames. If the second one fails, the replaced
    // file has lost its name, and a repetition needs only one rename.
    private static int ReplaceByRename(LinuxTemporaryFile fresh, LinuxLockedFile held, OutputName aside, OutputName name)
    {
        var errno = Rename(aside, name.Name, 0);
        if (errno == 0 || Rename(aside, name.Name, 0) == 0)
            return 0;
        // The kernel can remember the name for a while, so read the folder.
        if (Directory.EnumerateFiles(name.Folder.Path).Any(path => Path.GetFileName(path) == name.Name))
            return errno;
        fresh.MarkPlaced();
        var previous = TryCopy(held, name);
        throw new IncompleteReplacementException(
            $"replacing it failed ({Marshal.GetPInvokeErrorMessage(errno)}). The new content is in {aside.Path}, and the previous content "
                + (previous is null ? "is lost" : $"is in {previous}")
        );
    }

    private static string? TryCopy(LinuxLockedFile file, OutputName name)
    {
        var copy = name.WithName(name.Name + ".previous");
        using var handle = CreateFile(copy, out _);
        if (handle is null)
            return null;
        try
        {
            using var target = new FileStream(handle, FileAccess.Write, bufferSize: 1);
            file.OpenRead().CopyTo(target);
            return copy.Path;
        }
        catch (IOException)
        {
            return null;
        }
    }

    private static bool IsFileAt(OutputName name, LockedFile file) => TryGetStatus(name)?.Identity == file.Identity;
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

internal sealed class LinuxTemporaryFile(SafeFileHandle handle, OutputName output, OutputName? name) : TemporaryFile
{
    // The finalizer of a FileStream with a buffer would write the buffer, possibly to another file that has the same descriptor by then.
    private readonly BufferedStream _stream = new(new FileStream(handle, FileAccess.ReadWrite, bufferSize: 1), 1 << 16);
    private OutputName? _name = name;
    private bool _isHandleTransferred;

    public SafeFileHandle Handle => handle;

    public override Stream Stream => _stream;

    public override void Flush()
    {
        _stream.Flush();
        PlatformFiles.Current.Flush(handle, output.Path);
    }

    /// <returns>True if the file has the name now, false if another file has it.</returns>
    public bool? TrySetName(OutputName wanted)
    {
        var errno = _name is { } name
            ? LinuxOutputFiles.RenameWithoutReplacing(name, wanted.Name)
            : LinuxFiles.LinkToName(handle, wanted.Folder.Handle!, wanted.Name);
        if (errno == LinuxCalls.EEXIST)
            return false;
        if (errno != 0)
            throw FileErrors.FromErrno(errno, "write of", wanted.Path);
        MarkPlaced();
        return true;
    }

    public OutputName SetExchangeName(LinuxLockedFile other)
    {
        var wanted = output.CreateExchange(
            LinuxFiles.ReadStatx(handle, output.Path).Inode,
            LinuxFiles.ReadStatx(other.Handle, output.Path).Inode
        );
        var errno = _name is { } name
            ? LinuxOutputFiles.Rename(name, wanted.Name, 0)
            : LinuxFiles.LinkToName(handle, wanted.Folder.Handle!, wanted.Name);
        if (errno != 0)
            throw FileErrors.FromErrno(errno, "creating a file in the folder of", output.Path);
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
            if (_name is { } name)
                LinuxOutputFiles.RemoveIfSame(name, PlatformFiles.Current.GetStatus(handle, name.Path));
        }
        catch (IoBenchException)
        {
            // The original error is reported. The next run removes the leftover file.
        }
        handle.Dispose();
    }
}
