using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Model;

/// <summary>The words for parts of a result, the same on every sheet.</summary>
internal static class RunText
{
    /// <summary>The pattern in words: the result's own, else made from its parts.</summary>
    public static string Pattern(IoTestResult result)
        => result.IOPattern ?? PatternText.Of(result.BlockSizeKB, result.AccessPattern, result.WritePercent);

    /// <summary>The IO Pattern of the classic sheet: size, pattern and operation run together, and the label: <c>8KBrandomread-HUS150</c>.</summary>
    public static string ClassicPattern(IoTestResult result)
    {
        var pattern = Pattern(result).Replace(" ", "", StringComparison.Ordinal);
        return string.IsNullOrEmpty(result.Label) ? pattern : $"{pattern}-{result.Label}";
    }

    /// <summary>The tool that measured, as it is called.</summary>
    public static string Tool(IoResultSource source) => source switch
    {
        IoResultSource.Sqlio => "SQLIO",
        IoResultSource.DiskSpd or IoResultSource.DiskSpdXml => "DiskSpd",
        _ => "IoBench",
    };

    /// <summary>The tool with its version.</summary>
    public static string ToolVersion(IoTestResult result) => $"{Tool(result.Source)} {result.ToolVersion}".Trim();

    /// <summary>How many I/Os a run keeps waiting: <c>4 threads x 8</c>; null when it does not tell.</summary>
    public static string? Load(IoTestResult result) => result.ThreadCount is { } threads && result.OutstandingIO is { } outstanding
        ? string.Create(CultureInfo.InvariantCulture, $"{threads} thread{(threads == 1 ? "" : "s")} x {outstanding}") : null;

    /// <summary>What runs have in common that are repeats of one test.</summary>
    public static object SameTest(IoTestResult run)
        => (run.Source, run.Label, run.Workload, Pattern(run), run.ThreadCount, run.OutstandingIO, run.FileSizeMB, (run.Path, run.ComputerName, run.Buffering, run.TargetIops));

    /// <summary>A warning as a sentence, behind the runs it is about when these are not all.</summary>
    public static string Warning(ToldWarning warning) => Sentence(warning.ToString());

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
    public static string? ClassicFileSize(IoTestResult result)
        => result.FileSizeMB is { } size ? size.ToString("0.###", CultureInfo.InvariantCulture) + " MB" : null;

    /// <summary>A size in the unit people say: <c>256 MB</c>, <c>90 GB</c>.</summary>
    public static string Size(double megabytes) => megabytes switch
    {
        >= 1024 * 1024 => (megabytes / 1024 / 1024).ToString("0.#", CultureInfo.InvariantCulture) + " TB",
        >= 1024 => (megabytes / 1024).ToString("0.#", CultureInfo.InvariantCulture) + " GB",
        >= 1 => megabytes.ToString("0.#", CultureInfo.InvariantCulture) + " MB",
        _ => (megabytes * 1024).ToString("0.#", CultureInfo.InvariantCulture) + " KB",
    };

    /// <summary>Milliseconds with the digits they need: <c>0.082 ms</c>, <c>24 ms</c>, <c>58.8 s</c>.</summary>
    public static string Milliseconds(double value) => value switch
    {
        >= 1000 => (value / 1000).ToString("#,##0.#", CultureInfo.InvariantCulture) + " s",
        >= 100 => value.ToString("#,##0", CultureInfo.InvariantCulture) + " ms",
        >= 10 => value.ToString("0.#", CultureInfo.InvariantCulture) + " ms",
        >= 1 => value.ToString("0.##", CultureInfo.InvariantCulture) + " ms",
        _ => value.ToString("0.###", CultureInfo.InvariantCulture) + " ms",
    };

    /// <summary>A count or rate with thousands separated: <c>112,640</c>, <c>95.1</c>.</summary>
    public static string Count(double value) => value.ToString(Math.Abs(value) >= 100 ? "#,##0" : "0.#", CultureInfo.InvariantCulture);

    /// <summary>Seconds in the unit people say: <c>30 s</c>, <c>5 min</c>, <c>2 h</c>.</summary>
    public static string Duration(double seconds) => seconds switch
    {
        >= 7200 => (seconds / 3600).ToString("0.#", CultureInfo.InvariantCulture) + " h",
        >= 180 => (seconds / 60).ToString("0.#", CultureInfo.InvariantCulture) + " min",
        _ => seconds.ToString("0.#", CultureInfo.InvariantCulture) + " s",
    };

    /// <summary>The name of a file, whichever system's path it is.</summary>
    public static string FileName(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    /// <summary>Milliseconds in a cell: SQLIO knows whole ones only, and the cell does not claim more.</summary>
    public static CellValue LatencyCell(IoTestResult result, double? milliseconds)
        => CellValue.Of(milliseconds, result.Source == IoResultSource.Sqlio ? CellStyle.Whole : CellStyle.ThreeDecimals);

    /// <summary>Cuts a text in its middle: its beginning and end tell most.</summary>
    public static string Shorten(string text, int length)
    {
        if (text.Length <= length)
            return text;
        var head = (length - 1) / 3;
        var tail = length - 1 - head;
        return text[..head].TrimEnd() + "…" + text[^tail..].TrimStart();
    }
}
