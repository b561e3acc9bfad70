using IoBench.Engine;

namespace IoBench.Analysis;

public static class TestIdentity
{
    /// <summary>Returns a key that is equal for runs of the same test.</summary>
    public static object GetKey(IoTestResult run) =>
        (
            run.Source,
            run.Label,
            run.Workload,
            run.IOPattern,
            run.ThreadCount,
            run.OutstandingIO,
            run.FileSizeMB,
            (run.Path, run.ComputerName, run.Buffering, run.TargetIops)
        );

    internal static string GetDisplayName(IoTestResult run) =>
        // An output that contains only errors has no pattern.
        FirstText(run.Workload, run.IOPattern, run.Label, Path.GetFileName(run.SourceFile)) ?? "run";

    private static string? FirstText(params string?[] texts) => Array.Find(texts, text => !string.IsNullOrEmpty(text));

    /// <summary>Runs on fewer days are repeats, not a history.</summary>
    private const int MinDays = 3;

    /// <summary>For equal runs on several days. The latest run counts, because a mean would hide a degradation.</summary>
    public static (IoTestResult Latest, IoTestResult First, int Days)? FindHistory(IReadOnlyList<IoTestResult> runs)
    {
        var days = runs.Count < MinDays ? 0 : runs.Select(run => run.StartTime?.Date).OfType<DateTime>().Distinct().Count();
        if (days < MinDays)
            return null;
        var ordered = runs.OrderBy(run => run.StartTime ?? DateTimeOffset.MinValue).ToList();
        return (ordered[^1], ordered[0], days);
    }

    /// <summary>Whether labels split the runs into sides. If each run has its own label (such as the name of its file), they do
    /// not.</summary>
    public static bool AreSides(IReadOnlyCollection<IoTestResult> runs) =>
        runs.Select(run => run.Label ?? "").Distinct(StringComparer.Ordinal).Count() < runs.Count;
}
