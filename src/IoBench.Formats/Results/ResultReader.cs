using System.Runtime.CompilerServices;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads results from files of any format and encoding. The content decides the format, not the name.</summary>
public static class ResultReader
{
    /// <summary>Returns the format of a file; null if the file is empty, binary, or of an unknown format.</summary>
    public static FormatDescriptor? DetectFormat(string path) => FileHead.Read(path).Format;

    /// <summary>Reads the results of a file one by one in constant memory. The file is opened once.</summary>
    /// <param name="expected">Required format; null = any. A format of another tool accepts all formats of that tool.</param>
    /// <exception cref="IoBenchException">The file cannot be read (thrown immediately), or its contents are invalid.</exception>
    public static IEnumerable<IoTestResult> ReadFile(string path, ResultFormat? expected = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Open(path, expected)!.Value.Results;
    }

    internal static (IEnumerable<IoTestResult> Results, long Length)? Open(string path, ResultFormat? expected, Action<string>? note = null)
    {
        var head = FileHead.Read(path, out var rest);
        return Open(path, head, rest, () => GetFormat(path, head, expected), note: note);
    }

    /// <summary>Reads the results of a file of a folder; null if the file does not contain results.</summary>
    /// <param name="passedOver">Receives a message for each line that is not a complete result; null = such a line is an error.</param>
    /// <param name="skipped">Receives the reason why the file does not contain results.</param>
    internal static (IEnumerable<IoTestResult> Results, long Length)? OpenIfResult(
        string path,
        ResultFormat? expected = null,
        Action<string>? passedOver = null,
        Action<string>? note = null,
        Action<string>? skipped = null
    )
    {
        FileHead head;
        FileStream? rest;
        try
        {
            head = FileHead.Read(path, out rest);
        }
        catch (IoBenchException) when (!ResultFormats.HasResultExtension(path))
        {
            // A locked file in a folder is not necessarily a result, so skip it.
            skipped?.Invoke("not readable");
            return null;
        }
        if (head.Format is not null && OtherFileKinds.DescribeToolFile(head.Text) is { } kind)
        {
            rest?.Dispose();
            skipped?.Invoke(kind);
            return null;
        }
        var results = Open(
            path,
            head,
            rest,
            () => head.Format is { } format ? CheckExpected(path, format, expected) : null,
            passedOver,
            note
        );
        if (results is null)
            skipped?.Invoke(OtherFileKinds.Describe(head));
        return results;
    }

    private static (IEnumerable<IoTestResult> Results, long Length)? Open(
        string path,
        FileHead head,
        FileStream? rest,
        Func<FormatDescriptor?> formatOf,
        Action<string>? passedOver = null,
        Action<string>? note = null
    )
    {
        try
        {
            if (formatOf() is not { } format)
                return null;
            var results = ReadResults(path, format, head, new StrongBox<FileStream?>(rest), passedOver, note);
            rest = null;
            return (results, head.Length);
        }
        catch (OutOfMemoryException e)
        {
            throw TextInput.CreateOutOfMemoryError(path, e);
        }
        finally
        {
            rest?.Dispose();
        }
    }

    private static FormatDescriptor GetFormat(string path, in FileHead head, ResultFormat? expected)
    {
        var text = head.Text;
        var isBinary = head.IsBinary;
        if (text.AsSpan().Trim("\uFEFF\0").IsWhiteSpace() && !(isBinary && text.Length > 0))
            throw IoBenchException.InvalidData(
                "IoBench.EmptyFile",
                $"{path} is empty. The run failed, or its output went elsewhere.",
                path
            );
        var format = head.Format;
        if (format is null && isBinary)
            throw IoBenchException.InvalidData(
                "IoBench.BinaryFile",
                $"{path} is not text. Specify an output of {ResultFormats.OtherTools}, or results of IoBench.",
                path
            );
        if (format is null)
            throw CreateUnknownFormatError(path, text);
        return CheckExpected(path, format, expected);
    }

    public static IoBenchException CreateNoResultFilesError(string folder, bool recurse, IoMessage? advice = null) =>
        IoBenchException.NotFound(
            ErrorIds.NoResultFiles,
            $"{folder} contains no output of {ResultFormats.OtherTools} and no results of IoBench{(recurse ? "" : " (its subfolders were not searched)")}.",
            folder,
            advice
        );

    private static IEnumerable<IoTestResult> ReadResults(
        string path,
        FormatDescriptor format,
        FileHead head,
        StrongBox<FileStream?> opened,
        Action<string>? passedOver,
        Action<string>? note
    )
    {
        // Most outputs are small, so the bytes that were read to detect the format are the whole file.
        using var stream = head.IsWhole ? null : Interlocked.Exchange(ref opened.Value, null) ?? TextInput.OpenFile(path);
        using var lines =
            passedOver is not null && JsonFormat.IsLineFile(path) ? stream ?? (Stream)new MemoryStream(head.Bytes, writable: false) : null;
        using var results = (
            lines is not null ? JsonFormat.ReadLines(lines, path, passedOver)
            : stream is null ? format.Read(head.Bytes, head.Text, path, note)
            : format.Read(stream, path, note)
        ).GetEnumerator();
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
                throw TextInput.CreateReadError(path, e);
            }
            catch (OutOfMemoryException e)
            {
                throw TextInput.CreateOutOfMemoryError(path, e);
            }
            count++;
            yield return results.Current;
        }
        if (count == 0 && !format.MayBeEmpty)
            throw IoBenchException.InvalidData(ErrorIds.NoResults, $"{path} looks like {format.Name}, but contains no run.", path);
    }

    private static FormatDescriptor CheckExpected(string path, FormatDescriptor format, ResultFormat? expected)
    {
        if (expected is not { } required)
            return format;
        var descriptor = ResultFormats.GetDescriptor(required);
        return IsExpected(format, descriptor) ? format : throw CreateWrongToolError(path, format, descriptor);
    }

    private static bool IsExpected(FormatDescriptor format, FormatDescriptor expected) =>
        format == expected || (format.Tool == expected.Tool && format.Tool != ResultFormats.OwnTool);

    private static IoBenchException CreateWrongToolError(string path, FormatDescriptor format, FormatDescriptor expected) =>
        format.Tool == expected.Tool
            ? IoBenchException.InvalidData(
                "IoBench.WrongTool",
                $"{path} is {format.Name}, not {expected.Name}.",
                path,
                advice: "Specify another file."
            )
            : IoBenchException.InvalidData(
                "IoBench.WrongTool",
                $"{path} is {format.Name}, not {expected.Tool} output. Use {format.Command}"
                    + (format.Command == "Import-IoResult" ? "." : ", or Import-IoResult, which reads all formats."),
                path
            );

    private static IoBenchException CreateUnknownFormatError(string path, string text)
    {
        // Cast each branch: otherwise, the conditional expression is a plain string, and the commands in it would become plain text.
        var what =
            SqlioSurroundingLines.ContainsCommandLine(text)
                ? (IoMessage)$"{path} contains command lines, not their output. To convert command lines, use {IoCommand.Convert}."
            : SqlioSurroundingLines.ContainsParameterLine(text)
                ? (IoMessage)
                    $"{path} is a parameter file of SQLIO, not its output. Use it with iobench sqlio -F… or Invoke-IoTest -ParameterFile."
            : (IoMessage)$"{path} is neither an output of {ResultFormats.OtherTools} nor a result file of IoBench.";
        return IoBenchException.InvalidData("IoBench.UnknownFormat", what, path);
    }
}
