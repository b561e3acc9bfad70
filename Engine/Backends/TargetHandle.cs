using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Backends;

/// <summary>
/// A target as one worker has opened it. Every worker opens its own, so that threads do not share a file's lock or reference count.
/// </summary>
internal sealed class TargetHandle : IDisposable
{
    private readonly Action _closed;

    /// <summary>A handle that was opened by <see cref="OpenTarget.Open"/>.</summary>
    /// <param name="file">The open file.</param>
    /// <param name="path">Where it is, for messages.</param>
    /// <param name="closed">Called when the handle is closed: no I/O is in flight on it then.</param>
    public TargetHandle(SafeFileHandle file, string path, Action closed)
    {
        File = file;
        Path = path;
        Raw = file.DangerousGetHandle();
        _closed = closed;
    }

    /// <summary>The open file.</summary>
    public SafeFileHandle File { get; }

    /// <summary>Descriptor (Linux) or handle (Windows); valid until <see cref="Dispose"/>.</summary>
    public nint Raw { get; }

    /// <summary>Where it is, for messages.</summary>
    public string Path { get; }

    /// <summary>Opens the target once more, in the same way: a synchronous handle of Windows does one I/O at a time.</summary>
    public Func<TargetHandle>? Another { get; init; }

    /// <summary>Of a namespace to which commands are passed: what they need; null for all else.</summary>
    public NvmeTarget? Nvme { get; init; }

    /// <inheritdoc/>
    public void Dispose()
    {
        File.Dispose();
        _closed();
    }
}
