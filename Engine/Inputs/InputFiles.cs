using System.IO.Enumeration;

namespace IoBench.Engine;

/// <summary>
/// Opens input files and lists input folders. Refuses pipes, sockets, and devices before opening them, because opening a pipe waits for its
/// other end, and opening a device can have side effects.
/// </summary>
public static partial class InputFiles
{
    /// <summary>Opens a file for reading, even if another program is still writing to it.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.NotAFile</c>, or <c>IoBench.CannotRead</c>.</exception>
    public static FileStream Open(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        try
        {
            return OperatingSystem.IsWindows() ? OpenWindows(path) : OpenLinux(path);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw IoBenchException.NotFound("IoBench.FileNotFound", $"{path} does not exist. Check the name and the folder.", path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw Directory.Exists(path) ? CreateFolderError(path) : CreateReadError(path, e);
        }
    }

    /// <exception cref="IoBenchException">As <see cref="Open"/>.</exception>
    public static string ReadAllText(string path)
    {
        using var stream = Open(path);
        try
        {
            using var reader = new StreamReader(stream);
            return reader.ReadToEnd();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw CreateReadError(path, e);
        }
    }

    /// <exception cref="IoBenchException">As <see cref="Open"/>.</exception>
    public static IEnumerable<string> ReadLines(string path)
    {
        using var reader = new StreamReader(Open(path));
        while (Next() is { } line)
            yield return line;

        string? Next()
        {
            try
            {
                return reader.ReadLine();
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw CreateReadError(path, e);
            }
        }
    }

    public static IoBenchException CreateReadError(string path, Exception error)
    {
        ArgumentNullException.ThrowIfNull(error);
        return IoBenchException.Failure(
            "IoBench.CannotRead",
            $"{path} cannot be read: {error.Message.ReplaceLineEndings(" ").Trim()}",
            path,
            error
        );
    }

    internal static IoBenchException CreateFolderError(string path) =>
        IoBenchException.Usage(ErrorIds.NotAFile, $"{path} is a folder. Specify a file in the folder, or import the whole folder.", path);

    internal static IoBenchException CreateNotAFileError(string path, string what) =>
        IoBenchException.Usage(
            ErrorIds.NotAFile,
            $"{path} is {what}, not a file. Save the output to a file first, and specify that file.",
            path
        );

    private static FileStream OpenWindows(string path)
    {
        // Pipes and devices have their own names: \\.\pipe\x, and CON or NUL in any folder.
        if (Path.GetFullPath(path).StartsWith(@"\\.\", StringComparison.Ordinal))
            throw CreateNotAFileError(path, "a pipe or a device");
        var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);
        if (stream.CanSeek)
            return stream;
        stream.Dispose();
        throw CreateNotAFileError(path, "a pipe or a device");
    }

    // A share can present a link as the folder that it leads to, even its own parent. Such a path is endless.
    private const int MaxDepth = 64;

    /// <summary>
    /// Returns the files of a folder, sorted by path. Links, pipes, sockets, and devices are omitted. A file with several names is returned
    /// once. The folder itself can be a link.
    /// </summary>
    /// <param name="note">Receives one line about omitted entries; null = not reported.</param>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.CannotRead</c>.</exception>
    public static IReadOnlyList<string> GetFiles(string folder, bool recurse, Action<string>? note = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        if (!Directory.Exists(folder))
            throw IoBenchException.NotFound("IoBench.FileNotFound", $"{folder} does not exist. Check the name of the folder.", folder);
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
        var special = 0;
        var duplicates = 0;
        foreach (var path in found)
        {
            var status = TryGetStatus(path);
            if (status is { Kind: FileKind.BlockDevice or FileKind.Other })
                special++;
            else if (status is { LinkCount: > 1, Identity: var identity } && !seen.Add(identity))
                duplicates++;
            else
                files.Add(path);
        }
        string?[] parts =
        [
            links == 0 ? null : $"{NumberFormat.Pluralize(links, "link")} (to read them, specify their targets)",
            tooDeep == 0 ? null : $"files more than {MaxDepth} folders deep",
            special switch
            {
                0 => null,
                1 => "1 pipe, socket, or device",
                _ => $"{special} pipes, sockets, or devices",
            },
            duplicates == 0 ? null : $"{NumberFormat.Pluralize(duplicates, "hard link")} to files that IoBench already reads",
        ];
        var text = string.Join(", ", parts.Where(part => part is not null));
        if (text.Length > 0)
            note?.Invoke($"{folder}: IoBench skipped {text}.");
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

    /// <summary>Cloud files are reparse points too, but not links.</summary>
    private static bool IsLink(ref FileSystemEntry entry) =>
        (entry.Attributes & FileAttributes.ReparsePoint) != 0 && entry.ToFileSystemInfo().LinkTarget is not null;
}
