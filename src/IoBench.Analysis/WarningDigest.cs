using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A warning of results, told once.</summary>
/// <param name="Warning">It, with the figures of the first result that has it.</param>
/// <param name="Tests">The tests that have it, by workload or pattern; empty when all of them do.</param>
public sealed record ToldWarning(IoWarning Warning, IReadOnlyList<string> Tests)
{
    private const int MaxNames = 3;

    /// <summary>Its words.</summary>
    public string Text => Warning.ToString();

    /// <summary>The tests in words: <c>oltp, checkpoint and 1 more</c>; empty when it is about all.</summary>
    public string Names => Tests.Count <= MaxNames ? string.Join(", ", Tests) : $"{string.Join(", ", Tests.Take(MaxNames))} and {Tests.Count - MaxNames} more";

    /// <summary>The warning with its tests: <c>oltp, checkpoint: IOPS were not steady …</c>.</summary>
    public override string ToString() => Render(TextSpelling.Neutral);

    /// <summary>The same as a front writes it.</summary>
    public string Render(TextSpelling spelling)
    {
        var text = Warning.Text.Render(spelling);
        return Tests.Count == 0 ? text : $"{Names}: {text}";
    }
}

/// <summary>The warnings of a suite: each kind once, also when its figures differ from test to test.</summary>
public static partial class WarningDigest
{
    /// <summary>Each kind of warning in the order they come.</summary>
    public static IReadOnlyList<ToldWarning> Of(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        return [.. results.SelectMany(r => r.GetWarnings().DistinctBy(w => Kind(w.ToString())).Select(warning => (warning, name: r.Workload ?? r.IOPattern ?? "")))
            .GroupBy(w => Kind(w.warning.ToString()))
            .Select(kind =>
            {
                var names = kind.Select(w => w.name).Where(n => n.Length > 0).Distinct().ToList();
                return new ToldWarning(kind.First().warning, kind.Count() == results.Count ? [] : names);
            })];
    }

    /// <summary>A warning without its figures: equal for equal kinds.</summary>
    public static string Kind(string warning) => Figures().Replace(warning, "#");

    [GeneratedRegex(@"\d+([.,]\d+)*")]
    private static partial Regex Figures();
}
