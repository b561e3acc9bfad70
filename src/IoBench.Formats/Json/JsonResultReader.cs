using System.Text.Json;

namespace IoBench.Formats.Json;

/// <summary>Reads what <see cref="JsonResultWriter"/> wrote: the same results, with all that was measured and asked for.</summary>
public static class JsonResultReader
{
    /// <summary>True when a text that begins like this is a list of results.</summary>
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        var start = head.AsSpan().TrimStart().TrimStart('\uFEFF');
        if (start.IsEmpty || start[0] is not ('[' or '{'))
            return false;
        // An empty list is one; else a result's own names are there, however it was made.
        return start[1..].TrimStart().StartsWith("]")
            || (
                AsciiSearch.IndexOfIgnoreCase(head, "\"bandwidthMBps\"", 'w') >= 0
                && AsciiSearch.IndexOfIgnoreCase(head, "\"iops\"", 'p') >= 0
            );
    }

    /// <summary>Reads results one by one from a stream in any encoding; the stream must be able to seek.</summary>
    /// <param name="stream">The text.</param>
    /// <param name="name">Its name, for messages.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidJson</c> with the line; what comes before it was given already.</exception>
    public static IEnumerable<IoTestResult> Read(Stream stream, string name)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return ReadElements(new JsonElementSplitter(TextInput.OpenUtf8(stream), name));
    }

    private static IEnumerable<IoTestResult> ReadElements(JsonElementSplitter splitter)
    {
        while (splitter.TryRead(out var element))
            yield return Parse(element, splitter);
    }

    private static IoTestResult Parse(ReadOnlySpan<byte> element, JsonElementSplitter splitter)
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
            throw splitter.Wrong(line, $"not a result{where}", e);
        }
    }
}
