using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Writes results as SQLIO 1.5 printed them, line by line and column by column, so that scripts for SQLIO can read them. Latencies are
/// truncated to whole milliseconds, as in SQLIO. Lines end with CR LF.
/// </summary>
public static class SqlioTextWriter
{
    private const string NewLine = "\r\n";

    /// <summary>Writes results with an empty line between them.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotRepresentable</c>: SQLIO's text cannot describe a result, such as a mix of reads
    /// and writes.</exception>
    public static void Write(TextWriter writer, IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        var first = true;
        foreach (var result in results)
        {
            if (!first)
                writer.Write(NewLine);
            first = false;
            Write(writer, result);
        }
    }

    /// <summary>
    /// Writes one result. Prints the parts that its specification requests from SQLIO; without a specification, all known parts.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotRepresentable</c>.</exception>
    public static void Write(TextWriter writer, IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(result);
        _ = SqlioSupport.EnsureSupported(result);
        var lines = new LineWriter(writer, NewLine);
        SqlioTextWriter.WriteParameters(lines, result);
        SqlioTextWriter.WriteMeasurements(lines, result);
    }
}
