using System.IO.Enumeration;

namespace IoBench.Engine;

/// <summary>Files of a folder that can be read: each file once, without links to other places.</summary>
public static class InputFiles
{
    // A share can present a link as the folder that it leads to, even its own parent. Such a path is endless.
    private const int MaxDepth = 64;

    /// <summary>
    /// Returns the files of a folder, sorted by path. Links, pipes, sockets, and devices are omitted. A file with several names is returned
    /// once.
    /// </summary>
    /// <param name="folder">The folder; it can be a link.</param>
    /// <param name="recurse">Whether to include subfolders.</param>
    /// <param name="note">Receives one line about omitted entries; null = not reported.</param>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.CannotRead</c>.</exception>
    public static IReadOnlyList<string> GetFiles(string folder, bool recurse, Action<string>? note = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        if (!Directory.Exists(folder))
            throw IoBenchException.NotFound("IoBench.FileNotFound", $"{folder} does not exist: check the name of the folder.", folder);
        var found = new List<string>();
        var links = 0;
        var tooDeep = 0;
        try
        {
            var options = new EnumerationOptions
            {
                RecurseSubdirectories = recurse,
                IgnoreInaccessible = true,
                AttributesToSkip = 0,
            };
            var entries = new FileSystemEnumerable<(string Path, bool IsLink)>(
                folder,
                (ref FileSystemEntry entry) => (entry.ToSpecifiedFullPath(), IsLink(ref entry)),
                options
            )
            {
                ShouldRecursePredicate = (ref FileSystemEntry entry) =>
                {
                    var isTooDeep = GetDepth(entry.Directory[entry.RootDirectory.Length..]) >= MaxDepth;
                    tooDeep += isTooDeep ? 1 : 0;
                    return !isTooDeep && !IsLink(ref entry);
                },
                ShouldIncludePredicate = (ref FileSystemEntry entry) => !entry.IsDirectory || (recurse && IsLink(ref entry)),
            };
            foreach (var (path, isLink) in entries)
            {
                links += isLink ? 1 : 0;
                if (!isLink)
                    found.Add(path);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw InputFiles.CreateReadError(folder, e);
        }
        found.Sort(StringComparer.OrdinalIgnoreCase);
        return ExcludeSpecialFiles(folder, found, links, tooDeep, note);
    }

    private static int GetDepth(ReadOnlySpan<char> below) => below.Count(Path.DirectorySeparatorChar);

    private static List<string> ExcludeSpecialFiles(string folder, List<string> found, int links, int tooDeep, Action<string>? note)
    {
        var files = new List<string>(found.Count);
        var seen = new HashSet<string>(StringComparer.Ordinal);
        var (others, again) = (0, 0);
        foreach (var path in found)
        {
            var status = TryGetStatus(path);
            if (status is { Kind: FileKind.BlockDevice or FileKind.Other })
                others++;
            else if (status is { LinkCount: > 1, Identity: var identity } && !seen.Add(identity))
                again++;
            else
                files.Add(path);
        }
        string?[] parts =
        [
            links == 0 ? null : $"{NumberFormat.Pluralize(links, "link")} (name what they lead to, to read it)",
            tooDeep == 0 ? null : $"what lies more than {MaxDepth} folders deep",
            others == 0 ? null
            : others == 1 ? "1 pipe, socket or device"
            : $"{others} pipes, sockets or devices",
            again == 0 ? null : $"{NumberFormat.Pluralize(again, "further name")} of files that are read",
        ];
        var text = string.Join(", ", parts.Where(part => part is not null));
        if (text.Length > 0)
            note?.Invoke($"{folder}: left out: {text}.");
        return files;
    }

    private static FileStatus? TryGetStatus(string path)
    {
        try
        {
            return PlatformFiles.Current.TryGetStatus(Path.GetFullPath(path));
        }
        catch (IoBenchException)
        {
            // Reading the file later reports the reason.
            return null;
        }
    }

    /// <summary>Returns true for symbolic links and junctions. Cloud files are reparse points too, but not links.</summary>
    private static bool IsLink(ref FileSystemEntry entry) =>
        (entry.Attributes & FileAttributes.ReparsePoint) != 0 && entry.ToFileSystemInfo().LinkTarget is not null;
}
