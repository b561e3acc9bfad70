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

    /// <summary>Several paths together reach the sum of each path alone, so they have no common limit.</summary>
    Independent,

    /// <summary>Worker threads waited for a CPU, so the computer can be the limit.</summary>
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

    public IReadOnlyList<Finding> Findings => CapResult.CreateFindings(this);

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
                    Summary = check.Summary + ". Worker threads waited for a CPU, so this computer can be the limit",
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
