using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>A test that stalled.</summary>
/// <param name="Run">The test.</param>
/// <param name="Pattern">When and for how long.</param>
public sealed record ResultStalls(IoTestResult Run, StallPattern Pattern) : IHasFindings
{
    /// <summary>SQL Server reports an I/O of this length as error 833.</summary>
    private const double BadSeconds = 15;

    /// <summary>The tests that stalled, in their order; those that rest between bursts of I/Os are left out.</summary>
    public static IReadOnlyList<ResultStalls> Find(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        return [.. results.Where(run => run.Timeline.Count > 1 && run.Specification is not { Pace: IoPace.Closed { Burst: not null } }).Select(run => (Run: run, Pattern: PatternOf(run.Timeline)))
            .Where(item => item.Pattern is not null).Select(item => new ResultStalls(item.Run, item.Pattern!))];
    }

    /// <inheritdoc/>
    public IReadOnlyList<Finding> Findings => [ToFinding(Run.Workload ?? Run.IOPattern ?? Run.Label ?? "run")];

    /// <summary>The finding about a test of this name.</summary>
    public Finding ToFinding(string name) => new()
    {
        Code = Pattern.PeriodSeconds is null ? FindingCodes.StallSeen : FindingCodes.StallPeriodic,
        Subject = name,
        What = Pattern.Say(name),
        Severity = Pattern.LongestSeconds >= BadSeconds ? FindingSeverity.Bad : FindingSeverity.Watch,
        Evidence = [new("Stalls", Pattern.Count), new("LongestStall", Pattern.LongestSeconds, "s"), new("Period", Pattern.PeriodSeconds, "s")],
        WhatToDo = Pattern.PeriodSeconds is { } period
            ? FormattableString.Invariant($"Find what the storage or the host does every {period:0.#} s (a cache written out, a throttle, a snapshot, another job)")
            : "Look at what the storage and the host did at that moment (a path switched, a snapshot, a cache written out, another load)",
    };

    private static StallPattern? PatternOf(List<IoTimelinePoint> points)
    {
        var starts = points.Select((_, index) => index == 0 ? 0 : points[index - 1].Seconds).ToList();
        return points.Exists(point => point.IOPS is null) ? null : StallPattern.Of(points.ConvertAll(point => point.Seconds), [.. points.Select((point, index) => point.IOPS!.Value * (point.Seconds - starts[index]))]);
    }
}
