namespace IoBench.Formats.Csv;

/// <summary>
/// Writes the flat properties of results as comma-separated values (RFC 4180), one row per result, numbers and times culture-invariant. Text that a
/// spreadsheet would take for a formula is guarded with an apostrophe, which <see cref="CsvResultReader"/> removes.
/// </summary>
public static class CsvResultWriter
{
    private static readonly System.Buffers.SearchValues<char> s_special = System.Buffers.SearchValues.Create(",\"\r\n");

    /// <summary>The first line: the names of all columns.</summary>
    public static string Header { get; } = string.Join(',', CsvColumn.All.Select(c => c.Name));

    /// <summary>Writes the header and a row for each result, as they come.</summary>
    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.Write(Header);
        writer.Write("\r\n");
        WriteRows(writer, results);
    }

    /// <summary>Writes a row for each result, to go behind what has the header.</summary>
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
                var text = column.Get(result);
                WriteField(writer, column.IsText ? CsvGuard.Add(text) : text);
            }
            writer.Write("\r\n");
        }
    }

    private static void WriteField(TextWriter writer, string text)
    {
        // Blanks at the ends are kept by quotation marks where readers trim.
        var quote =
            text.AsSpan().ContainsAny(s_special) || (text.Length > 0 && (char.IsWhiteSpace(text[0]) || char.IsWhiteSpace(text[^1])));
        writer.Write(quote ? '"' + text.Replace("\"", "\"\"", StringComparison.Ordinal) + '"' : text);
    }
}
