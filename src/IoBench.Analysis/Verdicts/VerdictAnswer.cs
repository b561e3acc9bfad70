using System.Globalization;
using System.Text.Json.Serialization;

namespace IoBench.Analysis.Verdicts;

/// <summary>The answer to a question of the verdict.</summary>
public sealed record VerdictAnswer
{
    /// <summary>What it answers.</summary>
    [JsonIgnore]
    public required VerdictQuestion Question { get; init; }

    /// <summary>The figure: of one run its own, of repeats their mean, of rounds the median of the last five, of nights the latest.</summary>
    public required double Measured { get; init; }

    /// <summary>The runs it comes from, in order.</summary>
    [JsonIgnore]
    public required IReadOnlyList<IoTestResult> Runs { get; init; }

    /// <summary>Where the figure comes from when it is not one run's: <c>mean of 3</c>, <c>latest of 14 nights, first 0.42 ms</c>, <c>never steady in 8 rounds, median of the last 5</c>.</summary>
    public string? Basis { get; init; }

    /// <summary>Whether it comes from rounds that never became steady; its basis says so.</summary>
    [JsonIgnore]
    public bool IsNeverSteady { get; init; }

    /// <summary>The verdict; Info where there is no limit for it, Unknown where judging by it would not be fair.</summary>
    public FindingSeverity Severity { get; init; } = FindingSeverity.Info;

    /// <summary>The limits that every run which can answer is judged by; empty when there is none.</summary>
    public IReadOnlyList<RuleVerdict> Verdicts { get; init; } = [];

    /// <summary>Why it is not rated or not good, in a few words.</summary>
    public string? Reason { get; init; }

    /// <summary>The reason as it stands behind the figure in a sentence: what the sentence says already is not said again.</summary>
    internal string? ReasonBesideFigure { get; init; }

    /// <summary>The run it comes from (the last of several).</summary>
    [JsonIgnore]
    public IoTestResult Run => Runs[^1];

    /// <summary>The rule set that the verdict is by; null when there is none.</summary>
    public string? RuleSet => Verdicts.Count > 0 ? Verdicts[0].RuleSet : null;

    /// <summary>The limits in words; null when there is none.</summary>
    public string? Limit => Verdicts.Count > 0 ? string.Join("; ", Verdicts.Select(LimitOf).Distinct()) : null;

    /// <summary>Whether it was judged.</summary>
    public bool IsRated => Severity is FindingSeverity.Good or FindingSeverity.Watch or FindingSeverity.Bad;

    /// <summary>The figure in words.</summary>
    public string Text => Question.TextOf(Measured);

    /// <summary>The figure in words, with the 99th percentile where that is what misses its limit: <c>0.9 ms, p99 4.2 ms</c>.</summary>
    [JsonIgnore]
    public string FigureText => MissedTail is { } tail ? $"{Text}, p99 {Figures.Milliseconds(tail)}" : Text;

    /// <summary>The highest 99th percentile that misses its limit, in milliseconds; null without one.</summary>
    private double? MissedTail =>
        Verdicts
            .Where(verdict => verdict.Metric is "P99Ms" or "ResponseP99Ms" && RuleFindings.SeverityOf(verdict) >= FindingSeverity.Watch)
            .Max(verdict => verdict.Measured);

    /// <summary>Question and figure, with where the figure comes from: <c>A commit waits 0.42 ms (mean of 3)</c>.</summary>
    public override string ToString() => $"{Question.Words} {Text}{(Basis is null ? "" : $" ({Basis})")}";

    /// <summary>The same as a finding.</summary>
    /// <param name="run">What the run is called.</param>
    public Finding ToFinding(string run) =>
        new()
        {
            Code = FindingCodes.SummaryPrefix + Question.Code,
            Subject = run,
            What = $"{Question.Words} {Text} ({run}{(Basis is null ? "" : ", " + Basis)})",
            Severity = Severity,
            Evidence =
            [
                new(Question.Code, Measured, Question.Unit),
                .. Verdicts.Where(verdict => Runs.Contains(verdict.Run)).SelectMany(verdict => verdict.Findings[0].Evidence),
            ],
            WhatToDo = Severity >= FindingSeverity.Watch ? Question.WhatToDo ?? $"the limit is {Limit}" : null,
            Values = Finding.ValuesOf(("RuleSet", RuleSet), ("Limit", Limit), ("Reason", Reason), ("Basis", Basis)),
        };

    /// <summary>The answer of runs; null when none of them is about the question.</summary>
    /// <param name="question">What is asked.</param>
    /// <param name="runs">All runs.</param>
    /// <param name="verdicts">What the limits say of each run.</param>
    internal static VerdictAnswer? Of(
        VerdictQuestion question,
        IReadOnlyList<IoTestResult> runs,
        ILookup<IoTestResult, RuleVerdict> verdicts
    )
    {
        var able = runs.Where(run => run.Status == IoResultStatus.Complete && question.IsAbout(run) && question.Value(run) is not null)
            .ToList();
        // Of a sweep's loads the lowest: one I/O at a time waits for the storage alone.
        if (
            question.Kind == VerdictKind.Wait
            && able.TrueForAll(run => run.TotalOutstanding <= RuleJudge.WorkingLoadOutstanding)
            && able.Min(run => run.TotalOutstanding) is { } min
        )
            able.RemoveAll(run => run.TotalOutstanding != min);
        if (able.Count == 0)
            return null;
        // Of different tests the one that matters: the slowest latency, the highest rate.
        var (chosen, figure, basis, isNeverSteady) = able.GroupBy(EqualTests.Of)
            .Select(group => Figure(question, [.. group]))
            .MaxBy(group => group.Figure);
        var answer = new VerdictAnswer
        {
            Question = question,
            Measured = figure,
            Runs = chosen,
            Basis = basis,
            IsNeverSteady = isNeverSteady,
        };
        return Rated(answer, [.. able.SelectMany(run => verdicts[run]).Where(verdict => question.JudgedBy.Contains(verdict.Metric))]);
    }

    private static (List<IoTestResult> Runs, double Figure, string? Basis, bool IsNeverSteady) Figure(
        VerdictQuestion question,
        List<IoTestResult> runs
    )
    {
        double Value(IoTestResult run) => question.Value(run)!.Value;
        if (question.Kind == VerdictKind.Stall)
            return ([runs.MaxBy(Value)!], runs.Max(Value), null, false);
        if (runs.Count == 1)
            return (runs, Value(runs[0]), null, false);
        if (RepeatSummary.Of(runs) is [{ Rounds: { } rounds } repeats])
        {
            var last = repeats.Results.TakeLast(SteadyState.Window).ToList();
            var state = repeats.IsSteady switch
            {
                true => $"steady after {rounds} rounds",
                false => $"never steady in {rounds} rounds",
                _ => $"{rounds} rounds, too few to be steady",
            };
            return (
                last,
                SampleSummary.Of(last.Select(question.Value))!.Median,
                $"{state}, median of the last {last.Count}",
                repeats.IsSteady == false
            );
        }
        if (EqualTests.History(runs) is not { } history)
            return (runs, runs.Average(Value), string.Create(CultureInfo.InvariantCulture, $"mean of {runs.Count}"), false);
        var first = question.TextOf(Value(history.First));
        return (
            [history.Latest],
            Value(history.Latest),
            string.Create(CultureInfo.InvariantCulture, $"latest of {history.Days} days, first {first}"),
            false
        );
    }

    private static VerdictAnswer Rated(VerdictAnswer answer, IReadOnlyList<RuleVerdict> verdicts)
    {
        if (verdicts.Count == 0)
            return answer;
        answer = answer with { Severity = FindingSeverity.Unknown, Verdicts = verdicts };
        var findings = verdicts.Select(verdict => (Verdict: verdict, Severity: RuleFindings.SeverityOf(verdict))).ToList();
        // The first of the most severe.
        foreach (var severity in new[] { FindingSeverity.Bad, FindingSeverity.Watch })
        {
            if (findings.Find(finding => finding.Severity == severity).Verdict is { } missed)
                return answer with { Severity = severity, Reason = missed.Reason, ReasonBesideFigure = BesideFigure(answer, missed) };
        }
        if (findings.Find(finding => finding.Verdict.Outcome == RuleOutcome.Provisional).Verdict is { } provisional)
            return answer with { Reason = provisional.Reason };
        return findings.Exists(finding => finding.Severity == FindingSeverity.Good)
            ? answer with
            {
                Severity = FindingSeverity.Good,
            }
            : answer with
            {
                Reason = verdicts[0].Reason,
            };
    }

    private static string BesideFigure(VerdictAnswer answer, RuleVerdict verdict) =>
        verdict is { Measured: { } measured, Bound: { } bound, Metric: not ("P99Ms" or "ResponseP99Ms") }
        && answer.Question.TextOf(measured) == answer.Text
            ? bound
            : verdict.Reason;

    private static string LimitOf(RuleVerdict verdict)
    {
        var metric = MetricCatalog.Get(verdict.Metric);
        var words = verdict.Metric switch
        {
            "IOPS" => $"at least {Figures.Rate(verdict.Limit)} per second",
            "BandwidthMBps" => $"at least {Throughput.Text(verdict.Limit)}",
            "P99Ms" or "ResponseP99Ms" => $"p99 at most {Figures.Milliseconds(verdict.Limit)}",
            "MaxLatencyMs" or "ResponseMaxMs" =>
                $"at most {Figures.Milliseconds(verdict.Limit)}{(verdict.WarnFrom is { } from ? $", a warning from {Figures.Milliseconds(from)} on" : "")}",
            _ => $"average at most {Figures.Milliseconds(verdict.Limit)}",
        };
        return verdict.HouseRule && verdict.RuleSet != RuleSets.HardLimits ? words + " (IoBench's own)" : words;
    }
}
