using IoBench.Engine;

namespace IoBench.Application;

/// <summary>What can be combined with the rating of snapshots of sys.dm_io_virtual_file_stats.</summary>
public static class SnapshotRating
{
    /// <exception cref="IoBenchException"><c>IoBench.MixedInput</c> or <c>IoBench.ConflictingOptions</c>.</exception>
    public static void ThrowIfNotApplicable(bool hasSnapshots, bool hasResults, bool hasMetrics, bool hasReport)
    {
        if (hasSnapshots && hasResults)
            throw IoBenchException.Usage(
                "IoBench.MixedInput",
                "The input contains test results and snapshots of sys.dm_io_virtual_file_stats.",
                advice: "Rate them separately."
            );
        if (hasSnapshots && hasMetrics)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{new OptionName("MetricsPath")} applies to test results, but the input contains snapshots of sys.dm_io_virtual_file_stats.",
                advice: (IoMessage)$"Remove {new OptionName("MetricsPath")}."
            );
        if (!hasSnapshots && hasReport)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{new OptionName("ReportPath")} applies only to snapshots of sys.dm_io_virtual_file_stats.",
                advice: "For a report of test results, use iobench report or Export-IoReport."
            );
    }
}
