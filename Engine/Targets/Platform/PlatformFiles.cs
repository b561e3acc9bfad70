using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Targets.Platform;

/// <summary>
/// The few file operations that each operating system does its own way. Every method turns the system's refusals into an
/// <see cref="IoBenchException"/> of <see cref="FileErrors"/>; paths are full paths whose last part is not a link.
/// </summary>
internal abstract class PlatformFiles
{
    private static readonly PlatformFiles s_own = OperatingSystem.IsWindows() ? new WindowsFiles(new WindowsFileCalls()) : new LinuxFiles();
    private static readonly AsyncLocal<PlatformFiles?> s_other = new();

    /// <summary>This operating system's, or what a test put in its place.</summary>
    public static PlatformFiles Current => s_other.Value ?? s_own;

    /// <summary>Puts others in place of the operating system's, for the calling context and the threads it starts; null takes them away.</summary>
    public static void Replace(PlatformFiles? other) => s_other.Value = other;

    /// <summary>
    /// A file's time of last write moves with every write and with nothing else. Where it is not so (it may move when a handle is closed, on another computer, in
    /// steps of seconds), a time that differs is no evidence of others: the content is.
    /// </summary>
    public virtual bool TimesAreExact => true;

    /// <summary>What is at a path, links not followed; null when nothing is.</summary>
    public abstract FileStatus? TryGetStatus(string path);

    /// <summary>What an open file is.</summary>
    public abstract FileStatus GetStatus(SafeFileHandle handle, string path);

    /// <summary>Opens without following a link, without waiting for a FIFO's other end and without touching the access time where that is possible.</summary>
    public abstract SafeFileHandle OpenToRead(string path);

    /// <summary>Opens an existing file for reading and writing; changes nothing yet. Windows denies its removal and renaming while the handle is open.</summary>
    public abstract SafeFileHandle OpenToWrite(string path);

    /// <summary>A second handle on the very file of a first one, whatever its name leads to by now; throws when the system cannot give it.</summary>
    public abstract SafeFileHandle Reopen(SafeFileHandle handle, string path, bool write);

    /// <summary>
    /// A handle of its own for changes, or for I/O through the file cache, where closing such a handle has effects (times, the cache) that the caller wants to be
    /// over; null where it has none, and the first handle will do.
    /// </summary>
    public virtual SafeFileHandle? OpenBeside(SafeFileHandle handle, string path, bool write) => null;

    /// <summary>A handle for a worker's I/O, as its pattern asks; of the very file where the system gives it, else by name, and the caller compares.</summary>
    public abstract SafeFileHandle OpenForWorker(
        SafeFileHandle known,
        string path,
        bool write,
        IoPattern pattern,
        BackendDescriptor backend
    );

    /// <summary>
    /// A second handle on the very file of a first one, past the file cache where the file system can do that; null where it cannot.
    /// Its reads and writes need buffers, offsets and sizes that are multiples of the sector size.
    /// </summary>
    public abstract SafeFileHandle? TryReopenUnbuffered(SafeFileHandle handle, string path, bool write);

    /// <summary>
    /// Makes a new empty file that has its mark from the moment it can be seen; fails when the name is taken.
    /// </summary>
    /// <param name="path">Where.</param>
    /// <param name="makeMark">Gives the mark's text for the new file; called once the file's identity is known.</param>
    public abstract SafeFileHandle CreateMarked(string path, Func<FileStatus, string> makeMark);

    /// <summary>The text of the mark that is kept with the file itself; null when there is none.</summary>
    public abstract string? ReadNativeMark(SafeFileHandle handle, string path);

    /// <summary>Keeps a mark with the file itself; leaves the time of the last write as it is.</summary>
    public abstract NativeMarkResult WriteNativeMark(SafeFileHandle handle, string path, string text);

    /// <summary>
    /// Takes room for a file up to a size, where the file system can do that; the bytes still have to be written. Throws when there is no room.
    /// </summary>
    public abstract Reservation Reserve(SafeFileHandle handle, string path, long size);

    /// <summary>Cuts a file.</summary>
    public abstract void Truncate(SafeFileHandle handle, string path, long size);

    /// <summary>Reads at an offset; fewer bytes at the end of the file.</summary>
    /// <exception cref="IOException">It failed; the caller knows what it was for.</exception>
    public virtual int Read(SafeFileHandle handle, Span<byte> buffer, long offset) => RandomAccess.Read(handle, buffer, offset);

    /// <summary>Writes all of a buffer at an offset.</summary>
    public abstract void Write(SafeFileHandle handle, string path, ReadOnlySpan<byte> buffer, long offset);

    /// <summary>Brings everything written to the device.</summary>
    public abstract void Flush(SafeFileHandle handle, string path);

    /// <summary>Forgets what the file cache holds of a file, as far as the system lets us.</summary>
    public abstract void DropCache(SafeFileHandle handle);

    /// <summary>Keeps other IoBench runs from writing to a file while the handle is open; false when one does.</summary>
    public abstract bool TryLock(SafeFileHandle handle);

    /// <summary>Lets other runs write again.</summary>
    public abstract void Unlock(SafeFileHandle handle);

    /// <summary>Gives up all of IoBench's locks of a handle and closes it.</summary>
    public abstract void UnlockAndClose(SafeFileHandle handle);

    /// <summary>Keeps IoBench from removing a file while the handle is open; others may use it too. False when it is being removed.</summary>
    public abstract bool TryUse(SafeFileHandle handle);

    /// <summary>Keeps all runs of IoBench out while a file is removed; false when one uses it.</summary>
    public abstract bool TryLockToRemove(SafeFileHandle handle);

    /// <summary>
    /// What of the system stands on a regular file: a loop device, swap. Null when nothing is known to. Such a file is the content of a device that
    /// others use.
    /// </summary>
    public abstract string? DeviceOn(FileStatus status);

    /// <summary>A number of the medium behind an open device, which no later medium at the same name has; null when the system does not count them.</summary>
    public abstract ulong? MediumNumber(SafeFileHandle device);

    /// <summary>True when parts of a file were never written, so that reading them does not touch the disk; false too when the system does not say.</summary>
    public abstract bool HasHoles(SafeFileHandle handle, FileStatus status);

    /// <summary>Throws when a file could not be made in a folder: no permission, read-only volume.</summary>
    public abstract void CheckCanCreate(string folder, string path);

    /// <summary>Room on the volume of an existing file or folder; null when the system does not say.</summary>
    public abstract VolumeSpace? GetSpace(string path);

    /// <summary>Tells the volume of a folder from others; null when the system does not say.</summary>
    public abstract string? VolumeOf(string folder);

    /// <summary>Gathers what the system says of the volume and device below a file.</summary>
    public abstract void CollectFacts(VolumeFacts facts, string existing, SafeFileHandle? file);

    /// <summary>Removes a name if it leads to the very file that is meant; false, and nothing is removed, when it leads to another file or nowhere.</summary>
    public abstract bool DeleteIfSame(string path, FileStatus file);

    /// <summary>Takes away a new file that could not be marked, as far as that is possible.</summary>
    private protected void RemoveMade(string path, FileStatus file)
    {
        try
        {
            DeleteIfSame(path, file);
        }
        catch (IoBenchException)
        {
            // The error that brought us here says what is wrong; an empty file without a mark is left behind.
        }
    }

    /// <summary>Where another handle's open finds the very file of a handle; null where only its name leads there.</summary>
    public abstract string? PathOf(SafeFileHandle handle);
}
