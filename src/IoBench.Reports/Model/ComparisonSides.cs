using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>The results compared with a baseline, or the labels of the results compared with the first label.</summary>
internal sealed class ComparisonSides
{
    /// <summary>More labels are probably file names.</summary>
    private const int MaxLabels = 6;

    private ComparisonSides(
        RunGroup? baseline,
        IReadOnlyList<RunGroup> sides,
        IReadOnlyList<ComparisonResult> comparisons,
        IReadOnlyList<string> unmatchedLabels
    )
    {
        UnmatchedLabels = unmatchedLabels;
        Baseline = baseline;
        Sides = sides;
        Comparisons = comparisons;
    }

    public RunGroup? Baseline { get; }

    public IReadOnlyList<RunGroup> Sides { get; }

    public IReadOnlyList<ComparisonResult> Comparisons { get; }

    public IReadOnlyList<string> UnmatchedLabels { get; }

    /// <exception cref="IoBenchException"><c>IoBench.NothingToCompare</c>: no run matches a run of the baseline.</exception>
    public static ComparisonSides Create(IReadOnlyList<IoTestResult> results, IReadOnlyList<IoTestResult>? baseline)
    {
        if (baseline is not null)
        {
            var before = new RunGroup(FindSingleLabel(baseline) ?? "Baseline", baseline);
            var now = new RunGroup(FindSingleLabel(results) is { } label && label != before.Name ? label : "Now", results);
            return new(before, [now], [ComparisonResult.Compare(before.Runs, now.Runs, before.Name, now.Name)], []);
        }
        var sides = results
            .GroupBy(run => run.Label ?? "", StringComparer.Ordinal)
            .Take(MaxLabels + 1)
            .ToList()
            .ConvertAll(group => new RunGroup(group.Key, [.. group]));
        if (sides.Count is < 2 or > MaxLabels)
            return new(null, [new("", results)], [], []);
        sides = sides.ConvertAll(side => side.Name.Length > 0 ? side : side with { Name = "(no label)" });
        var comparisons = sides.Skip(1).Select(side => CompareIfMatching(sides[0], side)).OfType<ComparisonResult>().ToList();
        return comparisons.Count == 0
            ? new(null, [new("", results)], [], [])
            : new(
                sides[0],
                sides,
                comparisons,
                [.. sides.Skip(1).Select(side => side.Name).Except(comparisons.Select(comparison => comparison.Label!))]
            );
    }

    /// <summary>Labels can also name different tests. Returns null then, because the user did not request a comparison.</summary>
    private static ComparisonResult? CompareIfMatching(RunGroup baseline, RunGroup side)
    {
        try
        {
            return ComparisonResult.Compare(baseline.Runs, side.Runs, baseline.Name, side.Name);
        }
        catch (IoBenchException exception) when (exception.ErrorId is ErrorIds.NothingToCompare)
        {
            return null;
        }
    }

    private static string? FindSingleLabel(IReadOnlyList<IoTestResult> runs) =>
        runs.Select(run => run.Label).Distinct().Take(2).ToList() is [{ Length: > 0 } label] ? label : null;
}
