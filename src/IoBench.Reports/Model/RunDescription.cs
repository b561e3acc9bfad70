using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

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
        CellValue.Create(milliseconds, ResultFormats.IsInWholeMilliseconds(result) ? CellStyle.Integer : CellStyle.Milliseconds);

    /// <summary>Removes the middle, because the beginning and the end of a text say the most.</summary>
    public static string ShortenMiddle(string text, int length)
    {
        if (text.Length <= length)
            return text;
        var head = (length - 1) / 3;
        var tail = length - 1 - head;
        return text[..head].TrimEnd() + "…" + text[^tail..].TrimStart();
    }

    private const int MaxPathLength = 28;

    // In the order in which people describe a run. The first part that distinguishes equal names is added.
    private static readonly Func<IoTestResult, string?>[] s_nameParts =
    [
        run => run.Workload,
        run => run.Label,
        run => run.ThreadCount is { } threads && run.OutstandingIO is { } outstanding ? Invariant($"{threads}x{outstanding}") : null,
        run => run.FileSizeMB is { } size ? NumberFormat.Size(size) : null,
        run => run.Buffering?.ToString(),
        run => run.TargetIops is { } rate ? Invariant($"at {rate:0} IOPS") : null,
        run => run.ComputerName,
        // The runs of a history differ by date. Runs of one day differ by repeat first.
        run => run.StartTime?.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture),
        run => run.Repeat is { } repeat ? Invariant($"#{repeat}") : null,
        run => run.SourceFile is { } file ? GetFileName(file) : null,
        run => run.StartTime?.ToString("HH:mm", CultureInfo.InvariantCulture),
    ];

    public static string[] CreateNames(IReadOnlyList<IoTestResult> results, int maxLength = 44) =>
        BuildNames(results, maxLength, run => AddLabel(run.Workload ?? DescribePattern(run), run.Label), results.Count > 1);

    public static string[] CreateClassicNames(IReadOnlyList<IoTestResult> results, int maxLength = 44) =>
        BuildNames(results, maxLength, DescribeClassicPattern, true);

    private static string AddLabel(string name, string? label) => string.IsNullOrEmpty(label) ? name : $"{name} {label}";

    private static string[] BuildNames(
        IReadOnlyList<IoTestResult> results,
        int maxLength,
        Func<IoTestResult, string> baseName,
        bool tellApart
    )
    {
        var names = results.Select(baseName).Select(name => name.Length > 0 ? name : "run").ToArray();
        if (tellApart)
        {
            foreach (
                var group in Enumerable.Range(0, names.Length).GroupBy(index => names[index]).Where(group => group.Count() > 1).ToList()
            )
                MakeDistinct(results, names, [.. group]);
        }
        for (var index = 0; index < names.Length; index++)
            names[index] = ShortenMiddle(names[index], maxLength);
        NumberDuplicates(names);
        return names;
    }

    private static void MakeDistinct(IReadOnlyList<IoTestResult> results, string[] names, int[] group)
    {
        if (AddDifferingPart(names, group, GetDifferingPaths([.. group.Select(index => results[index].Path)])))
            return;
        foreach (var part in s_nameParts)
        {
            if (AddDifferingPart(names, group, [.. group.Select(index => part(results[index]))]))
                return;
        }
    }

    /// <returns>true if all names differ afterwards.</returns>
    private static bool AddDifferingPart(string[] names, int[] group, string?[] parts)
    {
        if (parts.Distinct().Count() < 2)
            return false;
        for (var i = 0; i < group.Length; i++)
        {
            // Do not repeat a label or workload that the name already has.
            if (parts[i] is { Length: > 0 } part && !names[group[i]].Contains(part, StringComparison.Ordinal))
                names[group[i]] = $"{names[group[i]]} {part}";
        }
        return group.Select(index => names[index]).Distinct().Count() == group.Length;
    }

    /// <summary>The folders in which paths differ, such as <c>O:\SQLIOMP\Disk1</c> and <c>P:\SQLIOMP\Disk2</c>.</summary>
    internal static string?[] GetDifferingPaths(string?[] paths)
    {
        // Many runs share a few files.
        string[] distinct = [.. paths.Select(path => path ?? "").Distinct()];
        if (distinct.Length == paths.Length)
            return GetDifferingFolders(paths);
        var shown = GetDifferingFolders(distinct);
        var places = distinct.Select((path, index) => (path, index)).ToDictionary(item => item.path, item => shown[item.index]);
        return Array.ConvertAll(paths, path => places[path ?? ""]);
    }

    private static string?[] GetDifferingFolders(string?[] paths)
    {
        var split = paths.Select(path => path?.Split('/', '\\') ?? []).ToArray();
        var shortest = split.Min(parts => parts.Length);
        var head = 0;
        while (head < shortest - 1 && split.All(parts => parts[head] == split[0][head]))
            head++;
        var tail = 0;
        while (tail < shortest - head - 1 && split.All(parts => parts[^(tail + 1)] == split[0][^(tail + 1)]))
            tail++;
        return
        [
            .. split.Select(
                (parts, index) =>
                    parts.Length == 0
                        ? null
                        : ShortenMiddle(
                            string.Join(
                                paths[index]!.Contains('\\', StringComparison.Ordinal) ? '\\' : '/',
                                parts[head..(parts.Length - tail)]
                            ),
                            MaxPathLength
                        )
            ),
        ];
    }

    private static void NumberDuplicates(string[] names)
    {
        foreach (var group in Enumerable.Range(0, names.Length).GroupBy(index => names[index]).Where(group => group.Count() > 1).ToList())
        {
            var number = 1;
            foreach (var index in group)
                names[index] += Invariant($" ({number++})");
        }
    }
}
