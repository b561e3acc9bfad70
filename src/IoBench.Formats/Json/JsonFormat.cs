using System.Text;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>IoBench's own JSON without loss: an array of results, or a line per result (a history).</summary>
public static class JsonFormat
{
    public static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "IoBench's JSON",
            Tool = ResultFormats.OwnTool,
            Extensions = [".json"],
            MayBeEmpty = true,
            LooksLike = LooksLike,
            ReadBytes = Read,
            WrittenAs = ResultFormat.Json,
            OptionName = "json",
            Write = Write,
        };

    /// <summary>First line of the files that IoBench keeps for itself, before the JSON.</summary>
    public const string JournalHeader = "# IoBench journal 1";

    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        var start = head.AsSpan().TrimStart().TrimStart('\uFEFF');
        if (start.StartsWith(JournalHeader, StringComparison.Ordinal))
            start = start[JournalHeader.Length..].TrimStart();
        if (start.IsEmpty || start[0] is not ('[' or '{'))
            return false;
        // An empty list is valid. Otherwise, the text must contain names of a result.
        return start[1..].TrimStart().StartsWith("]")
            || (
                TextInput.IndexOfIgnoreCase(head, "\"bandwidthMBps\"", 'w') >= 0 && TextInput.IndexOfIgnoreCase(head, "\"iops\"", 'p') >= 0
            );
    }

    /// <summary>Reads results one by one from a stream in any encoding; the stream must support seeking.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidJson</c> with the line, after the results before it.</exception>
    public static IEnumerable<IoTestResult> Read(Stream stream, string name)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return ReadElements(new JsonElementSplitter(TextInput.OpenUtf8(stream), name));
    }

    private static IEnumerable<IoTestResult> ReadElements(JsonElementSplitter splitter)
    {
        while (splitter.TryRead(out var element))
            yield return ParseElement(element, splitter);
    }

    private static IoTestResult ParseElement(ReadOnlySpan<byte> element, JsonElementSplitter splitter)
    {
        try
        {
            return JsonSerializer.Deserialize(element, JsonResultOptions.Result)!;
        }
        catch (Exception e)
            when (e is JsonException or InvalidOperationException or FormatException or ArgumentException or OverflowException)
        {
            var json = e as JsonException;
            var line = splitter.ElementLine + (int)(json?.LineNumber ?? 0);
            var where = json?.Path is { Length: > 2 } path ? $" ({path[2..]})" : "";
            throw splitter.CreateError(line, $"not a result{where}", e);
        }
    }

    /// <summary>Writes one array, which <see cref="Read"/> restores without loss.</summary>
    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        writer.Write('[');
        var first = true;
        foreach (var result in results)
        {
            if (!first)
                writer.Write(',');
            first = false;
            writer.Write('\n');
            writer.Write(JsonSerializer.Serialize(result, JsonResultOptions.Result).Replace("\r\n", "\n", StringComparison.Ordinal));
        }
        writer.Write(first ? "]\n" : "\n]\n");
    }

    public const string LineFileExtension = ".jsonl";

    /// <summary>Reads JSON lines of a history: one result per line. Skips lines that are not a complete result.</summary>
    /// <param name="passedOver">Receives a message for each skipped line, and for each line with impossible values; null = no
    /// messages.</param>
    public static IEnumerable<IoTestResult> ReadLineFile(string path, Action<string>? passedOver = null)
    {
        using var stream = InputFiles.Open(path);
        using var results = ReadLines(stream, path, passedOver).GetEnumerator();
        while (TryMoveNext(results, path))
            yield return results.Current;
    }

    internal static bool IsLineFile(string path) => path.EndsWith(LineFileExtension, StringComparison.OrdinalIgnoreCase);

    internal static IEnumerable<IoTestResult> ReadLines(Stream stream, string path, Action<string>? passedOver)
    {
        using var reader = new StreamReader(stream);
        for (var number = 1; reader.ReadLine() is { } line; number++)
        {
            if (!string.IsNullOrWhiteSpace(line) && ParseLine(line, number, path, passedOver) is { } result)
                yield return result;
        }
    }

    private static IoTestResult? ParseLine(string line, int number, string path, Action<string>? passedOver)
    {
        try
        {
            using var bytes = new MemoryStream(Encoding.UTF8.GetBytes(line));
            var result = Read(bytes, path).FirstOrDefault();
            if (result is not null && ResultValidator.RemoveImpossibleValues(result) is { } removed)
                passedOver?.Invoke($"{path} line {NumberFormat.Integer(number)}: IoBench ignores impossible values: {removed}.");
            return result;
        }
        catch (IoBenchException e) when (e.ErrorId == ErrorIds.InvalidJson)
        {
            passedOver?.Invoke($"{path} line {NumberFormat.Integer(number)} is not a complete result, so IoBench ignores it.");
            return null;
        }
    }

    private static bool TryMoveNext(IEnumerator<IoTestResult> results, string path)
    {
        try
        {
            return results.MoveNext();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw TextInput.CreateReadError(path, e);
        }
        catch (OutOfMemoryException e)
        {
            throw TextInput.CreateOutOfMemoryError(path, e);
        }
    }
}
