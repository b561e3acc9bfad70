using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

internal sealed unsafe partial class WindowsFiles
{
    internal override SafeFileHandle OpenForWorker(
        SafeFileHandle known,
        string path,
        bool write,
        IoPattern pattern,
        BackendDescriptor backend
    ) => OpenForIO(path, write, pattern, backend.HasOverlappedHandles ? FILE_FLAG_OVERLAPPED : 0);

    /// <summary>CreateFile, because .NET would bind the handle to its own completion port and create an event per I/O.</summary>
    /// <remarks>A refused flag fails here. The filter of a reparse point stays active; the caller checks where it led.</remarks>
    private SafeFileHandle OpenForIO(string path, bool write, IoPattern pattern, uint overlapped)
    {
        var flags =
            overlapped
            | SECURITY_SQOS_PRESENT
            | SECURITY_IDENTIFICATION
            | (pattern.TemporaryHint ? FILE_ATTRIBUTE_TEMPORARY : FILE_ATTRIBUTE_NORMAL);
        if (pattern.Buffering is IoBuffering.None or IoBuffering.Hardware)
            flags |= FILE_FLAG_NO_BUFFERING;
        if (pattern.Buffering is IoBuffering.None or IoBuffering.Software)
            flags |= FILE_FLAG_WRITE_THROUGH;
        if (pattern.SequentialScanHint)
            flags |= FILE_FLAG_SEQUENTIAL_SCAN;
        if (pattern.RandomAccessHint)
            flags |= FILE_FLAG_RANDOM_ACCESS;
        var access = GENERIC_READ | (write ? GENERIC_WRITE : 0);
        var error = calls.Open(WindowsPath.ToNativePath(path), access, write ? ShareChanges : ShareAll, OPEN_EXISTING, flags, out var file);
        try
        {
            if (error != 0)
                throw CreateOpenError(path, write, pattern.Buffering, error);
            SetPriority(file, path, pattern.Priority);
            // Sectors beyond the file system cannot be read without this call. If it fails, the run reports where its reads ended.
            if (WindowsPath.IsVolume(path))
                _ = calls.SendControlCode(file, FSCTL_ALLOW_EXTENDED_DASD_IO, null, 0, null, 0);
            if (write && WindowsPath.IsDevice(path) && RawDevice.FindUser(file, path) is { } user)
                throw FileErrors.DeviceInUse(path, user);
            return file;
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    // Set normal priority too: job schedulers start processes at low I/O priority, and the handle's priority takes precedence.
    private void SetPriority(SafeFileHandle file, string path, IoPriority priority)
    {
        // FILE_IO_PRIORITY_HINT_INFO must be aligned to 8 bytes; a 64-bit number is, and the hint is its low half.
        long hint = priority switch
        {
            IoPriority.Normal => IoPriorityHintNormal,
            IoPriority.Low => IoPriorityHintLow,
            _ => IoPriorityHintVeryLow,
        };
        var error = calls.SetInformation(file, FileIoPriorityHintInfo, &hint, sizeof(int));
        if (error != 0 && priority != IoPriority.Normal)
            throw IoBenchException.Failure(
                "IoBench.PriorityRefused",
                $"{path}: Windows refused the I/O priority {priority}: {FileErrors.GetMessage(error)} ({error}).",
                path,
                advice: "Use the normal priority."
            );
    }

    private static IoBenchException CreateOpenError(string path, bool write, IoBuffering buffering, int error)
    {
        var reason = $"{FileErrors.GetMessage(error)} ({error})";
        return error switch
        {
            ERROR_FILE_NOT_FOUND or ERROR_PATH_NOT_FOUND => IoBenchException.NotFound(
                "IoBench.FileNotFound",
                $"{path} does not exist.",
                path
            ),
            ERROR_SHARING_VIOLATION => IoBenchException.Failure(
                ErrorIds.FileInUse,
                $"{path} is open in another program that does not share it ({reason}).",
                path,
                advice: "Close that program, or specify another test file."
            ),
            ERROR_ACCESS_DENIED when WindowsPath.IsDevice(path) => FileErrors.FromWindows(error, "opening", path),
            ERROR_ACCESS_DENIED or ERROR_WRITE_PROTECT => IoBenchException.Failure(
                ErrorIds.AccessDenied,
                $"{path} cannot be opened for {(write ? "writing" : "reading")}: {reason}.",
                path,
                advice: "Check its permissions and its read-only attribute."
            ),
            ERROR_TOO_MANY_OPEN_FILES => IoBenchException.Failure(
                "IoBench.TooManyOpenFiles",
                $"{path} cannot be opened: {reason}.",
                path,
                advice: "Use fewer threads or targets."
            ),
            ERROR_INVALID_PARAMETER when buffering is IoBuffering.None or IoBuffering.Hardware => FileErrors.UnbufferedNotSupported(
                path,
                buffering,
                reason: reason
            ),
            _ => IoBenchException.Failure(
                "IoBench.CannotOpen",
                $"{path} cannot be opened for {(write ? "writing" : "reading")}: {reason}.",
                path
            ),
        };
    }
}
