using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>Locks among runs of IoBench, and removing a file by its handle.</summary>
internal sealed unsafe partial class WindowsFiles
{
    // On bytes that no file reaches: Windows keeps others from reading and writing what is locked.
    private const long UsedByte = long.MaxValue - 2, WrittenByte = long.MaxValue - 1;

    /// <inheritdoc/>
    public override bool TryLock(SafeFileHandle handle) => TrySet(handle, LOCKFILE_EXCLUSIVE_LOCK, WrittenByte, 1);

    /// <inheritdoc/>
    public override void Unlock(SafeFileHandle handle)
    {
        var range = Range(WrittenByte);
        _ = UnlockFileEx(handle, 0, 1, 0, &range);
    }

    /// <inheritdoc/>
    public override void UnlockAndClose(SafeFileHandle handle) => handle.Dispose();

    /// <inheritdoc/>
    public override bool TryUse(SafeFileHandle handle) => TrySet(handle, 0, UsedByte, 1);

    /// <inheritdoc/>
    public override bool TryLockToRemove(SafeFileHandle handle) => TrySet(handle, LOCKFILE_EXCLUSIVE_LOCK, UsedByte, 2);

    /// <inheritdoc/>
    // By the handle that was looked at: no other file can come under the name in between.
    public override bool DeleteIfSame(string path, FileStatus file)
    {
        using var handle = CreateFile(Long(path), DELETE, ShareAll, 0, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, 0);
        if (handle.IsInvalid)
        {
            var error = Marshal.GetLastPInvokeError();
            return error is ERROR_FILE_NOT_FOUND or ERROR_PATH_NOT_FOUND ? false : throw FileErrors.FromWindows(error, "remove", path);
        }
        if (!GetStatus(handle, path).IsSame(file))
            return false;
        byte remove = 1;
        return SetFileInformationByHandle(handle, FileDispositionInfo, &remove, sizeof(byte)) ? true
            : throw FileErrors.FromWindows(Marshal.GetLastPInvokeError(), "remove", path);
    }

    /// <inheritdoc/>
    // A virtual disk's file is opened by Windows so that nobody else can write to it.
    public override string? DeviceOn(FileStatus status) => null;

    /// <inheritdoc/>
    public override ulong? MediumNumber(SafeFileHandle device) => null;

    // ERROR_LOCK_VIOLATION: another has it. File systems without locks say so by other errors: there nothing is kept out.
    private static bool TrySet(SafeFileHandle handle, uint flags, long start, uint length)
    {
        var range = Range(start);
        return LockFileEx(handle, flags | LOCKFILE_FAIL_IMMEDIATELY, 0, length, 0, &range) || Marshal.GetLastPInvokeError() != ERROR_LOCK_VIOLATION;
    }

    private static FileRange Range(long start) => new() { OffsetLow = (uint)(start & 0xFFFFFFFF), OffsetHigh = (uint)(start >> 32) };
}
