using System.Runtime.InteropServices;

namespace IoBench.Engine;

public static partial class InputFiles
{
    private static FileStream OpenLinux(string path)
    {
        var full = Path.GetFullPath(path);
        if (GetKind(full) is { } kind && kind != LinuxCalls.Statx.RegularFile)
            throw CreateKindError(path, kind);
        // With O_NONBLOCK, the call does not block if a pipe has replaced the file in the meantime.
        var handle = LinuxFiles.TryOpen(full, LinuxCalls.O_RDONLY | LinuxCalls.O_NONBLOCK | LinuxCalls.O_CLOEXEC, out var errno);
        if (handle is null)
        {
            throw errno switch
            {
                LinuxCalls.ENOENT or LinuxCalls.ENOTDIR => new FileNotFoundException(),
                // ENXIO: a socket, or a device without a driver.
                LinuxCalls.ENXIO => CreateNotAFileError(path, "a socket or a device"),
                _ => new IOException(Marshal.GetPInvokeErrorMessage(errno).Trim()),
            };
        }
        try
        {
            if (
                GetKind("", (int)handle.DangerousGetHandle(), LinuxCalls.AT_EMPTY_PATH) is { } opened
                && opened != LinuxCalls.Statx.RegularFile
            )
                throw CreateKindError(path, opened);
            _ = LinuxCalls.SetFlags(handle, LinuxCalls.F_SETFL, 0);
            return new FileStream(handle, FileAccess.Read, bufferSize: 1);
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Returns the kind of file (links are followed); null if unknown, because opening or reading then reports the reason.
    /// </summary>
    private static unsafe int? GetKind(string path, int folder = LinuxCalls.AT_FDCWD, int flags = 0)
    {
        LinuxCalls.Statx status;
        return LinuxCalls.GetStatx(folder, path, flags, LinuxCalls.Statx.BasicStats, &status) == 0 ? status.FileType : null;
    }

    private static IoBenchException CreateKindError(string path, int kind) =>
        kind switch
        {
            LinuxCalls.Statx.Folder => CreateFolderError(path),
            LinuxCalls.Statx.Pipe => CreateNotAFileError(path, "a pipe"),
            LinuxCalls.Statx.Socket => CreateNotAFileError(path, "a socket"),
            _ => CreateNotAFileError(path, "a device"),
        };
}
