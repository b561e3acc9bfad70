using System.Text.RegularExpressions;

namespace IoBench.Engine;

internal static partial class WindowsPath
{
    // CreateFile accepts 260 characters with the terminator, a folder 248; the names of the marker's stream and sidecar are appended.
    private const int LongestPlain = 200;

    private const string Verbatim = @"\\?\",
        VerbatimShare = @"\\?\UNC\",
        DeviceSpace = @"\\.\",
        GlobalRoot = @"\\?\GLOBALROOT";

    public static bool IsDevice(string path) => path.StartsWith(DeviceSpace, StringComparison.Ordinal);

    public static bool IsDiskOrVolume(string path) => GetDiskOrVolumeRegex().IsMatch(path);

    public static bool IsVolume(string path) => IsDevice(path) && path.EndsWith(':');

    public static string ToNativePath(string path)
    {
        if (path.Length < LongestPlain || path.StartsWith(Verbatim, StringComparison.Ordinal) || IsDevice(path))
            return path;
        if (path.StartsWith(@"\\", StringComparison.Ordinal))
            return VerbatimShare + path[2..];
        return path.Length > 1 && path[1] == ':' ? Verbatim + path : path;
    }

    /// <summary>Removes the prefix that <see cref="ToNativePath"/> adds; keeps that of a volume without a drive letter.</summary>
    public static string ToDisplayPath(string path)
    {
        if (path.StartsWith(VerbatimShare, StringComparison.OrdinalIgnoreCase))
            return @"\\" + path[VerbatimShare.Length..];
        var hasDrive = path.StartsWith(Verbatim, StringComparison.Ordinal) && path.Length > 5 && path[5] == ':';
        return hasDrive ? path[Verbatim.Length..] : path;
    }

    /// <summary>A colon after the root: <c>data.mdf:x</c>, <c>\\?\T:\data.mdf::$DATA</c>.</summary>
    public static bool HasStreamName(string path) => !IsDevice(path) && path.IndexOf(':', GetRootLength(path)) >= 0;

    /// <summary>The other end of a pipe or port sees an open, and can be allowed to impersonate the opener.</summary>
    /// <returns>Text to append to the path; null if it can be opened.</returns>
    public static string? GetRefusalReason(string path)
    {
        if (IsDevice(path))
            return IsDiskOrVolume(path)
                ? null
                : @"is neither a file nor a disk. Specify a file, a folder, or a disk such as \\.\PhysicalDrive1";
        if (GetWholeVolumeRegex().Match(path) is { Success: true } volume)
            return $@"is a device, but the prefix \\?\ is for files. Specify \\.\{volume.Groups[1].Value}";
        if (path.StartsWith(GlobalRoot, StringComparison.OrdinalIgnoreCase))
            return "is not a path on a volume. Specify a file by its drive, volume, or share";
        if (GetPipeOrMailslotRegex().IsMatch(path))
            return "is a pipe or a mailslot, not storage. Specify a file or a folder";
        return HasStreamName(path) ? "is a stream within a file. Specify a file or a folder" : null;
    }

    private static int GetRootLength(string path)
    {
        var start = 0;
        if (path.StartsWith(VerbatimShare, StringComparison.OrdinalIgnoreCase))
            start = VerbatimShare.Length;
        else if (path.StartsWith(Verbatim, StringComparison.Ordinal))
            start = Verbatim.Length;
        return path.Length > start + 1 && path[start + 1] == ':' && char.IsAsciiLetter(path[start]) ? start + 2 : start;
    }

    [GeneratedRegex(@"^\\\\\.\\(PhysicalDrive\d+|[A-Za-z]:)$", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex GetDiskOrVolumeRegex();

    [GeneratedRegex(@"^\\\\\?\\(PhysicalDrive\d+|[A-Za-z]:)$", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex GetWholeVolumeRegex();

    [GeneratedRegex(
        @"^\\\\(\?\\UNC\\)?[^\\?]+\\(pipe|mailslot|ipc\$)(\\|$)|^\\\\\?\\(pipe|mailslot)\\",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    private static partial Regex GetPipeOrMailslotRegex();
}
