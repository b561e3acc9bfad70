using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>A worker's own handle of a target, so that threads do not share a file's lock or reference count.</summary>
internal sealed class TargetHandle : IDisposable
{
    private readonly Action _closed;

    /// <param name="closed">Called when the handle is closed. No I/O is outstanding on it then.</param>
    public TargetHandle(SafeFileHandle file, string path, Action closed)
    {
        File = file;
        Path = path;
        RawHandle = file.DangerousGetHandle();
        _closed = closed;
    }

    public SafeFileHandle File { get; }

    /// <summary>Descriptor (Linux) or handle (Windows); valid until <see cref="Dispose"/>.</summary>
    public nint RawHandle { get; }

    public string Path { get; }

    /// <summary>Opens the target again with the same flags, because a synchronous handle of Windows does one I/O at a time.</summary>
    public Func<TargetHandle>? Reopen { get; init; }

    public void Dispose()
    {
        File.Dispose();
        _closed();
    }
}
