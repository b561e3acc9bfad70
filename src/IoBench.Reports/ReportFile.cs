using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>
/// Writes a file so that it is there complete or not at all: into a temporary file of the same folder, which is then renamed.
/// A crash, a full disk or Ctrl+C leaves the old file as it was.
/// </summary>
internal static class ReportFile
{
    private const int StreamBuffer = 1 << 16;
    /// <summary>Windows' ERROR_SHARING_VIOLATION: opened between our look and the renaming.</summary>
    private const int SharingViolation = unchecked((int)0x80070020);

    /// <summary>Writes the file by way of a temporary one.</summary>
    /// <param name="path">The file.</param>
    /// <param name="force">Replace an existing one.</param>
    /// <param name="write">Writes the content to a stream that can seek.</param>
    /// <exception cref="IoBenchException">
    /// <c>IoBench.FileExists</c>, <c>IoBench.FileInUse</c>, <c>IoBench.FolderNotFound</c>, <c>IoBench.CannotWrite</c>.
    /// </exception>
    public static void Write(string path, bool force, Action<Stream> write)
    {
        var fullPath = Path.GetFullPath(path);
        var folder = Path.GetDirectoryName(fullPath)!;
        RefuseWhatCannotWork(path, fullPath, folder, force);

        var temporary = Path.Combine(folder, $".{Path.GetFileName(fullPath)}.{Guid.NewGuid():N}.tmp");
        try
        {
            using (var stream = new FileStream(temporary, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, StreamBuffer))
            {
                write(stream);
                stream.Flush(flushToDisk: true);
            }
            File.Move(temporary, fullPath, force);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw IoBenchException.Failure("IoBench.CannotWrite", $"{path} cannot be written: {OneLine(exception.Message)} Choose a folder you may write to.", path, exception);
        }
        catch (IOException exception)
        {
            if (!force && File.Exists(fullPath))
                throw AlreadyThere(path);
            if (exception.HResult == SharingViolation)
                throw InUse(path, exception);
            throw IoBenchException.Failure("IoBench.CannotWrite", $"{path} cannot be written: {OneLine(exception.Message)} What was there before is unchanged.", path, exception);
        }
        finally
        {
            File.Delete(temporary);
        }
    }

    private static void RefuseWhatCannotWork(string path, string fullPath, string folder, bool force)
    {
        if (Directory.Exists(fullPath))
            throw IoBenchException.Usage("IoBench.CannotWrite", $"{path} is a folder: name the file of the report, for example {Path.Combine(path, "report.xlsx")}.", path);
        if (!Directory.Exists(folder))
            throw IoBenchException.NotFound("IoBench.FolderNotFound", $"The folder {folder} does not exist, so {path} cannot be written: create the folder first.", path);
        if (!File.Exists(fullPath))
            return;
        if (!force)
            throw AlreadyThere(path);
        try
        {
            // Excel keeps its file open without sharing; renaming over it would fail only after all the work.
            using var probe = new FileStream(fullPath, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException exception)
        {
            throw InUse(path, exception);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw IoBenchException.Failure("IoBench.CannotWrite", $"{path} is write-protected: choose another name or remove the protection.", path, exception);
        }
    }

    private static IoBenchException InUse(string path, IOException exception)
        => IoBenchException.Failure("IoBench.FileInUse", $"{path} is open in another program: close it there (Excel?) and try again, or choose another name.", path, exception);

    private static IoBenchException AlreadyThere(string path)
        => IoBenchException.Refused("IoBench.FileExists", $"{path} exists already: choose another name, or add -Force (--force) to replace it.", path);

    private static string OneLine(string message) => message.ReplaceLineEndings(" ").TrimEnd('.', ' ') + ".";
}
