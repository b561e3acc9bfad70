using System.Globalization;

namespace IoBench.Engine;

/// <summary>What a reader must know of the run itself to trust its figures.</summary>
internal static class RunWarnings
{
    // Above this share of the mean, IOPS were not steady (the bound of Microsoft's Process-DiskSpd).
    private const double MostVariation = 0.10;
    private const double HotPercent = 95;
    private const double MostStolenPercent = 5;

    /// <summary>The warnings of a run, each in plain words.</summary>
    public static IEnumerable<string> Of(IoTestResult result, RunExecution execution, Tally tally)
    {
        if (execution.StoppedBecause is { } reason)
            yield return reason;
        if (execution.Stuck > 0)
            yield return Text($"{execution.Stuck} I/Os did not come back: their buffers and files stay in use until this process ends.");
        if (result.Status == IoResultStatus.Cancelled && result.DurationSeconds is null)
            yield return "the run was cancelled before it measured anything.";
        if (execution.Workers.SelectMany(w => w.Lanes).Min(l => l.PlacedPercent) is < 100 and var placed)
            yield return Text($"the distribution reaches beyond the end of the target: parts for {100 - placed} % of the I/Os fell away, and the others' shares were scaled up.");
        if (result.DurationSeconds > 0 && tally.Reads.Count + tally.Writes.Count == 0)
            yield return "no I/O completed in the measured time.";
        if (result.IOPS > 0 && result.Timeline.Count >= 3 && result.IopsStdDev / result.IOPS > MostVariation)
            yield return Text($"IOPS were not steady: they vary by {result.IopsStdDev / result.IOPS:0.00} of their mean (over {MostVariation:0.00} is much). Run longer, or see what else uses the storage.");
        if (result.Processors.Count > 1 && result.CpuPercent < HotPercent)
        {
            var hot = result.Processors.Where(p => p.UsagePercent >= HotPercent).Select(p => p.Processor).ToArray();
            if (hot.Length > 0)
                yield return Text($"processor {string.Join(", ", hot)} was busy all the time: it, not the storage, may be the limit. Use more threads.");
        }
        else if (result.CpuPercent >= HotPercent)
        {
            yield return Text($"all processors were busy ({result.CpuPercent:0} %): they, not the storage, may be the limit.");
        }
        if (execution is { Before: { } before, After: { } after } && after.StolenSince(before) > MostStolenPercent)
            yield return Text($"the hypervisor gave {after.StolenSince(before):0} % of the processors' time to others: latencies include that.");
        if (result.GcCount > 0)
            yield return Text($"{result.GcCount} garbage collections fell into the measured time: a worker may have waited for them.");
        var late = execution.Workers.Max(w => w.SlowestLate);
        if (late > Clock.Second && late > tally.Total.Max)
            yield return Text($"an I/O that was still out at the end took {late / 1e9:0.0} s; it is not in the figures.");
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
