using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A test with I/O stalls.</summary>
public sealed record StalledRun(IoTestResult Run, StallPattern Pattern) : IHasFindings
{
    /// <summary>Returns the tests with I/O stalls, in order. Tests with idle times between bursts are ignored.</summary>
    public static IReadOnlyList<StalledRun> Find(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        return
        [
            .. results
                .Select(run => (Run: run, Pattern: StallPattern.Find(run)))
                .Where(item => item.Pattern is not null)
                .Select(item => new StalledRun(item.Run, item.Pattern!)),
        ];
    }

    public IReadOnlyList<Finding> Findings => (Finding[])[CreateFinding(TestIdentity.GetDisplayName(Run))];

    public Finding CreateFinding(string name) =>
        new()
        {
            Code =
                Pattern.PeriodSeconds is not null ? FindingCodes.StallPeriodic
                : Pattern.IsGap ? FindingCodes.StallSeen
                : FindingCodes.StallSlow,
            Subject = name,
            What = Pattern.Describe(name),
            Severity = Pattern.LongestSeconds >= DrillResult.ReportedSeconds ? FindingSeverity.Bad : FindingSeverity.Watch,
            Evidence =
            [
                new("Stalls", Pattern.Count),
                new("LongestStall", Pattern.LongestSeconds, "s"),
                new("Period", Pattern.PeriodSeconds, "s"),
            ],
            WhatToDo = Pattern.PeriodSeconds is { } period
                ? FormattableString.Invariant(
                    $"Find what the storage or the host does every {period:0.#} s (a cache written out, a throttle, a snapshot, another job)"
                )
                : "Look at what the storage and the host did at that moment (a path switched, a snapshot, a cache written out, another load)",
        };
}
