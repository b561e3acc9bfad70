namespace IoBench.Engine;

/// <param name="Names">Full path as given, each name that links led to, and the file's own name if it was mounted over another.</param>
/// <param name="Status">Status of the file or device; null if it does not exist.</param>
public readonly record struct TargetPath(string Path, IReadOnlyList<string> Names, FileStatus? Status)
{
    // The same limit as the kernel's.
    private const int MaxLinks = 40;

    /// <summary>A folder becomes the test file in it, and links are followed.</summary>
    public static TargetPath Resolve(string path)
    {
        if (string.IsNullOrWhiteSpace(path) || path.Contains('\0', StringComparison.Ordinal))
            throw IoBenchException.Usage(
                "IoBench.InvalidPath",
                "The path of the test file is empty or invalid.",
                path,
                advice: "Specify a file or a folder."
            );
        CheckCharacters(path);
        var full = GetFullPath(path);
        var found = PlatformFiles.Current.TryGetStatus(full);
        if (found is null && System.IO.Path.EndsInDirectorySeparator(full))
            throw FileErrors.DirectoryNotFound(full);
        // A link to a folder is treated like the folder.
        if (found is { Kind: FileKind.Directory } || (found is { Kind: FileKind.Link } && Directory.Exists(full)))
        {
            full = System.IO.Path.Combine(full, IoTargetSpecification.DefaultFileName);
            found = PlatformFiles.Current.TryGetStatus(full);
        }
        var given = full;
        var names = new List<string> { full };
        // Follow one link at a time, because each name is checked.
        while (found is { Kind: FileKind.Link })
        {
            if (names.Count > MaxLinks || PlatformFiles.Current.FollowLink(full) is not { } next)
                throw IoBenchException.Refused(
                    "IoBench.BadLink",
                    $"{given} is a link without a target.",
                    given,
                    advice: "Specify the file itself."
                );
            full = next;
            names.Add(full);
            CheckCharacters(full);
            found = PlatformFiles.Current.TryGetStatus(full);
            if (found is null)
                throw IoBenchException.Refused(
                    "IoBench.BadLink",
                    $"{given} is a link to {full}, which does not exist.",
                    given,
                    advice: "Specify the file itself."
                );
        }
        PlatformFiles.Current.CheckFolderLinks(full);
        if (found is { Kind: FileKind.Directory })
            throw IoBenchException.Refused(
                ErrorIds.NotAFile,
                $"{full} is a folder, but IoBench needs this name for the test file.",
                full,
                advice: "Specify a file in another folder."
            );
        if (found is null && System.IO.Path.GetDirectoryName(full) is { } folder && !Directory.Exists(folder))
            throw FileErrors.DirectoryNotFound(full);
        if (found is { Kind: FileKind.Regular } && PlatformFiles.Current.GetNameBelowMount(full) is { } mounted)
            names.Add(mounted);
        return new TargetPath(full, names, found);
    }

    private static string GetFullPath(string path)
    {
        try
        {
            var full = System.IO.Path.GetFullPath(path);
            if (PlatformFiles.Current is WindowsFiles && WindowsPath.GetRefusalReason(full) is { } why)
                throw WindowsPath.IsDevice(full)
                    ? IoBenchException.Refused(ErrorIds.NotAFile, $"{full} {why}.", path)
                    : IoBenchException.Usage("IoBench.InvalidPath", $"{full} {why}.", path);
            return full;
        }
        catch (PathTooLongException)
        {
            throw FileErrors.PathTooLong(path);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            throw IoBenchException.Usage("IoBench.InvalidPath", $"{path} is not a path: {e.Message}", path);
        }
    }

    // Names that are not UTF-8 get this character in .NET, and the path would lead to another file.
    private static void CheckCharacters(string path)
    {
        if (path.Contains('\uFFFD', StringComparison.Ordinal))
            throw IoBenchException.Usage(
                "IoBench.InvalidPath",
                $"{path}: the name is not valid UTF-8, so IoBench cannot distinguish it from other names.",
                path,
                advice: "Rename the file, or specify another file."
            );
    }
}
