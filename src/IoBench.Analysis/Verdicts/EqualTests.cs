namespace IoBench.Analysis.Verdicts;

/// <summary>What runs have in common that are repeats of one test.</summary>
public static class EqualTests
{
    /// <summary>Equal for runs that are equal in all but when they ran.</summary>
    public static object Of(IoTestResult run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return (
            run.Source,
            run.Label,
            run.Workload,
            run.IOPattern,
            run.ThreadCount,
            run.OutstandingIO,
            run.FileSizeMB,
            (run.Path, run.ComputerName, run.Buffering, run.TargetIops)
        );
    }

    /// <summary>Runs of fewer days are repeats, no history.</summary>
    private const int MinDays = 3;

    /// <summary>
    /// Of equal runs of many days the latest, with the first and the number of days: with a history the latest counts, since a mean would let a worsening log look
    /// average. Null of runs of few days.
    /// </summary>
    public static (IoTestResult Latest, IoTestResult First, int Days)? History(IReadOnlyList<IoTestResult> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        var days = runs.Count < MinDays ? 0 : runs.Select(run => run.StartTime?.Date).OfType<DateTime>().Distinct().Count();
        if (days < MinDays)
            return null;
        var ordered = runs.OrderBy(run => run.StartTime ?? DateTimeOffset.MinValue).ToList();
        return (ordered[^1], ordered[0], days);
    }
}
