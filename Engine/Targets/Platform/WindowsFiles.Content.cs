using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

internal sealed unsafe partial class WindowsFiles
{
    private const string ManageVolume = "SeManageVolumePrivilege";

    internal override (bool IsReserved, string? SlowFillReason) ReserveSpace(SafeFileHandle handle, string path, long size)
    {
        using var change = OpenSeparateHandle(handle, path, write: true)!;
        RunOrThrow(() => calls.SetLength(change, size), $"allocating {size} bytes for", path);
        // Without this call, NTFS zeroes the gap before every write beyond the valid data length, one write at a time.
        var error = calls.SetValidData(change, size);
        var isTaken = GetStatus(change, path).AllocatedBytes >= size;
        var slowFillReason = error switch
        {
            0 => null,
            ERROR_PRIVILEGE_NOT_HELD or ERROR_ACCESS_DENIED =>
                "the account does not have the right \"Perform volume maintenance tasks\", so Windows fills the file with zeros before each write. "
                    + "Instant file initialization in SQL Server requires the same right",
            _ => $"this file system does not support SetFileValidData (error {error}), so Windows "
                + $"fills the file with zeros before each write",
        };
        return (isTaken, slowFillReason);
    }

    internal override void Truncate(SafeFileHandle handle, string path, long size)
    {
        using var change = OpenSeparateHandle(handle, path, write: true)!;
        RunOrThrow(() => calls.SetLength(change, size), "truncating", path, $" to {size} bytes");
    }

    internal override int Read(SafeFileHandle handle, Span<byte> buffer, long offset) => calls.Read(handle, buffer, offset);

    internal override void Write(SafeFileHandle handle, string path, ReadOnlySpan<byte> buffer, long offset)
    {
        try
        {
            calls.Write(handle, buffer, offset);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, $"write of {buffer.Length} bytes at offset {offset} of", path);
        }
    }

    internal override void Flush(SafeFileHandle handle, string path) => RunOrThrow(() => calls.Flush(handle), "flush of", path);

    // File systems drop a file's cached pages at an unbuffered open, because IoBench closes buffered handles at once.
    internal override void DropCache(SafeFileHandle handle) { }

    internal override bool HasUnallocatedRanges(SafeFileHandle handle, FileStatus status) =>
        HasGaps(handle, status) || HasInvalidData(handle, status.Size);

    // A file that was only given a length is allocated, but its valid data length is 0. NTFS reports the valid range first.
    private bool HasInvalidData(SafeFileHandle handle, long size)
    {
        const int max = 16;
        var length = sizeof(FileRegionOutput) + (max - 1) * sizeof(FileRegion);
        var buffer = stackalloc byte[length];
        new Span<byte>(buffer, length).Clear();
        var asked = new FileRegionInput { Length = size, Usage = FILE_REGION_USAGE_VALID_CACHED_DATA };
        var error = calls.SendControlCode(handle, FSCTL_QUERY_FILE_REGIONS, &asked, sizeof(FileRegionInput), buffer, length);
        // Windows Server 2012 R2 and later, and not all file systems, answer.
        if (error is not (0 or ERROR_MORE_DATA))
            return false;
        var answer = (FileRegionOutput*)buffer;
        var regions = &answer->First;
        var valid = 0L;
        for (var i = 0; i < Math.Min(max, answer->Count); i++)
            if ((regions[i].Usage & FILE_REGION_USAGE_VALID_CACHED_DATA) != 0 && regions[i].Offset <= valid)
                valid = Math.Max(valid, regions[i].Offset + regions[i].Length);
        // With more regions than fit, what follows is not known.
        return valid < size && (error == 0 || answer->Count < answer->TotalCount);
    }

    // Query the allocated ranges, because not every file system that leaves gaps sets the sparse attribute.
    private bool HasGaps(SafeFileHandle handle, FileStatus status)
    {
        const int max = 64;
        var ranges = stackalloc AllocatedRange[max];
        var place = 0L;
        while (place < status.Size)
        {
            new Span<AllocatedRange>(ranges, max).Clear();
            var asked = new AllocatedRange { Offset = place, Length = status.Size - place };
            var error = calls.SendControlCode(
                handle,
                FSCTL_QUERY_ALLOCATED_RANGES,
                &asked,
                sizeof(AllocatedRange),
                ranges,
                max * sizeof(AllocatedRange)
            );
            if (error is not (0 or ERROR_MORE_DATA))
                return IsSparse(handle) && status.AllocatedBytes < status.Size;
            var before = place;
            for (var i = 0; i < max && ranges[i].Length > 0; i++)
            {
                if (ranges[i].Offset > place)
                    return true;
                place = Math.Max(place, ranges[i].Offset + ranges[i].Length);
            }
            // There are no further allocated ranges.
            if (place == before || error == 0)
                return place < status.Size;
        }
        return false;
    }

    private bool IsSparse(SafeFileHandle handle) =>
        calls.GetInformation(handle, out var information) == 0 && (information.Attributes & FILE_ATTRIBUTE_SPARSE_FILE) != 0;

    private static void RunOrThrow(Action action, string doing, string path, string how = "")
    {
        try
        {
            action();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, doing, path, how);
        }
    }
}
