using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Model;

/// <summary>A verdict in the words of the summary.</summary>
internal enum Rating
{
    /// <summary>There is no limit for it.</summary>
    NoLimit,
    /// <summary>There is a limit, but judging by it would not be fair.</summary>
    NotRated,
    /// <summary>Within the limits.</summary>
    Good,
    /// <summary>Within the published limit, but not within a house rule, or near the limit.</summary>
    Watch,
    /// <summary>Beyond the limit.</summary>
    Bad,
}

/// <summary>The answer to a question of the summary.</summary>
/// <param name="Question">What it answers, in plain words.</param>
/// <param name="Measured">The figure.</param>
/// <param name="Unit">Its unit, for words.</param>
/// <param name="Run">The run it comes from (the first of equal ones).</param>
internal sealed record Answer(Question Question, double Measured, string Unit, IoTestResult Run)
{
    /// <summary>The verdict.</summary>
    public Rating Rating { get; init; } = Rating.NoLimit;
    /// <summary>The rule set that the verdict is by; null when there is none.</summary>
    public string? RuleSet { get; init; }
    /// <summary>The limits in words.</summary>
    public string? Limit { get; init; }
    /// <summary>Why it is not rated or not good, in a few words.</summary>
    public string? Reason { get; init; }

    /// <summary>The figure in words.</summary>
    public string Text => Unit == "ms" ? RunText.Milliseconds(Measured) : $"{RunText.Count(Measured)} {Unit}";
}

/// <summary>Something that a manager asks, and which figure answers it.</summary>
/// <param name="Words">The question as the beginning of a sentence: <c>A commit waits</c>.</param>
/// <param name="Unit">ms, MB/s or per second.</param>
/// <param name="Metric">The property that holds the figure.</param>
/// <param name="HigherIsBetter">Whether more is better.</param>
/// <param name="IsAbout">The runs that can answer it.</param>
/// <param name="Value">The figure of a run.</param>
internal sealed record Question(string Words, string Unit, string[] Metric, bool HigherIsBetter, Func<IoTestResult, bool> IsAbout, Func<IoTestResult, double?> Value)
{
    /// <summary>Error 833: SQL Server reports an I/O that takes 15 s; IoBench's rule set for it.</summary>
    private const string StallRules = "hard-limits";

    /// <summary>The questions in the order of the summary.</summary>
    public static readonly IReadOnlyList<Question> All =
    [
        new("A commit waits", "ms", ["AverageLatencyMs", "P99Ms", "ResponseAverageMs", "ResponseP99Ms", "LittlesLawLatencyMs"], false, run => RuleJudge.Is(run, IoRuleKind.LogCommit), Latency),
        new("A page read waits", "ms", ["AverageLatencyMs", "P99Ms", "ResponseAverageMs", "ResponseP99Ms", "LittlesLawLatencyMs"], false, run => RuleJudge.Is(run, IoRuleKind.PageRead), Latency),
        new("Page reads", "per second", ["IOPS"], true, run => RuleJudge.Is(run, IoRuleKind.PageRead), run => run.IOPS),
        new("Mixed I/O", "per second", ["IOPS"], true, run => run is { Operation: IoOperation.Mixed, WritePercent: not null, AccessPattern: not (IoAccessPattern.Sequential or IoAccessPattern.Interlocked) }, run => run.IOPS),
        new("Scans read", "MB/s", ["BandwidthMBps"], true, run => RuleJudge.Is(run, IoRuleKind.Scan), run => run.BandwidthMBps),
        new("Longest stall", "ms", ["MaxLatencyMs"], false, _ => true, run => run.MaxLatencyMs),
    ];

    /// <summary>The answer from runs; null when none of them can give it.</summary>
    public Answer? AnswerFrom(IReadOnlyList<IoTestResult> runs, IoRuleSet rules)
    {
        var able = runs.Where(run => run.Status == IoResultStatus.Complete && IsAbout(run) && Value(run) is not null).ToList();
        // Latency is judged where the load is a working one: such runs answer first.
        if (Unit == "ms" && able.Exists(RuleJudge.IsWorkingLoad))
            able.RemoveAll(run => !RuleJudge.IsWorkingLoad(run));
        // Of a sweep's loads the least: one I/O at a time waits for the storage alone.
        if (Metric[0] == "AverageLatencyMs" && able.TrueForAll(run => run.TotalOutstanding <= RuleJudge.WorkingLoadOutstanding) && able.Min(run => run.TotalOutstanding) is { } least)
            able.RemoveAll(run => run.TotalOutstanding != least);
        if (able.Count == 0)
            return null;
        // Of repeats the mean, of different runs the one that matters: the slowest latency, the highest rate.
        var groups = able.GroupBy(RunText.SameTest)
            .Select(group => (Runs: group.ToList(), Mean: Unit == "ms" && Metric[0] == "MaxLatencyMs" ? group.Max(run => Value(run)!.Value) : group.Average(run => Value(run)!.Value)));
        var (chosen, figure) = groups.MaxBy(group => group.Mean);
        return Rated(new(this, figure, Unit, chosen[0]), chosen, Metric[0] == "MaxLatencyMs" ? RuleSets.Find(StallRules) : rules);
    }

    private Answer Rated(Answer answer, List<IoTestResult> runs, IoRuleSet rules)
    {
        var verdicts = RuleJudge.Judge(runs, rules).Where(verdict => Metric.Contains(verdict.Metric)).ToList();
        if (verdicts.Count == 0)
            return answer;
        answer = answer with
        {
            RuleSet = rules.Name,
            Limit = string.Join("; ", verdicts.Select(verdict => LimitOf(verdict, rules)).Distinct()),
        };
        if (runs.Exists(QuickLook.Is))
            return answer with { Rating = Rating.NotRated, Reason = "a quick look" };
        if (Unit == "ms" && !runs.TrueForAll(RuleJudge.IsWorkingLoad))
            return answer with { Rating = Rating.NotRated, Reason = "the test saturates the storage" };
        var failed = verdicts.Find(verdict => verdict.Outcome == RuleOutcome.Fail && (!verdict.HouseRule || rules.Name == StallRules));
        var watched = verdicts.Find(verdict => verdict.Outcome is RuleOutcome.Fail or RuleOutcome.Warn);
        if (failed is not null)
            return answer with { Rating = Rating.Bad, Reason = failed.Reason };
        if (watched is not null)
            return answer with { Rating = Rating.Watch, Reason = watched.Reason };
        return verdicts.Exists(verdict => verdict.Outcome == RuleOutcome.Pass)
            ? answer with { Rating = Rating.Good }
            : answer with { Rating = Rating.NotRated, Reason = verdicts[0].Reason };
    }

    private static string LimitOf(RuleVerdict verdict, IoRuleSet rules)
    {
        var words = verdict.Metric switch
        {
            "IOPS" => $"at least {RunText.Count(verdict.Limit)} per second",
            "BandwidthMBps" => $"at least {RunText.Count(verdict.Limit)} MB/s",
            "P99Ms" or "ResponseP99Ms" => $"p99 at most {RunText.Milliseconds(verdict.Limit)}",
            "MaxLatencyMs" => $"at most {RunText.Milliseconds(verdict.Limit)}",
            _ => $"average at most {RunText.Milliseconds(verdict.Limit)}",
        };
        return verdict.HouseRule && rules.Name != StallRules ? words + " (house rule)" : words;
    }

    /// <summary>Response time of an open loop, Little's law for SQLIO's whole milliseconds, else the average.</summary>
    private static double? Latency(IoTestResult run)
        => run.ResponseAverageMs ?? (run.Source == IoResultSource.Sqlio ? run.LittlesLawLatencyMs : null) ?? run.AverageLatencyMs;
}
