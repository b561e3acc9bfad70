using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>A row of a table (one run, or of many runs all those of the same test), or the results of a side of a comparison.</summary>
/// <param name="Name">Empty if there is only one side and it has no name.</param>
internal sealed record RunGroup(string Name, IReadOnlyList<IoTestResult> Runs)
{
    public IoTestResult First => Runs[0];

    public double? GetMedian(Func<IoTestResult, double?> figure) =>
        Runs.Count == 1 ? figure(First) : SampleSummary.FromSamples(Runs.Select(figure))?.Median;

    public double? GetMin(Func<IoTestResult, double?> figure) => Runs.Min(figure);

    public double? GetMax(Func<IoTestResult, double?> figure) => Runs.Max(figure);

    public (double Low, double High)? GetRange(Func<IoTestResult, double?> figure) =>
        Runs.Count > 1 && GetMin(figure) is { } low && GetMax(figure) is { } high ? (low, high) : null;

    private const int MaxSingleRows = 20;

    /// <summary>A row for each run of a long history is unreadable, so runs of the same test share a row. Details has each run. Runs of
    /// different computers or paths are not combined.</summary>
    public static (IReadOnlyList<RunGroup> Rows, bool HasMergedRuns) CreateRows(IReadOnlyList<IoTestResult> results)
    {
        if (results.Count > MaxSingleRows)
        {
            var tests = results.GroupBy(TestIdentity.GetKey).Select(group => group.ToList()).ToList();
            if (tests.Count < results.Count)
                return (CreateGroups([.. tests.Select(runs => runs[0])], tests), true);
        }
        return (CreateGroups(results, [.. results.Select(run => new List<IoTestResult> { run })]), false);
    }

    private static List<RunGroup> CreateGroups(IReadOnlyList<IoTestResult> firsts, List<List<IoTestResult>> runs) =>
        [.. RunDescription.CreateNames(firsts).Zip(runs, (name, group) => new RunGroup(name, group))];
}
