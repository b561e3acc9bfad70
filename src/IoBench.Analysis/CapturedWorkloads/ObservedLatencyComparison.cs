using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Verdict about observed and measured latency, the most severe first.</summary>
public enum ObservedLatencyVerdict : long
{
    /// <summary>This storage does not reach the rate.</summary>
    CannotCarry,

    /// <summary>The measured latency is at least twice the observed latency.</summary>
    Slower,

    /// <summary>The observed latency is at least twice as high: bursts, other load, or the path to the server's own storage.</summary>
    WaitElsewhere,

    /// <summary>The two latencies are similar.</summary>
    Storage,

    Unknown,
}

/// <summary>The latency that SQL Server observed compared with the latency of this storage at the same rate.</summary>
public sealed class ObservedLatencyComparison : IHasFindings
{
    /// <summary>Fewest I/Os from which storage is called slower.</summary>
    private const long MinIOsForSlower = 1000;

    public string? Workload { get; init; }

    public string? IOPattern { get; init; }

    public string? Path { get; init; }

    public double? TargetIops { get; init; }

    public double? IOPS { get; init; }

    /// <summary>Average latency that SQL Server observed, in milliseconds.</summary>
    public required double ObservedMs { get; init; }

    /// <summary>Measured average latency in milliseconds, from the scheduled start; null if unknown.</summary>
    public double? MeasuredMs { get; init; }

    /// <summary>Observed / measured.</summary>
    public double? Factor { get; init; }

    public required ObservedLatencyVerdict Verdict { get; init; }

    /// <summary>Files of the server with this load, the busiest first; empty if unknown.</summary>
    public IReadOnlyList<IoObservedFile> Files { get; init; } = [];

    public required string Summary { get; init; }

    public IReadOnlyList<Finding> Findings =>
        (Finding[])
            [
                new()
                {
                    Code = FindingCodes.CapturedWorkloadPrefix + Verdict,
                    Subject = Workload ?? IOPattern ?? "",
                    What = Summary,
                    Severity = Verdict switch
                    {
                        ObservedLatencyVerdict.CannotCarry or ObservedLatencyVerdict.Slower => FindingSeverity.Critical,
                        ObservedLatencyVerdict.WaitElsewhere => FindingSeverity.Warning,
                        _ => FindingSeverity.Info,
                    },
                    Outcome = Verdict == ObservedLatencyVerdict.Unknown ? VerdictOutcome.NotRated : null,
                    Evidence =
                    [
                        new("TargetIops", TargetIops, "IOPS"),
                        new("IOPS", IOPS, "IOPS"),
                        new("ObservedMs", ObservedMs, "ms"),
                        new("MeasuredMs", MeasuredMs, "ms"),
                        new("Factor", Factor),
                    ],
                    WhatToDo =
                        Verdict <= ObservedLatencyVerdict.Slower ? "Keep this load on its current storage, or choose faster storage" : null,
                    Values = Finding.CreateValues(("IOPattern", IOPattern), ("Path", Path)),
                },
            ];

    public override string ToString() => Summary;

    /// <summary>Compares the latencies of each result, or target of a result, whose specification contains an observed latency.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoObservedLatency</c>: no specification contains one.</exception>
    public static IReadOnlyList<ObservedLatencyComparison> Analyze(IEnumerable<IoTestResult> results) =>
        Find(results) is { Count: > 0 } answers
            ? answers
            : throw IoBenchException.Usage(
                "IoBench.NoObservedLatency",
                $"The input contains no results of a captured workload on real storage. Run {IoCommand.CapturedWorkload} first."
            );

    /// <summary>Returns the same results as <see cref="Analyze"/>, but an empty list if no result belongs to a captured workload.</summary>
    public static IReadOnlyList<ObservedLatencyComparison> Find(IEnumerable<IoTestResult> results)
    {
        List<ObservedLatencyComparison> answers = [];
        // Results of a modeled device do not measure storage.
        foreach (var result in results.Where(r => r.Status == IoResultStatus.Complete && !BackendCatalog.IsModeled(r)))
        {
            if (result.GetStoredSpecification() is not { } specification)
                continue;
            if (specification.ObservedLatencyMs is { } observed)
                answers.Add(
                    CompareLatencies(
                        workload: result.Workload,
                        pattern: result.IOPattern,
                        path: result.Path,
                        target: specification.TargetIops * Math.Max(1, specification.Targets.Count),
                        iops: result.IOPS,
                        observed: observed,
                        measured: result.ResponseAverageMs ?? result.AverageLatencyMs,
                        count: GetIOCount(result),
                        seconds: GetSeconds(result),
                        reached: result.RateReachedPercent,
                        cpuWait: result.ProcessorWaitPercent,
                        files: specification.ObservedFiles
                    )
                );
            if (!specification.Targets.Exists(target => target.Pattern?.ObservedLatencyMs is not null))
                continue;
            for (var i = 0; i < Math.Min(result.Targets.Count, specification.Targets.Count); i++)
                if (specification.Targets[i].Pattern is { ObservedLatencyMs: { } ofTarget } pattern)
                    answers.Add(
                        CompareLatencies(
                            workload: $"{specification.Targets[i].Role} {pattern.Operation.ToString().ToLowerInvariant()}s",
                            pattern: result.Targets[i].IOPattern,
                            path: result.Targets[i].Path,
                            target: pattern.TargetIops,
                            iops: result.Targets[i].Total.IOPS,
                            observed: ofTarget,
                            measured: result.Targets[i].Total.ResponseAverageMs ?? result.Targets[i].Total.AverageLatencyMs,
                            count: (long?)(result.Targets[i].Total.IOPS * result.DurationSeconds),
                            seconds: GetSeconds(result),
                            reached: result.Targets[i].RateReachedPercent,
                            cpuWait: result.ProcessorWaitPercent,
                            files: pattern.ObservedFiles
                        )
                    );
        }
        return answers;
    }

    private static double GetSeconds(IoTestResult result) => result.DurationSeconds ?? result.Specification!.Duration.TotalSeconds;

    private static long? GetIOCount(IoTestResult result) => result.IOCount ?? (long?)(result.IOPS * result.DurationSeconds);

    private static ObservedLatencyComparison CompareLatencies(
        string? workload,
        string? pattern,
        string? path,
        double? target,
        double? iops,
        double observed,
        double? measured,
        long? count,
        double seconds,
        double? reached,
        double? cpuWait,
        List<IoObservedFile> files
    )
    {
        var factor = measured > 0 ? observed / measured : null;
        var rate = (target ?? iops) is { } known ? CapturedWorkload.FormatRate(known) : "?";
        // Too few I/Os show neither the latency nor whether the rate was reached.
        var expected = target * seconds;
        var isRare = expected < CapturedWorkload.MinExpectedIOs && count < CapturedWorkload.MinExpectedIOs;
        // In a short test, random arrivals differ from the target rate. Compare with the number of scheduled I/Os if it is known.
        var isMissed = reached is { } percent
            ? percent < IoTestResult.MinRateReachedPercent
            : iops * seconds < 0.95 * expected - 3 * Math.Sqrt(expected ?? 0);
        var isCpuLimited = cpuWait >= CpuWait.NotablePercent;
        var isFew = count < MinIOsForSlower && factor <= 0.5;
        ObservedLatencyVerdict verdict;
        if (isRare || measured is null && !isMissed || isFew && !isMissed)
            verdict = ObservedLatencyVerdict.Unknown;
        // The wait for a CPU is part of the measured latency. Only a latency that is low all the same has a verdict.
        else if (isCpuLimited && (isMissed || !(factor >= 2)))
            verdict = ObservedLatencyVerdict.Unknown;
        else if (isMissed)
            verdict = ObservedLatencyVerdict.CannotCarry;
        else
            verdict = factor switch
            {
                >= 2 => ObservedLatencyVerdict.WaitElsewhere,
                <= 0.5 => ObservedLatencyVerdict.Slower,
                _ => ObservedLatencyVerdict.Storage,
            };
        var words = verdict switch
        {
            ObservedLatencyVerdict.CannotCarry =>
                $"this run reached only {CapturedWorkload.FormatRate(iops!.Value)} IOPS, so this storage did not reach the rate of the server",
            ObservedLatencyVerdict.Unknown when isRare =>
                $"{(target * CapturedWorkload.DefaultSeconds < CapturedWorkload.MinExpectedIOs ? "these I/Os are too rare to test" : "the test was too short")}, so IoBench does not rate the result ({NumberFormat.Pluralize(count!.Value, "I/O")})",
            ObservedLatencyVerdict.Unknown when isCpuLimited => FormattableString.Invariant(
                $"worker threads waited {cpuWait:0}% of the time for a CPU, so this run does not show the latency of the storage. Repeat it when the computer is less busy"
            ),
            ObservedLatencyVerdict.Unknown when isFew =>
                $"{NumberFormat.Pluralize(count!.Value, "I/O")} are too few to decide whether this storage is slower",
            ObservedLatencyVerdict.Unknown => "the measured latency is unknown",
            ObservedLatencyVerdict.WaitElsewhere =>
                $"this storage has a latency of {NumberFormat.Latency(measured)} ms at the same rate. At least half of the observed latency comes from bursts, from other load, or from the path to the server's current storage",
            ObservedLatencyVerdict.Slower =>
                $"this storage has a latency of {NumberFormat.Latency(measured)} ms at the same rate, so it is slower than the server's current storage",
            _ =>
                $"this storage has a latency of {NumberFormat.Latency(measured)} ms at the same rate, so the storage explains the observed latency",
        };
        return new()
        {
            Workload = workload,
            IOPattern = pattern,
            Path = path,
            TargetIops = target,
            IOPS = iops,
            ObservedMs = observed,
            MeasuredMs = measured,
            Factor = factor,
            Verdict = verdict,
            Files = files,
            Summary =
                $"{workload ?? pattern}: SQL Server observed a latency of {NumberFormat.Latency(observed)} ms at {rate} IOPS; {words}.",
        };
    }
}
