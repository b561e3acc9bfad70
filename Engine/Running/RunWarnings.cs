namespace IoBench.Engine;

internal static class RunWarnings
{
    // Above this share of the mean, IOPS are unsteady (the limit of Microsoft's Process-DiskSpd).
    private const double MaxVariation = 0.10;
    private const double MaxBehindMs = 1000;
    private const double SaturatedPercent = 95;
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
                    ? (IoMessage)$"1 I/O did not complete. Its buffer and file stay in use until this process ends."
                    : $"{execution.StuckIOs} I/Os did not complete. Their buffers and files stay in use until this process ends."
            );
        if (result.Status == IoResultStatus.Cancelled && result.DurationSeconds is null)
            yield return new IoWarning(WarningCodes.NothingMeasured, "The run was canceled before the measurement started.");
        var placed = execution.Workers.SelectMany(w => w.Streams).Min(l => l.PlacedPercent);
        if (placed < 100)
            yield return new IoWarning(
                WarningCodes.DistributionCut,
                $"The distribution extends beyond the end of the target. IoBench ignored the ranges beyond the end, which were to receive {100 - placed}% of "
                    + $"the I/Os, and increased the shares of the other ranges."
            );
        if (result.DurationSeconds > 0 && sums.Latencies.Service.Total.Count == 0)
            yield return new IoWarning(
                WarningCodes.NoIo,
                "No I/O completed during the measurement. Use a longer duration, or a lower load."
            );
        if (result.HostPauses.Count == 0 && result.IOPS > 0 && result.Timeline.Count >= 3 && result.IopsStdDev / result.IOPS > MaxVariation)
            yield return new IoWarning(
                WarningCodes.Unsteady,
                $"IOPS were not steady: their variation is {result.IopsStdDev / result.IOPS:0.00} (more than {MaxVariation:0.00} is high). Use "
                    + $"a longer duration, or find out what else uses the storage."
            );
        if (result.Processors.Count > 1 && result.CpuPercent < SaturatedPercent)
        {
            var hot = result.Processors.Where(p => p.UsagePercent >= SaturatedPercent).Select(p => p.Processor).ToArray();
            if (hot.Length > 0)
                yield return new IoWarning(
                    WarningCodes.ProcessorsBusy,
                    hot.Length == 1
                        ? (IoMessage)(
                            $"CPU {hot[0]} was busy all the time. This CPU, not the storage, might be the bottleneck. Use more "
                            + $"threads.{DescribeCpuLimit(result, 1)}"
                        )
                        : $"CPUs {string.Join(", ", hot)} were busy all the time. These CPUs, not the storage, might be the bottleneck. Use "
                            + $"more threads.{DescribeCpuLimit(result, hot.Length)}"
                );
        }
        else if (result.CpuPercent >= SaturatedPercent)
        {
            yield return new IoWarning(
                WarningCodes.ProcessorsBusy,
                $"All CPUs were busy ({result.CpuPercent:0}%). The CPUs, not the storage, might be the "
                    + $"bottleneck.{DescribeCpuLimit(result, CountCores(result))}"
            );
        }
        if (execution is { CpuBefore: { } before, CpuAfter: { } after } && after.GetStolenSince(before) > MaxStolenPercent)
            yield return new IoWarning(
                WarningCodes.StolenTime,
                $"The hypervisor gave {after.GetStolenSince(before):0}% of the CPU time to other virtual machines, so latency is overstated. Reserve CPUs for this virtual machine."
            );
        if (CreatePauseWarning(result.HostPauses) is { } pause)
            yield return pause;
        if (ProcessorWait.CreateWarning(result) is { } wait)
            yield return wait;
        // A virtual clock costs nothing.
        if (execution.CpuBefore is not null && ClockCost.Current.CreateWarning() is { } slow)
            yield return slow;
        if (result.GcCount is { } collections && collections > 0)
            yield return new IoWarning(
                WarningCodes.Collections,
                $"{NumberFormat.Pluralize(collections, "garbage collection")} ran during the measurement, so some I/Os might have had "
                    + $"a higher latency. Repeat the test."
            );
        var late = execution.Workers.SelectMany(w => w.Streams).Max(l => l.MaxLateLatency);
        if (result.HostPauses.Count == 0 && late > Clock.Second && late >= sums.Latencies.Service.Total.Max)
        {
            yield return new IoWarning(
                WarningCodes.LateIo,
                execution.StuckIOs > 0
                    ? (IoMessage)(
                        $"The longest I/O did not complete. It had been pending for {late / 1e9:0.0} s when the run ended. The maximum latency "
                        + $"includes this I/O, but the average and the percentiles do not."
                    )
                    : $"The longest I/O took {late / 1e9:0.0} s and completed after the measurement ended. The maximum latency includes this I/O, but "
                        + $"the average and the percentiles (from submission) do not."
            );
        }
        var parts = execution.Workers.Sum(w => w.PartialTransfers);
        if (parts > 0)
            yield return new IoWarning(
                WarningCodes.PartTransfers,
                $"{NumberFormat.Pluralize(parts, "transfer")} completed only part of an I/O. IoBench transferred the rest, and the latency "
                    + $"includes this time."
            );
        var busy = execution.Workers.Sum(w => w.BusyRetries);
        if (busy > 0)
            yield return new IoWarning(
                WarningCodes.BusyAnswers,
                busy == 1
                    ? (IoMessage)
                        $"The operating system was busy and rejected an I/O once. IoBench repeated the I/O, and its latency is measured from the first attempt."
                    : $"The operating system was busy and rejected I/Os {busy} times. IoBench repeated these I/Os, and their latency is measured from the "
                        + $"first attempt."
            );
        foreach (
            var stream in execution
                .Workers.SelectMany(w => w.Streams)
                .Where(s => s.OpenedAs?.DescribeMismatch(s.Plan.Pattern.Buffering) is not null)
                .DistinctBy(s => s.Plan.TargetIndex)
        )
            yield return new IoWarning(
                WarningCodes.OpenFlags,
                $"A file is not open with the requested flags. The operating system reports "
                    + $"{stream.OpenedAs!.Value.DescribeMismatch(stream.Plan.Pattern.Buffering)}, but the test uses "
                    + $"{OptionNames.Buffering.WithValue(stream.Plan.Pattern.Buffering)}. The results do not measure the requested "
                    + $"I/O. Check the file system and its mount options."
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
            return $" IoBench used {own / busy:0}% of the time of {(busy == 1 ? "this CPU" : "these CPUs")}. "
                + "The operating system and other programs used the rest.";
        var cores = CountCores(result);
        return $" An I/O costs {cost:0.00} us of CPU time, so IoBench can drive about {1 / cost:0.00} M IOPS per core on this computer. The "
            + $"test reached {Math.Min(100, own / cores):0}% of this rate on {NumberFormat.Pluralize(cores, "core")}.";
    }

    private static int CountCores(IoTestResult result) => Math.Max(1, result.Processors.Count);

    private static IoWarning? CreatePauseWarning(List<IoHostPause> pauses)
    {
        if (pauses.Count == 0)
            return null;
        var longest = pauses.MaxBy(pause => pause.LengthSeconds)!;
        return new IoWarning(
            WarningCodes.HostPaused,
            $"IoBench did not run for {pauses.Sum(pause => pause.LengthSeconds):0.00} s, because the host did not schedule it. The longest "
                + $"pause lasted {longest.LengthSeconds:0.00} s and began at {Math.Max(0, longest.Seconds):0.00} s. The maximum latency and "
                + $"the I/O stalls exclude these pauses, but IOPS are understated, and average latency is overstated."
        );
    }

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
            $"{100.0 * atOnce / started:0}% of {started} I/Os completed within the call that started them. This file system, or a filter on it "
                + $"(compression, encryption, antivirus), completes I/Os one after another at any queue depth. Test in another folder."
        );
    }

    private static IoWarning? CreateRateWarning(IoTestResult result)
    {
        IoMessage rest = "";
        if (result.OldestDueMs is { } oldest)
        {
            if (result.DueNotDone == 1)
                rest = $" At the end of the measurement, 1 I/O had been due for {oldest / 1000:0.0##} s but had not completed.";
            else
                rest =
                    $" At the end of the measurement, {result.DueNotDone:#,##0} I/Os were due but had not completed. The oldest had been due for "
                    + $"{oldest / 1000:0.0##} s.";
        }
        if (result.HasMissedRate())
            return new IoWarning(
                WarningCodes.RateMissed,
                $"Target rate not reached: {IoTestResult.DescribeMissedRate(result)}, so latency is not rated.{rest}"
            );
        return result.OldestDueMs > MaxBehindMs
            ? new IoWarning(WarningCodes.BehindAtEnd, $"Some I/Os were late.{rest} The response times include this delay.")
            : null;
    }
}
