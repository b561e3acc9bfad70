using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

internal static class FleetMessages
{
    private const double SmallShare = 80;
    private const int SmallSector = 512;
    private const int LargeSector = 4096;
    private const string SectorFact = "Physical sector size";

    public static string GetTestName(IoTestResult result) => result.Workload ?? result.IOPattern ?? result.Label ?? "test";

    public static string DescribeGroup(FleetGroup group)
    {
        var missing = group.AskedHosts - group.Hosts.Count;
        var names = group.Failures.Count == 0 ? "" : $" ({JoinNames(group.Failures.Select(failure => failure.Host))})";
        var failed = missing <= 0 ? "" : $"; {missing} of {NumberFormat.Pluralize(group.AskedHosts, "host")} failed{names}";
        if (group.Hosts.Count == 0)
            return $"{group.Test}: no host returned a result{failed}.";
        var hosts = NumberFormat.Pluralize(group.Hosts.Count, "host");
        if (group.IOPS is not { } sum)
            return $"{group.Test}: no sum for {hosts}, because {DescribeNoSumReason(group)}{failed}.";
        var spread = "";
        if (group.Hosts.Count > 1)
        {
            var median = NumberFormat.Grouped(group.MedianIops, 0, "?");
            var lowest = NumberFormat.Grouped(group.Slowest!.IOPS, 0, "?");
            var highest = NumberFormat.Grouped(group.Fastest!.IOPS, 0, "?");
            spread = $", median {median} IOPS per host (from {lowest} on {group.Slowest.Host} to {highest} on {group.Fastest.Host})";
        }
        var p99 = group.P99Ms is { } tail ? $", p99 {NumberFormat.Milliseconds(tail)}" : "";
        return $"{group.Test}: {NumberFormat.Grouped(sum, 0, "?")} IOPS, {ThroughputDisplay.Format(group.MBps ?? 0)} on {hosts}{spread}{p99}{DescribeSmallShares(group)}{failed}.";
    }

    public static string DescribeSmallShares(FleetGroup group)
    {
        var small = group.Hosts.Where(host => host.SharePercent < SmallShare).OrderBy(host => host.SharePercent).ToList();
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

    public static IEnumerable<IoWarning> CreateWarnings(IReadOnlyList<IoTestResult> complete, double? share, double? common)
    {
        if (complete.Count == 0)
            yield break;
        if (common is null)
            yield return new(
                WarningCodes.FleetNoStart,
                "At least one result has no start time, so IoBench cannot determine whether the hosts ran concurrently. IoBench therefore reports no sum."
            );
        else if (share < FleetGroup.SumFromPercent)
            yield return new(
                WarningCodes.FleetWindow,
                $"All hosts measured concurrently for only {common:0.0} s, which is {share:0}% of the duration of the longest test. IoBench therefore reports no sum."
            );
        else if (share < FleetGroup.WarnBelowPercent)
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

    private static string DescribeNoSumReason(FleetGroup group) =>
        group.CommonSeconds is null
            ? "a result has no start time"
            : string.Create(CultureInfo.InvariantCulture, $"they measured concurrently for only {group.CommonSeconds:0.0} s");

    public static IReadOnlyList<Finding> CreateFindings(FleetGroup group)
    {
        List<Finding> findings =
        [
            new()
            {
                Code = FindingCodes.FleetSum,
                Subject = group.Test,
                What = group.Summary,
                Severity = FindingSeverity.Info,
                Outcome = group.IOPS is null ? VerdictOutcome.NotRated : null,
                Evidence =
                [
                    new("IOPS", group.IOPS, "IOPS"),
                    new("BandwidthMBps", group.MBps, "MiB/s"),
                    new("Hosts", group.Hosts.Count),
                    new("IOPS median", group.MedianIops, "IOPS"),
                    new("P99Ms", group.P99Ms, "ms"),
                    new("CommonWindowPercent", group.CommonPercent, "%"),
                ],
                Values = Finding.CreateValues(("GroupId", group.GroupId)),
            },
        ];
        if (group.Hosts.Count > 0 && !(group.CommonPercent >= FleetGroup.WarnBelowPercent))
            findings.Add(
                new()
                {
                    Code = FindingCodes.FleetWindow,
                    Subject = group.Test,
                    What = group
                        .Warnings.First(warning => warning.Code is WarningCodes.FleetNoStart or WarningCodes.FleetWindow)
                        .ToString(),
                    Severity = FindingSeverity.Warning,
                    Evidence =
                    [
                        new("CommonWindowPercent", group.CommonPercent, "%"),
                        new("StartSpreadSeconds", group.StartSpreadSeconds, "s"),
                    ],
                    WhatToDo = "Use a longer duration, or check why some hosts started late",
                }
            );
        findings.AddRange(
            group.Outliers.Select(host => new Finding
            {
                Code = FindingCodes.FleetOutlier,
                Subject = host.Host,
                What =
                    $"{host.Host} reaches {NumberFormat.Grouped(host.IOPS, 0, "?")} IOPS in {group.Test}; the median of {group.Hosts.Count} hosts is {NumberFormat.Grouped(group.MedianIops, 0, "?")}.",
                Severity = host.IOPS < group.MedianIops ? FindingSeverity.Warning : FindingSeverity.Info,
                Evidence =
                [
                    new("IOPS", host.IOPS, "IOPS"),
                    new("IOPS median", group.MedianIops, "IOPS"),
                    new("SharePercent", host.SharePercent, "%"),
                ],
                WhatToDo = host.IOPS < group.MedianIops ? $"Check the paths, limits, and queue depths of {host.Host}" : null,
            })
        );
        findings.AddRange(
            group.Failures.Select(failure => new Finding
            {
                Code = FindingCodes.FleetFailure,
                Subject = failure.Host,
                What = $"{failure.Host} returned no result for {group.Test}: {failure.Text}",
                Severity = FindingSeverity.Critical,
                Values = Finding.CreateValues(("ErrorId", failure.ErrorId)),
            })
        );
        return findings;
    }
}
