using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Periods of a run in which hardly any I/O completed, or in which some I/Os were slow.</summary>
/// <param name="FirstAt">Start of the first stall in seconds since the start of the measurement.</param>
/// <param name="LongestSeconds">Only as exact as an interval if the source has nothing better.</param>
/// <param name="PeriodSeconds">Seconds between the starts of two stalls; null if they are not periodic.</param>
public sealed record StallPattern(int Count, double FirstAt, double LongestSeconds, double AverageSeconds, double? PeriodSeconds)
{
    private const double StalledShare = 0.2;

    /// <summary>With fewer I/Os per interval, an empty interval can occur by chance.</summary>
    private const double MinUsualIOs = 10;

    /// <summary>Whether hardly any I/O completed; false if some I/Os were slow while others completed.</summary>
    public bool IsGap { get; init; } = true;

    /// <summary>Whether the engine recorded the stalls, without those in which the host did not run IoBench.</summary>
    internal bool IsRecorded { get; init; }

    /// <summary>Finds the stalls in the counts of intervals, whose ends are in seconds, ascending; null if there are none.</summary>
    public static StallPattern? Create(IReadOnlyList<double> ends, IReadOnlyList<double> counts)
    {
        var usual = counts.Count == 0 ? 0 : counts.Order().ElementAt(counts.Count / 2);
        if (usual < MinUsualIOs)
            return null;
        var stalls = new List<(double Start, double End)>();
        for (var interval = 0; interval < counts.Count; interval++)
            if (counts[interval] < usual * StalledShare)
                AddInterval(stalls, interval == 0 ? 0 : ends[interval - 1], ends[interval]);
        return Create(stalls, ends[^1] / ends.Count);
    }

    internal static StallPattern? Create(IReadOnlyList<(double Start, double End)> stalls, double resolution) =>
        stalls.Count == 0
            ? null
            : new(
                stalls.Count,
                stalls[0].Start,
                stalls.Max(stall => stall.End - stall.Start),
                stalls.Average(stall => stall.End - stall.Start),
                FindPeriod([.. stalls.Select(stall => stall.Start)], resolution)
            );

    internal static void AddInterval(List<(double Start, double End)> stalls, double start, double end)
    {
        if (stalls.Count > 0 && Math.Abs(stalls[^1].End - start) < 1e-6)
            stalls[^1] = (stalls[^1].Start, end);
        else
            stalls.Add((start, end));
    }

    public string Describe(string subject) =>
        (IsGap, PeriodSeconds) switch
        {
            (true, { } period) => Invariant(
                $"{subject}: periodic stalls. Every {period:0.#} s, almost no I/O completes for about {AverageSeconds:0.#} s."
            ),
            (true, null) when Count == 1 => Invariant(
                $"{subject}: almost no I/O completed for {LongestSeconds:0.#} s, starting {FirstAt:0.#} s into the measurement."
            ),
            (true, null) => Invariant(
                $"{subject}: almost no I/O completed in {Count} periods of up to {LongestSeconds:0.#} s (the first at {FirstAt:0.#} s)."
            ),
            (false, { } period) => Invariant(
                $"{subject}: periodic slow I/Os, but no stall. Every {period:0.#} s, some I/Os take up to {LongestSeconds:0.#} s while other I/Os complete."
            ),
            _ => Invariant(
                $"{subject}: slow I/Os, but no stall. While other I/Os completed, some I/Os took up to {LongestSeconds:0.#} s ({(Count == 1 ? "once, at" : $"{Count} times, first at")} {FirstAt:0.#} s)."
            ),
        };

    private const int MinStalls = 3;

    /// <summary>Three random times are that regular in 1 of 100 cases, four in 1 of 150; more are rarely so.</summary>
    private static double GetTolerance(int count) =>
        count switch
        {
            3 => 0.01,
            4 => 0.1,
            _ => 0.15,
        };

    /// <summary>Returns the seconds between two stalls; null if they are not periodic. Starts are in seconds, ascending.</summary>
    internal static double? FindPeriod(IReadOnlyList<double> starts, double resolution = 0)
    {
        if (starts.Count < MinStalls)
            return null;
        var mean = (starts[^1] - starts[0]) / (starts.Count - 1);
        // A time can be anywhere within its interval, so a period of only a few intervals cannot be distinguished from chance.
        var allowed = Math.Max(GetTolerance(starts.Count) * mean, mean >= 3 * resolution ? 0.6 * resolution : 0);
        for (var i = 1; i < starts.Count; i++)
            if (Math.Abs(starts[i] - starts[i - 1] - mean) > allowed + 1e-9)
                return null;
        return mean;
    }

    /// <summary>Shortest noticeable stall in seconds. Shorter ones are reported only if they are periodic.</summary>
    private const double MinSeconds = 0.5;

    /// <summary>Shortest periodic stall in seconds. A busy host causes shorter pauses by itself.</summary>
    private const double MinPeriodicSeconds = 0.1;

    /// <summary>
    /// Multiple of the median latency. Of one million exponential service times, the longest is about 20 times the median.
    /// </summary>
    private const double BeyondChance = 30;

    internal static StallPattern? Find(IoTestResult run)
    {
        if (!run.HasTimeline() || run.Timeline.Count < 2 || run.Specification is { TargetIops: null, HasBursts: true })
            return null;
        if (FromRecordedStalls(run) is { } recorded)
            return recorded;
        // Intervals in which the host did not run IoBench look like stalls.
        return run.HostPauses.Count > 0 ? null : FromCounts(run.Timeline) ?? FromMaximums(run);
    }

    private static StallPattern? FromRecordedStalls(IoTestResult run)
    {
        var min = Math.Max(MinPeriodicSeconds, BeyondChance * GetUsualSeconds(run) ?? double.MaxValue);
        List<(double Start, double End)> gaps =
        [
            .. run
                .Stalls.Where(stall => stall.Target is null && stall.LengthSeconds >= min)
                .Select(stall => (stall.Seconds, stall.Seconds + stall.LengthSeconds)),
        ];
        if (FindPeriodic(gaps) is { } periodic)
            return periodic;
        var noticed = gaps.FindAll(gap => gap.End - gap.Start >= MinSeconds);
        return Create(noticed, resolution: 0) is { } pattern ? pattern with { PeriodSeconds = null, IsRecorded = true } : null;
    }

    /// <summary>Tries all stalls, then only the long ones, so that other stalls do not hide a period.</summary>
    private static StallPattern? FindPeriodic(List<(double Start, double End)> gaps)
    {
        if (gaps.Count == 0)
            return null;
        var longest = gaps.Max(gap => gap.End - gap.Start);
        return new[] { gaps, gaps.FindAll(gap => gap.End - gap.Start >= longest / 2) }
            .Select(some => Create(some, resolution: 0))
            .FirstOrDefault(pattern => pattern?.PeriodSeconds is not null);
    }

    private static StallPattern? FromCounts(List<IoTimelinePoint> points)
    {
        var starts = points.Select((_, index) => index == 0 ? 0 : points[index - 1].Seconds).ToList();
        return points.Exists(point => point.IOPS is null)
            ? null
            : Create(
                points.ConvertAll(point => point.Seconds),
                [.. points.Select((point, index) => point.IOPS!.Value * (point.Seconds - starts[index]))]
            );
    }

    private static StallPattern? FromMaximums(IoTestResult run)
    {
        if (GetUsualSeconds(run) is not { } usual || run.Timeline.Exists(point => point.MaxLatencyMs is null && point.IOPS > 0))
            return null;
        var slow = new List<(double Start, double End)>();
        var longest = 0.0;
        for (var i = 0; i < run.Timeline.Count; i++)
        {
            var seconds = run.Timeline[i].MaxLatencyMs / 1000 ?? 0;
            if (seconds < Math.Max(MinSeconds, BeyondChance * usual))
                continue;
            AddInterval(slow, i == 0 ? 0 : run.Timeline[i - 1].Seconds, run.Timeline[i].Seconds);
            longest = Math.Max(longest, seconds);
        }
        return Create(slow, run.Timeline[^1].Seconds / run.Timeline.Count) is { } pattern
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
