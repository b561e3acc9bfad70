using System.Text;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Keeps marks: with the file itself where the file system can, else in a file <c>NAME.iobench</c> beside it.</summary>
internal static class MarkStore
{
    private const int MaxSidecarBytes = 65536;

    /// <summary>Where a mark stands that the file system cannot keep.</summary>
    public static string SidecarPath(string path) => path + ".iobench";

    /// <summary>The text of a file's mark; null when it has none.</summary>
    public static string? Read(SafeFileHandle handle, string path) => PlatformFiles.Current.ReadNativeMark(handle, path) ?? ReadSidecar(path);

    /// <summary>Stores a file's mark in place of an earlier one.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.ForeignFile</c>: a file that is no mark stands where the sidecar would.</exception>
    public static void Write(SafeFileHandle handle, string path, string text)
    {
        if (PlatformFiles.Current.WriteNativeMark(handle, path, text) == NativeMarkResult.Done)
            return;
        var sidecar = SidecarPath(path);
        if (PlatformFiles.Current.TryGetStatus(sidecar) is not null && ReadSidecar(path) is null)
            throw IoBenchException.Refused("IoBench.ForeignFile", $"{sidecar} exists and was not made by IoBench, which needs this name to mark its test file. Name another test file.", sidecar);
        // Written beside and moved into place: a mark is there whole or not at all.
        var fresh = $"{sidecar}.{Guid.NewGuid():N}";
        try
        {
            File.WriteAllText(fresh, text, new UTF8Encoding(false));
            File.Move(fresh, sidecar, overwrite: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, "write of", sidecar);
        }
    }

    /// <summary>Removes a file's sidecar, if it has one.</summary>
    public static void RemoveSidecar(string path)
    {
        if (ReadSidecar(path) is not null)
            PlatformFiles.Current.Delete(SidecarPath(path));
    }

    private static string? ReadSidecar(string path)
    {
        var sidecar = SidecarPath(path);
        if (PlatformFiles.Current.TryGetStatus(sidecar) is not { Kind: FileKind.Regular, Size: <= MaxSidecarBytes })
            return null;
        using var handle = PlatformFiles.Current.OpenToRead(sidecar);
        var bytes = new byte[MaxSidecarBytes];
        var length = 0;
        for (int read; (read = RandomAccess.Read(handle, bytes.AsSpan(length), length)) > 0;)
            length += read;
        var text = Encoding.UTF8.GetString(bytes, 0, length);
        return FileMark.LooksLike(text) ? text : null;
    }
}
