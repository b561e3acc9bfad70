using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Writes flat properties as CSV (RFC 4180), culture-invariant. An apostrophe guards text that could be a formula.</summary>
public static class CsvResultWriter
{
    private static readonly System.Buffers.SearchValues<char> s_special = System.Buffers.SearchValues.Create(",\"\r\n");

    public static string Header { get; } = string.Join(',', CsvColumn.All.Select(c => c.Name));

    /// <summary>Writes the header and one row per result. Results are written as they are enumerated.</summary>
    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.Write(Header);
        writer.Write("\r\n");
        WriteRows(writer, results);
    }

    /// <summary>Writes one row per result, to append to a file that has the header.</summary>
    public static void WriteRows(TextWriter writer, IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        foreach (var result in results)
        {
            for (var i = 0; i < CsvColumn.All.Count; i++)
            {
                if (i > 0)
                    writer.Write(',');
                var column = CsvColumn.All[i];
                var text = column.GetText(result);
                WriteField(writer, column.IsText ? CsvColumn.AddFormulaGuard(text) : text);
            }
            writer.Write("\r\n");
        }
    }

    internal static void WriteField(TextWriter writer, string text)
    {
        // Some readers trim fields. Quotation marks preserve whitespace at the ends.
        var quote =
            text.AsSpan().ContainsAny(s_special) || (text.Length > 0 && (char.IsWhiteSpace(text[0]) || char.IsWhiteSpace(text[^1])));
        writer.Write(quote ? '"' + text.Replace("\"", "\"\"", StringComparison.Ordinal) + '"' : text);
    }
}
