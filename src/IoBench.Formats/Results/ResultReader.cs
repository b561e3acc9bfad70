namespace IoBench.Formats.Results;

/// <summary>Reads results from files of any format and encoding; the format is recognised by the content, never by the name.</summary>
public static class ResultReader
{
    /// <summary>The format of a file; null when it is none of ours, empty or binary.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.NotAFile</c> or <c>IoBench.CannotRead</c>.</exception>
    public static FormatDescriptor? Recognise(string path) => FileHead.Read(path).Format;

    /// <summary>Reads a file's results one by one, in constant memory. The file is opened once.</summary>
    /// <param name="path">The file.</param>
    /// <param name="expected">The format it must have; null = any. Another tool's stands for all formats of that tool.</param>
    /// <exception cref="IoBenchException">At once: <c>IoBench.FileNotFound</c>, <c>IoBench.NotAFile</c>, <c>IoBench.CannotRead</c>, <c>IoBench.EmptyFile</c>,
    /// <c>IoBench.BinaryFile</c>, <c>IoBench.UnknownFormat</c>, <c>IoBench.WrongTool</c>. While reading: <c>IoBench.InvalidJson</c>, <c>IoBench.InvalidCsv</c>,
    /// <c>IoBench.NoResults</c>, <c>IoBench.NotEnoughMemory</c>.</exception>
    public static IEnumerable<IoTestResult> ReadFile(string path, ResultFormat? expected = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Open(path, expected)!.Value.Results;
    }

    /// <summary>The same with the file's length.</summary>
    /// <param name="path">The file.</param>
    /// <param name="expected">As of <see cref="ReadFile"/>.</param>
    /// <param name="note">Receives a line on what of the file is left out, as it is read; null = nobody listens.</param>
    internal static OpenedResults? Open(string path, ResultFormat? expected, Action<string>? note = null)
    {
        var head = FileHead.Read(path, out var rest);
        return Open(path, head, rest, () => FormatOf(path, head, expected), note: note);
    }

    /// <summary>A file's results as <see cref="ReadFile"/> gives them; null when it is none of ours, as a folder has many.</summary>
    /// <param name="path">The file.</param>
    /// <param name="expected">As of <see cref="ReadFile"/>.</param>
    /// <param name="passedOver">Receives a line on each line of a history that is no whole result; null = such a line is an error.</param>
    /// <param name="note">As of <see cref="Open(string, ResultFormat?, Action{string}?)"/>.</param>
    /// <exception cref="IoBenchException">As <see cref="ReadFile"/>.</exception>
    internal static OpenedResults? OpenIfResult(
        string path,
        ResultFormat? expected = null,
        Action<string>? passedOver = null,
        Action<string>? note = null
    )
    {
        FileHead head;
        FileStream? rest;
        try
        {
            head = FileHead.Read(path, out rest);
        }
        catch (IoBenchException) when (!ResultFormats.IsNamedLikeResult(path))
        {
            // Not every locked file of a folder is a result.
            return null;
        }
        return Open(path, head, rest, () => head.Format is { } format ? Expected(path, format, expected) : null, passedOver, note);
    }

    /// <summary>The results of a file whose beginning was read, in the format that this shows; null without one.</summary>
    private static OpenedResults? Open(
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
            var results = Read(path, format, head, new OpenedFile(rest), passedOver, note);
            rest = null;
            return new(results, head.Length);
        }
        catch (OutOfMemoryException e)
        {
            throw TextInput.NotEnoughMemory(path, e);
        }
        finally
        {
            rest?.Dispose();
        }
    }

    /// <summary>The format of a file that was named.</summary>
    private static FormatDescriptor FormatOf(string path, in FileHead head, ResultFormat? expected)
    {
        var (text, isBinary) = (head.Text, head.IsBinary);
        if (text.AsSpan().Trim("\uFEFF\0").IsWhiteSpace() && !(isBinary && text.Length > 0))
            throw IoBenchException.InvalidData(
                "IoBench.EmptyFile",
                $"{path} is empty: the run that should have written it failed, or its output went elsewhere.",
                path
            );
        var format = head.Format;
        if (format is null && isBinary)
            throw IoBenchException.InvalidData(
                "IoBench.BinaryFile",
                $"{path} is not text: name an output of {ResultFormats.OtherTools}, or results that IoBench wrote.",
                path
            );
        if (format is null)
            throw Unknown(path, text);
        return Expected(path, format, expected);
    }

    /// <summary>The error of a folder that holds no results.</summary>
    /// <param name="recurse">Its subfolders were searched too.</param>
    /// <param name="advice">What to do about it; null = nothing is to be said.</param>
    public static IoBenchException NoResultFiles(string folder, bool recurse, IoText? advice = null) =>
        IoBenchException.NotFound(
            ErrorIds.NoResultFiles,
            $"{folder} holds no output of {ResultFormats.OtherTools} and no results of IoBench{(recurse ? "" : " (its subfolders were not searched)")}.",
            folder,
            advice
        );

    /// <summary>A file's results, which are read as they are gone through.</summary>
    /// <param name="Length">Bytes of the file.</param>
    internal readonly record struct OpenedResults(IEnumerable<IoTestResult> Results, long Length);

    /// <summary>A file that was opened to recognise its format: the first who reads it takes it.</summary>
    private sealed class OpenedFile(FileStream? stream)
    {
        private FileStream? _stream = stream;

        public FileStream Take(string path) => Interlocked.Exchange(ref _stream, null) ?? TextInput.OpenFile(path);
    }

    private static IEnumerable<IoTestResult> Read(
        string path,
        FormatDescriptor format,
        FileHead head,
        OpenedFile opened,
        Action<string>? passedOver,
        Action<string>? note
    )
    {
        // Most outputs are small: what was read to recognise their format is all of them.
        using var stream = head.IsWhole ? null : opened.Take(path);
        using var lines =
            passedOver is not null && JsonLineReader.IsNamedSo(path)
                ? stream ?? (Stream)new MemoryStream(head.Bytes, writable: false)
                : null;
        using var results = (
            lines is not null ? JsonLineReader.Read(lines, path, passedOver)
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
                throw TextInput.CannotRead(path, e);
            }
            catch (OutOfMemoryException e)
            {
                throw TextInput.NotEnoughMemory(path, e);
            }
            count++;
            yield return results.Current;
        }
        if (count == 0 && !format.MayBeEmpty)
            throw IoBenchException.InvalidData(ErrorIds.NoResults, $"{path} looks like {format.Name} but holds no run.", path);
    }

    private static FormatDescriptor Expected(string path, FormatDescriptor format, ResultFormat? expected) =>
        expected is { } written && ResultFormats.Of(written) is var wanted && !IsExpected(format, wanted)
            ? throw Wrong(path, format, wanted)
            : format;

    private static bool IsExpected(FormatDescriptor format, FormatDescriptor expected) =>
        format == expected || (format.Tool == expected.Tool && format.Tool != ResultFormats.OwnTool);

    private static IoBenchException Wrong(string path, FormatDescriptor format, FormatDescriptor expected) =>
        format.Tool == expected.Tool
            ? IoBenchException.InvalidData(
                "IoBench.WrongTool",
                $"{path} is {format.Name}, not {expected.Name}.",
                path,
                advice: "Name another file."
            )
            : IoBenchException.InvalidData(
                "IoBench.WrongTool",
                $"{path} is {format.Name}, not {expected.Tool}'s: use {format.Command}"
                    + (format.Command == "Import-IoResult" ? "." : ", or Import-IoResult, which reads them all."),
                path
            );

    private static IoBenchException Unknown(string path, string text)
    {
        // Each is cast: a choice between strings is a string, and the commands in it would be plain words.
        var what =
            SqlioNoise.HoldsCommandLine(text) ? (IoText)$"{path} holds command lines, not their output: {IoCommand.Convert} takes those."
            : SqlioNoise.HoldsParameterLine(text)
                ? (IoText)
                    $"{path} is a parameter file of SQLIO, not its output: iobench sqlio -F… takes it, and in PowerShell Invoke-IoTest -ParameterFile."
            : (IoText)$"{path} is neither an output of {ResultFormats.OtherTools} nor results that IoBench wrote.";
        return IoBenchException.InvalidData("IoBench.UnknownFormat", what, path);
    }
}
