using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>A file or device that a run has open: the verified handle, its identity, and its lock.</summary>
/// <remarks>The run uses only this handle, so a renamed file cannot redirect it. Targets with the same file share it.</remarks>
internal sealed class OpenFile
{
    // Files that runs of this process write to: without file locks, the only sign of another run's outstanding I/O.
    private static readonly Dictionary<(string Identity, ulong Device), OpenFile> s_written = [];

    private const string BeingWritten = "is being written by another IoBench run";

    private readonly object _gate = new();
    private readonly ulong? _mediumNumber;
    private int _targets = 1;
    private int _handles;
    private bool _isReleased;

    private OpenFile(string path, SafeFileHandle handle, FileStatus status)
    {
        Path = path;
        Handle = handle;
        Status = status;
        _mediumNumber = status.Kind == FileKind.BlockDevice ? PlatformFiles.Current.GetMediumNumber(handle) : null;
    }

    public string Path { get; }

    public SafeFileHandle Handle { get; private set; }

    public FileStatus Status { get; }

    public bool IsWritable { get; private set; }

    /// <summary>Number of worker handles, including opens that have not returned.</summary>
    public int WorkerHandleCount
    {
        get
        {
            lock (_gate)
                return _handles;
        }
    }

    /// <param name="write">Whether to open for writing, which locks out other runs.</param>
    /// <param name="others">Files that the run already has open; a file that it names twice is shared.</param>
    /// <param name="locksOutWriters">Whether the content must not change, because it is verified.</param>
    public static OpenFile Open(string path, bool write, IEnumerable<OpenFile> others, bool locksOutWriters = false)
    {
        var handle = write ? PlatformFiles.Current.OpenToWrite(path) : PlatformFiles.Current.OpenToRead(path);
        try
        {
            var status = PlatformFiles.Current.GetStatus(handle, path);
            if (status.Kind != FileKind.Regular)
                throw FileErrors.FromErrno(LinuxCalls.ELOOP, "opening", path);
            if (write && others.FirstOrDefault(o => o.IsWritable && o.Status.IsSame(status)) is { } shared)
            {
                handle.Dispose();
                shared._targets++;
                return shared;
            }
            var file = new OpenFile(path, handle, status);
            if (!PlatformFiles.Current.TryLockForUse(handle))
                throw CreateInUseError(path, "is being removed");
            if (write)
                file.LockForWriting();
            else if (locksOutWriters)
                file.LockOutWriters();
            return file;
        }
        catch
        {
            PlatformFiles.Current.UnlockAndClose(handle);
            throw;
        }
    }

    public static OpenFile Create(string path, long size, out OwnershipMarker mark)
    {
        OwnershipMarker? made = null;
        var handle = PlatformFiles.Current.CreateWithMarker(
            path,
            status =>
            {
                made = OwnershipMarker.CreateForNewFile(status.Identity, size);
                return made.ToText();
            }
        );
        try
        {
            var file = new OpenFile(path, handle, PlatformFiles.Current.GetStatus(handle, path));
            PlatformFiles.Current.TryLockForUse(handle);
            file.LockForWriting();
            mark = made!;
            return file;
        }
        catch
        {
            PlatformFiles.Current.UnlockAndClose(handle);
            throw;
        }
    }

    /// <summary>Takes ownership of an open device handle; for writing, the handle must be exclusive.</summary>
    public static OpenFile FromDevice(string path, SafeFileHandle handle, bool write) =>
        new(path, handle, PlatformFiles.Current.GetStatus(handle, path)) { IsWritable = write };

    public void MakeWritable()
    {
        if (IsWritable)
            return;
        var handle = PlatformFiles.Current.Reopen(Handle, Path, write: true);
        PlatformFiles.Current.TryLockForUse(handle);
        PlatformFiles.Current.UnlockAndClose(Handle);
        Handle = handle;
        LockForWriting();
    }

    public void MakeReadOnly(bool locksOutWriters = false)
    {
        lock (s_written)
            s_written.Remove(Key);
        PlatformFiles.Current.UnlockForWriting(Handle);
        IsWritable = false;
        if (locksOutWriters)
            LockOutWriters();
    }

    /// <summary>Call it before the handle is opened: until the handle is closed, I/O can be outstanding.</summary>
    public void AddWorkerHandle()
    {
        lock (_gate)
            _handles++;
    }

    /// <summary>Call it after a worker's handle was closed or could not be opened.</summary>
    public void RemoveWorkerHandle()
    {
        lock (_gate)
        {
            if (--_handles > 0 || !_isReleased)
                return;
        }
        Close();
    }

    /// <summary>Throws if a handle leads to another file, or if the file must no longer be written.</summary>
    public void CheckSameFile(SafeFileHandle handle, bool write)
    {
        var status = PlatformFiles.Current.GetStatus(handle, Path);
        if (!status.IsSame(Status) || (_mediumNumber is not null && PlatformFiles.Current.GetMediumNumber(handle) != _mediumNumber))
            throw FileErrors.TargetReplaced(Path);
        if (write)
            TargetCheck.CheckHardLinks(Path, status);
    }

    /// <summary>The last target closes the file, or, if I/O is outstanding, the last worker handle does.</summary>
    /// <param name="later">Whether to close on another thread, so that a slow close does not delay the caller.</param>
    public void ReleaseTarget(bool later = false)
    {
        lock (_gate)
        {
            if (--_targets > 0)
                return;
            _isReleased = true;
            if (_handles > 0)
                return;
        }
        Close(later);
    }

    /// <summary>Removes this process's writes on a volume from the registry, as its end would. For tests.</summary>
    internal static void RemoveVolume(string volume)
    {
        lock (s_written)
        {
            foreach (var key in s_written.Keys.Where(k => k.Identity.Contains(volume, StringComparison.Ordinal)).ToArray())
                s_written.Remove(key);
        }
    }

    private (string, ulong) Key => (Status.Identity, Status.Device);

    // Check the registry first, because a lock of this process does not say which run holds it.
    private void LockForWriting()
    {
        lock (s_written)
        {
            if (s_written.TryGetValue(Key, out var other))
                throw CreateInUseError(
                    Path,
                    other._isReleased ? "is in use, because I/Os of an earlier run have not completed" : BeingWritten
                );
            if (!PlatformFiles.Current.TryLockForWriting(Handle))
                throw CreateInUseError(
                    Path,
                    PlatformFiles.Current.TryLockOutWriters(Handle) ? "is being verified by another IoBench run" : BeingWritten
                );
            s_written.Add(Key, this);
        }
        IsWritable = true;
    }

    private void LockOutWriters()
    {
        lock (s_written)
        {
            if (s_written.ContainsKey(Key) || !PlatformFiles.Current.TryLockOutWriters(Handle))
                throw CreateInUseError(Path, BeingWritten);
        }
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

    private static IoBenchException CreateInUseError(string path, string why) =>
        IoBenchException.Refused(
            ErrorIds.FileInUse,
            $"{path} {why}.",
            path,
            advice: "Wait until the file is no longer in use, or specify another file."
        );
}
