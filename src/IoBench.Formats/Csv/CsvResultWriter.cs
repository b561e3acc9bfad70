using System.Globalization;
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

    /// <summary>Adds an apostrophe to text that a spreadsheet program would take for a formula.</summary>
    public static string GuardFormula(string text) => CsvColumn.AddFormulaGuard(text);

    /// <summary>Numbers and times unchanged, enums as text, warnings separated by <c>; </c>, null for unknown values.</summary>
    /// <param name="isForSpreadsheet">Whether an apostrophe guards text that could be a formula, as in the CSV file.</param>
    public static IEnumerable<KeyValuePair<string, object?>> GetRowValues(IoTestResult result, bool isForSpreadsheet = false)
    {
        ArgumentNullException.ThrowIfNull(result);
        return MetricCatalog.All.Select(metric =>
            KeyValuePair.Create(
                metric.Name,
                metric.Value(result) switch
                {
                    List<string> lines => lines.Count > 0 ? AddGuard(string.Join("; ", lines)) : null,
                    string text => AddGuard(text),
                    Enum word => word.ToString(),
                    var value => value,
                }
            )
        );

        string AddGuard(string text) => isForSpreadsheet ? CsvColumn.AddFormulaGuard(text) : text;
    }

    // Columns of events of an error log.
    private static readonly (string Name, Func<ErrorLogEvent, object?> GetValue)[] s_errorLogColumns =
    [
        ("Time", item => item.Time.ToString("yyyy-MM-dd HH:mm:ss.fff", CultureInfo.InvariantCulture)),
        ("Kind", item => item.Kind.ToString()),
        ("Process", item => item.Process),
        ("Path", item => item.Path),
        ("Database", item => item.Database),
        ("DatabaseId", item => item.DatabaseId),
        ("Operation", item => item.Operation?.ToString()),
        ("Offset", item => item.Offset),
        ("Page", item => item.Page),
        ("Observations", item => item.Observations),
        ("DurationMs", item => item.DurationMs),
        ("OSError", item => item.OSError),
        ("Detail", item => item.Detail),
        ("FailedAttempts", item => item.FailedAttempts),
        ("MisalignedIOs", item => item.MisalignedIOs),
        ("FlushedPages", item => item.FlushedPages),
        ("FlushWrites", item => item.FlushWrites),
        ("NewDirtyPages", item => item.NewDirtyPages),
        ("MBps", item => item.MBps),
        ("IOSaturation", item => item.IOSaturation),
        ("ContextSwitches", item => item.ContextSwitches),
        ("LastTargetOutstanding", item => item.LastTargetOutstanding),
        ("AverageWriteMs", item => item.AverageWriteMs),
        ("MemoryLimitMB", item => item.MemoryLimitMB),
        ("BufferCount", item => item.BufferCount),
        ("MaxTransferSizeKB", item => item.MaxTransferSizeKB),
        ("TotalBufferMB", item => item.TotalBufferMB),
        ("SourceFile", item => item.SourceFile),
        ("SourceLine", item => item.SourceLine),
    ];

    /// <summary>Events are written like results: culture-invariant, and an apostrophe guards text that could be a formula.</summary>
    public static void WriteErrorLogHeader(TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.Write(string.Join(',', s_errorLogColumns.Select(column => column.Name)) + "\r\n");
    }

    public static void WriteErrorLogRow(TextWriter writer, ErrorLogEvent item)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(item);
        // One write per row, because standard output is flushed after each write.
        using var row = new StringWriter(CultureInfo.InvariantCulture);
        for (var i = 0; i < s_errorLogColumns.Length; i++)
        {
            if (i > 0)
                row.Write(',');
            var value = s_errorLogColumns[i].GetValue(item);
            WriteField(
                row,
                value is string text ? CsvColumn.AddFormulaGuard(text) : Convert.ToString(value, CultureInfo.InvariantCulture) ?? ""
            );
        }
        row.Write("\r\n");
        writer.Write(row.ToString());
    }
}
