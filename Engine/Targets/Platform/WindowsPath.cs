using System.Text.RegularExpressions;

namespace IoBench.Engine.Targets.Platform;

/// <summary>The forms of Windows' paths, by their text alone: what is refused before anything is opened, and how long ones are written.</summary>
internal static partial class WindowsPath
{
    // CreateFile takes 260 characters with the terminator, a folder 248; the name of the mark's stream and of a file beside it come behind.
    private const int LongestPlain = 200;

    private const string Verbatim = @"\\?\",
        VerbatimShare = @"\\?\UNC\",
        DeviceSpace = @"\\.\",
        GlobalRoot = @"\\?\GLOBALROOT";

    /// <summary>A path into the device name space: <c>\\.\PhysicalDrive1</c>, <c>\\.\T:</c>.</summary>
    public static bool IsDevice(string path) => path.StartsWith(DeviceSpace, StringComparison.Ordinal);

    /// <summary>A disk or a volume: the only devices that are opened.</summary>
    public static bool IsDiskOrVolume(string path) => DiskOrVolume().IsMatch(path);

    /// <summary>A volume, whole or by its letter.</summary>
    public static bool IsVolume(string path) => IsDevice(path) && path.EndsWith(':');

    /// <summary>A path as native calls take it, however long it is.</summary>
    public static string ForCalls(string path) =>
        path.Length < LongestPlain || path.StartsWith(Verbatim, StringComparison.Ordinal) || IsDevice(path) ? path
        : path.StartsWith(@"\\", StringComparison.Ordinal) ? VerbatimShare + path[2..]
        : path.Length > 1 && path[1] == ':' ? Verbatim + path
        : path;

    /// <summary>A path without the prefix that <see cref="ForCalls"/> gives; that of a volume without a letter stays.</summary>
    public static string ForPeople(string path) =>
        path.StartsWith(VerbatimShare, StringComparison.OrdinalIgnoreCase) ? @"\\" + path[VerbatimShare.Length..]
        : path.StartsWith(Verbatim, StringComparison.Ordinal) && path.Length > 5 && path[5] == ':' ? path[Verbatim.Length..]
        : path;

    /// <summary>True when a path names a stream within a file (<c>data.mdf:x</c>, <c>\\?\T:\data.mdf::$DATA</c>): a colon behind the root.</summary>
    public static bool NamesStream(string path) => !IsDevice(path) && path.IndexOf(':', RootLength(path)) >= 0;

    /// <summary>
    /// Why a full path is not even looked at, to stand behind it: opening a pipe or a port is seen at its other end, and may let it act for whoever opened it. Null when it
    /// may be.
    /// </summary>
    public static string? WhyNot(string path)
    {
        if (IsDevice(path))
            return IsDiskOrVolume(path)
                ? null
                : @"is neither a file nor a disk. Name a file, a folder or a disk such as \\.\PhysicalDrive1";
        if (WholeVolume().Match(path) is { Success: true } volume)
            return $@"is a device written as a file. Write it \\.\{volume.Groups[1].Value}";
        if (path.StartsWith(GlobalRoot, StringComparison.OrdinalIgnoreCase))
            return "leads past Windows' names of volumes. Name a file by its drive, its volume or its share";
        if (PipeOrMailslot().IsMatch(path))
            return "is a pipe or a mailslot, and no storage. Name a file or a folder";
        return NamesStream(path) ? "names a stream within a file. Name a file or a folder" : null;
    }

    private static int RootLength(string path)
    {
        var start =
            path.StartsWith(VerbatimShare, StringComparison.OrdinalIgnoreCase) ? VerbatimShare.Length
            : path.StartsWith(Verbatim, StringComparison.Ordinal) ? Verbatim.Length
            : 0;
        return path.Length > start + 1 && path[start + 1] == ':' && char.IsAsciiLetter(path[start]) ? start + 2 : start;
    }

    [GeneratedRegex(@"^\\\\\.\\(PhysicalDrive\d+|[A-Za-z]:)$", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex DiskOrVolume();

    [GeneratedRegex(@"^\\\\\?\\(PhysicalDrive\d+|[A-Za-z]:)$", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex WholeVolume();

    [GeneratedRegex(
        @"^\\\\(\?\\UNC\\)?[^\\?]+\\(pipe|mailslot|ipc\$)(\\|$)|^\\\\\?\\(pipe|mailslot)\\",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    private static partial Regex PipeOrMailslot();
}
