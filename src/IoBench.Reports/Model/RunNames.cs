using System.Globalization;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class RunDescription
{
    private const int MaxPathLength = 28;

    // In the order in which people describe a run. The first part that distinguishes equal names is added.
    private static readonly Func<IoTestResult, string?>[] s_nameParts =
    [
        run => run.Workload,
        run => run.Label,
        run =>
            run.ThreadCount is { } threads && run.OutstandingIO is { } outstanding
                ? string.Create(CultureInfo.InvariantCulture, $"{threads}x{outstanding}")
                : null,
        run => run.FileSizeMB is { } size ? NumberFormat.Size(size) : null,
        run => run.Buffering?.ToString(),
        run => run.TargetIops is { } rate ? string.Create(CultureInfo.InvariantCulture, $"at {rate:0} IOPS") : null,
        run => run.ComputerName,
        // The runs of a history differ by date. Runs of one day differ by repeat first.
        run => run.StartTime?.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture),
        run => run.Repeat is { } repeat ? string.Create(CultureInfo.InvariantCulture, $"#{repeat}") : null,
        run => run.SourceFile is { } file ? RunDescription.GetFileName(file) : null,
        run => run.StartTime?.ToString("HH:mm", CultureInfo.InvariantCulture),
    ];

    public static string[] CreateNames(IReadOnlyList<IoTestResult> results, int maxLength = 44) =>
        BuildNames(results, maxLength, run => AddLabel(run.Workload ?? RunDescription.DescribePattern(run), run.Label), results.Count > 1);

    public static string[] CreateClassicNames(IReadOnlyList<IoTestResult> results, int maxLength = 44) =>
        BuildNames(results, maxLength, RunDescription.DescribeClassicPattern, true);

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
            names[index] = RunDescription.ShortenMiddle(names[index], maxLength);
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

    /// <summary>Adds a part to the names of a group if its runs differ in it.</summary>
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

    /// <summary>
    /// The folders in which paths differ, such as <c>O:\SQLIOMP\Disk1</c> and <c>P:\SQLIOMP\Disk2</c> if both end with the same file name.
    /// </summary>
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
                        : RunDescription.ShortenMiddle(
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
                names[index] += string.Create(CultureInfo.InvariantCulture, $" ({number++})");
        }
    }
}
