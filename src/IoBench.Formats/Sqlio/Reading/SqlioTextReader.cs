using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads SQLIO's text: any number of runs, whole, cut short or copied in parts, with whatever scripts and consoles put between them.
/// Streams in constant memory, however long the text. Grammar: SQLIO's readme of 1999 and real outputs.
/// </summary>
public static class SqlioTextReader
{
    private static readonly string[] s_marks =
    [
        "IOs/sec:", "MBs/sec:", "Min_Latency", "Avg_Latency", "Max_Latency", "Min_Init_Latency", "threads reading for", "threads writing for", "thread reading for",
        "thread writing for", "counter for latency timings", "ProcessorNumber:",
    ];

    /// <summary>True when a text that begins like this is SQLIO's, or a part of it.</summary>
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        for (var at = head.IndexOf("sqlio v", StringComparison.OrdinalIgnoreCase); at >= 0; at = head.IndexOf("sqlio v", at + 1, StringComparison.OrdinalIgnoreCase))
            if (at + 7 < head.Length && char.IsAsciiDigit(head[at + 7]))
                return true;
        return s_marks.Any(mark => head.Contains(mark, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Reads runs from a stream in any encoding; the stream must be able to seek.</summary>
    /// <param name="stream">The text.</param>
    /// <param name="sourceFile">What <see cref="IoTestResult.SourceFile"/> shall be.</param>
    public static IEnumerable<IoTestResult> Read(Stream stream, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return ReadUtf8(TextInput.OpenUtf8(stream), sourceFile);
    }

    /// <summary>Reads runs from text.</summary>
    /// <param name="reader">The text.</param>
    /// <param name="sourceFile">What <see cref="IoTestResult.SourceFile"/> shall be.</param>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return ReadUtf8(new TextReaderStream(reader), sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadUtf8(Stream stream, string? sourceFile)
    {
        var lines = new Utf8LineReader(stream);
        var parser = new SqlioTextParser(sourceFile);
        DiskSpdPart? other = null;
        var inOther = false;
        while (true)
        {
            if (!inOther)
            {
                parser.TakeExpected(lines);
                if (parser.TryTake(out var ready))
                {
                    yield return ready!;
                    continue;
                }
            }
            if (!lines.TryRead(out var line))
                break;
            if (!inOther && OtherTool.BeginsDiskSpd(line))
            {
                inOther = true;
                parser.End();
                other ??= new DiskSpdPart(sourceFile);
                other.Begin(lines.LineNumber);
            }
            if (inOther && !other!.TryTake(line, lines.LineNumber))
            {
                inOther = false;
                other.End();
            }
            if (!inOther)
                parser.Feed(line, lines.LineNumber, lines.WasCut, lines.HadEnd);
            while (parser.TryTake(out var result))
                yield return result!;
            while (other is not null && other.TryTakeResult(out var result))
                yield return result;
        }
        other?.End();
        while (other is not null && other.TryTakeResult(out var result))
            yield return result;
        parser.End();
        while (parser.TryTake(out var result))
            yield return result!;
    }
}
