namespace IoBench.Analysis.Stalls;

/// <summary>A test that stalled.</summary>
/// <param name="Pattern">When and for how long.</param>
public sealed record ResultStalls(IoTestResult Run, StallPattern Pattern) : IHasFindings
{
    /// <summary>The tests that stalled, in their order; those that rest between bursts of I/Os are left out.</summary>
    public static IReadOnlyList<ResultStalls> Find(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        return
        [
            .. results
                .Select(run => (Run: run, Pattern: StallFinder.Find(run)))
                .Where(item => item.Pattern is not null)
                .Select(item => new ResultStalls(item.Run, item.Pattern!)),
        ];
    }

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => (Finding[])[ToFinding(Run.Workload ?? Run.IOPattern ?? Run.Label ?? "run")];

    /// <summary>The finding about a test of this name.</summary>
    public Finding ToFinding(string name) =>
        new()
        {
            Code =
                Pattern.PeriodSeconds is not null ? FindingCodes.StallPeriodic
                : Pattern.IsGap ? FindingCodes.StallSeen
                : FindingCodes.StallSlow,
            Subject = name,
            What = Pattern.Say(name),
            Severity = Pattern.LongestSeconds >= SlowestIO.ReportedSeconds ? FindingSeverity.Bad : FindingSeverity.Watch,
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
