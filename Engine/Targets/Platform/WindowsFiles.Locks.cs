using System.Collections.Concurrent;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

internal sealed unsafe partial class WindowsFiles
{
    // The locked bytes are beyond any file size, because Windows prevents others from reading and writing locked bytes.
    private const long UsedByte = long.MaxValue - 2,
        WrittenByte = long.MaxValue - 1;

    // Locks by name of the disks that this process writes to.
    private readonly ConcurrentDictionary<SafeFileHandle, IDisposable> _claims = [];

    internal override bool TryLockForWriting(SafeFileHandle handle) => TrySetLock(handle, LOCKFILE_EXCLUSIVE_LOCK, WrittenByte, 1);

    internal override bool TryLockOutWriters(SafeFileHandle handle) => TrySetLock(handle, 0, WrittenByte, 1);

    internal override void UnlockForWriting(SafeFileHandle handle) => _ = calls.Unlock(handle, WrittenByte, 1);

    internal override void UnlockAndClose(SafeFileHandle handle)
    {
        handle.Dispose();
        if (_claims.TryRemove(handle, out var claim))
            claim.Dispose();
    }

    /// <summary>Uses a named lock, because Windows cannot lock ranges of a disk, and each worker needs its own handle.</summary>
    public SafeFileHandle OpenDiskExclusively(string path, string name)
    {
        if (!calls.TryCreateExclusive("IoBench-" + name.ToUpperInvariant(), out var claim))
            throw FileErrors.DeviceInUse(path, "another test uses it");
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

    internal override bool TryLockForUse(SafeFileHandle handle) => TrySetLock(handle, 0, UsedByte, 1);

    internal override bool TryLockToRemove(SafeFileHandle handle) => TrySetLock(handle, LOCKFILE_EXCLUSIVE_LOCK, UsedByte, 2);

    // Remove by the handle on which the identity was checked, so that no other file can get the name in between.
    internal override bool DeleteIfSame(string path, FileStatus file)
    {
        var error = OpenWithoutFollowing(path, DELETE, ShareAll, OPEN_EXISTING, 0, out var handle);
        using (handle)
        {
            if (error is ERROR_FILE_NOT_FOUND or ERROR_PATH_NOT_FOUND)
                return false;
            ThrowOnError(error, "removing", path);
            if (!GetStatus(handle, path).IsSame(file))
                return false;
            byte remove = 1;
            ThrowOnError(calls.SetInformation(handle, FileDispositionInfo, &remove, sizeof(byte)), "removing", path);
            return true;
        }
    }

    // Windows opens the file of a virtual disk so that no other program can write to it.
    internal override string? FindDeviceBackedBy(FileStatus status) => null;

    internal override ulong? GetMediumNumber(SafeFileHandle device) => null;

    // ERROR_LOCK_VIOLATION: another handle has the lock. File systems without locks return other errors; then nothing is locked.
    private bool TrySetLock(SafeFileHandle handle, uint flags, long start, uint length) =>
        calls.Lock(handle, flags | LOCKFILE_FAIL_IMMEDIATELY, start, length) != ERROR_LOCK_VIOLATION;
}
