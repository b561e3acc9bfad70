using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Folder of an output. On Linux, it is held open and the files in it are named relative to it, so that a folder or link that
/// takes
/// its name later is not used. Windows does not rename a folder in which a file is open.</summary>
public sealed class OutputFolder : IDisposable
{
    private readonly string? _realPath;

    private OutputFolder(string path, SafeFileHandle? handle)
    {
        Path = path;
        Handle = handle;
        _realPath = ReadRealPath(handle);
    }

    /// <summary>Full path at the time of opening.</summary>
    public string Path { get; }

    /// <summary>Null on Windows.</summary>
    public SafeFileHandle? Handle { get; private set; }

    /// <exception cref="IoBenchException"><c>IoBench.UntrustedLink</c>, or an error of the system.</exception>
    public static OutputFolder Open(string path) => new(path, OperatingSystem.IsWindows() ? null : LinuxFolder.Open(path));

    public OutputName GetName(string name) => new(this, name);

    /// <summary>Returns the present path of the folder if its former path leads to another folder or nowhere; otherwise null.</summary>
    public string? FindMovedPath()
    {
        if (Handle is null || HasSamePath(Handle))
            return null;
        return ReadRealPath(Handle);
    }

    /// <summary>If the folder was removed and created again at the same place, continues in the new one, but not behind a link.</summary>
    public void ReopenIfRecreated()
    {
        if (!IsDeleted)
            return;
        try
        {
            var handle = LinuxFolder.Open(Path);
            if (ReadRealPath(handle) != _realPath)
            {
                handle.Dispose();
                return;
            }
            Handle!.Dispose();
            Handle = handle;
        }
        catch (IoBenchException)
        {
            // The next call in the folder reports that it is gone.
        }
    }

    /// <summary>Whether the folder was removed. Always false on Windows, which does not remove a folder in which a file is open.</summary>
    public bool IsDeleted => Handle is not null && PlatformFiles.Current.GetStatus(Handle, Path).LinkCount == 0;

    public void Dispose() => Handle?.Dispose();

    private static string? ReadRealPath(SafeFileHandle? handle) =>
        handle is null ? null : new FileInfo(LinuxFiles.GetProcPath(handle)).LinkTarget;

    private bool HasSamePath(SafeFileHandle handle)
    {
        try
        {
            using var now = LinuxFolder.Open(Path);
            return PlatformFiles.Current.GetStatus(now, Path).IsSame(PlatformFiles.Current.GetStatus(handle, Path));
        }
        catch (IoBenchException)
        {
            return false;
        }
    }
}

/// <summary>Replacing a file failed after the replaced file had lost its name. The message names the files that hold the
/// contents.</summary>
public sealed class IncompleteReplacementException(string message) : IOException(message);
