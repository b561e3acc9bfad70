namespace IoBench.Engine;

internal static class RunWarnings
{
    // Above this share of the mean, IOPS are unsteady (the limit of Microsoft's Process-DiskSpd).
    private const double MaxVariation = 0.10;
    private const double MaxBehindMs = 1000;
    private const double HotPercent = 95;
    private const double MaxStolenPercent = 5;
    private const double MinOwnPercent = 50;
    private const double MaxAtOnce = 0.2;

    public static IEnumerable<IoWarning> CreateWarnings(IoTestResult result, RunExecution execution, StreamTotals sums)
    {
        if (execution.StopReason is { } reason)
            yield return new IoWarning(WarningCodes.Stopped, reason);
        if (execution.StuckIOs > 0)
            yield return new IoWarning(
                WarningCodes.Stuck,
                execution.StuckIOs == 1
                    ? (IoMessage)$"1 I/O did not come back: its buffer and file stay in use until this process ends."
                    : $"{execution.StuckIOs} I/Os did not come back: their buffers and files stay in use until this process ends."
            );
        if (result.Status == IoResultStatus.Cancelled && result.DurationSeconds is null)
            yield return new IoWarning(WarningCodes.NothingMeasured, "the run was cancelled before it measured anything.");
        var placed = execution.Workers.SelectMany(w => w.Streams).Min(l => l.PlacedPercent);
        if (placed < 100)
            yield return new IoWarning(
                WarningCodes.DistributionCut,
                $"the distribution reaches beyond the end of the target: parts for {100 - placed} % of the I/Os were dropped, and the "
                    + $"shares of the others were scaled up."
            );
        if (result.DurationSeconds > 0 && sums.Latencies.Service.Total.Count == 0)
            yield return new IoWarning(WarningCodes.NoIo, "no I/O completed in the measured time.");
        if (result.IOPS > 0 && result.Timeline.Count >= 3 && result.IopsStdDev / result.IOPS > MaxVariation)
            yield return new IoWarning(
                WarningCodes.Unsteady,
                $"IOPS were not steady: they vary by {result.IopsStdDev / result.IOPS:0.00} of their mean (more than "
                    + $"{MaxVariation:0.00} is a lot). Run longer, or see what else uses the storage."
            );
        if (result.Processors.Count > 1 && result.CpuPercent < HotPercent)
        {
            var hot = result.Processors.Where(p => p.UsagePercent >= HotPercent).Select(p => p.Processor).ToArray();
            if (hot.Length > 0)
                yield return new IoWarning(
                    WarningCodes.ProcessorsBusy,
                    hot.Length == 1
                        ? (IoMessage)(
                            $"processor {hot[0]} was busy all the time: it, not the storage, may be the limit. Use more "
                            + $"threads.{DescribeCpuLimit(result, 1)}"
                        )
                        : $"processors {string.Join(", ", hot)} were busy all the time: they, not the storage, may be the limit. Use "
                            + $"more threads.{DescribeCpuLimit(result, hot.Length)}"
                );
        }
        else if (result.CpuPercent >= HotPercent)
        {
            yield return new IoWarning(
                WarningCodes.ProcessorsBusy,
                $"all processors were busy ({result.CpuPercent:0} %): they, not the storage, may be the "
                    + $"limit.{DescribeCpuLimit(result, CountCores(result))}"
            );
        }
        if (execution is { CpuBefore: { } before, CpuAfter: { } after } && after.GetStolenSince(before) > MaxStolenPercent)
            yield return new IoWarning(
                WarningCodes.StolenTime,
                $"the hypervisor gave {after.GetStolenSince(before):0} % of the processors' time to others: latencies include that."
            );
        if (ProcessorWait.CreateWarning(result.ProcessorWaitPercent) is { } wait)
            yield return wait;
        // A virtual clock costs nothing.
        if (execution.CpuBefore is not null && ClockCost.Current.CreateWarning() is { } slow)
            yield return slow;
        if (result.GcCount is { } collections && collections > 0)
            yield return new IoWarning(
                WarningCodes.Collections,
                $"{NumberFormat.Pluralize(collections, "garbage collection")} ran during the measured time: a worker may have waited "
                    + $"for {(collections == 1 ? "it" : "them")}."
            );
        var late = execution.Workers.SelectMany(w => w.Streams).Max(l => l.MaxLateLatency);
        if (late > Clock.Second && late >= sums.Latencies.Service.Total.Max)
        {
            yield return new IoWarning(
                WarningCodes.LateIo,
                execution.StuckIOs > 0
                    ? (IoMessage)(
                        $"the longest I/O never came back: it had been outstanding for {late / 1e9:0.0} s when the run gave up waiting. "
                        + $"That is the highest latency; average and percentiles do not include it."
                    )
                    : $"the longest I/O took {late / 1e9:0.0} s and ended after the measured time: the highest latency includes it, "
                        + $"average and percentiles of service times do not."
            );
        }
        var parts = execution.Workers.Sum(w => w.PartialTransfers);
        if (parts > 0)
            yield return new IoWarning(
                WarningCodes.PartTransfers,
                $"{NumberFormat.Pluralize(parts, "transfer")} moved only part of an I/O; further ones moved the rest, and the latency "
                    + $"covers all of it."
            );
        var busy = execution.Workers.Sum(w => w.BusyRetries);
        if (busy > 0)
            yield return new IoWarning(
                WarningCodes.BusyAnswers,
                busy == 1
                    ? (IoMessage)
                        $"the system returned an I/O as busy once; it was tried again, and its latency counts from the first attempt."
                    : $"the system returned I/Os as busy {busy} times; they were tried again, and their latency counts from the first "
                        + $"attempt."
            );
        foreach (
            var stream in execution
                .Workers.SelectMany(w => w.Streams)
                .Where(s => s.OpenedAs?.DescribeMismatch(s.Plan.Pattern.Buffering) is not null)
                .DistinctBy(s => s.Plan.TargetIndex)
        )
            yield return new IoWarning(
                WarningCodes.OpenFlags,
                $"a file is not open as it was asked for: the system reports it as "
                    + $"{stream.OpenedAs!.Value.DescribeMismatch(stream.Plan.Pattern.Buffering)} where "
                    + $"{OptionNames.Buffering.WithValue(stream.Plan.Pattern.Buffering)} was asked for. The figures are those of other "
                    + $"I/O."
            );
        if (execution.PriorityWarning is { } priority)
            yield return priority;
        if (CreateNotPendingWarning(execution) is { } atOnce)
            yield return atOnce;
        if (CreateRateWarning(result) is { } missed)
            yield return missed;
    }

    /// <summary>If other work uses the processors, IoBench's CPU cost does not show how many IOPS it can reach.</summary>
    private static IoMessage DescribeCpuLimit(IoTestResult result, int busy)
    {
        if (result is not { CpuUsPerIO: > 0 and var cost, IOPS: > 0 and var iops })
            return "";
        // Percent of one CPU.
        var own = iops * cost / 1e4;
        if (own / busy < MinOwnPercent)
            return $" IoBench took {own / busy:0} % of {(busy == 1 ? "its" : "their")} time; the rest is the system's own work, and "
                + $"what else runs on this computer.";
        var cores = CountCores(result);
        return $" At {cost:0.00} us of processor time per I/O this program can drive about {1 / cost:0.00} M IOPS per core here; the "
            + $"test reached {Math.Min(100, own / cores):0} % of that on {NumberFormat.Pluralize(cores, "core")}.";
    }

    private static int CountCores(IoTestResult result) => Math.Max(1, result.Processors.Count);

    private static IoWarning? CreateNotPendingWarning(RunExecution execution)
    {
        var starts = execution.Workers.Select(w => w.Backend.SynchronousStarts).OfType<(long Started, long DoneAtOnce)>().ToArray();
        var started = starts.Sum(s => s.Started);
        var atOnce = starts.Sum(s => s.DoneAtOnce);
        // If there is never more than one outstanding I/O, it does not matter that they complete one by one.
        if (execution.Workers.All(w => w.Plan.SlotCount <= 1) || atOnce <= started * MaxAtOnce)
            return null;
        return new IoWarning(
            WarningCodes.NotPending,
            $"of {started} I/Os {100.0 * atOnce / started:0} % were done within the call that was to start them: this file system, or a "
                + $"filter on it (compression, encryption, antivirus), does them one by one, however many are asked for at once."
        );
    }

    private static IoWarning? CreateRateWarning(IoTestResult result)
    {
        IoMessage rest = "";
        if (result.OldestDueMs is { } oldest)
        {
            if (result.DueNotDone == 1)
                rest = $" When the measured time ended, 1 I/O that was due was not done, for {oldest / 1000:0.0##} s.";
            else
                rest =
                    $" When the measured time ended, {result.DueNotDone:#,##0} I/Os that were due were not done, the oldest for "
                    + $"{oldest / 1000:0.0##} s.";
        }
        if (result.HasMissedRate())
            return new IoWarning(
                WarningCodes.RateMissed,
                $"{IoTestResult.DescribeMissedRate(result)}: the storage cannot keep this rate, and its latency at this rate says "
                    + $"nothing more.{rest}"
            );
        return result.OldestDueMs > MaxBehindMs
            ? new IoWarning(
                WarningCodes.BehindAtEnd,
                $"the storage stood still at the end.{rest} Response times include them with their age."
            )
            : null;
    }
}
