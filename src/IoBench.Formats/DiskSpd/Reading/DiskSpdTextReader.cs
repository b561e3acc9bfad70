using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads text of DiskSpd 2.0.11 to 2.3 and diskspd-for-linux, also if tabs became spaces or the end is missing.</summary>
public static class DiskSpdTextReader
{
    // The heading nearest to the beginning in most texts is first, so that the others are only searched before it. Through 2.0.17, -v
    // prints a line for each I/O first, so the first kilobytes of such a text only have the line that starts them.
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

    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        return Array.Exists(s_marks, m => head.Contains(m, StringComparison.Ordinal))
            || (
                head.Contains("Usage: ", StringComparison.Ordinal)
                && head.Contains("diskspd", StringComparison.OrdinalIgnoreCase)
                && head.Contains("-Sh", StringComparison.Ordinal)
            )
            || DiskSpdLogLines.ContainsFailure(head);
    }

    internal static int FindFirstHeading(ReadOnlySpan<char> head)
    {
        var first = int.MaxValue;
        foreach (var mark in s_marks)
        {
            // After a match, another heading can only be the first one if it starts before the match.
            var end = (int)Math.Min(head.Length, (long)first + mark.Length);
            if (head[..end].IndexOf(mark) is >= 0 and var at)
                first = Math.Min(first, at);
        }
        return first;
    }

    /// <summary>Reads the results one at a time. Only one run is in memory.</summary>
    /// <exception cref="IoBenchException">Thrown during enumeration: the text is empty, DiskSpd's help, or not from DiskSpd.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return MixedTextReader.Read(new TextReaderStream(reader), sourceFile, startsWithSqlio: false);
    }

    internal static IEnumerable<IoTestResult> Read(Stream stream, string? sourceFile) =>
        MixedTextReader.Read(TextInput.OpenUtf8(stream), sourceFile, startsWithSqlio: false);

    internal static IoBenchException CreateNoResultsError(bool isUsage, int lineCount, string? sourceFile)
    {
        var name = sourceFile is null ? "The text" : $"'{sourceFile}'";
        if (lineCount == 0)
            return IoBenchException.InvalidData(
                "IoBench.EmptyFile",
                $"{name} is empty. The DiskSpd run failed, or its output went elsewhere.",
                sourceFile
            );
        return isUsage
            ? IoBenchException.InvalidData(
                ErrorIds.NoResults,
                $"{name} contains the help of DiskSpd, not a result. DiskSpd ran without arguments or with -?.",
                sourceFile
            )
            : IoBenchException.InvalidData(
                "IoBench.UnknownFormat",
                $"{name} is not a DiskSpd text output, because headings such as 'Input parameters:' and 'Total IO' are missing.",
                sourceFile
            );
    }
}
