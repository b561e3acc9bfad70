namespace IoBench.Formats.DiskSpd.Reading;

/// <summary>
/// Reads DiskSpd's text output of the versions 2.0.11 to 2.3 and of diskspd-for-linux: one result per timespan, any number of runs in one text.
/// Also what happens to such texts: tabs turned into blanks, prompts and error lines mixed in, ends cut off.
/// </summary>
public static class DiskSpdTextReader
{
    // The one that most texts have near their beginning comes first: then the others are looked for before it only.
    // Up to 2.0.17 -v prints a line for each I/O before all else: of such a text the first kilobytes have only the line that begins them.
    private static readonly string[] s_marks =
    [
        "Input parameters:",
        "Generating requests for timespan ",
        "Results for timespan ",
        "Results for job ",
        "%-ile |",
        "thread |       bytes",
        "The test was interrupted before the measurements began",
    ];

    /// <summary>Whether a text that begins so is DiskSpd's. Some kilobytes are enough.</summary>
    /// <param name="head">The beginning of the text.</param>
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        return Array.Exists(s_marks, m => head.Contains(m, StringComparison.Ordinal))
            || (
                head.Contains("Usage: ", StringComparison.Ordinal)
                && head.Contains("diskspd", StringComparison.OrdinalIgnoreCase)
                && head.Contains("-Sh", StringComparison.Ordinal)
            );
    }

    /// <summary>Where the first of DiskSpd's headings is; beyond the text when there is none.</summary>
    internal static int FirstMark(ReadOnlySpan<char> head)
    {
        var first = int.MaxValue;
        foreach (var mark in s_marks)
        {
            // Once one is found, another can only be the first where it begins before that.
            var end = (int)Math.Min(head.Length, (long)first + mark.Length);
            if (head[..end].IndexOf(mark) is >= 0 and var at)
                first = Math.Min(first, at);
        }
        return first;
    }

    /// <summary>Reads the results in a text, one after the other; memory holds one run at a time.</summary>
    /// <param name="sourceFile">Name of the text, for the results and for messages; null = none.</param>
    /// <returns>The results in the order of the text.</returns>
    /// <exception cref="IoBenchException"><c>IoBench.EmptyFile</c>: nothing is in it; <c>IoBench.NoResults</c>: DiskSpd's help, not a result;
    /// <c>IoBench.UnknownFormat</c>: it is not DiskSpd's text. Thrown when the reading has come so far.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return ReadAll(reader, sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadAll(TextReader reader, string? sourceFile)
    {
        var lines = new LineSource(reader);
        var parser = new RunParser(sourceFile);
        SqlioPart? other = null;
        var inOther = false;
        try
        {
            while (lines.Next())
            {
                if (!inOther && OtherTool.BeginsSqlio(lines.Line))
                {
                    inOther = true;
                    parser.End();
                    other ??= new SqlioPart(sourceFile);
                    other.Begin(lines.Number);
                }
                if (inOther && !other!.TryTake(lines.Line, lines.Number, lines.WasCut))
                {
                    inOther = false;
                    other.End();
                }
                if (!inOther)
                    parser.Take(lines.Line, lines.Number);
                while (parser.TryTake(out var result))
                    yield return result;
                while (other is not null && other.TryTakeResult(out var result))
                    yield return result;
            }
        }
        finally
        {
            lines.Release();
        }
        other?.End();
        while (other is not null && other.TryTakeResult(out var result))
            yield return result;
        parser.End();
        while (parser.TryTake(out var result))
            yield return result;
        if (!parser.SawDiskSpd && other is null)
            throw NoResults(parser.SawUsage, lines.Number, sourceFile);
    }

    private static IoBenchException NoResults(bool isUsage, int lineCount, string? sourceFile)
    {
        var name = sourceFile is null ? "The text" : $"'{sourceFile}'";
        if (lineCount == 0)
            return IoBenchException.InvalidData(
                "IoBench.EmptyFile",
                $"{name} is empty: the DiskSpd run that should have written it failed, or wrote elsewhere.",
                sourceFile
            );
        return isUsage
            ? IoBenchException.InvalidData(
                ErrorIds.NoResults,
                $"{name} holds DiskSpd's help and no result: the call had no arguments or asked for it with -?.",
                sourceFile
            )
            : IoBenchException.InvalidData(
                "IoBench.UnknownFormat",
                $"{name} is not DiskSpd's text: it has none of its headings, such as 'Input parameters:' or 'Total IO'.",
                sourceFile
            );
    }
}
