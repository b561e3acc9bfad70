using IoBench.Engine;

namespace IoBench.Analysis;

internal static class FleetMessages
{
    public static IReadOnlyList<Finding> CreateFindings(FleetGroup group)
    {
        List<Finding> findings =
        [
            new()
            {
                Code = FindingCodes.FleetSum,
                Subject = group.Test,
                What = group.Summary,
                Severity = group.IOPS is null ? FindingSeverity.Unknown : FindingSeverity.Info,
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
                    Severity = FindingSeverity.Watch,
                    Evidence =
                    [
                        new("CommonWindowPercent", group.CommonPercent, "%"),
                        new("StartSpreadSeconds", group.StartSpreadSeconds, "s"),
                    ],
                    WhatToDo = "Measure for longer, or find out why hosts begin late",
                }
            );
        findings.AddRange(
            group.Outliers.Select(host => new Finding
            {
                Code = FindingCodes.FleetOutlier,
                Subject = host.Host,
                What =
                    $"{host.Host} gives {NumberFormat.Grouped(host.IOPS, 0, "?")} IOPS in {group.Test}, the median of {group.Hosts.Count} hosts is {NumberFormat.Grouped(group.MedianIops, 0, "?")}.",
                Severity = host.IOPS < group.MedianIops ? FindingSeverity.Watch : FindingSeverity.Info,
                Evidence =
                [
                    new("IOPS", host.IOPS, "IOPS"),
                    new("IOPS median", group.MedianIops, "IOPS"),
                    new("SharePercent", host.SharePercent, "%"),
                ],
                WhatToDo = host.IOPS < group.MedianIops ? $"Look at the paths, limits and queue depths of {host.Host}" : null,
            })
        );
        findings.AddRange(
            group.Failures.Select(failure => new Finding
            {
                Code = FindingCodes.FleetFailure,
                Subject = failure.Host,
                What = $"{failure.Host} gave no result of {group.Test}: {failure.Text}",
                Severity = FindingSeverity.Bad,
                Values = Finding.CreateValues(("ErrorId", failure.ErrorId)),
            })
        );
        return findings;
    }
}
