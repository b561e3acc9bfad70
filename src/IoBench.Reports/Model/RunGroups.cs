namespace IoBench.Reports.Model;

/// <summary>Runs that are one row of a table: a run, or of many runs all those of the same test.</summary>
/// <param name="Name">A name that no other row has.</param>
/// <param name="Runs">The runs, in the order given.</param>
internal sealed record RunGroup(string Name, IReadOnlyList<IoTestResult> Runs)
{
    /// <summary>The first run: what all have in common is read from it.</summary>
    public IoTestResult First => Runs[0];

    /// <summary>Median of a figure over the runs; null when none has it.</summary>
    public double? Median(Func<IoTestResult, double?> figure) =>
        Runs.Count == 1 ? figure(First) : SampleSummary.Of(Runs.Select(figure))?.Median;

    /// <summary>Lowest figure of the runs; null when none has it.</summary>
    public double? Lowest(Func<IoTestResult, double?> figure) => Runs.Min(figure);

    /// <summary>Highest figure of the runs; null when none has it.</summary>
    public double? Highest(Func<IoTestResult, double?> figure) => Runs.Max(figure);

    /// <summary>From the lowest to the highest figure; null when there are fewer than two.</summary>
    public (double Low, double High)? Range(Func<IoTestResult, double?> figure) =>
        Runs.Count > 1 && Lowest(figure) is { } low && Highest(figure) is { } high ? (low, high) : null;
}

/// <summary>The rows of a report's tables. Nobody reads a table of 126 nights: above so many runs those of the same test are one row, and each run is in Details.</summary>
/// <param name="AreMerged">A row may stand for several runs.</param>
internal sealed record RunGroups(IReadOnlyList<RunGroup> Rows, bool AreMerged)
{
    private const int MaxSingleRows = 20;

    /// <summary>The rows for these results; those of several computers or paths stay apart.</summary>
    public static RunGroups Of(IReadOnlyList<IoTestResult> results)
    {
        if (results.Count > MaxSingleRows)
        {
            var tests = results.GroupBy(EqualTests.Of).Select(group => group.ToList()).ToList();
            if (tests.Count < results.Count)
                return new(Named([.. tests.Select(runs => runs[0])], tests), true);
        }
        return new(Named(results, [.. results.Select(run => new List<IoTestResult> { run })]), false);
    }

    private static List<RunGroup> Named(IReadOnlyList<IoTestResult> firsts, List<List<IoTestResult>> runs) =>
        [.. RunNames.Plain(firsts).Zip(runs, (name, group) => new RunGroup(name, group))];
}
