using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static partial class TargetOpener
{
    /// <summary>
    /// By CreateFile for overlapped I/O: .NET would tie the handle to its own completion port. Both flags are asked of this very handle, so a
    /// file system that refuses one is found here and not in the figures.
    /// </summary>
    private static unsafe SafeFileHandle OpenOverlapped(string path, bool write, IoPattern pattern)
    {
        var flags = WindowsCalls.FILE_FLAG_OVERLAPPED | (pattern.TemporaryHint ? WindowsCalls.FILE_ATTRIBUTE_TEMPORARY : WindowsCalls.FILE_ATTRIBUTE_NORMAL);
        if (pattern.Buffering is IoBuffering.None or IoBuffering.Hardware)
            flags |= WindowsCalls.FILE_FLAG_NO_BUFFERING;
        if (pattern.Buffering is IoBuffering.None or IoBuffering.Software)
            flags |= WindowsCalls.FILE_FLAG_WRITE_THROUGH;
        if (pattern.SequentialScanHint)
            flags |= WindowsCalls.FILE_FLAG_SEQUENTIAL_SCAN;
        if (pattern.RandomAccessHint)
            flags |= WindowsCalls.FILE_FLAG_RANDOM_ACCESS;
        var access = WindowsCalls.GENERIC_READ | (write ? WindowsCalls.GENERIC_WRITE : 0);
        var file = WindowsCalls.CreateFile(path, access, WindowsCalls.ShareAll, 0, WindowsCalls.OPEN_EXISTING, flags, 0);
        if (file.IsInvalid)
        {
            var error = Marshal.GetLastPInvokeError();
            file.Dispose();
            throw ExplainWindows(path, write, error);
        }
        if (pattern.Priority != IoPriority.Normal)
        {
            // FILE_IO_PRIORITY_HINT_INFO must stand at a multiple of 8 bytes: as a 64-bit number, whose low half it is, it does.
            long hint = pattern.Priority == IoPriority.Low ? WindowsCalls.IoPriorityHintLow : WindowsCalls.IoPriorityHintVeryLow;
            if (!WindowsCalls.SetFileInformationByHandle(file, WindowsCalls.FileIoPriorityHintInfo, &hint, sizeof(int)))
            {
                var error = Marshal.GetLastPInvokeError();
                file.Dispose();
                throw IoBenchException.Failure("IoBench.PriorityRefused",
                    $"{path}: I/O priority {pattern.Priority} is refused: {Marshal.GetPInvokeErrorMessage(error)} ({error}). Leave the priority at normal.", path);
            }
        }
        return file;
    }

    private static IoBenchException ExplainWindows(string path, bool write, int error)
    {
        var reason = $"{Marshal.GetPInvokeErrorMessage(error)} ({error})";
        return error switch
        {
            WindowsCalls.ERROR_FILE_NOT_FOUND or WindowsCalls.ERROR_PATH_NOT_FOUND => IoBenchException.NotFound("IoBench.FileNotFound", $"{path} is not there.", path),
            WindowsCalls.ERROR_SHARING_VIOLATION => IoBenchException.Failure(ErrorIds.FileInUse,
                $"{path} is open in another program that does not share it: {reason}. Close that program or name another test file.", path),
            WindowsCalls.ERROR_ACCESS_DENIED or WindowsCalls.ERROR_WRITE_PROTECT => IoBenchException.Failure(ErrorIds.AccessDenied,
                $"{path} cannot be opened for {(write ? "writing" : "reading")}: {reason}. Check its permissions and its read-only attribute.", path),
            WindowsCalls.ERROR_TOO_MANY_OPEN_FILES => IoBenchException.Failure("IoBench.TooManyOpenFiles", $"{path} cannot be opened: {reason}. Use fewer threads or targets.", path),
            WindowsCalls.ERROR_INVALID_PARAMETER => IoBenchException.Failure("IoBench.NoDirectIo",
                $"{path}: its file system does not do unbuffered overlapped I/O: {reason}. Use {Opt.Buffering.With(IoBuffering.Both)}; the file cache then answers.", path),
            _ => IoBenchException.Failure("IoBench.CannotOpen", $"{path} cannot be opened for {(write ? "writing" : "reading")}: {reason}.", path),
        };
    }
}
