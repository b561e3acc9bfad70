using System.Text;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

internal sealed partial class WindowsFiles
{
    private const string StreamSuffix = ":iobench";
    private const int LongestMark = 65536;
    private const char Filler = '\n';

    internal override string? ReadNativeMarker(SafeFileHandle handle, string path)
    {
        if (!SupportsStreams(path) || OpenMarkerStream(handle, path, GENERIC_READ, OPEN_EXISTING, out var stream) != 0)
            return null;
        using (stream)
        {
            var buffer = new byte[LongestMark];
            return Encoding.UTF8.GetString(buffer, 0, calls.Read(stream, buffer, 0)).TrimEnd(Filler) + Filler;
        }
    }

    internal override bool TryWriteNativeMarker(SafeFileHandle handle, string path, string text)
    {
        if (!SupportsStreams(path))
            return false;
        var modified = GetStatus(handle, path).Modified;
        ThrowOnError(OpenMarkerStream(handle, path, ReadWrite, OPEN_ALWAYS, out var stream), "writing the ownership marker of", path);
        using (stream)
        {
            // All ones: operations through this handle do not change the file's time of last write (documentation of SetFileTime).
            _ = calls.SetWriteTime(stream, -1);
            // One write that is not shorter than the earlier marker, so that one of the two is complete if the process is killed.
            ThrowOnError(calls.GetInformation(stream, out var earlier), "writing the ownership marker of", path);
            var whole = Encoding.UTF8.GetBytes(
                text.PadRight((int)Math.Min(LongestMark, CombineToInt64(earlier.SizeHigh, earlier.SizeLow)), Filler)
            );
            RunOrThrow(() => calls.Write(stream, whole, 0), "writing the ownership marker of", path);
        }
        // The stream was created before the call above, and closing its handle can have changed the time.
        ThrowOnError(
            calls.Reopen(handle, FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES, ShareAll, 0, out var attributes),
            "writing the ownership marker of",
            path
        );
        using (attributes)
        {
            if (GetStatus(attributes, path).Modified != modified)
                ThrowOnError(calls.SetWriteTime(attributes, modified), "writing the ownership marker of", path);
        }
        return true;
    }

    // Streams are opened by name, so check that the name leads to the file of the handle.
    private int OpenMarkerStream(SafeFileHandle handle, string path, uint access, uint disposition, out SafeFileHandle stream)
    {
        if (TryGetStatus(path) is not { } named || named.Identity != GetStatus(handle, path).Identity)
            throw FileErrors.TargetReplaced(path);
        return calls.Open(
            WindowsPath.ToNativePath(path) + StreamSuffix,
            access,
            ShareAll,
            disposition,
            SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION,
            out stream
        );
    }

    // Wine sets the flag and creates files with a colon instead. Streams work only if the unnamed stream can be listed.
    private bool SupportsStreams(string path) =>
        FindVolume(path) is { } volume && (volume.Flags & FILE_NAMED_STREAMS) != 0 && calls.HasStreams(WindowsPath.ToNativePath(path));
}
