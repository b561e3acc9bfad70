using System.Text;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Targets.Marks;

/// <summary>Keeps marks: with the file itself where the file system can, else in a file <c>NAME.iobench</c> beside it.</summary>
internal static class MarkStore
{
    private const int MaxSidecarBytes = 65536;

    /// <summary>Where a mark stands that the file system cannot keep.</summary>
    public static string SidecarPath(string path) => path + ".iobench";

    /// <summary>The text of a file's mark; null when it has none.</summary>
    public static string? Read(SafeFileHandle handle, string path) =>
        PlatformFiles.Current.ReadNativeMark(handle, path) ?? ReadSidecar(SidecarPath(path))?.Text;

    /// <summary>Stores a file's mark in place of an earlier one.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.ForeignFile</c>: a file that is no mark stands where the sidecar would; <c>IoBench.PathTooLong</c>.</exception>
    public static void Write(SafeFileHandle handle, string path, string text)
    {
        if (PlatformFiles.Current.WriteNativeMark(handle, path, text) == NativeMarkResult.Done)
            return;
        var sidecar = SidecarPath(path);
        // Written beside and moved into place: a mark is there whole or not at all.
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
            WriteFresh(fresh, text);
            PatientMove.Move(fresh, sidecar, overwrite: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            RemoveFresh(fresh);
            throw FileErrors.FromException(e, "write of", sidecar);
        }
        RemoveLeftovers(handle, path);
    }

    /// <summary>Removes a file's sidecar, if it has one: only a mark of this very file.</summary>
    /// <param name="path">The file's path.</param>
    /// <param name="file">The file, which may be gone.</param>
    public static void RemoveSidecar(string path, FileStatus file)
    {
        var sidecar = SidecarPath(path);
        if (ReadSidecar(sidecar) is { } found && FileMark.Parse(found.Text)?.Identity == file.Identity)
            PlatformFiles.Current.DeleteIfSame(sidecar, found.Status);
    }

    /// <summary>Removes what killed or failed runs left of a mark's writing: files with its name and 32 more digits that begin as a mark of this very file.</summary>
    private static void RemoveLeftovers(SafeFileHandle handle, string path)
    {
        var sidecar = SidecarPath(path);
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
            // The mark itself is in place; what cannot be looked at or removed now the next run will.
        }
    }

    // Locked while it is written, so that no other run takes it for a leftover.
    private static void WriteFresh(string fresh, string text)
    {
        using var file = new FileStream(fresh, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        PlatformFiles.Current.TryUse(file.SafeFileHandle);
        file.Write(Encoding.UTF8.GetBytes(text));
        file.Flush(flushToDisk: true);
    }

    private static void RemoveFresh(string fresh)
    {
        try
        {
            File.Delete(fresh);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The disk fails: the error that brought us here says so. The next run removes it.
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
        return FileMark.LooksLike(text) ? (text, status) : null;
    }

    // No file system has longer names; the shorter limits of some show when the file is made.
    private static bool IsNameTooLong(string path)
    {
        const int longest = 255;
        var name = Path.GetFileName(path);
        return (OperatingSystem.IsWindows() ? name.Length : Encoding.UTF8.GetByteCount(name)) > longest;
    }
}
