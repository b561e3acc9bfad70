namespace IoBench.Engine;

/// <summary>
/// Opens input files and lists input folders: results, parameter files, rule sets. Refuses pipes, sockets, and devices before opening them,
/// because opening a pipe
/// waits for its other end, and opening a device can have side effects.
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
            throw IoBenchException.NotFound("IoBench.FileNotFound", $"{path} does not exist: check the name and the folder.", path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw Directory.Exists(path) ? CreateFolderError(path) : CreateReadError(path, e);
        }
    }

    /// <summary>Reads the whole text of a small file.</summary>
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

    /// <summary>Reads the lines of a file one by one.</summary>
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

    /// <summary>Creates the error for a file that cannot be read.</summary>
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
        IoBenchException.Usage(ErrorIds.NotAFile, $"{path} is a folder: name a file in it, or import the folder as a whole.", path);

    internal static IoBenchException CreateNotAFileError(string path, string what) =>
        IoBenchException.Usage(ErrorIds.NotAFile, $"{path} is {what}, not a file: write the output to a file first and name that.", path);

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
}
