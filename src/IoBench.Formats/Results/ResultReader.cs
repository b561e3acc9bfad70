using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
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
        if (head.Format is not null && DescribeToolFile(head.Text) is { } kind)
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
            skipped?.Invoke(DescribeOtherFile(head));
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
                $"{path} is empty. The run failed, or its output was written to another file.",
                path
            );
        var format = head.Format;
        if (format is null && isBinary)
            throw IoBenchException.InvalidData(
                "IoBench.BinaryFile",
                $"{path} is not a text file. Specify a file with output of {ResultFormats.OtherTools}, or with IoBench results.",
                path
            );
        if (format is null)
            throw CreateUnknownFormatError(path, text);
        return CheckExpected(path, format, expected);
    }

    public static IoBenchException CreateNoResultFilesError(string folder, bool recurse, IoMessage? advice = null) =>
        IoBenchException.NotFound(
            ErrorIds.NoResultFiles,
            $"{folder} contains no output of {ResultFormats.OtherTools} and no IoBench results{(recurse ? "" : " (its subfolders were not searched)")}.",
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
            throw IoBenchException.InvalidData(ErrorIds.NoResults, $"{path} looks like {format.Name}, but contains no results.", path);
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
                ? (IoMessage)$"{path} contains command lines, but no results. To convert command lines, use {IoCommand.Convert}."
            : SqlioSurroundingLines.ContainsParameterLine(text)
                ? (IoMessage)
                    $"{path} is a SQLIO parameter file, not SQLIO output. Use the file with iobench sqlio -F… or Invoke-IoTest -ParameterFile."
            : (IoMessage)$"{path} is neither output of {ResultFormats.OtherTools} nor an IoBench result file.";
        return IoBenchException.InvalidData("IoBench.UnknownFormat", what, path);
    }

    /// <summary>Returns the kind of a file, as the reason why it is skipped.</summary>
    internal static string DescribeOtherFile(in FileHead head) =>
        head.Bytes.Length == 0 || head.Text.AsSpan().IsWhiteSpace() ? "empty"
        : head.IsBinary ? "not text"
        : FindKnown(head.Text) ?? "not from a known tool";

    /// <summary>Returns the kind of a file that looks like an output of a tool; null if it can have results.</summary>
    internal static string? DescribeToolFile(string text) =>
        IsHelp(text) ? "help text"
        : IsProfile(text) ? "DiskSpd profile"
        : null;

    private static string? FindKnown(string text) =>
        CommandLineReader.FindFioTemplateLanguage(text) is not null ? "template"
        : IsProfile(text) ? "DiskSpd profile"
        : CommandLineReader.IsFioJobFile(text) ? "fio job file"
        : text.Contains("num_of_bytes_read", StringComparison.OrdinalIgnoreCase) ? "file statistics"
        : ContainsCall(text) ? "command lines only"
        : SqlioSurroundingLines.ContainsParameterLine(text) ? "SQLIO parameter file"
        : null;

    private static bool IsHelp(string text) =>
        text.Contains("Usage: ", StringComparison.Ordinal)
        && text.Contains("diskspd", StringComparison.OrdinalIgnoreCase)
        && text.Contains("-Sh", StringComparison.Ordinal)
        && DiskSpdFormat.FindFirstHeading(text) == int.MaxValue;

    private static bool IsProfile(string text) => DiskSpdProfile.LooksLike(text) && !text.Contains("<Results>", StringComparison.Ordinal);

    private static bool ContainsCall(string text)
    {
        if (SqlioSurroundingLines.ContainsCommandLine(text))
            return true;
        foreach (var line in text.AsSpan().EnumerateLines())
        {
            var at = line.IndexOf("fio ");
            if (at >= 0 && (at == 0 || line[at - 1] is ' ' or '/') && line[at..].IndexOf(" --") > 0)
                return true;
        }
        return false;
    }

    /// <summary>Files per task. Reading a small file takes less time than starting a task for it.</summary>
    private const int FilesPerBatch = 16;

    /// <summary>In bytes. The results of small files stay in memory until their turn.</summary>
    private const long MaxSmallFileBytes = 1 << 20;

    /// <summary>Reads small files ahead and on all CPUs, large files in their turn and in constant memory.</summary>
    /// <param name="expected">Required format; null = any.</param>
    public static IEnumerable<ResultFileContent> ReadFiles(IEnumerable<string> paths, ResultFormat? expected = null)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return ReadAhead(paths, path => ReadWithNotes(path, (file, notes) => Open(file, expected, notes)));
    }

    /// <summary>
    /// Results of the files in a folder, sorted by path. Each file is opened once. A file that no reader recognizes is returned without
    /// results, with its <see cref="ResultFileContent.SkipReason"/>.
    /// </summary>
    /// <exception cref="IoBenchException">Thrown immediately: the folder does not exist or cannot be read.</exception>
    public static IEnumerable<ResultFileContent> ReadFolder(
        string folder,
        bool recurse,
        ResultFormat? expected = null,
        Action<string>? note = null
    ) =>
        ReadAhead(
            InputFiles.GetFiles(folder, recurse, note),
            path =>
            {
                string? skipReason = null;
                return ReadWithNotes(
                        path,
                        (file, notes) => OpenIfResult(file, expected, note: notes, skipped: reason => skipReason = reason)
                    ) ?? new ResultFileContent(path, []) { SkipReason = skipReason };
            }
        );

    /// <summary>Reads the files of a history folder without its subfolders. Skips JSON lines that are not complete results.</summary>
    public static IEnumerable<ResultFileContent> ReadHistory(string folder, Action<string>? note = null) =>
        ReadAhead(
            InputFiles.GetFiles(folder, recurse: false, note),
            path =>
            {
                List<string> passedOver = [];
                return ReadSmall(path, file => OpenIfResult(file, passedOver: passedOver.Add)) is { } read
                    ? read with
                    {
                        PassedOver = passedOver,
                    }
                    : null;
            }
        );

    private static IEnumerable<ResultFileContent> ReadAhead(IEnumerable<string> paths, Func<string, ResultFileContent?> read)
    {
        var pieces = new Queue<Task<List<ResultFileContent>>>();
        foreach (var piece in paths.Chunk(FilesPerBatch))
        {
            pieces.Enqueue(Task.Run(() => piece.Select(read).OfType<ResultFileContent>().ToList()));
            if (pieces.Count > 2 * Environment.ProcessorCount)
            {
                foreach (var file in pieces.Dequeue().GetAwaiter().GetResult())
                    yield return file;
            }
        }
        while (pieces.TryDequeue(out var piece))
        {
            foreach (var file in piece.GetAwaiter().GetResult())
                yield return file;
        }
    }

    private static ResultFileContent? ReadWithNotes(
        string path,
        Func<string, Action<string>, (IEnumerable<IoTestResult> Results, long Length)?> read
    )
    {
        List<string> notes = [];
        return ReadSmall(path, file => read(file, notes.Add)) is { } results ? results with { Notes = notes } : null;
    }

    private static ResultFileContent? ReadSmall(string path, Func<string, (IEnumerable<IoTestResult> Results, long Length)?> read)
    {
        try
        {
            if (read(path) is not { } opened)
                return null;
            return new(path, opened.Length is > 0 and <= MaxSmallFileBytes ? opened.Results.ToList() : opened.Results);
        }
        catch (IoBenchException error)
        {
            return new(path, ThrowOnEnumeration(ExceptionDispatchInfo.Capture(error)));
        }
        catch (OutOfMemoryException error)
        {
            // The results are read one by one, so the list of them did not fit in memory.
            return new(path, ThrowOnEnumeration(ExceptionDispatchInfo.Capture(TextInput.CreateOutOfMemoryError(path, error))));
        }
    }

    private static IEnumerable<IoTestResult> ThrowOnEnumeration(ExceptionDispatchInfo error)
    {
        error.Throw();
        yield break;
    }
}
