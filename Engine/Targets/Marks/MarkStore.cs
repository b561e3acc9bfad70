using System.Text;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static class OwnershipMarker
{
    private const int MaxSidecarBytes = 65536;

    public static string GetSidecarPath(string path) => path + ".iobench";

    public static string? ReadText(SafeFileHandle handle, string path) =>
        PlatformFiles.Current.ReadNativeMarker(handle, path) ?? ReadSidecar(GetSidecarPath(path))?.Text;

    /// <summary>
    /// Replaces the file's marker. It is stored with the file itself if the file system supports it; otherwise, in a sidecar file
    /// <c>NAME.iobench</c>.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.ForeignFile</c>: another file has the name of the sidecar;
    /// <c>IoBench.PathTooLong</c>.</exception>
    public static void WriteText(SafeFileHandle handle, string path, string text)
    {
        if (PlatformFiles.Current.WriteNativeMarker(handle, path, text) == NativeMarkerResult.Done)
            return;
        var sidecar = GetSidecarPath(path);
        // Write to a new file and move it into place, so that the marker is always complete.
        var fresh = $"{sidecar}.{Guid.NewGuid():N}";
        if (IsNameTooLong(fresh))
            throw IoBenchException.Usage(
                "IoBench.PathTooLong",
                $"{path}: this file system keeps no attributes, and for a mark in a file beside it the name is too long.",
                path,
                advice: $"Choose a name of at most {255 - fresh.Length + path.Length} bytes."
            );
        if (PlatformFiles.Current.TryGetStatus(sidecar) is not null && ReadSidecar(sidecar) is null)
            throw IoBenchException.Refused(
                ErrorIds.ForeignFile,
                $"{sidecar} exists and was not made by IoBench, which needs this name to mark its test file.",
                sidecar,
                advice: "Name another test file."
            );
        try
        {
            WriteNewSidecar(fresh, text);
            RetryingMove.MoveFile(fresh, sidecar, overwrite: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            RemoveNewSidecar(fresh);
            throw FileErrors.FromException(e, "write of", sidecar);
        }
        RemoveLeftovers(handle, path);
    }

    /// <summary>Removes the sidecar if it is the marker of this file.</summary>
    /// <param name="file">Status of the file, which may be gone.</param>
    public static void RemoveSidecar(string path, FileStatus file)
    {
        var sidecar = GetSidecarPath(path);
        if (ReadSidecar(sidecar) is { } found && OwnershipMarker.Parse(found.Text)?.Identity == file.Identity)
            PlatformFiles.Current.DeleteIfSame(sidecar, found.Status);
    }

    /// <summary>
    /// Removes sidecars that killed or failed runs left: files with the sidecar's name, 32 more digits, and the start of a marker of this
    /// file.
    /// </summary>
    private static void RemoveLeftovers(SafeFileHandle handle, string path)
    {
        var sidecar = GetSidecarPath(path);
        var identity = $"\nidentity={PlatformFiles.Current.GetStatus(handle, path).Identity}\n";
        try
        {
            foreach (var file in Directory.EnumerateFiles(Path.GetDirectoryName(sidecar)!, Path.GetFileName(sidecar) + ".*"))
            {
                if (
                    file.Length != sidecar.Length + 33
                    || !Guid.TryParseExact(file[^32..], "N", out _)
                    || ReadSidecar(file) is not { } found
                    || !found.Text.Contains(identity, StringComparison.Ordinal)
                )
                    continue;
                using var leftover = PlatformFiles.Current.OpenToRead(file);
                if (PlatformFiles.Current.TryLockToRemove(leftover))
                    PlatformFiles.Current.DeleteIfSame(file, found.Status);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or IoBenchException)
        {
            // The marker itself is in place. The next run retries the leftovers.
        }
    }

    // Locked while it is written, so that no other run removes it as a leftover.
    private static void WriteNewSidecar(string fresh, string text)
    {
        using var file = new FileStream(fresh, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        PlatformFiles.Current.TryLockForUse(file.SafeFileHandle);
        file.Write(Encoding.UTF8.GetBytes(text));
        file.Flush(flushToDisk: true);
    }

    private static void RemoveNewSidecar(string fresh)
    {
        try
        {
            File.Delete(fresh);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The error that led here already reports the failing disk. The next run removes the file.
        }
    }

    private static (string Text, FileStatus Status)? ReadSidecar(string sidecar)
    {
        if (
            IsNameTooLong(sidecar)
            || PlatformFiles.Current.TryGetStatus(sidecar) is not { Kind: FileKind.Regular, Size: <= MaxSidecarBytes }
        )
            return null;
        using var handle = PlatformFiles.Current.OpenToRead(sidecar);
        var status = PlatformFiles.Current.GetStatus(handle, sidecar);
        if (status.Kind != FileKind.Regular)
            return null;
        var bytes = new byte[MaxSidecarBytes];
        var length = 0;
        try
        {
            for (int read; (read = PlatformFiles.Current.Read(handle, bytes.AsSpan(length), length)) > 0; )
                length += read;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, "read of", sidecar);
        }
        var text = Encoding.UTF8.GetString(bytes, 0, length);
        return OwnershipMarker.HasMarkerStart(text) ? (text, status) : null;
    }

    // No file system allows longer names; shorter limits cause an error when the file is created.
    private static bool IsNameTooLong(string path)
    {
        const int longest = 255;
        var name = Path.GetFileName(path);
        return (OperatingSystem.IsWindows() ? name.Length : Encoding.UTF8.GetByteCount(name)) > longest;
    }
}
