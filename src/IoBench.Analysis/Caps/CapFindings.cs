namespace IoBench.Analysis;

internal static class CapResult
{
    public static IReadOnlyList<Finding> CreateFindings(CapResult result) =>
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
            Severity = result.Kind == CapKind.NotReached ? FindingSeverity.Unknown : FindingSeverity.Info,
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
            WhatToDo = result.Kind == CapKind.NotReached ? "Raise the load to see what limits it" : null,
        };

    private static Finding CreateCheckFinding(CapResult result, SpecificationCheck check) =>
        new()
        {
            Code = check.Kept switch
            {
                true => FindingCodes.CapSpecificationKept,
                false => FindingCodes.CapSpecificationMissed,
                _ => FindingCodes.CapSpecificationUnknown,
            },
            Subject = result.Path,
            What = check.Summary + ".",
            Severity = check.Kept switch
            {
                true => FindingSeverity.Good,
                false => FindingSeverity.Bad,
                _ => FindingSeverity.Unknown,
            },
            Evidence = [new(check.Name, check.Measured), new(check.Name + " bought", check.Bought), new("Share", check.Percent, "%")],
            WhatToDo = check.Kept == false ? "Check the volume's tier and the limits of the host or virtual machine" : null,
            Values = Finding.CreateValues(("Figure", check.Name)),
        };

    private static Finding CreateDoubtFinding(CapResult result, string warning) =>
        new()
        {
            Code = FindingCodes.CapDoubt,
            Subject = result.Path,
            What = warning,
            Severity = FindingSeverity.Unknown,
        };
}
