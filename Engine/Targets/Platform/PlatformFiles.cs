using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>File operations per operating system. Paths are full, and their last part is not a link.</summary>
public abstract class PlatformFiles
{
    private static readonly PlatformFiles s_own = OperatingSystem.IsWindows() ? new WindowsFiles(new WindowsFileCalls()) : new LinuxFiles();
    private static readonly AsyncLocal<PlatformFiles?> s_other = new();

    public static PlatformFiles Current => s_other.Value ?? s_own;

    /// <summary>For the calling async context and the threads that it starts; null removes the override.</summary>
    internal static void OverrideCurrent(PlatformFiles? other) => s_other.Value = other;

    /// <summary>Whether the time of last write changes with every write and with nothing else.</summary>
    /// <remarks>If not, a different time does not show a change outside IoBench, and the content is verified instead.</remarks>
    internal virtual bool HasExactTimes => true;

    /// <summary>Does not follow links; returns null if the path does not exist.</summary>
    public abstract FileStatus? TryGetStatus(string path);

    /// <summary>Refuses a file whose folder is reached by a link that another user can have placed. Other errors are not
    /// reported.</summary>
    /// <remarks>Windows has no such rule: only administrators can create symbolic links, unless a policy allows it.</remarks>
    /// <exception cref="IoBenchException"><c>IoBench.UntrustedLink</c>.</exception>
    public virtual void CheckFolderLinks(string path) { }

    /// <summary>Returns the full path that a link leads to; null if it leads nowhere.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.UntrustedLink</c>, or an error of the system.</exception>
    public virtual string? FollowLink(string path)
    {
        try
        {
            return new FileInfo(path).ResolveLinkTarget(returnFinalTarget: false)?.FullName;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    public abstract FileStatus GetStatus(SafeFileHandle handle, string path);

    /// <summary>The file's name in its own file system, if another name was mounted over it; null for nearly all files.</summary>
    internal virtual string? GetNameBelowMount(string path) => null;

    /// <summary>Does not follow links or wait for a FIFO and, if possible, does not change the access time.</summary>
    public abstract SafeFileHandle OpenToRead(string path);

    /// <summary>Changes nothing. Windows refuses removal and renaming while the handle is open.</summary>
    internal abstract SafeFileHandle OpenToWrite(string path);

    /// <summary>Opens the same file, even if its name leads to another file by now; throws if that is not possible.</summary>
    internal abstract SafeFileHandle Reopen(SafeFileHandle handle, string path, bool write);

    /// <summary>A handle whose close has effects (times, the cache) that must happen now; null if there are no such effects.</summary>
    internal virtual SafeFileHandle? OpenSeparateHandle(SafeFileHandle handle, string path, bool write) => null;

    /// <summary>If the system can open the file only by name, the caller must compare the identity.</summary>
    internal abstract SafeFileHandle OpenForWorker(
        SafeFileHandle known,
        string path,
        bool write,
        IoPattern pattern,
        BackendDescriptor backend
    );

    /// <summary>Null if unsupported. I/O needs buffers, offsets, and sizes that are multiples of the sector size.</summary>
    internal abstract SafeFileHandle? TryReopenUnbuffered(SafeFileHandle handle, string path, bool write);

    /// <summary>Creates a file that has its marker as soon as it is visible; fails if the name exists.</summary>
    internal abstract SafeFileHandle CreateWithMarker(string path, Func<FileStatus, string> makeMark);

    internal abstract string? ReadNativeMarker(SafeFileHandle handle, string path);

    /// <summary>Stores a marker with the file itself without changing the time of the last write. Returns false if the file system has
    /// neither extended attributes nor streams, so that a sidecar file is needed.</summary>
    internal abstract bool TryWriteNativeMarker(SafeFileHandle handle, string path, string text);

    /// <summary>The bytes must still be written. Throws if there is not enough space. Null = filling is not slow.</summary>
    internal abstract (bool IsReserved, string? SlowFillReason) ReserveSpace(SafeFileHandle handle, string path, long size);

    internal abstract void Truncate(SafeFileHandle handle, string path, long size);

    /// <summary>Returns fewer bytes at the end of the file. The caller adds the context to an <see cref="IOException"/>.</summary>
    internal virtual int Read(SafeFileHandle handle, Span<byte> buffer, long offset) => RandomAccess.Read(handle, buffer, offset);

    internal abstract void Write(SafeFileHandle handle, string path, ReadOnlySpan<byte> buffer, long offset);

    internal abstract void Flush(SafeFileHandle handle, string path);

    internal abstract void DropCache(SafeFileHandle handle);

    /// <summary>Prevents other runs from writing to the file while the handle is open; returns false if another run writes to it.</summary>
    internal abstract bool TryLockForWriting(SafeFileHandle handle);

    /// <summary>Shared lock of runs that verify what they read; returns false if another run writes to the file.</summary>
    internal abstract bool TryLockOutWriters(SafeFileHandle handle);

    internal abstract void UnlockForWriting(SafeFileHandle handle);

    internal abstract void UnlockAndClose(SafeFileHandle handle);

    /// <summary>Shared lock that prevents removal by IoBench; returns false if the file is being removed.</summary>
    internal abstract bool TryLockForUse(SafeFileHandle handle);

    /// <summary>Locks out all runs while a file is removed; returns false if a run uses it.</summary>
    internal abstract bool TryLockToRemove(SafeFileHandle handle);

    /// <summary>Finds a loop device or swap that the file backs, because other programs use the file through it.</summary>
    internal abstract string? FindDeviceBackedBy(FileStatus status);

    /// <summary>A number that no later medium with the same name has; null if the system does not count media.</summary>
    internal abstract ulong? GetMediumNumber(SafeFileHandle device);

    /// <summary>Whether reads of some parts do not access the disk; false if the system does not report it.</summary>
    internal abstract bool HasUnallocatedRanges(SafeFileHandle handle, FileStatus status);

    internal abstract void CheckCanCreate(string folder, string path);

    /// <summary>Space on a volume, in bytes. Available is what the caller can still use; null if the system does not report it.</summary>
    internal abstract (long Total, long Available)? GetSpace(string path);

    internal abstract string? GetVolumeId(string folder);

    internal abstract void CollectFacts(VolumeFacts facts, string existing, SafeFileHandle? file);

    /// <summary>Removes a name only if it leads to this file; otherwise returns false and removes nothing.</summary>
    internal abstract bool DeleteIfSame(string path, FileStatus file);

    private protected void RemoveUnmarkedFile(string path, FileStatus file)
    {
        try
        {
            DeleteIfSame(path, file);
        }
        catch (IoBenchException)
        {
            // The error that led here is reported; an empty file without a marker remains.
        }
    }

    /// <summary>Gets a path that opens the same file as a handle; null if only its own name leads there.</summary>
    internal abstract string? GetReopenPath(SafeFileHandle handle);

    /// <summary>Retries, because scanners, indexers, and backups on Windows open new files for a moment.</summary>
    /// <exception cref="IOException">The move is refused, on Windows for 2 s.</exception>
    internal static void MoveFile(string from, string to, bool overwrite)
    {
        if (OperatingSystem.IsWindows())
            RunWithRetries(() => File.Move(from, to, overwrite), () => Thread.Sleep(200));
        else
            File.Move(from, to, overwrite);
    }

    internal static void RunWithRetries(Action move, Action pause)
    {
        const int tries = 10,
            accessDenied = unchecked((int)0x80070005),
            sharingViolation = unchecked((int)0x80070020);
        for (var left = tries - 1; ; left--)
        {
            try
            {
                move();
                return;
            }
            catch (Exception e)
                when (left > 0 && (e is IOException or UnauthorizedAccessException) && e.HResult is accessDenied or sharingViolation)
            {
                pause();
            }
        }
    }
}
