using System.Globalization;

namespace IoBench.Formats;

/// <summary>Writes events as CSV (RFC 4180), culture-invariant. An apostrophe guards text that could be a formula.</summary>
public static class ErrorLogCsvWriter
{
    private static readonly (string Name, Func<ErrorLogEvent, object?> GetValue)[] s_columns =
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

    public static void WriteHeader(TextWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.Write(string.Join(',', s_columns.Select(column => column.Name)) + "\r\n");
    }

    public static void WriteRow(TextWriter writer, ErrorLogEvent item)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(item);
        // One write per row, because standard output is flushed after each write.
        using var row = new StringWriter(CultureInfo.InvariantCulture);
        for (var i = 0; i < s_columns.Length; i++)
        {
            if (i > 0)
                row.Write(',');
            var value = s_columns[i].GetValue(item);
            CsvResultWriter.WriteField(
                row,
                value is string text ? CsvColumn.AddFormulaGuard(text) : Convert.ToString(value, CultureInfo.InvariantCulture) ?? ""
            );
        }
        row.Write("\r\n");
        writer.Write(row.ToString());
    }
}
