using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>
/// File operations that differ between operating systems. Every method throws an <see cref="IoBenchException"/> of <see cref="FileErrors"/>
/// if the
/// operating system refuses. Paths are full paths whose last part is not a link.
/// </summary>
internal abstract class PlatformFiles
{
    private static readonly PlatformFiles s_own = OperatingSystem.IsWindows() ? new WindowsFiles(new WindowsFileCalls()) : new LinuxFiles();
    private static readonly AsyncLocal<PlatformFiles?> s_other = new();

    public static PlatformFiles Current => s_other.Value ?? s_own;

    /// <summary>
    /// Overrides the implementation for the calling async context and the threads that it starts; null removes the override.
    /// </summary>
    public static void OverrideCurrent(PlatformFiles? other) => s_other.Value = other;

    /// <summary>
    /// Whether a file's time of last write changes with every write and with nothing else. If not (the time can change when a handle is
    /// closed, on another
    /// computer, or in steps of seconds), a different time does not show a change outside IoBench, and the content is verified instead.
    /// </summary>
    public virtual bool HasExactTimes => true;

    /// <summary>Does not follow links; returns null if the path does not exist.</summary>
    public abstract FileStatus? TryGetStatus(string path);

    public abstract FileStatus GetStatus(SafeFileHandle handle, string path);

    /// <summary>
    /// Opens without following a link, without waiting for the other end of a FIFO, and, if possible, without changing the access time.
    /// </summary>
    public abstract SafeFileHandle OpenToRead(string path);

    /// <summary>
    /// Opens an existing file for reading and writing without changing it. Windows refuses its removal and renaming while the handle is
    /// open.
    /// </summary>
    public abstract SafeFileHandle OpenToWrite(string path);

    /// <summary>
    /// Opens a second handle of the same file, even if its name leads to another file by now; throws if that is not possible.
    /// </summary>
    public abstract SafeFileHandle Reopen(SafeFileHandle handle, string path, bool write);

    /// <summary>
    /// Opens a separate handle for changes or buffered I/O if closing such a handle has effects (times, the cache) that must happen before
    /// the run continues;
    /// returns null if closing has no such effects and the first handle can be used.
    /// </summary>
    public virtual SafeFileHandle? OpenSeparateHandle(SafeFileHandle handle, string path, bool write) => null;

    /// <summary>
    /// Opens a handle for a worker's I/O with the settings of its pattern. If the operating system can open the file only by name, the
    /// caller must compare the identity.
    /// </summary>
    public abstract SafeFileHandle OpenForWorker(
        SafeFileHandle known,
        string path,
        bool write,
        IoPattern pattern,
        BackendDescriptor backend
    );

    /// <summary>
    /// Opens a second, unbuffered handle of the same file; returns null if the file system does not support it.
    /// Reads and writes need buffers, offsets, and sizes that are multiples of the sector size.
    /// </summary>
    public abstract SafeFileHandle? TryReopenUnbuffered(SafeFileHandle handle, string path, bool write);

    /// <summary>Creates a new empty file that has its marker as soon as it is visible; fails if the name exists.</summary>
    /// <param name="makeMark">Creates the text of the marker; called when the file's identity is known.</param>
    public abstract SafeFileHandle CreateWithMarker(string path, Func<FileStatus, string> makeMark);

    public abstract string? ReadNativeMarker(SafeFileHandle handle, string path);

    /// <summary>Stores a marker with the file itself without changing the time of the last write.</summary>
    public abstract NativeMarkerResult WriteNativeMarker(SafeFileHandle handle, string path, string text);

    /// <summary>
    /// Reserves space for a file up to a size if the file system supports it; the bytes must still be written. Throws if there is not
    /// enough space.
    /// </summary>
    public abstract SpaceReservation ReserveSpace(SafeFileHandle handle, string path, long size);

    public abstract void Truncate(SafeFileHandle handle, string path, long size);

    /// <summary>Returns fewer bytes at the end of the file.</summary>
    /// <exception cref="IOException">The read failed; the caller adds the context.</exception>
    public virtual int Read(SafeFileHandle handle, Span<byte> buffer, long offset) => RandomAccess.Read(handle, buffer, offset);

    public abstract void Write(SafeFileHandle handle, string path, ReadOnlySpan<byte> buffer, long offset);

    public abstract void Flush(SafeFileHandle handle, string path);

    public abstract void DropCache(SafeFileHandle handle);

    /// <summary>Prevents other runs from writing to the file while the handle is open; returns false if another run writes to it.</summary>
    public abstract bool TryLockForWriting(SafeFileHandle handle);

    public abstract void UnlockForWriting(SafeFileHandle handle);

    public abstract void UnlockAndClose(SafeFileHandle handle);

    /// <summary>
    /// Prevents IoBench from removing the file while the handle is open, shared with other users; returns false if it is being removed.
    /// </summary>
    public abstract bool TryLockForUse(SafeFileHandle handle);

    /// <summary>Locks out all runs while a file is removed; returns false if a run uses it.</summary>
    public abstract bool TryLockToRemove(SafeFileHandle handle);

    /// <summary>
    /// Finds a loop device or swap that a regular file backs; returns null if there is none. Other programs access such a file through the
    /// device.
    /// </summary>
    public abstract string? FindDeviceBackedBy(FileStatus status);

    /// <summary>
    /// Gets a number of the medium in an open device that no later medium with the same name has; null if the operating system does not
    /// count media.
    /// </summary>
    public abstract ulong? GetMediumNumber(SafeFileHandle device);

    /// <summary>
    /// Returns whether parts of a file were never written, so that reading them does not access the disk; false if the operating system
    /// does not report it.
    /// </summary>
    public abstract bool HasUnallocatedRanges(SafeFileHandle handle, FileStatus status);

    public abstract void CheckCanCreate(string folder, string path);

    public abstract VolumeSpace? GetSpace(string path);

    /// <summary>Gets a text that identifies the volume of a folder; null if the operating system does not report it.</summary>
    public abstract string? GetVolumeId(string folder);

    public abstract void CollectFacts(VolumeFacts facts, string existing, SafeFileHandle? file);

    /// <summary>
    /// Removes a name only if it leads to this file; returns false, and removes nothing, if it leads to another file or does not exist.
    /// </summary>
    public abstract bool DeleteIfSame(string path, FileStatus file);

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
    public abstract string? GetReopenPath(SafeFileHandle handle);
}
