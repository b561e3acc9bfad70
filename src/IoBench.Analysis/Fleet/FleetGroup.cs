using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Result of a test that several hosts ran concurrently: the sum, the results of the hosts, and the failures.</summary>
public sealed class FleetGroup : IHasFindings
{
    /// <summary>If the common window is shorter than this percentage of a host's duration, the sum gets a warning.</summary>
    public const double WarnBelowPercent = 95;

    /// <summary>If the common window is shorter than this percentage of a host's duration, the rates are not added up.</summary>
    public const double SumFromPercent = 50;

    public required string GroupId { get; init; }

    /// <summary>Workload, or pattern in words; the tests of all hosts if they differ.</summary>
    public required string Test { get; init; }

    /// <summary>Hosts that completed the test, by name.</summary>
    public required IReadOnlyList<FleetHostResult> Hosts { get; init; }

    /// <summary>Number of hosts that were to run the test, including those that failed.</summary>
    public required int AskedHosts { get; init; }

    public required IReadOnlyList<FleetFailure> Failures { get; init; }

    /// <summary>Seconds in which all hosts measured; null if the start of a result is unknown.</summary>
    public double? CommonSeconds { get; init; }

    /// <summary>Lowest share of a host's duration that the common window covers, in percent.</summary>
    public double? CommonPercent { get; init; }

    /// <summary>Seconds between the first and the last start.</summary>
    public double? StartSpreadSeconds { get; init; }

    /// <summary>Sum of the IOPS in the common window; null if the window is missing or too short.</summary>
    public double? IOPS { get; init; }

    public double? MBps { get; init; }

    public double? MedianIops { get; init; }

    /// <summary>Host with the lowest IOPS; null if the hosts are not compared.</summary>
    public FleetHostResult? Slowest { get; init; }

    public FleetHostResult? Fastest { get; init; }

    /// <summary>Highest minus lowest IOPS, in percent of the median.</summary>
    public double? SpreadPercent { get; init; }

    /// <summary>Average latency of all I/Os in milliseconds; response time for open loops.</summary>
    public double? AverageLatencyMs { get; init; }

    public double? P50Ms { get; init; }

    /// <summary>99th percentile of the latency of all I/Os in milliseconds, from the merged distribution.</summary>
    public double? P99Ms { get; init; }

    public double? P999Ms { get; init; }

    public double? MaxLatencyMs { get; init; }

    /// <summary>Latency distribution of all hosts; null if a host has none.</summary>
    public FleetHistogram? Histogram { get; init; }

    /// <summary>Warnings about the group, and warnings of hosts, each with the number of affected hosts: <c>16 of 16 hosts:
    /// …</c>.</summary>
    public required IReadOnlyList<IoWarning> Warnings { get; init; }

    /// <summary>Whether these hosts resumed an interrupted test without the others, so their sum is not that of the group.</summary>
    public bool IsResumedAlone { get; init; }

    public IEnumerable<IoTestResult> Results => Hosts.Select(host => host.Result);

    public IEnumerable<FleetHostResult> Outliers => Hosts.Where(host => host.IsOutlier);

    public string Summary => DescribeGroup();

    public IReadOnlyList<Finding> Findings => CreateFindings();

    public override string ToString() => Summary;

    private const double SmallShare = 80;
    private const int SmallSector = 512;
    private const int LargeSector = 4096;
    private const string SectorFact = "Physical sector size";

    internal static string GetTestName(IoTestResult result) => result.Workload ?? result.IOPattern ?? result.Label ?? "test";

    private string DescribeGroup()
    {
        var missing = AskedHosts - Hosts.Count;
        var names = Failures.Count == 0 ? "" : $" ({JoinNames(Failures.Select(failure => failure.Host))})";
        var failed = missing <= 0 ? "" : $"; {missing} of {NumberFormat.Pluralize(AskedHosts, "host")} failed{names}";
        if (Hosts.Count == 0)
            return $"{Test}: no host returned a result{failed}.";
        var hosts = NumberFormat.Pluralize(Hosts.Count, "host");
        if (IOPS is not { } sum)
            return $"{Test}: no sum for {hosts}, because {DescribeNoSumReason()}{failed}.";
        var spread = "";
        if (Hosts.Count > 1)
        {
            var median = NumberFormat.Grouped(MedianIops, 0, "?");
            var lowest = NumberFormat.Grouped(Slowest!.IOPS, 0, "?");
            var highest = NumberFormat.Grouped(Fastest!.IOPS, 0, "?");
            spread = $", median {median} IOPS per host (from {lowest} on {Slowest.Host} to {highest} on {Fastest.Host})";
        }
        var p99 = P99Ms is { } tail ? $", p99 {NumberFormat.Milliseconds(tail)}" : "";
        return $"{Test}: {NumberFormat.Grouped(sum, 0, "?")} IOPS, {ThroughputDisplay.Format(MBps ?? 0)} on {hosts}{spread}{p99}{DescribeSmallShares()}{failed}.";
    }

    internal string DescribeSmallShares()
    {
        var small = Hosts.Where(host => host.SharePercent < SmallShare).OrderBy(host => host.SharePercent).ToList();
        return small.Count switch
        {
            0 => "",
            <= 3 => string.Concat(
                small.Select(host => string.Create(CultureInfo.InvariantCulture, $", {host.Host} gets {host.SharePercent:0}% of its share"))
            ),
            _ => string.Create(
                CultureInfo.InvariantCulture,
                $", {small.Count} hosts get less than {SmallShare:0}% of their share (lowest: {small[0].Host} with {small[0].SharePercent:0}%)"
            ),
        };
    }

    internal static IEnumerable<IoWarning> CreateWarnings(IReadOnlyList<IoTestResult> complete, double? share, double? common)
    {
        if (complete.Count == 0)
            yield break;
        if (common is null)
            yield return new(
                WarningCodes.FleetNoStart,
                "At least one result has no start time, so IoBench cannot determine whether the hosts ran concurrently. IoBench therefore reports no sum."
            );
        else if (share < SumFromPercent)
            yield return new(
                WarningCodes.FleetWindow,
                $"All hosts measured concurrently for only {common:0.0} s, which is {share:0}% of the duration of the longest test. IoBench therefore reports no sum."
            );
        else if (share < WarnBelowPercent)
            yield return new(
                WarningCodes.FleetWindow,
                $"All hosts measured concurrently for {common:0.0} s, which is {share:0}% of the duration of the longest test. The sums cover only this time."
            );
        if (FleetMerge.FindResumedAlone(complete) is { } mark)
            yield return new(
                WarningCodes.FleetResumedAlone,
                $"Some hosts ran later, without the others: {mark}. Their results are not part of any sum."
            );
        if (FindSectorDifference(complete) is { } sectors)
            yield return sectors;
        // Warnings of different hosts differ in file names and numbers, so group them by code.
        foreach (
            var group in complete
                .SelectMany(result =>
                    result.GetWarnings().DistinctBy(GetWarningKey).Select(warning => (Key: GetWarningKey(warning), Warning: warning))
                )
                .GroupBy(item => item.Key)
        )
            yield return new(
                group.First().Warning.Code,
                $"{NumberFormat.Integer(group.Count())} of {NumberFormat.Integer(complete.Count)} hosts: {group.First().Warning.Text}"
            );
    }

    /// <summary>Hosts with physical sectors of 512 bytes cannot share the log of hosts with 4 KB without misaligned I/O.</summary>
    private static IoWarning? FindSectorDifference(IReadOnlyList<IoTestResult> complete)
    {
        var sizes = complete
            .SelectMany(result => GetPhysicalSectorSizes(result).Select(size => (Host: result.Member ?? "?", Size: size)))
            .Distinct()
            .ToList();
        var small = sizes.Where(item => item.Size == SmallSector).Select(item => item.Host).Order(NaturalNameComparer.Instance).ToList();
        var large = sizes.Where(item => item.Size == LargeSector).Select(item => item.Host).Order(NaturalNameComparer.Instance).ToList();
        if (small.Count == 0 || !large.Except(small).Any())
            return null;
        return new IoWarning(
            WarningCodes.FleetSectorSizes,
            $"The physical sectors differ: 512 bytes on {JoinNames(small)}, and 4,096 bytes on {JoinNames(large)}. If these hosts are replicas of each other, log I/O is misaligned. Use trace flag 1800 on the servers with 512-byte sectors."
        );
    }

    // The name of the fact ends with the number of the target if a test has several.
    private static IEnumerable<int> GetPhysicalSectorSizes(IoTestResult result) =>
        result
            .Host.Where(fact => fact.Key.StartsWith(SectorFact, StringComparison.Ordinal))
            .Select(fact => int.TryParse(fact.Value, NumberStyles.None, CultureInfo.InvariantCulture, out var size) ? size : 0);

    private static string JoinNames(IEnumerable<string> names)
    {
        var all = names.ToList();
        return NumberFormat.List(all, all.Count <= 6 ? 6 : 5);
    }

    private static string GetWarningKey(IoWarning warning) => warning.Code.Length > 0 ? warning.Code : warning.ToString();

    private string DescribeNoSumReason() =>
        CommonSeconds is null
            ? "a result has no start time"
            : string.Create(CultureInfo.InvariantCulture, $"they measured concurrently for only {CommonSeconds:0.0} s");

    private List<Finding> CreateFindings()
    {
        List<Finding> findings =
        [
            new()
            {
                Code = FindingCodes.FleetSum,
                Subject = Test,
                What = Summary,
                Severity = FindingSeverity.Info,
                Outcome = IOPS is null ? VerdictOutcome.NotRated : null,
                Evidence =
                [
                    new("IOPS", IOPS, "IOPS"),
                    new("BandwidthMBps", MBps, "MiB/s"),
                    new("Hosts", Hosts.Count),
                    new("IOPS median", MedianIops, "IOPS"),
                    new("P99Ms", P99Ms, "ms"),
                    new("CommonWindowPercent", CommonPercent, "%"),
                ],
                Values = Finding.CreateValues(("GroupId", GroupId)),
            },
        ];
        if (Hosts.Count > 0 && !(CommonPercent >= WarnBelowPercent))
            findings.Add(
                new()
                {
                    Code = FindingCodes.FleetWindow,
                    Subject = Test,
                    What = Warnings.First(warning => warning.Code is WarningCodes.FleetNoStart or WarningCodes.FleetWindow).ToString(),
                    Severity = FindingSeverity.Warning,
                    Evidence = [new("CommonWindowPercent", CommonPercent, "%"), new("StartSpreadSeconds", StartSpreadSeconds, "s")],
                    WhatToDo = "Use a longer duration, or check why some hosts started late",
                }
            );
        findings.AddRange(
            Outliers.Select(host => new Finding
            {
                Code = FindingCodes.FleetOutlier,
                Subject = host.Host,
                What =
                    $"{host.Host} reaches {NumberFormat.Grouped(host.IOPS, 0, "?")} IOPS in {Test}; the median of {Hosts.Count} hosts is {NumberFormat.Grouped(MedianIops, 0, "?")}.",
                Severity = host.IOPS < MedianIops ? FindingSeverity.Warning : FindingSeverity.Info,
                Evidence =
                [
                    new("IOPS", host.IOPS, "IOPS"),
                    new("IOPS median", MedianIops, "IOPS"),
                    new("SharePercent", host.SharePercent, "%"),
                ],
                WhatToDo = host.IOPS < MedianIops ? $"Check the paths, limits, and queue depths of {host.Host}" : null,
            })
        );
        findings.AddRange(
            Failures.Select(failure => new Finding
            {
                Code = FindingCodes.FleetFailure,
                Subject = failure.Host,
                What = $"{failure.Host} returned no result for {Test}: {failure.Text}",
                Severity = FindingSeverity.Critical,
                Values = Finding.CreateValues(("ErrorId", failure.ErrorId)),
            })
        );
        return findings;
    }
}

/// <summary>A host without a complete result of a test, and the reason.</summary>
/// <param name="GroupId">Id of the group's test; null if the host took part in none.</param>
public sealed record FleetFailure(string Host, string? GroupId, string ErrorId, IoMessage What, IoMessage? Advice = null)
{
    public FleetFailure(string host, string? groupId, IoBenchException reason)
        : this(host, groupId, reason.ErrorId, reason.What, reason.Advice) => Kind = reason.Kind;

    public IoErrorKind Kind { get; init; } = IoErrorKind.Failure;

    public string Text => What.WithSentence(Advice).ToString();

    public string Render(OptionSpelling spelling) => ((IoMessage)$"{Host}: {What.WithSentence(Advice)}").Render(spelling);

    public override string ToString() => Render(OptionSpelling.Neutral);
}

/// <summary>Result of one host in the window in which all hosts of its group measured.</summary>
public sealed record FleetHostResult
{
    public required string Host { get; init; }
    public required IoTestResult Result { get; init; }

    /// <summary>Share of the host's duration that the common window covers, in percent.</summary>
    public double CommonPercent { get; init; }

    /// <summary>IOPS in the common window, from the timeline; null without a common window.</summary>
    public double? IOPS { get; init; }

    public double? MBps { get; init; }

    /// <summary>IOPS in percent of an equal share of the sum; null if the rates are not added up.</summary>
    public double? SharePercent { get; init; }

    public bool IsOutlier { get; init; }

    public override string ToString() => $"{Host}: {NumberFormat.Grouped(IOPS, 0, "?")} IOPS";
}
