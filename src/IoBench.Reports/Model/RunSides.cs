namespace IoBench.Reports.Model;

/// <summary>One side of a comparison.</summary>
/// <param name="Name">Its name; empty when there is but one and it has none.</param>
internal sealed record RunSide(string Name, IReadOnlyList<IoTestResult> Runs);

/// <summary>Who is compared with whom: the results with a baseline, or labels among the results with the first of them.</summary>
internal sealed class RunSides
{
    /// <summary>More labels than this are names of files, not sides of a comparison.</summary>
    private const int MaxLabels = 6;

    private RunSides(
        RunSide? baseline,
        IReadOnlyList<RunSide> sides,
        IReadOnlyList<ComparisonResult> comparisons,
        IReadOnlyList<string> unlike
    )
    {
        Unlike = unlike;
        Baseline = baseline;
        Sides = sides;
        Comparisons = comparisons;
    }

    /// <summary>What the others are compared with; null when there is nothing to compare.</summary>
    public RunSide? Baseline { get; }

    /// <summary>The sides that the report is about; the baseline is among them when it is a label of the results.</summary>
    public IReadOnlyList<RunSide> Sides { get; }

    /// <summary>The comparisons with the baseline, one per side.</summary>
    public IReadOnlyList<ComparisonResult> Comparisons { get; }

    /// <summary>Labels without a test that the baseline has, too.</summary>
    public IReadOnlyList<string> Unlike { get; }

    /// <summary>Finds the sides.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NothingToCompare</c>: no run has a partner in the baseline that was given.</exception>
    public static RunSides Of(IReadOnlyList<IoTestResult> results, IReadOnlyList<IoTestResult>? baseline)
    {
        if (baseline is not null)
        {
            var before = new RunSide(OnlyLabel(baseline) ?? "Baseline", baseline);
            var now = new RunSide(OnlyLabel(results) is { } label && label != before.Name ? label : "Now", results);
            return new(before, [now], [ResultComparer.Compare(before.Runs, now.Runs, before.Name, now.Name)], []);
        }
        var sides = results
            .GroupBy(run => run.Label ?? "", StringComparer.Ordinal)
            .Take(MaxLabels + 1)
            .ToList()
            .ConvertAll(group => new RunSide(group.Key, [.. group]));
        if (sides.Count is < 2 or > MaxLabels)
            return new(null, [new("", results)], [], []);
        sides = sides.ConvertAll(side => side.Name.Length > 0 ? side : side with { Name = "(no label)" });
        var comparisons = sides.Skip(1).Select(side => CompareWhereAlike(sides[0], side)).OfType<ComparisonResult>().ToList();
        return comparisons.Count == 0
            ? new(null, [new("", results)], [], [])
            : new(
                sides[0],
                sides,
                comparisons,
                [.. sides.Skip(1).Select(side => side.Name).Except(comparisons.Select(comparison => comparison.Label!))]
            );
    }

    /// <summary>Labels may name different tests as well; then there is nothing to compare, and nobody asked to.</summary>
    private static ComparisonResult? CompareWhereAlike(RunSide baseline, RunSide side)
    {
        try
        {
            return ResultComparer.Compare(baseline.Runs, side.Runs, baseline.Name, side.Name);
        }
        catch (IoBenchException exception) when (exception.ErrorId is ErrorIds.NothingToCompare)
        {
            return null;
        }
    }

    private static string? OnlyLabel(IReadOnlyList<IoTestResult> runs) =>
        runs.Select(run => run.Label).Distinct().Take(2).ToList() is [{ Length: > 0 } label] ? label : null;
}
