using System.Text;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.Interop.Windows.WindowsCalls;

namespace IoBench.Engine.Targets.Platform;

/// <summary>Marks in a stream of the file.</summary>
internal sealed partial class WindowsFiles
{
    private const string StreamSuffix = ":iobench";
    private const int LongestMark = 65536;
    private const char Filler = '\n';

    /// <inheritdoc/>
    public override string? ReadNativeMark(SafeFileHandle handle, string path)
    {
        if (!StreamsWork(path) || OpenMark(handle, path, GENERIC_READ, OPEN_EXISTING, out var stream) != 0)
            return null;
        using (stream)
        {
            var buffer = new byte[LongestMark];
            return Encoding.UTF8.GetString(buffer, 0, calls.Read(stream, buffer, 0)).TrimEnd(Filler) + Filler;
        }
    }

    /// <inheritdoc/>
    public override NativeMarkResult WriteNativeMark(SafeFileHandle handle, string path, string text)
    {
        if (!StreamsWork(path))
            return NativeMarkResult.Unsupported;
        var modified = GetStatus(handle, path).Modified;
        Check(OpenMark(handle, path, ReadWrite, OPEN_ALWAYS, out var stream), "marking", path);
        using (stream)
        {
            // All ones: operations by this handle do not move the file's time of last write (SetFileTime's documentation).
            _ = calls.SetWriteTime(stream, -1);
            // In one write over the earlier mark, and not shorter than that: whenever the process is killed, one of the two is there whole.
            Check(calls.Information(stream, out var earlier), "marking", path);
            var whole = Encoding.UTF8.GetBytes(text.PadRight((int)Math.Min(LongestMark, Join(earlier.SizeHigh, earlier.SizeLow)), Filler));
            Do(() => calls.Write(stream, whole, 0), "marking", path);
        }
        // Making the stream came before that, and its handle may have moved the time when it was closed.
        Check(calls.Reopen(handle, FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES, ShareAll, 0, out var attributes), "marking", path);
        using (attributes)
        {
            if (GetStatus(attributes, path).Modified != modified)
                Check(calls.SetWriteTime(attributes, modified), "marking", path);
        }
        return NativeMarkResult.Done;
    }

    // By name, as streams are opened; the file must be the one of the handle.
    private int OpenMark(SafeFileHandle handle, string path, uint access, uint disposition, out SafeFileHandle stream)
    {
        if (TryGetStatus(path) is not { } named || named.Identity != GetStatus(handle, path).Identity)
            throw FileErrors.Replaced(path);
        return calls.Open(
            WindowsPath.ForCalls(path) + StreamSuffix,
            access,
            ShareAll,
            disposition,
            SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION,
            out stream
        );
    }

    // The flag alone is not enough: Wine sets it and then makes ordinary files with a colon in their names. Only where the
    // unnamed stream of the file itself can be listed are streams real.
    private bool StreamsWork(string path) =>
        Volume(path) is { } volume && (volume.Flags & FILE_NAMED_STREAMS) != 0 && calls.HasStreams(WindowsPath.ForCalls(path));
}
