using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>What limits the storage.</summary>
public enum CapKind : long
{
    Iops,

    Throughput,

    /// <summary>Both limits: IOPS for small I/Os, throughput for large I/Os.</summary>
    IopsAndThroughput,

    /// <summary>Several paths share a limit of the host, the virtual machine, the adapter, or the path to the storage.</summary>
    HostOrPath,

    BurstEnds,

    /// <summary>No limit was seen.</summary>
    Medium,

    /// <summary>Throughput still increased at the highest load, so no limit was reached.</summary>
    NotReached,

    /// <summary>Several paths together reach the sum of each path alone, so the paths do not share a limit.</summary>
    Independent,

    /// <summary>Worker threads waited for a CPU, so the computer can be the bottleneck.</summary>
    Unknown,
}

/// <summary>What limits the storage of one path, or of several paths together.</summary>
public sealed class CapResult : IHasFindings
{
    /// <summary>Path; several paths are joined by <c>; </c>.</summary>
    public required string Path { get; init; }

    public required CapKind Kind { get; init; }

    /// <summary>Measured IOPS limit; null if there is none.</summary>
    public double? IopsCap { get; init; }

    /// <summary>Measured throughput limit in MiB/s; null if there is none.</summary>
    public double? ThroughputCapMBps { get; init; }

    /// <summary>IOPS during the burst; null if no burst ended.</summary>
    public double? BurstIops { get; init; }

    /// <summary>Seconds of measured load after which the burst ended; null if no burst ended.</summary>
    public double? BurstSeconds { get; init; }

    /// <summary>Highest sustained IOPS.</summary>
    public double? IOPS { get; init; }

    public double? MBps { get; init; }

    /// <summary>Variation of the rate (standard deviation over intervals / mean) that the result is based on.</summary>
    public double? Variation { get; init; }

    public required string Summary { get; init; }

    public override string ToString() => Summary;

    /// <summary>Provisioned limits compared with the measured values; empty without a specification.</summary>
    public IReadOnlyList<StorageLimitCheck> Checks { get; init; } = [];

    public IReadOnlyList<string> Warnings { get; init; } = [];

    public required IReadOnlyList<IoTestResult> Results { get; init; }

    public IReadOnlyList<Finding> Findings => CreateFindings(this);

    internal static IReadOnlyList<Finding> CreateFindings(CapResult result) =>
        (Finding[])
            [
                CreateResultFinding(result),
                .. result.Checks.Select(check => CreateCheckFinding(result, check)),
                .. result.Warnings.Select(warning => CreateDoubtFinding(result, warning)),
            ];

    private static Finding CreateResultFinding(CapResult result) =>
        new()
        {
            Code = FindingCodes.CapPrefix + result.Kind,
            Subject = result.Path,
            What = result.Summary,
            Outcome = result.Kind is CapKind.NotReached or CapKind.Unknown ? VerdictOutcome.NotRated : null,
            Evidence =
            [
                new("IOPS", result.IOPS, "IOPS"),
                new("BandwidthMBps", result.MBps, "MiB/s"),
                new("IopsCap", result.IopsCap, "IOPS"),
                new("ThroughputCapMBps", result.ThroughputCapMBps, "MiB/s"),
                new("BurstIops", result.BurstIops, "IOPS"),
                new("BurstSeconds", result.BurstSeconds, "s"),
                new("IopsVariation", result.Variation),
            ],
            WhatToDo = result.Kind switch
            {
                CapKind.NotReached => "Increase the load to find the limit",
                CapKind.Unknown => CpuWait.Advice,
                _ => null,
            },
        };

    private static Finding CreateCheckFinding(CapResult result, StorageLimitCheck check) =>
        new()
        {
            Code = check.IsMet switch
            {
                true => FindingCodes.CapSpecificationMet,
                false => FindingCodes.CapSpecificationNotMet,
                _ => FindingCodes.CapSpecificationUnknown,
            },
            Subject = result.Path,
            What = check.Summary + ".",
            Severity = check.IsMet == false ? FindingSeverity.Critical : FindingSeverity.Info,
            Outcome = check.IsMet switch
            {
                true => VerdictOutcome.Pass,
                false => VerdictOutcome.Fail,
                _ => VerdictOutcome.NotRated,
            },
            Evidence =
            [
                new(check.Name, check.Measured, check.Unit),
                new(check.Name + " bought", check.Bought, check.Unit),
                new("Share", check.Percent, "%"),
            ],
            WhatToDo = check.IsMet == false ? "Check the tier of the volume and the limits of the host or virtual machine" : null,
            Values = Finding.CreateValues(("Figure", check.Name)),
        };

    private static Finding CreateDoubtFinding(CapResult result, string warning) =>
        new()
        {
            Code = FindingCodes.CapDoubt,
            Subject = result.Path,
            What = warning,
            Outcome = VerdictOutcome.NotRated,
        };

    /// <summary>Highest variation of a rate over the intervals of a run (standard deviation / mean) that counts as limited.</summary>
    internal const double EvenVariation = 0.01;

    /// <summary>Largest difference between the rates of two loads, as a share, that counts as no increase.</summary>
    internal const double StillShare = 0.02;

    /// <summary>Smallest increase over the last step of the load, as a share, that counts as an increase.</summary>
    internal const double GrowthShare = 0.10;

    /// <summary>
    /// Finds what limits the storage from reads of several block sizes at increasing load (<see cref="CapPlan"/>). A limit is a rate that
    /// does not increase and hardly varies while latency follows the load: an IOPS limit if the IOPS are equal at all block sizes, a
    /// throughput limit if the MiB/s are equal. Two paths share a limit if both together reach what one reaches alone. Returns one result
    /// for each path, and one for each set of paths that ran concurrently. Ignores other results.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoCapRuns</c>: no path has runs at two loads with the same block size.</exception>
    public static IReadOnlyList<CapResult> Analyze(IEnumerable<IoTestResult> results, StorageSpecification? specification = null)
    {
        var answers = FindCaps(results, specification);
        return answers.Count > 0
            ? answers
            : throw IoBenchException.Usage(
                "IoBench.NoCapRuns",
                "The results cannot show what limits the storage. IoBench needs complete, read-only runs with a timeline. At least two of the runs must have the same block size and different numbers of outstanding I/Os.",
                advice: $"To create such results, use {IoCommand.Cap} PATH."
            );
    }

    /// <summary>Analyzes only the runs that a <see cref="CapPlan"/> created; empty if there are none or too few.</summary>
    public static IReadOnlyList<CapResult> AnalyzePlanRuns(IEnumerable<IoTestResult> results, StorageSpecification? specification = null) =>
        FindCaps(results.Where(r => r.Workload == CapPlan.Workload), specification);

    private static List<CapResult> FindCaps(IEnumerable<IoTestResult> results, StorageSpecification? specification)
    {
        var runs = results.Where(r => r.Operation is IoOperation.Read or null).Select(CapRun.FromResult).OfType<CapRun>().ToList();
        var sides = runs.GroupBy(r => (r.Result.Path ?? "", r.Result.ComputerName)).ToList();
        List<CapResult> alone =
        [
            .. sides
                .Where(s => !IsConcurrentRun(s.First().Result))
                .Select(s => AnalyzePath(s.Key.Item1, [.. s], specification))
                .OfType<CapResult>(),
        ];
        List<CapResult> together =
        [
            .. sides
                .Where(s => IsConcurrentRun(s.First().Result))
                .Select(s => AnalyzeConcurrentPaths(s.Key.Item1, [.. s], runs, specification))
                .OfType<CapResult>(),
        ];
        return [.. alone, .. together];
    }

    internal static bool IsConcurrentRun(IoTestResult r) => r.TargetCount > 1;

    internal static List<CapSizeResult> CreateSizes(IEnumerable<CapRun> runs) =>
        [
            .. runs.GroupBy(r => r.BlockKB)
                .OrderBy(g => g.Key)
                .Select(size =>
                {
                    var byDepth = size.GroupBy(r => r.Depth).OrderBy(g => g.Key).Select(g => g.Last()).ToList();
                    var last = byDepth[^1];
                    // Compare with the highest load that has at most half as many outstanding I/Os, so that a change of latency is visible.
                    var before = byDepth.FindLast(r => r.Depth * 2 <= last.Depth);
                    var stands =
                        before is not null
                        && Math.Abs(last.Iops - before.Iops) <= StillShare * last.Iops
                        && (
                            last.LatencyMs is null
                            || before.LatencyMs is null
                            || last.LatencyMs / before.LatencyMs >= 0.85 * last.Depth / before.Depth
                        );
                    // A count per interval can vary by one I/O, so few I/Os per interval set a lower bound for the variation.
                    var even = last.Variation <= Math.Max(EvenVariation, 1 / (last.Iops * last.IntervalSeconds));
                    return new CapSizeResult(size.Key, last, stands, even);
                }),
        ];

    private static CapResult? AnalyzePath(string path, List<CapRun> runs, StorageSpecification? specification)
    {
        var (burst, lasting) = CapBurst.SplitRuns(runs);
        var sizes = CreateSizes(lasting);
        if (burst is null && !lasting.GroupBy(r => r.BlockKB).Any(g => g.Select(r => r.Depth).Distinct().Count() > 1))
            return null;
        // Runs before a drop that nothing explains do not show what is sustained.
        var model = burst is null && HasDrop(runs) ? null : CapModel.FromRuns(lasting, sizes);
        var isCpuLimited = model is null && burst is null && runs.Any(run => run.IsCpuLimited);
        var grows = lasting.GroupBy(r => r.BlockKB).Any(g => IsStillGrowing([.. g]));
        var kind = model switch
        {
            _ when burst is not null => CapKind.BurstEnds,
            { Iops: not null, MBps: not null } => CapKind.IopsAndThroughput,
            { Iops: not null } => CapKind.Iops,
            { MBps: not null } => CapKind.Throughput,
            _ when isCpuLimited => CapKind.Unknown,
            _ => grows && !sizes.Exists(s => s.IsPlateau) ? CapKind.NotReached : CapKind.Medium,
        };
        var messages = new CapMessages(path, sizes, model, lasting);
        var checks = specification is null ? [] : StorageLimitCheck.CreateAll(specification, lasting, burst, runs);
        var offer = specification is null
            ? null
            : CapMessages.DescribeSkuLimit(specification, model?.Iops ?? burst?.SustainedIops, model?.MBps, burst);
        var held = sizes.FindLast(s => s.IsLimited);
        return new CapResult
        {
            Path = path,
            Kind = kind,
            IopsCap = model?.Iops,
            ThroughputCapMBps = model?.MBps,
            BurstIops = burst?.BurstIops,
            BurstSeconds = burst?.Seconds,
            IOPS = lasting.Max(r => r.Iops),
            MBps = lasting.Max(r => r.MBps),
            Variation = burst?.Run.Variation ?? held?.Last.Variation ?? sizes[0].Last.Variation,
            Summary = string.Join(
                " ",
                new[] { messages.DescribeCap(kind, burst), offer }.OfType<string>().Concat(checks.Select(c => c.Summary + "."))
            ),
            Checks = checks,
            Warnings =
            [
                .. DescribeDataGaps(runs, lasting),
                .. DescribeDifferences(burst, runs),
                .. DescribeDoubts(kind, model, runs, specification),
            ],
            Results = [.. runs.Select(r => r.Result)],
        };
    }

    private static bool HasDrop(List<CapRun> runs) =>
        runs.GroupBy(r => (r.BlockKB, r.Depth)).Any(equal => CapBurst.HasDropped(equal.First(), equal.Last()));

    private static bool IsStillGrowing(IReadOnlyList<CapRun> size)
    {
        var byDepth = size.OrderBy(r => r.Depth).ToList();
        if (byDepth.Count < 2)
            return false;
        var last = byDepth[^1];
        var before = byDepth[^2];
        // The increase must exceed noise: three standard errors of the difference of two means.
        var noise = 3 * Math.Sqrt(2) * (last.Variation ?? 0) / Math.Sqrt(Math.Max(1, last.Result.Timeline.Count));
        return last.Iops > (1 + Math.Max(GrowthShare, noise)) * before.Iops;
    }

    private static IEnumerable<string> DescribeDoubts(CapKind kind, CapModel? model, List<CapRun> runs, StorageSpecification? provisioned)
    {
        if (runs.Find(r => CapBurst.HasRateRecovered(r, runs)) is { } disturbed)
            yield return $"{CapMessages.FormatSize(disturbed.BlockKB)} reads fell from {NumberFormat.Rate(disturbed.BurstIops!.Value)} to {NumberFormat.Rate(disturbed.Iops)} IOPS within a run and recovered later. Another load on the storage caused this drop, not the end of a burst.";
        // A controller, a link, or a device with a constant service time looks the same as a throttle.
        if (
            kind is CapKind.Iops or CapKind.Throughput or CapKind.IopsAndThroughput
            && !CapMessages.IsProvisionedLimit(provisioned, model?.Iops, model?.MBps)
        )
            yield return provisioned is null
                ? "This might be a configured limit. A controller, a link, or a device that takes the same time for every read can cause the same pattern. To identify the limit, specify the provisioned limits."
                : "This limit is not one of the provisioned limits, so another component causes it. Examples are a controller, a link, or a device that takes the same time for every read.";
        foreach (var note in provisioned?.Notes ?? [])
            yield return note;
    }

    private static IEnumerable<string> DescribeDataGaps(IReadOnlyList<CapRun> runs, IReadOnlyList<CapRun> lasting)
    {
        if (lasting.Any(r => r.Variation is null))
            yield return "Some runs have fewer than ten intervals, so they do not show how much the IOPS vary. Use a longer duration.";
        var sizes = runs.Select(run => run.BlockKB).Distinct().Count();
        if (sizes < 3)
            yield return Invariant(
                $"Only {sizes} block size{(sizes == 1 ? " was" : "s were")} tested. To distinguish an IOPS limit from a throughput limit more reliably, test three block sizes."
            );
    }

    /// <summary>Equal runs that differ, although no burst ended between them.</summary>
    private static IEnumerable<string> DescribeDifferences(CapBurst? burst, IReadOnlyList<CapRun> runs)
    {
        if (burst is not null)
            yield break;
        foreach (var equal in runs.GroupBy(run => (run.BlockKB, run.Depth)).Where(group => group.Count() > 1))
        {
            var (low, high) = (equal.Min(run => run.Iops), equal.Max(run => run.Iops));
            if (high > low * (1 + GrowthShare))
                yield return Invariant(
                    $"Runs of {CapMessages.FormatSize(equal.Key.BlockKB)} reads at the same load differ by {(high / low - 1) * 100:0}%. Use a longer duration to see whether a burst ends."
                );
        }
    }

    private const double SharedTolerance = 1.10;
    private const double IndependentShare = 0.90;

    internal static CapResult? AnalyzeConcurrentPaths(
        string path,
        List<CapRun> together,
        IReadOnlyList<CapRun> all,
        StorageSpecification? provisioned
    )
    {
        var parts = path.Split("; ", StringSplitOptions.RemoveEmptyEntries);
        var alone = parts
            .Select(p => CapBurst.SplitRuns([.. all.Where(r => r.Result.Path == p && !IsConcurrentRun(r.Result))]).SustainedRuns)
            .ToList();
        if (alone.Exists(a => a.Count == 0))
            return null;
        var sizes = CreateSizes(together);
        var compared = sizes
            .Select(size =>
            {
                var best = alone
                    .Select(runs => runs.Where(r => r.BlockKB == size.BlockKB).Select(r => r.Iops).DefaultIfEmpty(double.NaN).Max())
                    .ToList();
                return (Size: size, Best: best.Max(), Sum: best.Sum(), Best2: best);
            })
            .Where(c => !double.IsNaN(c.Sum))
            .ToList();
        if (compared.Count == 0)
            return null;

        var shared = compared.Where(c => c.Size.Last.Iops < IndependentShare * c.Sum).ToList();
        var model = CapModel.FromRuns(together, sizes);
        // Less than the sum but more than one path alone is a limit only if the rate is limited; otherwise, the paths disturb each other.
        var limited = shared.Where(c => c.Size.Last.Iops <= SharedTolerance * c.Best || c.Size.IsLimited).ToList();
        var oneDevice = FindCommonDevice(together);
        var kind =
            limited.Count == 0 || oneDevice is not null
                ? shared.Count == 0
                    ? CapKind.Independent
                    : CapKind.Medium
                : CapKind.HostOrPath;
        var show =
            limited.Count > 0 ? limited[0]
            : shared.Count > 0 ? shared[0]
            : compared[0];
        var evidence =
            $"{CapMessages.FormatSize(show.Size.BlockKB)} reads reach {NumberFormat.Rate(show.Size.Last.Iops)} IOPS ({ThroughputDisplay.Format(show.Size.Last.MBps)}) in total, and {string.Join(" and ", show.Best2.Select(NumberFormat.Rate))} IOPS when each path runs alone";
        var paths = parts.Length > 2 ? "all" : "both";
        var limits = string.Join(
            " and ",
            new[]
            {
                model?.Iops is { } iops ? $"an IOPS limit of {NumberFormat.Rate(CapMessages.RoundLimit(iops))}" : null,
                model?.MBps is { } mbps ? $"a throughput limit of {CapMessages.FormatBothUnits(mbps)}" : null,
            }.OfType<string>()
        );
        // Several disks share only the limits of the virtual machine, so compare with those alone.
        var host = kind == CapKind.HostOrPath ? provisioned?.HostSpecification : null;
        var checks = host is null ? [] : StorageLimitCheck.CreateAll(host, together, null, together);
        var offer = host is null
            ? ""
            : string.Concat(
                new[] { CapMessages.DescribeSkuLimit(host, model?.Iops, model?.MBps, null) }
                    .OfType<string>()
                    .Concat(checks.Select(check => check.Summary + "."))
                    .Select(sentence => " " + sentence)
            );
        return new CapResult
        {
            Path = path,
            Kind = kind,
            Checks = checks,
            IopsCap = kind == CapKind.HostOrPath ? model?.Iops : null,
            ThroughputCapMBps = kind == CapKind.HostOrPath ? model?.MBps : null,
            IOPS = together.Max(r => r.Iops),
            MBps = together.Max(r => r.MBps),
            Variation = show.Size.Last.Variation,
            Summary =
                (
                    kind switch
                    {
                        CapKind.HostOrPath =>
                            $"{path} concurrently: {evidence}. The paths share {(limits.Length > 0 ? limits : "a limit")} in the host, the virtual machine, the adapter, or the path to the storage.",
                        CapKind.Independent =>
                            $"{path} concurrently: {evidence}. The total equals the sum of the separate results of {paths} paths, so these paths do not share a limit.",
                        _ when oneDevice is not null =>
                            $"{path} concurrently: {evidence}. The paths share {oneDevice}. To find a limit of the host, specify paths on different devices.",
                        _ =>
                            $"{path} concurrently: {evidence}. The total is less than the sum of the separate results, but the IOPS are not constant. The paths share a device or a connection that has no fixed limit.",
                    }
                ) + offer,
            Warnings = alone.Exists(a => a.Select(r => r.Depth).Max() * 2 < together.Max(r => r.Depth) / parts.Length)
                ?
                [
                    "When a path ran alone, its load was lower than in the concurrent run. The results of paths that ran alone might therefore be too low.",
                ]
                : [],
            Results = [.. together.Select(r => r.Result)],
        };
    }

    // Two paths on one device share the device, regardless of the limits of the host.
    private static string? FindCommonDevice(List<CapRun> together)
    {
        var devices = together[^1].Result.Targets.Select(t => t.Device).ToList();
        return devices.Count > 1 && devices[0] is { Length: > 0 } first && devices.TrueForAll(d => d == first) ? first : null;
    }
}

/// <summary>One provisioned limit compared with the measured value.</summary>
/// <param name="Bought">Provisioned limit in IOPS, bytes per second, or milliseconds. The measured value has the same unit.</param>
/// <param name="Percent">Measured value in percent of the provisioned limit; for latency, provisioned / measured.</param>
/// <param name="IsMet">Whether at least 95% were measured (for latency, at most the provisioned value); null if no run shows it.</param>
public sealed record StorageLimitCheck(string Name, double Bought, double? Measured, double? Percent, bool? IsMet, string Summary)
{
    /// <summary>Provisioned limit with the unit of the vendor, such as <c>200 MB/s (10^6)</c>.</summary>
    public string BoughtText { get; init; } = "";

    public string? MeasuredText { get; init; }

    /// <summary>Unit of <see cref="Bought"/> and <see cref="Measured"/>.</summary>
    public string Unit =>
        Name switch
        {
            "LatencyMs" => "ms",
            "IOPS" or "BurstIOPS" => "IOPS",
            _ => "B/s",
        };

    internal const double MinPassPercent = 95;

    internal static IReadOnlyList<StorageLimitCheck> CreateAll(
        StorageSpecification provisioned,
        IReadOnlyList<CapRun> lasting,
        CapBurst? burst,
        IReadOnlyList<CapRun> all
    )
    {
        List<StorageLimitCheck> checks = [];
        if (provisioned.Iops is { } iops)
            checks.Add(CheckRate("IOPS", iops, lasting.Max(r => r.Iops), "IOPS", v => v));
        if (provisioned.BytesPerSecond is { } bytes)
            checks.Add(
                CheckRate("Throughput", bytes, lasting.Max(r => r.MBps) * 1048576, GetUnit(provisioned), v => v / GetUnitBytes(provisioned))
            );
        if (provisioned.BurstIops is { } burstIops)
            checks.Add(CheckRate("BurstIOPS", burstIops, Math.Max(burst?.BurstIops ?? 0, all.Max(r => r.Iops)), "IOPS in a burst", v => v));
        if (provisioned.BurstBytesPerSecond is { } burstBytes)
            checks.Add(
                CheckRate(
                    "BurstThroughput",
                    burstBytes,
                    all.Max(r => Math.Max(r.BurstIops ?? 0, r.Iops) * r.BlockKB * 1024),
                    GetUnit(provisioned) + " in a burst",
                    v => v / GetUnitBytes(provisioned)
                )
            );
        if (provisioned.LatencyMs is { } latency)
            checks.Add(CheckLatency(latency, all.Where(r => r.Depth == 1 && r.LatencyMs is not null).Select(r => r.LatencyMs).Min()));
        if (!all.Any(run => run.IsCpuLimited))
            return checks;
        // The storage can reach more than a computer shows that waited for its CPUs.
        return checks.ConvertAll(check =>
            check.IsMet == false
                ? check with
                {
                    IsMet = null,
                    Summary = check.Summary + ". Worker threads waited for a CPU, so this computer might be the bottleneck",
                }
                : check
        );
    }

    // Use the vendor's unit if a SKU was named, so that the number matches the invoice.
    private static double GetUnitBytes(StorageSpecification provisioned) =>
        provisioned.Offers.MinBy(offer => (offer.Throughput ?? double.PositiveInfinity) * offer.UnitBytes)?.UnitBytes ?? 1e6;

    private static string GetUnit(StorageSpecification provisioned) => GetUnitBytes(provisioned) == 1e6 ? "MB/s (10^6)" : "MiB/s";

    private static StorageLimitCheck CheckRate(string name, double provisioned, double measured, string unit, Func<double, double> shown)
    {
        var percent = measured / provisioned * 100;
        return new(
            name,
            provisioned,
            measured,
            percent,
            percent >= MinPassPercent,
            $"Measured {NumberFormat.Rate(shown(measured))} {unit}; provisioned {NumberFormat.Rate(shown(provisioned))} {unit} ({NumberFormat.Share(percent)})"
        )
        {
            BoughtText = $"{NumberFormat.Rate(shown(provisioned))} {unit}",
            MeasuredText = $"{NumberFormat.Rate(shown(measured))} {unit}",
        };
    }

    private static StorageLimitCheck CheckLatency(double provisioned, double? measured) =>
        measured is { } ms
            ? new(
                "LatencyMs",
                provisioned,
                ms,
                provisioned / ms * 100,
                ms <= provisioned,
                $"Measured read latency {NumberFormat.Milliseconds(ms)} (QD1); provisioned {NumberFormat.Milliseconds(provisioned)}"
            )
            {
                BoughtText = NumberFormat.Milliseconds(provisioned),
                MeasuredText = NumberFormat.Milliseconds(ms),
            }
            : new("LatencyMs", provisioned, null, null, null, "No run used queue depth 1, so the read latency is unknown")
            {
                BoughtText = NumberFormat.Milliseconds(provisioned),
            };
}
