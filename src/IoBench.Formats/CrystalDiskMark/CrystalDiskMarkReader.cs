using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads the text that CrystalDiskMark 3 to 8 saves or copies, one result per row. One text can contain several saved texts. The text is
/// English in every
/// language of the program.
/// </summary>
public static class CrystalDiskMarkReader
{
    /// <summary>Tests whether a text is from CrystalDiskMark: it has the name and at least one result row.</summary>
    /// <param name="head">Beginning of the text.</param>
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        if (!head.Contains(CrystalDiskMarkParser.Tool, StringComparison.Ordinal) || !head.Contains("MB/s", StringComparison.Ordinal))
            return false;
        foreach (var line in head.AsSpan().EnumerateLines())
        {
            if (CrystalDiskMarkParser.ParseRow(line) is not null)
                return true;
        }
        return false;
    }

    /// <summary>Reads the results one at a time. Only one saved text is in memory.</summary>
    /// <param name="sourceFile">Name of the text, for results and messages; null if there is none.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoResults</c>: the text has no row with a value. Thrown during
    /// enumeration.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return ReadAll(reader, sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadAll(TextReader reader, string? sourceFile)
    {
        var lines = new TextLineReader(reader);
        var text = new CrystalDiskMarkParser(sourceFile);
        var found = false;
        try
        {
            while (lines.MoveNext())
            {
                text.ParseLine(lines.CurrentLine, lines.LineNumber);
                foreach (var result in text.DequeueResults())
                {
                    found = true;
                    yield return result;
                }
            }
        }
        finally
        {
            lines.ReturnBuffer();
        }
        text.EndText();
        foreach (var result in text.DequeueResults())
        {
            found = true;
            yield return result;
        }
        if (!found)
            throw IoBenchException.InvalidData(
                ErrorIds.NoResults,
                $"{(sourceFile is null ? "The text" : $"'{sourceFile}'")} holds no test of CrystalDiskMark that was run: a row with MB/s above 0 is expected.",
                sourceFile
            );
    }
}
