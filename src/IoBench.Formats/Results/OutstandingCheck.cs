using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Compares the average number of outstanding I/Os (Little's law: IOPS times average latency) with the requested number. Readers set the
/// latency of Little's law only for closed loops without a rate limit or think time.
/// </summary>
internal static class OutstandingCheck
{
    private const double MinShare = 0.7;
    private const double MaxShare = 1.3;

    /// <summary>Fewer I/Os than this, together with the start and the end of a run, show no average.</summary>
    private const int MinIOs = 10;

    /// <summary>SQLIO truncates its average latency to whole milliseconds twice.</summary>
    private const double WholeMillisecondsError = 2;

    internal static void AddWarning(IoTestResult result)
    {
        if (
            result
                is not {
                    Status: IoResultStatus.Complete,
                    LoadModel: IoLoadModel.Closed,
                    LittlesLawLatencyMs: > 0 and var expected,
                    AverageLatencyMs: > 0 and var latency,
                    TotalOutstanding: > 0 and var requested,
                    IOPS: > 0 and var iops,
                }
            || result.IOCount < MinIOs
            || result.Source == ResultFormats.OwnTool
        )
            return;
        var error = ResultFormats.IsInWholeMilliseconds(result) ? WholeMillisecondsError : 0;
        var isLower = (latency + error) / expected < MinShare;
        if ((!isLower && latency / expected <= MaxShare) || result.HasWarning(WarningCodes.OutstandingDiffers))
            return;
        var outstanding = iops * latency / 1000;
        var effect = isLower ? "so the results are those of a lower queue depth" : "so the latency includes time in another queue";
        result.AddWarning(
            new IoWarning(
                WarningCodes.OutstandingDiffers,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"On average, {FormatCount(outstanding)} I/Os were outstanding (IOPS x average latency), {(isLower ? "fewer" : "more")} than the {requested} requested, {effect}."
                )
            )
        );
    }

    private static string FormatCount(double count) => count.ToString(count < 10 ? "0.##" : "0", CultureInfo.InvariantCulture);
}
