namespace IoBench.Formats.CrystalDiskMark;

/// <summary>
/// Reads the text that CrystalDiskMark 3 to 8 saves or copies, any number of them in one text: one result per row. It is English whatever the program's language.
/// </summary>
public static class CrystalDiskMarkReader
{
    /// <summary>Whether a text that begins so is CrystalDiskMark's: its name and one of its rows.</summary>
    /// <param name="head">The beginning of the text.</param>
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        if (!head.Contains(CdmLines.Tool, StringComparison.Ordinal) || !head.Contains("MB/s", StringComparison.Ordinal))
            return false;
        foreach (var line in head.AsSpan().EnumerateLines())
        {
            if (CdmLines.Row(line) is not null)
                return true;
        }
        return false;
    }

    /// <summary>Reads the results in a text, one after the other; memory holds one saved text at a time.</summary>
    /// <param name="sourceFile">Name of the text, for the results and for messages; null = none.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoResults</c>: no row with a figure is in it. Thrown when the reading has come so far.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return ReadAll(reader, sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadAll(TextReader reader, string? sourceFile)
    {
        var lines = new LineSource(reader);
        var text = new CdmText(sourceFile);
        var found = false;
        try
        {
            while (lines.Next())
            {
                text.Take(lines.Line, lines.Number);
                foreach (var result in text.TakeResults())
                {
                    found = true;
                    yield return result;
                }
            }
        }
        finally
        {
            lines.Release();
        }
        text.End();
        foreach (var result in text.TakeResults())
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
