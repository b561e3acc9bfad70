using System.Collections.Concurrent;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.Interop.Windows.WindowsCalls;

namespace IoBench.Engine.Targets.Platform;

/// <summary>Locks among runs of IoBench, and removing a file by its handle.</summary>
internal sealed unsafe partial class WindowsFiles
{
    // On bytes that no file reaches: Windows keeps others from reading and writing what is locked.
    private const long UsedByte = long.MaxValue - 2,
        WrittenByte = long.MaxValue - 1;

    // Of disks that this process writes to.
    private readonly ConcurrentDictionary<SafeFileHandle, IDisposable> _claims = [];

    /// <inheritdoc/>
    public override bool TryLock(SafeFileHandle handle) => TrySet(handle, LOCKFILE_EXCLUSIVE_LOCK, WrittenByte, 1);

    /// <inheritdoc/>
    public override void Unlock(SafeFileHandle handle) => _ = calls.Unlock(handle, WrittenByte, 1);

    /// <inheritdoc/>
    public override void UnlockAndClose(SafeFileHandle handle)
    {
        handle.Dispose();
        if (_claims.TryRemove(handle, out var claim))
            claim.Dispose();
    }

    /// <summary>
    /// Opens a disk to write to it. Windows locks no ranges of a disk, and each worker needs a handle of its own, so that share modes cannot keep a second run out: a name
    /// that all runs of this computer agree on does.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.DeviceInUse</c>: another run holds it.</exception>
    public SafeFileHandle OpenHeld(string path, string name)
    {
        if (!calls.TryClaim("IoBench-" + name.ToUpperInvariant(), out var claim))
            throw FileErrors.DeviceInUse(path, "another test runs on it");
        try
        {
            var handle = OpenToWrite(path);
            _claims[handle] = claim;
            return handle;
        }
        catch
        {
            claim.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public override bool TryUse(SafeFileHandle handle) => TrySet(handle, 0, UsedByte, 1);

    /// <inheritdoc/>
    public override bool TryLockToRemove(SafeFileHandle handle) => TrySet(handle, LOCKFILE_EXCLUSIVE_LOCK, UsedByte, 2);

    /// <inheritdoc/>
    // By the handle that was looked at: no other file can come under the name in between.
    public override bool DeleteIfSame(string path, FileStatus file)
    {
        var error = OpenItself(path, DELETE, ShareAll, OPEN_EXISTING, 0, out var handle);
        using (handle)
        {
            if (error is ERROR_FILE_NOT_FOUND or ERROR_PATH_NOT_FOUND)
                return false;
            Check(error, "removing", path);
            if (!GetStatus(handle, path).IsSame(file))
                return false;
            byte remove = 1;
            Check(calls.SetInformation(handle, FileDispositionInfo, &remove, sizeof(byte)), "removing", path);
            return true;
        }
    }

    /// <inheritdoc/>
    // A virtual disk's file is opened by Windows so that nobody else can write to it.
    public override string? DeviceOn(FileStatus status) => null;

    /// <inheritdoc/>
    public override ulong? MediumNumber(SafeFileHandle device) => null;

    // ERROR_LOCK_VIOLATION: another has it. File systems without locks say so by other errors: there nothing is kept out.
    private bool TrySet(SafeFileHandle handle, uint flags, long start, uint length) =>
        calls.Lock(handle, flags | LOCKFILE_FAIL_IMMEDIATELY, start, length) != ERROR_LOCK_VIOLATION;
}
