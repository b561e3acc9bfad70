using IoBench.Engine;

namespace IoBench.Analysis;

internal static class StallPattern
{
    /// <summary>Shortest noticeable stall in seconds. Shorter ones are reported only if they are periodic.</summary>
    private const double MinSeconds = 0.5;

    /// <summary>Shortest periodic stall in seconds. A busy host causes shorter pauses by itself.</summary>
    private const double MinPeriodicSeconds = 0.1;

    /// <summary>
    /// Multiple of the median latency that rarely occurs by chance: of one million exponential service times, the longest is about 20 times
    /// the median.
    /// </summary>
    private const double BeyondChance = 30;

    public static StallPattern? Find(IoTestResult run)
    {
        if (!run.HasTimeline() || run.Timeline.Count < 2 || run.Specification is { Pace: IoPace.ClosedLoop { Burst: not null } })
            return null;
        return FromRecordedStalls(run) ?? FromCounts(run.Timeline) ?? FromMaximums(run);
    }

    private static StallPattern? FromRecordedStalls(IoTestResult run)
    {
        var min = Math.Max(MinPeriodicSeconds, BeyondChance * GetUsualSeconds(run) ?? double.MaxValue);
        List<(double Start, double End)> gaps =
        [
            .. run
                .Silences.Where(silence => silence.Target is null && silence.LengthSeconds >= min)
                .Select(silence => (silence.Seconds, silence.Seconds + silence.LengthSeconds)),
        ];
        if (FindPeriodic(gaps) is { } periodic)
            return periodic;
        var noticed = gaps.FindAll(gap => gap.End - gap.Start >= MinSeconds);
        return StallPattern.Create(noticed, resolution: 0) is { } pattern ? pattern with { PeriodSeconds = null } : null;
    }

    /// <summary>Tries all stalls, then only the long ones, so that other stalls do not hide a period.</summary>
    private static StallPattern? FindPeriodic(List<(double Start, double End)> gaps)
    {
        if (gaps.Count == 0)
            return null;
        var longest = gaps.Max(gap => gap.End - gap.Start);
        return new[] { gaps, gaps.FindAll(gap => gap.End - gap.Start >= longest / 2) }
            .Select(some => StallPattern.Create(some, resolution: 0))
            .FirstOrDefault(pattern => pattern?.PeriodSeconds is not null);
    }

    private static StallPattern? FromCounts(List<IoTimelinePoint> points)
    {
        var starts = points.Select((_, index) => index == 0 ? 0 : points[index - 1].Seconds).ToList();
        return points.Exists(point => point.IOPS is null)
            ? null
            : StallPattern.Create(
                points.ConvertAll(point => point.Seconds),
                [.. points.Select((point, index) => point.IOPS!.Value * (point.Seconds - starts[index]))]
            );
    }

    private static StallPattern? FromMaximums(IoTestResult run)
    {
        if (GetUsualSeconds(run) is not { } usual || run.Timeline.Exists(point => point.MaxLatencyMs is null && point.IOPS > 0))
            return null;
        var (slow, longest) = (new List<(double Start, double End)>(), 0.0);
        for (var i = 0; i < run.Timeline.Count; i++)
        {
            var seconds = run.Timeline[i].MaxLatencyMs / 1000 ?? 0;
            if (seconds < Math.Max(MinSeconds, BeyondChance * usual))
                continue;
            StallPattern.AddInterval(slow, i == 0 ? 0 : run.Timeline[i - 1].Seconds, run.Timeline[i].Seconds);
            longest = Math.Max(longest, seconds);
        }
        return StallPattern.Create(slow, run.Timeline[^1].Seconds / run.Timeline.Count) is { } pattern
            ? pattern with
            {
                LongestSeconds = longest,
                AverageSeconds = longest,
                IsGap = false,
            }
            : null;
    }

    /// <summary>Uses the average if there are too few I/Os for a median.</summary>
    private static double? GetUsualSeconds(IoTestResult run) => (run.P50Ms ?? run.AverageLatencyMs) / 1000;
}
