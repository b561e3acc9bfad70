using IoBench.Engine;

namespace IoBench.Analysis;

public static class RunLabels
{
    /// <summary>Whether labels split the runs into sides. If each run has its own label (such as the name of its file), they do
    /// not.</summary>
    public static bool AreSides(IReadOnlyCollection<IoTestResult> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        return runs.Select(run => run.Label ?? "").Distinct(StringComparer.Ordinal).Count() < runs.Count;
    }
}
