using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>
/// A target as one worker has opened it. Every worker opens its own, so that threads do not share a file's lock or reference count.
/// </summary>
internal sealed class TargetHandle : IDisposable
{
    private readonly Action _closed;

    /// <summary>A handle that was opened by <see cref="OpenTarget.Open"/>.</summary>
    /// <param name="file">The open file.</param>
    /// <param name="path">Where it is, for messages.</param>
    /// <param name="closed">Receives when the handle is closed: no I/O is in flight on it then.</param>
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

    /// <inheritdoc/>
    public void Dispose()
    {
        File.Dispose();
        _closed();
    }
}

/// <summary>Opens targets, a file each operating system.</summary>
internal static partial class TargetOpener
{
    private const FileOptions NoBuffering = (FileOptions)0x20000000;

    /// <summary>By .NET: Windows, where it reaches every flag that matters, and systems we know no better way for.</summary>
    public static SafeFileHandle OpenPortable(string path, bool write, IoPattern pattern, IoBackendKind backend)
    {
        var options = FileOptions.Asynchronous;
        if (OperatingSystem.IsWindows() && pattern.Buffering is IoBuffering.None or IoBuffering.Hardware)
            options |= NoBuffering;
        if (pattern.Buffering is IoBuffering.None or IoBuffering.Software)
            options |= FileOptions.WriteThrough;
        if (pattern.SequentialScanHint)
            options |= FileOptions.SequentialScan;
        if (pattern.RandomAccessHint)
            options |= FileOptions.RandomAccess;
        try
        {
            return System.IO.File.OpenHandle(path, FileMode.Open, write ? FileAccess.ReadWrite : FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, options);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.Failure("IoBench.CannotOpen", $"{path} cannot be opened for {(write ? "writing" : "reading")} ({backend}): {e.Message}", path, e);
        }
    }
}
