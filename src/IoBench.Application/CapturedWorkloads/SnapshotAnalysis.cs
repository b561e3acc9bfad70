using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Rating and storage advice for snapshots of sys.dm_io_virtual_file_stats.</summary>
public static class SnapshotAnalysis
{
    /// <summary>Checks what can be combined with a rating.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.MixedInput</c> or <c>IoBench.ConflictingOptions</c>.</exception>
    public static void CheckRating(bool hasSnapshots, bool hasResults, bool hasMetrics, bool hasReport)
    {
        if (hasSnapshots && hasResults)
            throw IoBenchException.Usage(
                "IoBench.MixedInput",
                "The input contains test results and snapshots of sys.dm_io_virtual_file_stats.",
                advice: "Rate the test results and the snapshots with separate commands."
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

    /// <param name="values">Values of <see cref="OptionTables.Advice"/>.</param>
    /// <exception cref="IoBenchException">The errors of <see cref="StorageAdvisor.Advise"/> and
    /// <see cref="StoragePrices.LoadFile"/>.</exception>
    public static StorageAdvice Advise(OptionValues values, IReadOnlyList<FileStatsSnapshot> snapshots) =>
        StorageAdvisor.Advise(
            snapshots,
            values.GetText(new OptionName("Cloud")),
            values.GetValue<double>(new OptionName("Headroom")) ?? StorageAdvisor.DefaultHeadroomPercent,
            values.GetText(new OptionName("PricesPath")) is { } prices ? StoragePrices.LoadFile(prices) : null
        );
}
