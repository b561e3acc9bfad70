namespace IoBench.Reports.Model;

/// <summary>The words for parts of a result, the same on every sheet.</summary>
internal static class RunText
{
    /// <summary>The host: its name in the group that it ran with, else the computer's.</summary>
    public static string? Host(IoTestResult run) => run.Member ?? run.ComputerName;

    /// <summary>The pattern in words: the result's own, else made from its parts.</summary>
    public static string Pattern(IoTestResult result) =>
        result.IOPattern ?? PatternText.Of(result.BlockSizeKB, result.AccessPattern, result.WritePercent);

    /// <summary>The IO Pattern of the classic sheet: size, pattern and operation run together, and the label: <c>8KBrandomread-HUS150</c>.</summary>
    public static string ClassicPattern(IoTestResult result)
    {
        var pattern = Pattern(result).Replace(" ", "", StringComparison.Ordinal) + (ShownLatency.Of(result).IsResponse ? "-response" : "");
        return string.IsNullOrEmpty(result.Label) ? pattern : $"{pattern}-{result.Label}";
    }

    /// <summary>The tool with its version.</summary>
    public static string ToolVersion(IoTestResult result) => $"{ResultFormats.ToolOf(result.Source)} {result.ToolVersion}".Trim();

    /// <summary>How many I/Os a run keeps waiting: <c>4 threads x 8</c>; null when the result does not say.</summary>
    public static string? Load(IoTestResult result) =>
        result.ThreadCount is { } threads && result.OutstandingIO is { } outstanding
            ? $"{Figures.Counted(threads, "thread")} x {Figures.Whole(outstanding)}"
            : null;

    /// <summary>A warning as a sentence, behind the runs it is about when these are not all.</summary>
    public static string Warning(DigestWarning warning) => Sentence(warning.ToString());

    /// <summary>A text as a sentence: it begins with a capital and ends with a full stop.</summary>
    public static string Sentence(string text)
    {
        text = text.Trim();
        if (text.Length == 0)
            return text;
        // The beginning of a path or of an option stays what it is.
        var blank = text.IndexOf(' ', StringComparison.Ordinal);
        if (blank > 0 && text.AsSpan(0, blank).IndexOfAnyExceptInRange('a', 'z') < 0)
            text = char.ToUpperInvariant(text[0]) + text[1..];
        return text[^1] is '.' or '!' or '?' or ':' ? text : text + ".";
    }

    /// <summary>The size of the test file as the classic sheet has it: <c>92160 MB</c>; null when it is not known.</summary>
    public static string? ClassicFileSize(IoTestResult result) => result.FileSizeMB is { } size ? Figures.Plain(size, 3) + " MB" : null;

    /// <summary>The name of a file, whichever system's path it is.</summary>
    public static string FileName(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    /// <summary>Milliseconds in a cell: SQLIO knows whole ones only, and the cell does not claim more.</summary>
    public static CellValue LatencyCell(IoTestResult result, double? milliseconds) =>
        CellValue.Of(milliseconds, ResultFormats.IsInWholeMilliseconds(result) ? CellStyle.Whole : CellStyle.Milliseconds);

    /// <summary>Cuts a text in its middle: its beginning and end say the most.</summary>
    public static string Shorten(string text, int length)
    {
        if (text.Length <= length)
            return text;
        var head = (length - 1) / 3;
        var tail = length - 1 - head;
        return text[..head].TrimEnd() + "…" + text[^tail..].TrimStart();
    }
}
