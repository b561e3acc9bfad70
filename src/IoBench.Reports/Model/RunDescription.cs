using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

/// <summary>Names and descriptions of runs, the same on every sheet.</summary>
internal static class RunDescription
{
    public static string? GetHost(IoTestResult run) => run.Member ?? run.ComputerName;

    public static string DescribePattern(IoTestResult result) =>
        result.IOPattern ?? PatternText.Describe(result.BlockSizeKB, result.AccessPattern, result.WritePercent);

    /// <summary>The IO Pattern of the classic sheet, such as <c>8KBrandomread-HUS150</c>: size, pattern, operation, and label.</summary>
    public static string DescribeClassicPattern(IoTestResult result)
    {
        var pattern =
            DescribePattern(result).Replace(" ", "", StringComparison.Ordinal)
            + (DisplayLatency.FromResult(result).IsResponse ? "-response" : "");
        return string.IsNullOrEmpty(result.Label) ? pattern : $"{pattern}-{result.Label}";
    }

    public static string DescribeTool(IoTestResult result) => $"{ResultFormats.GetToolName(result.Source)} {result.ToolVersion}".Trim();

    /// <returns>Threads and queue depth, such as <c>4 threads x 8</c>; null if the result does not state them.</returns>
    public static string? DescribeLoad(IoTestResult result) =>
        result.ThreadCount is { } threads && result.OutstandingIO is { } outstanding
            ? $"{NumberFormat.Pluralize(threads, "thread")} x {NumberFormat.Integer(outstanding)}"
            : null;

    public static string DescribeWarning(WarningSummary warning) => ToSentence(warning.ToString());

    /// <summary>Adds a capital letter at the start and a period at the end.</summary>
    public static string ToSentence(string text)
    {
        text = text.Trim();
        if (text.Length == 0)
            return text;
        // Do not change the start of a path or an option.
        var blank = text.IndexOf(' ', StringComparison.Ordinal);
        if (blank > 0 && text.AsSpan(0, blank).IndexOfAnyExceptInRange('a', 'z') < 0)
            text = char.ToUpperInvariant(text[0]) + text[1..];
        return text[^1] is '.' or '!' or '?' or ':' ? text : text + ".";
    }

    /// <returns>A size as on the classic sheet, such as <c>92160 MB</c>; null if unknown.</returns>
    public static string? DescribeClassicFileSize(IoTestResult result) =>
        result.FileSizeMB is { } size ? NumberFormat.Plain(size, 3) + " MB" : null;

    public static string GetFileName(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    /// <summary>SQLIO reports whole milliseconds, so the cell has no decimals.</summary>
    public static CellValue CreateLatencyCell(IoTestResult result, double? milliseconds) =>
        CellValue.Create(milliseconds, ResultFormats.IsInWholeMilliseconds(result) ? CellStyle.Whole : CellStyle.Milliseconds);

    /// <summary>Removes the middle, because the beginning and the end of a text say the most.</summary>
    public static string ShortenMiddle(string text, int length)
    {
        if (text.Length <= length)
            return text;
        var head = (length - 1) / 3;
        var tail = length - 1 - head;
        return text[..head].TrimEnd() + "…" + text[^tail..].TrimStart();
    }
}
