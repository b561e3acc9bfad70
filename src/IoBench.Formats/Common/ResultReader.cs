using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads results from files of any format and encoding; the format is told by the content, never by the name.</summary>
public static class ResultReader
{
    /// <summary>Extensions of files whose reading error is told when a whole folder is read; others are passed over.</summary>
    private static readonly string[] s_resultExtensions = [".txt", ".out", ".log", ".xml", ".json", ".csv"];

    /// <summary>The format of a file; null when it is none of ours, empty or binary.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.NotAFile</c> or <c>IoBench.CannotRead</c>.</exception>
    public static ResultFormat? Recognise(string path) => FormatReader.Of(FileHead.Read(path).Text)?.Format;

    /// <summary>Reads a file's results one by one, in constant memory.</summary>
    /// <param name="path">The file.</param>
    /// <param name="expected">The format it must have; null = any. DiskSpd stands for its text and its XML.</param>
    /// <exception cref="IoBenchException">At once: <c>IoBench.FileNotFound</c>, <c>IoBench.NotAFile</c>, <c>IoBench.CannotRead</c>, <c>IoBench.EmptyFile</c>,
    /// <c>IoBench.BinaryFile</c>, <c>IoBench.UnknownFormat</c>, <c>IoBench.WrongTool</c>. While reading: <c>IoBench.InvalidJson</c>, <c>IoBench.InvalidCsv</c>,
    /// <c>IoBench.NoResults</c>.</exception>
    public static IEnumerable<IoTestResult> ReadFile(string path, ResultFormat? expected = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        var head = FileHead.Read(path);
        var (text, isBinary) = (head.Text, head.IsBinary);
        if (text.AsSpan().Trim("\uFEFF\0").IsWhiteSpace() && !(isBinary && text.Length > 0))
            throw IoBenchException.InvalidData("IoBench.EmptyFile", $"{path} is empty: the run that should have written it failed, or its output went elsewhere.", path);
        var format = FormatReader.Of(text);
        if (format is null && isBinary)
            throw IoBenchException.InvalidData("IoBench.BinaryFile", $"{path} is no text: name an output of SQLIO or DiskSpd, or results that IoBench wrote.", path);
        if (format is null)
            throw Unknown(path, text);
        if (expected is { } wanted && !IsExpected(format.Format, wanted))
            throw Wrong(path, format, wanted);
        return Read(path, format, head);
    }

    /// <summary>The files of a folder that hold results, sorted by path.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>: no such folder; <c>IoBench.NoResultFiles</c>: no such file in it.</exception>
    public static IEnumerable<string> FindFiles(string folder, bool recurse)
    {
        var files = AllFiles(folder, recurse).AsParallel().Where(MayHoldResults).Order(StringComparer.OrdinalIgnoreCase).ToList();
        return files.Count > 0 ? files : throw IoBenchException.NotFound("IoBench.NoResultFiles",
            $"{folder} holds no output of SQLIO or DiskSpd and no results of IoBench{(recurse ? "" : " (its subfolders were not searched)")}.", folder);
    }

    /// <summary>All files of a folder, sorted by path.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.CannotRead</c>.</exception>
    internal static List<string> AllFiles(string folder, bool recurse)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        if (!Directory.Exists(folder))
            throw IoBenchException.NotFound("IoBench.FileNotFound", $"{folder} does not exist: check the name of the folder.", folder);
        var options = new EnumerationOptions { RecurseSubdirectories = recurse, IgnoreInaccessible = true, AttributesToSkip = 0 };
        try
        {
            return [.. Directory.EnumerateFiles(folder, "*", options).Order(StringComparer.OrdinalIgnoreCase)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw IoBenchException.Failure("IoBench.CannotRead", $"{folder} cannot be read: {TextInput.OneLine(e.Message)}", folder, e);
        }
    }

    /// <summary>A file's results as <see cref="ReadFile"/> gives them; null when it is none of ours, as a folder has many.</summary>
    /// <exception cref="IoBenchException">As <see cref="ReadFile"/>.</exception>
    internal static IEnumerable<IoTestResult>? ReadIfResult(string path)
    {
        FileHead head;
        try
        {
            head = FileHead.Read(path);
        }
        catch (IoBenchException) when (!IsNamedLikeResult(path))
        {
            return null;
        }
        return FormatReader.Of(head.Text) is { } format ? Read(path, format, head) : null;
    }

    // Reading it will say why it cannot be read; but not every locked file of a folder is a result.
    private static bool IsNamedLikeResult(string path) => s_resultExtensions.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase);

    private static bool MayHoldResults(string path)
    {
        try
        {
            return Recognise(path) is not null;
        }
        catch (IoBenchException)
        {
            return IsNamedLikeResult(path);
        }
    }

    private static IEnumerable<IoTestResult> Read(string path, FormatReader format, FileHead head)
    {
        // Most outputs are small: what was read to tell their format is all of them.
        using var stream = head.IsWhole ? null : TextInput.OpenFile(path);
        using var results = (stream is null ? format.Read(head.Bytes, head.Text, path) : format.Read(stream, path)).GetEnumerator();
        var count = 0;
        while (true)
        {
            try
            {
                if (!results.MoveNext())
                    break;
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                throw TextInput.CannotRead(path, e);
            }
            count++;
            yield return results.Current;
        }
        if (count == 0 && format.Format is not ResultFormat.Json)
            throw IoBenchException.InvalidData("IoBench.NoResults", $"{path} looks like {format.Name} but holds no run.", path);
    }

    private static bool IsExpected(ResultFormat format, ResultFormat expected)
        => format == expected || (expected == ResultFormat.DiskSpd && format == ResultFormat.DiskSpdXml);

    private static IoBenchException Wrong(string path, FormatReader format, ResultFormat expected)
    {
        var tool = expected switch { ResultFormat.Sqlio => "SQLIO's", ResultFormat.DiskSpd or ResultFormat.DiskSpdXml => "DiskSpd's", _ => "IoBench's" };
        return IoBenchException.InvalidData("IoBench.WrongTool", $"{path} is {format.Name}, not {tool}: use {format.Command}"
            + (format.Command == "Import-IoResult" ? "." : ", or Import-IoResult, which reads them all."), path);
    }

    private static IoBenchException Unknown(string path, string text)
    {
        var what = SqlioChatter.HoldsCommandLine(text)
            ? "holds command lines, not their output: ConvertFrom-IoCommandLine or iobench convert takes those."
            : SqlioChatter.HoldsParameterLine(text)
            ? "is a parameter file of SQLIO, not its output: Invoke-IoTest -ParameterFile takes it."
            : "is neither an output of SQLIO or DiskSpd nor results that IoBench wrote.";
        return IoBenchException.InvalidData("IoBench.UnknownFormat", $"{path} {what}", path);
    }
}
