using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads the JSON of <see cref="JsonResultWriter"/> without loss.</summary>
public static class JsonResultReader
{
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
                AsciiSearch.IndexOfIgnoreCase(head, "\"bandwidthMBps\"", 'w') >= 0
                && AsciiSearch.IndexOfIgnoreCase(head, "\"iops\"", 'p') >= 0
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
}
