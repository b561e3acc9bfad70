namespace IoBench.Formats.Sqlio.Writing;

/// <summary>
/// Writes results as SQLIO 1.5 printed them, line by line and column by column, so that scripts which read SQLIO read them too. Latencies are
/// whole milliseconds, cut as SQLIO cut them. CR LF ends a line.
/// </summary>
public static class SqlioTextWriter
{
    private const string NewLine = "\r\n";

    /// <summary>Writes the results one behind the other, an empty line between them.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotRepresentable</c>: a mixed or otherwise foreign pattern that SQLIO has no words for.</exception>
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

    /// <summary>Writes one result. What its specification says SQLIO was to print is printed; without one, all there is.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotRepresentable</c>.</exception>
    public static void Write(TextWriter writer, IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(result);
        _ = SqlioWords.Check(result);
        var lines = new LineWriter(writer, NewLine);
        SqlioParameterText.Write(lines, result);
        SqlioFigureText.Write(lines, result);
    }
}
