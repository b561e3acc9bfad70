using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Targets;

/// <summary>
/// A file or device that a run has open: the handle on which it was judged, its identity and its lock. From the first look to the last write there is no
/// other way to it, so that nothing that happens to its name leads a run to another file. Targets of a run that name one file share one.
/// </summary>
internal sealed class OpenFile
{
    // Files that runs of this process write to. File systems without locks keep nobody out, and only this shows whose I/O is still in flight.
    private static readonly Dictionary<(string Identity, ulong Device), OpenFile> s_written = [];

    private readonly object _gate = new();
    private readonly ulong? _medium;
    private int _targets = 1;
    private int _handles;
    private bool _isLeft;

    private OpenFile(string path, SafeFileHandle handle, FileStatus status)
    {
        Path = path;
        Handle = handle;
        Status = status;
        _medium = status.Kind == FileKind.BlockDevice ? PlatformFiles.Current.MediumNumber(handle) : null;
    }

    /// <summary>Its path, as it was resolved.</summary>
    public string Path { get; }

    /// <summary>The handle on which it is judged, marked and filled.</summary>
    public SafeFileHandle Handle { get; private set; }

    /// <summary>What it was when it was opened.</summary>
    public FileStatus Status { get; }

    /// <summary>It is open for writing, and other runs are kept from that.</summary>
    public bool IsWritable { get; private set; }

    /// <summary>Handles of workers, or opens that have not returned.</summary>
    public int HandlesOut
    {
        get
        {
            lock (_gate)
                return _handles;
        }
    }

    /// <summary>Opens an existing file.</summary>
    /// <param name="path">Resolved path.</param>
    /// <param name="write">To write: other runs are kept out.</param>
    /// <param name="others">What the run has open already: a file that it names twice is shared.</param>
    /// <exception cref="IoBenchException"><c>IoBench.FileInUse</c> and those of the file system.</exception>
    public static OpenFile Open(string path, bool write, IEnumerable<OpenFile> others)
    {
        var handle = write ? PlatformFiles.Current.OpenToWrite(path) : PlatformFiles.Current.OpenToRead(path);
        try
        {
            var status = PlatformFiles.Current.GetStatus(handle, path);
            if (status.Kind != FileKind.Regular)
                throw FileErrors.FromErrno(Errno.ELOOP, "opening", path);
            if (write && others.FirstOrDefault(o => o.IsWritable && o.Status.IsSame(status)) is { } shared)
            {
                handle.Dispose();
                shared._targets++;
                return shared;
            }
            var file = new OpenFile(path, handle, status);
            if (!PlatformFiles.Current.TryUse(handle))
                throw InUse(path, "is being removed");
            if (write)
                file.Claim();
            return file;
        }
        catch
        {
            PlatformFiles.Current.UnlockAndClose(handle);
            throw;
        }
    }

    /// <summary>Makes a new file, marked and open for writing.</summary>
    public static OpenFile Create(string path, long size, out FileMark mark)
    {
        FileMark? made = null;
        var handle = PlatformFiles.Current.CreateMarked(path, status => (made = FileMark.New(status.Identity, size)).ToText());
        try
        {
            var file = new OpenFile(path, handle, PlatformFiles.Current.GetStatus(handle, path));
            PlatformFiles.Current.TryUse(handle);
            file.Claim();
            mark = made!;
            return file;
        }
        catch
        {
            PlatformFiles.Current.UnlockAndClose(handle);
            throw;
        }
    }

    /// <summary>Takes a device that is open already: for writing, exclusively.</summary>
    public static OpenFile OfDevice(string path, SafeFileHandle handle, bool write) =>
        new(path, handle, PlatformFiles.Current.GetStatus(handle, path)) { IsWritable = write };

    /// <summary>Makes a file that is open for reading writable, and keeps other runs out.</summary>
    public void MakeWritable()
    {
        if (IsWritable)
            return;
        var handle = PlatformFiles.Current.Reopen(Handle, Path, write: true);
        PlatformFiles.Current.TryUse(handle);
        PlatformFiles.Current.UnlockAndClose(Handle);
        Handle = handle;
        Claim();
    }

    /// <summary>Lets other runs write again: this one only reads from now on.</summary>
    public void GiveBack()
    {
        lock (s_written)
            s_written.Remove(Key);
        PlatformFiles.Current.Unlock(Handle);
        IsWritable = false;
    }

    /// <summary>Counts a worker's handle, before it is opened: until it is closed, I/O may be in flight.</summary>
    public void Enter()
    {
        lock (_gate)
            _handles++;
    }

    /// <summary>A worker's handle is closed, or was not opened.</summary>
    public void Leave()
    {
        lock (_gate)
        {
            if (--_handles > 0 || !_isLeft)
                return;
        }
        Close();
    }

    /// <summary>Throws when a handle does not lead to this very file, or it must not be written any more.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.TargetReplaced</c>, <c>IoBench.ManyNames</c>.</exception>
    public void CheckIsThis(SafeFileHandle handle, bool write)
    {
        var status = PlatformFiles.Current.GetStatus(handle, Path);
        if (!status.IsSame(Status) || (_medium is not null && PlatformFiles.Current.MediumNumber(handle) != _medium))
            throw FileErrors.Replaced(Path);
        if (write)
            WriteRules.CheckNames(Path, status);
    }

    /// <summary>A target has done with it; with the last one it is closed, or, while I/O is in flight, when that has come back.</summary>
    /// <param name="later">Closed on another thread: what that takes holds nobody up.</param>
    public void Release(bool later = false)
    {
        lock (_gate)
        {
            if (--_targets > 0)
                return;
            _isLeft = true;
            if (_handles > 0)
                return;
        }
        Close(later);
    }

    /// <summary>Forgets what this process writes on a volume, as its end would. For tests that model that.</summary>
    internal static void Forget(string volume)
    {
        lock (s_written)
        {
            foreach (var key in s_written.Keys.Where(k => k.Identity.Contains(volume, StringComparison.Ordinal)).ToArray())
                s_written.Remove(key);
        }
    }

    private (string, ulong) Key => (Status.Identity, Status.Device);

    // The registry first: a lock of this process's own says nothing of why.
    private void Claim()
    {
        lock (s_written)
        {
            if (s_written.TryGetValue(Key, out var other))
                throw InUse(
                    Path,
                    other._isLeft
                        ? "is in use: an earlier run still has I/O in flight there, which has not come back"
                        : "is being written by another IoBench run"
                );
            if (!PlatformFiles.Current.TryLock(Handle))
                throw InUse(Path, "is being written by another IoBench run");
            s_written.Add(Key, this);
        }
        IsWritable = true;
    }

    private void Close(bool later = false)
    {
        lock (s_written)
        {
            if (s_written.TryGetValue(Key, out var own) && own == this)
                s_written.Remove(Key);
        }
        var files = PlatformFiles.Current;
        if (later)
            ThreadPool.UnsafeQueueUserWorkItem(_ => files.UnlockAndClose(Handle), null);
        else
            files.UnlockAndClose(Handle);
    }

    private static IoBenchException InUse(string path, string why) =>
        IoBenchException.Refused(ErrorIds.FileInUse, $"{path} {why}.", path, advice: "Wait until it ends, or name another file.");
}
