using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static partial class TargetOpener
{
    private const int FileIoPriorityHintInfo = 12;

    /// <summary>
    /// By CreateFile for overlapped I/O: .NET would tie the handle to its own completion port. Both flags are asked of this very handle, so a
    /// file system that refuses one is found here and not in the figures.
    /// </summary>
    public static unsafe SafeFileHandle OpenOverlapped(string path, bool write, IoPattern pattern)
    {
        var flags = WindowsNative.FILE_FLAG_OVERLAPPED | (pattern.TemporaryHint ? WindowsNative.FILE_ATTRIBUTE_TEMPORARY : WindowsNative.FILE_ATTRIBUTE_NORMAL);
        if (pattern.Buffering is IoBuffering.None or IoBuffering.Hardware)
            flags |= WindowsNative.FILE_FLAG_NO_BUFFERING;
        if (pattern.Buffering is IoBuffering.None or IoBuffering.Software)
            flags |= WindowsNative.FILE_FLAG_WRITE_THROUGH;
        if (pattern.SequentialScanHint)
            flags |= WindowsNative.FILE_FLAG_SEQUENTIAL_SCAN;
        if (pattern.RandomAccessHint)
            flags |= WindowsNative.FILE_FLAG_RANDOM_ACCESS;
        var access = WindowsNative.GENERIC_READ | (write ? WindowsNative.GENERIC_WRITE : 0);
        var share = WindowsNative.FILE_SHARE_READ | WindowsNative.FILE_SHARE_WRITE | WindowsNative.FILE_SHARE_DELETE;
        var file = WindowsNative.CreateFile(path, access, share, 0, WindowsNative.OPEN_EXISTING, flags, 0);
        if (file.IsInvalid)
        {
            var error = Marshal.GetLastPInvokeError();
            file.Dispose();
            throw ExplainWindows(path, write, error);
        }
        if (pattern.Priority != IoPriority.Normal)
        {
            var hint = pattern.Priority == IoPriority.Low ? 1 : 0;
            if (WindowsNative.SetFileInformationByHandle(file, FileIoPriorityHintInfo, &hint, sizeof(int)) == 0)
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
            WindowsNative.ERROR_FILE_NOT_FOUND or WindowsNative.ERROR_PATH_NOT_FOUND => IoBenchException.NotFound("IoBench.FileNotFound", $"{path} is not there.", path),
            WindowsNative.ERROR_SHARING_VIOLATION => IoBenchException.Failure("IoBench.FileInUse",
                $"{path} is open in another program that does not share it: {reason}. Close that program or name another test file.", path),
            WindowsNative.ERROR_ACCESS_DENIED or WindowsNative.ERROR_WRITE_PROTECT => IoBenchException.Failure("IoBench.AccessDenied",
                $"{path} cannot be opened for {(write ? "writing" : "reading")}: {reason}. Check its permissions and its read-only attribute.", path),
            WindowsNative.ERROR_TOO_MANY_OPEN_FILES => IoBenchException.Failure("IoBench.TooManyOpenFiles", $"{path} cannot be opened: {reason}. Use fewer threads or targets.", path),
            WindowsNative.ERROR_INVALID_PARAMETER => IoBenchException.Failure("IoBench.NoDirectIo",
                $"{path}: its file system does not do unbuffered overlapped I/O: {reason}. Use --buffering both, and know that memory then answers.", path),
            _ => IoBenchException.Failure("IoBench.CannotOpen", $"{path} cannot be opened for {(write ? "writing" : "reading")}: {reason}.", path),
        };
    }
}
