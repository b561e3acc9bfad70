using IoBench.Engine;

namespace IoBench.Formats;

internal static class BatchFileLookup
{
    private const int MaxFiles = 10_000;

    private const int LongestFile = 1024 * 1024;

    internal static bool Exists(string? folder, string path)
    {
        if (GetFullPath(folder, path) is not { } full)
            return false;
        return path.AsSpan().ContainsAny('*', '?')
            ? FindMatches(folder, path) is { Count: > 0 }
            : File.Exists(full) || Directory.Exists(full);
    }

    /// <summary>Returns the sorted names that match a pattern, with the folder as written; null if the folder cannot be read.</summary>
    internal static List<string>? FindMatches(string? folder, string pattern)
    {
        var slash = pattern.LastIndexOfAny(['\\', '/']);
        var place = pattern[..(slash + 1)];
        if (GetFullPath(folder, place.Length == 0 ? "." : place) is not { } full || !Directory.Exists(full))
            return null;
        try
        {
            var options = new EnumerationOptions
            {
                MatchType = MatchType.Win32,
                MatchCasing = MatchCasing.CaseInsensitive,
                IgnoreInaccessible = true,
            };
            return
            [
                .. Directory
                    .EnumerateFiles(full, pattern[(slash + 1)..], options)
                    .Take(MaxFiles)
                    .Select(f => place + Path.GetFileName(f))
                    .Order(StringComparer.OrdinalIgnoreCase),
            ];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    /// <summary>Returns the lines of a file; null if it cannot be read or is too long.</summary>
    internal static List<string>? ReadLines(string? folder, string path)
    {
        if (GetFullPath(folder, path) is not { } full || !File.Exists(full))
            return null;
        try
        {
            using var stream = TextInput.OpenFile(full);
            if (stream.Length > LongestFile)
                return null;
            using var reader = TextInput.OpenText(stream);
            return [.. reader.ReadToEnd().ReplaceLineEndings("\n").Split('\n').Select(BatchPlaceholder.ReplaceMarkers)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or IoBenchException)
        {
            // The caller reports the loop and its line.
            return null;
        }
    }

    internal static string? FindFile(string? folder, string path) =>
        GetFullPath(folder, path) is { } full && File.Exists(full) ? full : null;

    private static string? GetFullPath(string? folder, string path)
    {
        try
        {
            if (!OperatingSystem.IsWindows())
                path = path.Replace('\\', '/');
            return path.Contains('\0', StringComparison.Ordinal)
                ? null
                : Path.GetFullPath(Path.Combine(folder ?? Environment.CurrentDirectory, path));
        }
        catch (Exception e) when (e is ArgumentException or PathTooLongException or NotSupportedException)
        {
            return null;
        }
    }
}
