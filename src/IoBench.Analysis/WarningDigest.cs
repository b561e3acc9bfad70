using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A warning of one or more results, listed once.</summary>
/// <param name="Warning">The warning, with a range for each number that differs between results.</param>
/// <param name="Tests">Affected tests, by workload or pattern; empty if all tests are affected.</param>
public sealed partial record WarningSummary(IoWarning Warning, IReadOnlyList<string> Tests, int Count)
{
    private const int MaxNames = 3;

    /// <summary>Affected tests, as in <c>4 tests: oltp, checkpoint, tempdb and 1 more</c>; empty if there is only one test.</summary>
    public string Names
    {
        get
        {
            if (Tests.Count == 0)
                return Count switch
                {
                    > 2 => $"all {Count} tests",
                    2 => "both tests",
                    _ => "",
                };
            var names = NumberFormat.List(Tests, MaxNames);
            return Count > 1 ? $"{Count} tests: {names}" : names;
        }
    }

    public override string ToString() => Render(OptionSpelling.Neutral);

    /// <summary>The warning with its tests, as a message whose options are not yet spelled.</summary>
    public IoMessage Text => Names.Length == 0 ? Warning.Text : $"{Names}: {Warning.Text}";

    /// <summary>The warning with its tests before and its id after the text.</summary>
    public string Render(OptionSpelling spelling) =>
        Names.Length == 0 ? Warning.RenderWithId(spelling) : $"{Names}: {Warning.RenderWithId(spelling)}";

    /// <summary>Returns each kind of warning, in the order of its first occurrence.</summary>
    public static IReadOnlyList<WarningSummary> Summarize(IReadOnlyList<IoTestResult> results)
    {
        var areOfManyFiles = results.Select(r => r.SourceFile).OfType<string>().Distinct(StringComparer.Ordinal).Skip(1).Any();
        // One entry per kind, because 100,000 results can have warnings of only a few kinds.
        var kinds = new Dictionary<string, WarningGroup>(StringComparer.Ordinal);
        var ordered = new List<WarningGroup>();
        foreach (var result in results)
        {
            if (!result.HasWarnings())
                continue;
            foreach (var given in result.GetWarnings())
            {
                var warning = areOfManyFiles ? AddFileName(given, result.SourceFile) : given;
                var name = GetKind(result, warning);
                if (!kinds.TryGetValue(name, out var kind))
                {
                    kind = new(warning);
                    kinds.Add(name, kind);
                    ordered.Add(kind);
                }
                kind.Add(warning, result);
            }
        }
        return [.. ordered.Select(kind => new WarningSummary(kind.Warning, kind.Count == results.Count ? [] : kind.Names, kind.Count))];
    }

    /// <summary>Replaces all numbers of a warning by #, so that warnings of one kind become equal.</summary>
    public static string RemoveNumbers(string warning) => WarningGroup.RemoveNumbers(warning);

    // A line number is meaningless without its file. Warnings of file formats are text only, so add the file name to the text.
    private static IoWarning AddFileName(IoWarning warning, string? file) =>
        file is not null && GetLineNumberRegex().Match(warning.Template) is { Success: true } line
            ? new IoWarning(
                warning.Code,
                IoMessage.FromTemplate($"{IoMessage.FromString(Path.GetFileName(file)).Template} line {warning.Template[line.Length..]}")
            )
            : warning;

    // Remove paths, because they differ between tests as numbers do.
    private static string GetKind(IoTestResult result, IoWarning warning)
    {
        var text = warning.ToString();
        var paths = (result.Path ?? "").Split("; ", StringSplitOptions.RemoveEmptyEntries);
        foreach (
            var path in (result.SourceFile is { } source ? paths.Append(Path.GetFileName(source)) : paths)
                .Where(path => path.Length > 0)
                .OrderByDescending(path => path.Length)
        )
            text = text.Replace(path, "#", StringComparison.Ordinal);
        return RemoveNumbers(text);
    }

    [GeneratedRegex("^[Ll]ine (?=[0-9])")]
    private static partial Regex GetLineNumberRegex();
}
