using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Windows cannot replace an open file. So the lock is a second file in the same folder, which this process opens exclusively. Windows
/// deletes it with its last
/// handle, even if the process is killed.
/// </summary>
internal sealed class WindowsOutputs : OutputSystem
{
    private const int SharingViolation = unchecked((int)0x80070020);

    public override HeldFile? TryHold(string path, out bool isNew)
    {
        isNew = false;
        if (TryLock(path) is not { } held)
            return null;
        try
        {
            if (PlatformFiles.Current.TryGetStatus(path) is null)
            {
                new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 1).Dispose();
                isNew = true;
            }
            return new WindowsHeldFile(held, path, Identity(path));
        }
        catch
        {
            held.Dispose();
            throw;
        }
    }

    public override NewFile Begin(string path) => new WindowsNewFile(LeftoverName.Writing(path));

    public override HeldFile? TryPlace(NewFile file, string path, HeldFile? held)
    {
        var fresh = (WindowsNewFile)file;
        fresh.Close();
        var there = PlatformFiles.Current.TryGetStatus(path);
        if (there is not null && (held is null || there.Value.Identity != held.Identity || !held.IsUntouched))
            return null;
        // A free name other than the requested one is locked too.
        if ((held as WindowsHeldFile)?.Lock is not { } keeper && (keeper = TryLock(path)) is null)
            return null;
        try
        {
            PatientMove.Move(fresh.Name, path, overwrite: there is not null);
        }
        catch (IOException) when (there is null && File.Exists(path))
        {
            if (held is null)
                keeper.Dispose();
            return null;
        }
        fresh.HasItsName();
        return new WindowsHeldFile(keeper, path, Identity(path));
    }

    public override void Remove(HeldFile held, string path)
    {
        if (PlatformFiles.Current.TryGetStatus(path)?.Identity == held.Identity && held.IsUntouched)
            File.Delete(path);
    }

    public override void ClearLeftovers(string path)
    {
        foreach (var leftover in Directory.EnumerateFiles(Path.GetDirectoryName(path)!, LeftoverName.Pattern(path)))
        {
            if (!LeftoverName.IsOf(path, leftover, inode: null))
                continue;
            try
            {
                // Opening the file exclusively fails if a run uses it. DeleteOnClose then removes it.
                using var mine = new FileStream(
                    leftover,
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

    private static FileStream? TryLock(string path)
    {
        try
        {
            return new FileStream(
                LockName(path),
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

    private static string Identity(string path) => PlatformFiles.Current.TryGetStatus(path)?.Identity ?? "";

    private static string LockName(string path) => Path.Combine(Path.GetDirectoryName(path)!, $".{Path.GetFileName(path)}.iobench-lock");
}

internal sealed class WindowsHeldFile(FileStream held, string path, string identity) : HeldFile
{
    private readonly (long?, long?) _left = Content(path);

    public FileStream Lock => held;

    public override string Identity => identity;

    public override bool IsUntouched => Content(path) == _left;

    public override Stream? OpenRead() =>
        PlatformFiles.Current.TryGetStatus(path)?.Identity == identity
            ? new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1)
            : null;

    public override void Dispose() => held.Dispose();

    private static (long?, long?) Content(string path)
    {
        var status = PlatformFiles.Current.TryGetStatus(path);
        return (status?.Size, status?.Modified);
    }
}

internal sealed class WindowsNewFile(string name) : NewFile
{
    private readonly FileStream _stream = new(name, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, bufferSize: 1 << 16);
    private bool _isPlaced;

    public string Name => name;

    public override Stream Stream => _stream;

    public override void Flush() => _stream.Flush(flushToDisk: true);

    public void Close() => _stream.Dispose();

    public void HasItsName() => _isPlaced = true;

    public override void Dispose()
    {
        // On a full disk, closing the stream fails like the write. Delete the file anyway.
        Try(_stream.Dispose);
        if (!_isPlaced)
            Try(() => File.Delete(name));
    }

    private static void Try(Action action)
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
