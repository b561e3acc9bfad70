using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads results from files of any format and encoding; the format is recognised by the content, never by the name.</summary>
public static class ResultReader
{
    /// <summary>The format of a file; null when it is none of ours, empty or binary.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>, <c>IoBench.NotAFile</c> or <c>IoBench.CannotRead</c>.</exception>
    public static FormatDescriptor? Recognise(string path) => ResultFormats.Recognise(FileHead.Read(path).Text);

    /// <summary>Reads a file's results one by one, in constant memory.</summary>
    /// <param name="path">The file.</param>
    /// <param name="expected">The format it must have; null = any. Another tool's stands for all formats of that tool.</param>
    /// <exception cref="IoBenchException">At once: <c>IoBench.FileNotFound</c>, <c>IoBench.NotAFile</c>, <c>IoBench.CannotRead</c>, <c>IoBench.EmptyFile</c>,
    /// <c>IoBench.BinaryFile</c>, <c>IoBench.UnknownFormat</c>, <c>IoBench.WrongTool</c>. While reading: <c>IoBench.InvalidJson</c>, <c>IoBench.InvalidCsv</c>,
    /// <c>IoBench.NoResults</c>.</exception>
    public static IEnumerable<IoTestResult> ReadFile(string path, ResultFormat? expected = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        var head = FileHead.Read(path, out var rest);
        try
        {
            var format = FormatOf(path, head, expected);
            var results = Read(path, format, head, new OpenedFile(rest));
            rest = null;
            return results;
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
            throw IoBenchException.InvalidData("IoBench.EmptyFile", $"{path} is empty: the run that should have written it failed, or its output went elsewhere.", path);
        var format = ResultFormats.Recognise(text);
        if (format is null && isBinary)
            throw IoBenchException.InvalidData("IoBench.BinaryFile", $"{path} is not text: name an output of {ResultFormats.OtherTools}, or results that IoBench wrote.", path);
        if (format is null)
            throw Unknown(path, text);
        if (expected is { } written && ResultFormats.Of(written) is var wanted && !IsExpected(format, wanted))
            throw Wrong(path, format, wanted);
        return format;
    }

    /// <summary>The files of a folder that hold results, sorted by path; what <see cref="InputFolder"/> leaves out is not among them.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="recurse">With its subfolders.</param>
    /// <param name="note">Receives in one line what was left out; null = nobody listens.</param>
    /// <exception cref="IoBenchException"><c>IoBench.FileNotFound</c>: no such folder; <c>IoBench.NoResultFiles</c>: no such file in it.</exception>
    public static IEnumerable<string> FindFiles(string folder, bool recurse, Action<string>? note = null)
    {
        var files = InputFolder.Files(folder, recurse, note).AsParallel().Where(MayHoldResults).Order(StringComparer.OrdinalIgnoreCase).ToList();
        return files.Count > 0 ? files : throw NoResultFiles(folder, recurse);
    }

    /// <summary>The error of a folder that holds no results.</summary>
    public static IoBenchException NoResultFiles(string folder, bool recurse) => IoBenchException.NotFound(ErrorIds.NoResultFiles,
        $"{folder} holds no output of {ResultFormats.OtherTools} and no results of IoBench{(recurse ? "" : " (its subfolders were not searched)")}.", folder);

    /// <summary>A file's results as <see cref="ReadFile"/> gives them; null when it is none of ours, as a folder has many.</summary>
    /// <exception cref="IoBenchException">As <see cref="ReadFile"/>.</exception>
    internal static IEnumerable<IoTestResult>? ReadIfResult(string path, ResultFormat? expected = null)
    {
        FileHead head;
        FileStream? rest;
        try
        {
            head = FileHead.Read(path, out rest);
        }
        catch (IoBenchException) when (!ResultFormats.IsNamedLikeResult(path))
        {
            return null;
        }
        try
        {
            if (ResultFormats.Recognise(head.Text) is not { } format)
                return null;
            if (expected is { } written && ResultFormats.Of(written) is var wanted && !IsExpected(format, wanted))
                throw Wrong(path, format, wanted);
            var results = Read(path, format, head, new OpenedFile(rest));
            rest = null;
            return results;
        }
        finally
        {
            rest?.Dispose();
        }
    }

    /// <summary>A file that was opened to recognise its format: the first who reads it takes it.</summary>
    private sealed class OpenedFile(FileStream? stream)
    {
        private FileStream? _stream = stream;

        public FileStream Take(string path) => Interlocked.Exchange(ref _stream, null) ?? TextInput.OpenFile(path);
    }

    private static bool MayHoldResults(string path)
    {
        try
        {
            return Recognise(path) is not null;
        }
        catch (IoBenchException)
        {
            // Reading it will say why it cannot be read; but not every locked file of a folder is a result.
            return ResultFormats.IsNamedLikeResult(path);
        }
    }

    private static IEnumerable<IoTestResult> Read(string path, FormatDescriptor format, FileHead head, OpenedFile opened)
    {
        // Most outputs are small: what was read to recognise their format is all of them.
        using var stream = head.IsWhole ? null : opened.Take(path);
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
        if (count == 0 && !format.MayBeEmpty)
            throw IoBenchException.InvalidData(ErrorIds.NoResults, $"{path} looks like {format.Name} but holds no run.", path);
    }

    private static bool IsExpected(FormatDescriptor format, FormatDescriptor expected)
        => format == expected || (format.Tool == expected.Tool && format.Tool != ResultFormats.OwnTool);

    private static IoBenchException Wrong(string path, FormatDescriptor format, FormatDescriptor expected)
        => IoBenchException.InvalidData("IoBench.WrongTool", $"{path} is {format.Name}, not {expected.Tool}'s: use {format.Command}"
            + (format.Command == "Import-IoResult" ? "." : ", or Import-IoResult, which reads them all."), path);

    private static IoBenchException Unknown(string path, string text)
    {
        // Each is cast: a choice between strings is a string, and the commands in it would be plain words.
        var what = SqlioNoise.HoldsCommandLine(text)
            ? (IoText)$"{path} holds command lines, not their output: {IoCommand.Convert} takes those."
            : SqlioNoise.HoldsParameterLine(text)
            ? (IoText)$"{path} is a parameter file of SQLIO, not its output: {IoCommand.Run} {Opt.ParameterFile} takes it."
            : (IoText)$"{path} is neither an output of {ResultFormats.OtherTools} nor results that IoBench wrote.";
        return IoBenchException.InvalidData("IoBench.UnknownFormat", what, path);
    }
}
