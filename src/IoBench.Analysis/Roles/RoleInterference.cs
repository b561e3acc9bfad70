using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Contention between file roles: performance that one file role loses while the other file roles run.</summary>
public sealed record RoleInterference : IHasFindings
{
    /// <summary>If the log latency increases by at least this factor, recommend a separate device for the log.</summary>
    private const double NotableFactor = 2;

    /// <summary>data, log, tempdb, or backup.</summary>
    public required string Role { get; init; }

    public string? Workload { get; init; }

    public string? IOPattern { get; init; }

    public string? Path { get; init; }

    /// <summary>Target rate of the concurrent run in percent of the rate that each file role reached alone; null = full speed.</summary>
    public double? MixLoadPercent { get; init; }

    /// <summary>Load of the concurrent run: <c>full speed</c> or <c>50% of its rate when run alone</c>.</summary>
    public string Load => MixLoadPercent is { } percent ? Invariant($"{percent}% of its rate when run alone") : "full speed";

    /// <summary>Target rate in IOPS of a rate-limited mix; null at full speed.</summary>
    public double? TargetIops { get; init; }

    /// <summary>Whether the file role did not reach its target rate. Its response time is then not meaningful.</summary>
    public bool IsRateMissed { get; init; }

    public double? AloneIops { get; init; }

    public double? TogetherIops { get; init; }

    /// <summary>Loss of IOPS at full speed in percent; negative if IOPS increased; null for a rate-limited mix.</summary>
    public double? LossPercent { get; init; }

    public double? AloneLatencyMs { get; init; }

    /// <summary>In milliseconds; for a rate-limited mix, response time from the scheduled start.</summary>
    public double? TogetherLatencyMs { get; init; }

    /// <summary>Latency together / latency alone at full speed; null for a rate-limited mix.</summary>
    public double? LatencyFactor { get; init; }

    public double? AloneP99Ms { get; init; }

    public double? TogetherP99Ms { get; init; }

    /// <summary>What the file role shares with others, such as <c>the file with 64KB random write, the device sdb with log</c>; null if
    /// nothing is known to be shared.</summary>
    public string? Shares { get; init; }

    /// <summary>Share of the concurrent run, in percent, that worker threads waited for a CPU; null if unknown.</summary>
    public double? CpuWaitPercent { get; init; }

    /// <summary>Whether worker threads waited so long for a CPU that this computer, not the storage, can be the cause.</summary>
    public bool IsCpuLimited { get; init; }

    public required string Summary { get; init; }

    /// <summary>A log latency of at least twice the latency alone, or a target rate that was not reached, is a warning.</summary>
    public IReadOnlyList<Finding> Findings =>
        (Finding[])
            [
                new()
                {
                    Code = FindingCodes.RoleInterference,
                    Subject = Role,
                    What = Summary,
                    Severity = IsNotable ? FindingSeverity.Warning : FindingSeverity.Info,
                    Evidence =
                    [
                        new("IOPS alone", AloneIops, "IOPS"),
                        new("IOPS together", TogetherIops, "IOPS"),
                        new("AverageLatencyMs alone", AloneLatencyMs, "ms"),
                        new("AverageLatencyMs together", TogetherLatencyMs, "ms"),
                        new("P99Ms alone", AloneP99Ms, "ms"),
                        new("P99Ms together", TogetherP99Ms, "ms"),
                        new("LatencyFactor", LatencyFactor),
                        new("MixLoadPercent", MixLoadPercent),
                        new("TargetIops", TargetIops, "IOPS"),
                    ],
                    WhatToDo =
                        !IsNotable ? null
                        : IsCpuLimited ? CpuWait.Advice
                        : Shares is null ? "Check what the paths share (adapter, network, or array)"
                        : IsRateMissed ? "Put the file roles on separate devices, or plan for lower rates"
                        : "Use a separate device for the log, or limit other I/O on its device",
                    Values = Finding.CreateValues(("Workload", Workload), ("IOPattern", IOPattern), ("Path", Path)),
                },
            ];

    private bool IsNotable => IsRateMissed || Role == "log" && LatencyFactor >= NotableFactor;

    public override string ToString() => Summary;

    /// <summary>Compares the concurrent runs of a <see cref="RoleTestPlan"/> with the runs of each file role alone.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoRoles</c>: no concurrent run, or no run of a role alone.</exception>
    public static IReadOnlyList<RoleInterference> Analyze(IEnumerable<IoTestResult> results) =>
        Find(results) is { Count: > 0 } rows
            ? rows
            : throw IoBenchException.Usage(
                "IoBench.NoRoles",
                $"The results contain no file roles that ran both alone and concurrently. To create such results, use {IoCommand.Run} {OptionNames.DataPath.WithValue("D:\\")} {OptionNames.LogPath.WithValue("L:\\")} {OptionNames.TempdbPath.WithValue("T:\\")} {OptionNames.BackupPath.WithValue("B:\\")} (two or more of these options)."
            );

    /// <summary>Returns the same results as <see cref="Analyze"/>, but an empty list if there are no such runs.</summary>
    public static IReadOnlyList<RoleInterference> Find(IEnumerable<IoTestResult> results)
    {
        var all = results.Where(r => r.Status == IoResultStatus.Complete).ToList();
        return
        [
            .. all.Where(r => r.HasSeveralTargets() && r.Targets.Count(t => t.Role is not null) > 1)
                .SelectMany(together =>
                    together
                        .Targets.Where(t => t.Role is not null)
                        .Select(target => (Together: together, Target: target, Alone: FindAloneRuns(all, together, target)))
                )
                .Where(m => m.Alone is not null)
                .GroupBy(m =>
                    (
                        m.Target.Role,
                        m.Target.Path,
                        m.Target.IOPattern,
                        m.Together.Label,
                        m.Together.ComputerName,
                        m.Together.Specification?.MixLoadPercent
                    )
                )
                .Select(g => CreateRow([.. g.Select(m => m.Target)], g.SelectMany(m => m.Alone!).Distinct().ToList(), g.First().Together)),
        ];
    }

    private static List<IoTestResult>? FindAloneRuns(List<IoTestResult> all, IoTestResult together, IoTargetResult target)
    {
        var alone = all.Where(r =>
                r.Targets.Count == 1
                && r.Targets[0].Role == target.Role
                && r.Targets[0].Path == target.Path
                && r.Targets[0].IOPattern == target.IOPattern
                && r.Label == together.Label
                && r.ComputerName == together.ComputerName
            )
            .ToList();
        return alone.Count > 0 ? alone : null;
    }

    private static RoleInterference CreateRow(IReadOnlyList<IoTargetResult> together, IReadOnlyList<IoTestResult> alone, IoTestResult run)
    {
        static double? Mean(IEnumerable<double?> values) => values.Average();
        var aloneIops = Mean(alone.Select(r => r.IOPS));
        var togetherIops = Mean(together.Select(t => t.Total.IOPS));
        // Queueing in an open loop shows only in the response time, which counts from the scheduled start.
        var aloneMs = Mean(alone.Select(r => r.ResponseAverageMs ?? r.AverageLatencyMs));
        var togetherMs = Mean(together.Select(t => t.Total.ResponseAverageMs ?? t.Total.AverageLatencyMs));
        var target = together[0];
        var percent = run.Specification?.MixLoadPercent;
        var row = new RoleInterference
        {
            Role = target.Role!,
            Workload = alone[0].Workload,
            IOPattern = target.IOPattern,
            Path = target.Path,
            MixLoadPercent = percent,
            TargetIops = percent is null ? null : GetTargetIops(run.Specification!, target),
            IsRateMissed = percent is not null && together.Any(t => t.RateReachedPercent < IoTestResult.MinRateReachedPercent),
            AloneIops = aloneIops,
            TogetherIops = togetherIops,
            LossPercent = aloneIops > 0 && percent is null ? (aloneIops - togetherIops) / aloneIops * 100 : null,
            AloneLatencyMs = aloneMs,
            TogetherLatencyMs = togetherMs,
            LatencyFactor = aloneMs > 0 && percent is null ? togetherMs / aloneMs : null,
            AloneP99Ms = Mean(alone.Select(r => r.ResponseP99Ms ?? r.P99Ms)),
            TogetherP99Ms = Mean(together.Select(t => t.Total.ResponseP99Ms ?? t.Percentiles.Find(p => p.Percent == 99)?.TotalMs)),
            Summary = "",
        };
        List<IoTargetResult> otherTargets = [.. run.Targets.Where(t => t.Role is not null && !IsSameTest(t, target))];
        var names = otherTargets.Select(t => DescribeOther(t, target)).Distinct().ToList();
        var othersRun = $"the tests of {JoinNames(names)} run";
        var aloneWait = Mean(alone.Select(r => r.ProcessorWaitPercent)) ?? 0;
        row = row with
        {
            Shares = DescribeShared(target, otherTargets),
            CpuWaitPercent = run.ProcessorWaitPercent,
            IsCpuLimited = CpuWait.IsNotable(run) && run.ProcessorWaitPercent > aloneWait,
        };
        var what = percent is null ? row.DescribeFullSpeed(othersRun) : row.DescribeRateLimited(JoinNames([target.Role!, .. names]));
        return row with { Summary = what + row.DescribeCause() };
    }

    private static string JoinNames(List<string> names) =>
        names.Count < 2 ? string.Concat(names) : $"{string.Join(", ", names.SkipLast(1))}{(names.Count > 2 ? "," : "")} and {names[^1]}";

    private static bool IsSameTest(IoTargetResult one, IoTargetResult other) =>
        one.Role == other.Role && one.Path == other.Path && one.IOPattern == other.IOPattern;

    /// <summary>The role, or the pattern of another test of the same role.</summary>
    private static string DescribeOther(IoTargetResult other, IoTargetResult target) =>
        other.Role == target.Role ? $"{other.Role} ({other.IOPattern})" : other.Role!;

    private static string? DescribeShared(IoTargetResult target, List<IoTargetResult> others)
    {
        List<string> shared = [];
        Add("the file", others.Where(other => other.Path == target.Path));
        Add(
            $"the device {target.Device}",
            others.Where(other => other.Path != target.Path && target.Device is { Length: > 0 } device && other.Device == device)
        );
        return shared.Count == 0 ? null : string.Join(", ", shared);

        void Add(string what, IEnumerable<IoTargetResult> with)
        {
            List<string> names = [.. with.Select(other => DescribeOther(other, target)).Distinct()];
            if (names.Count > 0)
                shared.Add($"{what} with {string.Join(" and ", names)}");
        }
    }

    private string DescribeCause()
    {
        var shares = Shares is null ? "" : $" It shares {Shares}.";
        return IsCpuLimited ? shares + CpuWait.Describe(CpuWaitPercent) : shares;
    }

    private static double? GetTargetIops(IoTestSpecification test, IoTargetResult target) =>
        test.Targets.Find(t => t.Role == target.Role && PatternText.Describe(test.GetPattern(t)) == target.IOPattern) is { } asked
            ? test.GetPattern(asked).TargetIops
            : null;

    private string DescribeFullSpeed(string othersRun) =>
        Role == "log"
            ? $"Log write latency ({IOPattern}) is {NumberFormat.Latency(TogetherLatencyMs)} ms instead of {NumberFormat.Latency(AloneLatencyMs)} ms{(AloneLatencyMs > 0 ? $" ({NumberFormat.Fixed(LatencyFactor, 1, "?")} times as high)" : "")} while {othersRun}."
            : $"{Role} ({IOPattern}) reaches {NumberFormat.Grouped(TogetherIops, 0, "?")} IOPS instead of {NumberFormat.Grouped(AloneIops, 0, "?")} IOPS while {othersRun}, and its average latency is {NumberFormat.Latency(TogetherLatencyMs)} ms instead of {NumberFormat.Latency(AloneLatencyMs)} ms.";

    private string DescribeRateLimited(string all)
    {
        var asked = Invariant(
            $"When {all} each run at {MixLoadPercent}% of the rate that they reached alone ({NumberFormat.Rate(TargetIops)} IOPS for {Role}),"
        );
        if (IsRateMissed)
            return $"{asked} {Role} ({IOPattern}) reached only {NumberFormat.Rate(TogetherIops)} IOPS, so its response time is not rated.";
        var p99 = TogetherP99Ms is null ? "" : $", p99 {NumberFormat.Latency(TogetherP99Ms)} ms";
        return Role == "log"
            ? $"{asked} log write response time ({IOPattern}) is {NumberFormat.Latency(TogetherLatencyMs)} ms{p99}."
            : $"{asked} {Role} response time ({IOPattern}) is {NumberFormat.Latency(TogetherLatencyMs)} ms{p99}.";
    }
}
