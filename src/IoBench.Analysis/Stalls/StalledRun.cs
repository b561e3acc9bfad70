using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A test with I/O stalls.</summary>
public sealed record StalledRun(IoTestResult Run, StallPattern Pattern) : IHasFindings
{
    /// <summary>Returns the tests with I/O stalls, in order. Tests with idle times between bursts are ignored.</summary>
    public static IReadOnlyList<StalledRun> Find(IReadOnlyList<IoTestResult> results)
    {
        return
        [
            .. results
                .Select(run => (Run: run, Pattern: StallPattern.Find(run)))
                .Where(item => item.Pattern is not null)
                .Select(item => new StalledRun(item.Run, item.Pattern!)),
        ];
    }

    private bool CanBeHost => Pattern.IsRecorded ? CpuWait.CanExplainStall(Run, Pattern.LongestSeconds) : CpuWait.IsNotable(Run);

    public IReadOnlyList<Finding> Findings => (Finding[])[CreateFinding(TestIdentity.GetDisplayName(Run))];

    public Finding CreateFinding(string name) =>
        new()
        {
            Code =
                Pattern.PeriodSeconds is not null ? FindingCodes.StallPeriodic
                : Pattern.IsGap ? FindingCodes.StallSeen
                : FindingCodes.StallSlow,
            Subject = name,
            What = Pattern.Describe(name) + (CanBeHost ? CpuWait.Describe(Run.ProcessorWaitPercent) : ""),
            Severity =
                Pattern.LongestSeconds >= DrillResult.ReportedSeconds && !CanBeHost ? FindingSeverity.Critical : FindingSeverity.Warning,
            Evidence =
            [
                new("Stalls", Pattern.Count),
                new("LongestIO", Pattern.LongestSeconds, "s"),
                new("Period", Pattern.PeriodSeconds, "s"),
            ],
            WhatToDo =
                CanBeHost ? CpuWait.Advice
                : Pattern.PeriodSeconds is { } period
                    ? Invariant(
                        $"Check what the storage or the host does every {period:0.#} s, such as a cache flush, a throttle, a snapshot, or another job"
                    )
                : "Check what the storage and the host did at that time, such as a path failover, a snapshot, a cache flush, or other load",
        };
}
