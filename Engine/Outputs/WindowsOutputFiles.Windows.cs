namespace IoBench.Engine;

/// <summary>Windows cannot replace an open file. So the lock is a second file in the same folder, which this process opens exclusively.
/// Windows deletes it with its last handle, even if the process is killed.</summary>
internal sealed class WindowsOutputFiles : PlatformOutputFiles
{
    private const int SharingViolation = unchecked((int)0x80070020);

    public override LockedFile? TryLockFile(OutputName name, out bool isNew)
    {
        var path = name.Path;
        isNew = false;
        if (TryCreateLockFile(path) is not { } held)
            return null;
        try
        {
            if (PlatformFiles.Current.TryGetStatus(path) is null)
            {
                new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 1).Dispose();
                isNew = true;
            }
            return new WindowsLockedFile(held, path, GetIdentity(path));
        }
        catch
        {
            held.Dispose();
            throw;
        }
    }

    public override TemporaryFile CreateTemporary(OutputName name) => new WindowsTemporaryFile(name.CreateTemporary().Path);

    public override LockedFile? TryMoveIntoPlace(TemporaryFile file, OutputName name, LockedFile? held)
    {
        var path = name.Path;
        var fresh = (WindowsTemporaryFile)file;
        fresh.CloseStream();
        var there = PlatformFiles.Current.TryGetStatus(path);
        if (there is not null && (held is null || there.Value.Identity != held.Identity || !held.IsUnmodified))
            return null;
        // A free name other than the requested one is locked too.
        var lockFile = (held as WindowsLockedFile)?.Lock ?? TryCreateLockFile(path);
        if (lockFile is null)
            return null;
        try
        {
            PlatformFiles.MoveFile(fresh.Name, path, overwrite: there is not null);
        }
        catch (IOException) when (there is null && File.Exists(path))
        {
            if (held is null)
                lockFile.Dispose();
            return null;
        }
        fresh.MarkPlaced();
        return new WindowsLockedFile(lockFile, path, GetIdentity(path));
    }

    public override void RemoveIfUnmodified(LockedFile held, OutputName name)
    {
        var path = name.Path;
        if (PlatformFiles.Current.TryGetStatus(path)?.Identity == held.Identity && held.IsUnmodified)
            File.Delete(path);
    }

    public override void RemoveLeftovers(OutputName name, bool isNew)
    {
        foreach (var leftover in name.EnumerateTemporary())
        {
            if (!name.HasLeftover(leftover, inode: null))
                continue;
            try
            {
                // Opening the file exclusively fails if a run uses it. DeleteOnClose then removes it.
                using var deletedFile = new FileStream(
                    leftover.Path,
                    FileMode.Open,
                    FileAccess.ReadWrite,
                    FileShare.None,
                    bufferSize: 1,
                    FileOptions.DeleteOnClose
                );
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // Another run is writing the file.
            }
        }
    }

    private static FileStream? TryCreateLockFile(string path)
    {
        try
        {
            return new FileStream(
                GetLockPath(path),
                FileMode.OpenOrCreate,
                FileAccess.ReadWrite,
                FileShare.None,
                bufferSize: 1,
                FileOptions.DeleteOnClose
            );
        }
        catch (Exception error) when (error is UnauthorizedAccessException || error.HResult == SharingViolation)
        {
            // Access is also denied if the file is being deleted or the folder is not writable: the check distinguishes these cases.
            PlatformFiles.Current.CheckCanCreate(Path.GetDirectoryName(path)!, path);
            return null;
        }
    }

    private static string GetIdentity(string path) => PlatformFiles.Current.TryGetStatus(path)?.Identity ?? "";

    private static string GetLockPath(string path) => Path.Combine(Path.GetDirectoryName(path)!, $".{Path.GetFileName(path)}.iobench-lock");
}

internal sealed class WindowsLockedFile(FileStream held, string path, string identity) : LockedFile
{
    private readonly (long?, long?) _initial = GetSizeAndTime(path);

    public FileStream Lock => held;

    public override string Identity => identity;

    public override bool IsUnmodified => GetSizeAndTime(path) == _initial;

    public override Stream? OpenRead() =>
        PlatformFiles.Current.TryGetStatus(path)?.Identity == identity
            ? new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1)
            : null;

    public override void Dispose() => held.Dispose();

    private static (long?, long?) GetSizeAndTime(string path)
    {
        var status = PlatformFiles.Current.TryGetStatus(path);
        return (status?.Size, status?.Modified);
    }
}

internal sealed class WindowsTemporaryFile(string name) : TemporaryFile
{
    private readonly FileStream _stream = new(name, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, bufferSize: 1 << 16);
    private bool _isPlaced;

    public string Name => name;

    public override Stream Stream => _stream;

    public override void Flush() => _stream.Flush(flushToDisk: true);

    public void CloseStream() => _stream.Dispose();

    public void MarkPlaced() => _isPlaced = true;

    public override void Dispose()
    {
        // On a full disk, closing the stream fails like the write. Delete the file anyway.
        IgnoreErrors(_stream.Dispose);
        if (!_isPlaced)
            IgnoreErrors(() => File.Delete(name));
    }

    private static void IgnoreErrors(Action action)
    {
        try
        {
            action();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The original error is reported. The next run removes the leftover file.
        }
    }
}
