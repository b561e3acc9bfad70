using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.Interop.Windows.WindowsCalls;

namespace IoBench.Engine.Targets.Platform;

/// <summary>Handles of workers.</summary>
internal sealed unsafe partial class WindowsFiles
{
    /// <inheritdoc/>
    public override SafeFileHandle OpenForWorker(
        SafeFileHandle known,
        string path,
        bool write,
        IoPattern pattern,
        BackendDescriptor backend
    ) => OpenForIO(path, write, pattern, backend.HasOverlappedHandles ? FILE_FLAG_OVERLAPPED : 0);

    /// <summary>
    /// By CreateFile: .NET would tie an asynchronous handle to its own completion port, and make an event for each I/O on it. All flags are asked of this very handle, so a
    /// file system that refuses one is found here and not in the figures. A reparse point's filter stays in the way, as for every other program; whether it led to
    /// another file the caller sees.
    /// </summary>
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
        var error = calls.Open(WindowsPath.ForCalls(path), access, write ? ShareChanges : ShareAll, OPEN_EXISTING, flags, out var file);
        try
        {
            if (error != 0)
                throw Explain(path, write, pattern.Buffering, error);
            SetPriority(file, path, pattern.Priority);
            // A volume's last sectors lie behind its file system; without this they cannot be read. Refused, the run says where it ended.
            if (WindowsPath.IsVolume(path))
                _ = calls.Control(file, FSCTL_ALLOW_EXTENDED_DASD_IO, null, 0, null, 0);
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

    // Also where normal is asked for: what starts jobs often starts them at low I/O priority, and a handle's own priority goes before the process's.
    private void SetPriority(SafeFileHandle file, string path, IoPriority priority)
    {
        // FILE_IO_PRIORITY_HINT_INFO must stand at a multiple of 8 bytes: as a 64-bit number, whose low half it is, it does.
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
                $"{path}: I/O priority {priority} is refused: {FileErrors.Message(error)} ({error}).",
                path,
                advice: "Leave the priority at normal."
            );
    }

    private static IoBenchException Explain(string path, bool write, IoBuffering buffering, int error)
    {
        var reason = $"{FileErrors.Message(error)} ({error})";
        return error switch
        {
            ERROR_FILE_NOT_FOUND or ERROR_PATH_NOT_FOUND => IoBenchException.NotFound(
                "IoBench.FileNotFound",
                $"{path} is not there.",
                path
            ),
            ERROR_SHARING_VIOLATION => IoBenchException.Failure(
                ErrorIds.FileInUse,
                $"{path} is open in another program that does not share it: {reason}.",
                path,
                advice: "Close that program or name another test file."
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
            ERROR_INVALID_PARAMETER when buffering is IoBuffering.None or IoBuffering.Hardware => FileErrors.NotUnbuffered(
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
