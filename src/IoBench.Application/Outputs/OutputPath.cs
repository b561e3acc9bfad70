using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Full">Full path, which is not a link.</param>
internal readonly record struct OutputPath(string Full, bool Exists)
{
    /// <summary>Same limit as the Linux kernel's.</summary>
    private const int MaxLinks = 40;

    /// <summary>Resolves a name and refuses names that no option can allow.</summary>
    public static OutputPath Resolve(string path)
    {
        if (string.IsNullOrWhiteSpace(path) || path.Contains('\0', StringComparison.Ordinal))
            throw IoBenchException.Usage(
                "IoBench.InvalidOutputPath",
                "The output name is empty, or is not a valid file name.",
                path,
                advice: "Specify a file."
            );
        CheckNotStream(path);
        var full = Path.GetFullPath(path);
        if (OperatingSystem.IsWindows() && full.StartsWith(@"\\.\", StringComparison.Ordinal))
            throw CreateNotAFileError(path, "a device");
        CheckFileName(path, full);
        var status = CallSystem(path, () => PlatformFiles.Current.TryGetStatus(full));
        for (var links = 0; status is { Kind: FileKind.Link }; links++)
        {
            if (links == MaxLinks || CallSystem(path, () => PlatformFiles.Current.FollowLink(full)) is not { } target)
                throw IoBenchException.Refused(
                    "IoBench.BadLink",
                    $"{path} is a link that refers to itself.",
                    path,
                    advice: "Specify a file."
                );
            full = target;
            CheckFileName(path, full);
            status =
                CallSystem(path, () => PlatformFiles.Current.TryGetStatus(full))
                ?? throw IoBenchException.Refused(
                    "IoBench.BadLink",
                    $"{path} is a link to {full}, which does not exist.",
                    path,
                    advice: "Specify the file itself."
                );
        }
        if (status is { Kind: FileKind.Directory } || Path.EndsInDirectorySeparator(full))
            throw IoBenchException.Usage(
                "IoBench.InvalidOutputPath",
                $"{path} is a folder.",
                path,
                advice: "Specify a file in the folder."
            );
        if (status is { Kind: not FileKind.Regular } other)
            throw CreateNotAFileError(path, other.Kind == FileKind.BlockDevice ? "a device" : "a pipe, a socket, or a device");
        PlatformFiles.Current.CheckFolderLinks(full);
        var folder = Path.GetDirectoryName(full);
        if (folder is null || !Directory.Exists(folder))
            throw IoBenchException.NotFound(
                "IoBench.FolderNotFound",
                $"IoBench cannot write {path}, because the folder {folder} does not exist.",
                path,
                advice: "Create the folder first."
            );
        return new OutputPath(full, status is not null);
    }

    internal static IoBenchException CreateSqlServerFileError(string path) =>
        IoBenchException.Refused(
            ErrorIds.SqlServerFile,
            $"{path} has the name or the contents of a SQL Server file. IoBench never writes to such a file, and no option allows it.",
            path,
            advice: "Choose another name."
        );

    private static void CheckNotStream(string path)
    {
        if (
            !OperatingSystem.IsWindows()
            && (
                path is "/dev/stdout" or "/dev/stderr"
                || path.StartsWith("/dev/fd/", StringComparison.Ordinal)
                || path.StartsWith("/proc/self/fd/", StringComparison.Ordinal)
            )
        )
            throw IoBenchException.Usage(
                ErrorIds.NotAFile,
                $"{path} is a stream, not a file.",
                path,
                advice: $"Results are already written to standard output. Remove the output file, and select the format with {new OptionName("Format")}."
            );
    }

    private static void CheckFileName(string path, string full)
    {
        if (SqlServerFile.HasSqlServerExtension(full))
            throw CreateSqlServerFileError(path);
    }

    private static IoBenchException CreateNotAFileError(string path, string what) =>
        IoBenchException.Refused(
            ErrorIds.NotAFile,
            $"{path} is {what}, not a file.",
            path,
            advice: "Specify a file, or remove the output option."
        );

    private static T CallSystem<T>(string path, Func<T> call)
    {
        try
        {
            return call();
        }
        catch (IoBenchException error) when (error.ErrorId != ErrorIds.UntrustedLink)
        {
            throw new IoBenchException(
                "IoBench.NotWritable",
                IoErrorKind.Refused,
                $"{path} cannot be written: {error.What}",
                path,
                error,
                error.Advice
            );
        }
    }
}
