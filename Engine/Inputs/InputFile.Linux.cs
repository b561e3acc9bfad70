using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Inputs;

public static partial class InputFile
{
    private static FileStream OpenLinux(string path)
    {
        var full = Path.GetFullPath(path);
        if (KindAt(full) is { } kind && kind != LinuxCalls.Statx.RegularFile)
            throw Refuse(path, kind);
        // O_NONBLOCK: a pipe that took the file's place in this moment must not make us wait either.
        using var handle = LinuxFiles.TryOpen(full, LinuxCalls.O_RDONLY | LinuxCalls.O_NONBLOCK | LinuxCalls.O_CLOEXEC, out var errno);
        if (handle is null)
        {
            throw errno switch
            {
                Errno.ENOENT or Errno.ENOTDIR => new FileNotFoundException(),
                // A socket, or a device without a driver.
                Errno.ENXIO => IsNoFile(path, "a socket or a device"),
                _ => new IOException(Marshal.GetPInvokeErrorMessage(errno).Trim()),
            };
        }
        var opened = LinuxFiles.Look(handle, path).Format;
        if (opened != LinuxCalls.Statx.RegularFile)
            throw Refuse(path, opened);
        _ = LinuxCalls.SetFlags(handle, LinuxCalls.F_SETFL, 0);
        var stream = new FileStream(new SafeFileHandle(handle.DangerousGetHandle(), ownsHandle: true), FileAccess.Read, bufferSize: 1);
        // The stream closes it now.
        handle.SetHandleAsInvalid();
        return stream;
    }

    /// <summary>What is there, behind links; null when the system does not say: opening gives the reason.</summary>
    private static unsafe int? KindAt(string path)
    {
        LinuxCalls.Statx status;
        return LinuxCalls.GetStatx(LinuxCalls.AT_FDCWD, path, 0, LinuxCalls.Statx.BasicStats, &status) == 0 ? status.Format : null;
    }

    private static IoBenchException Refuse(string path, int kind) => kind switch
    {
        LinuxCalls.Statx.Folder => IsFolder(path),
        LinuxCalls.Statx.Pipe => IsNoFile(path, "a pipe"),
        LinuxCalls.Statx.Socket => IsNoFile(path, "a socket"),
        _ => IsNoFile(path, "a device"),
    };
}
