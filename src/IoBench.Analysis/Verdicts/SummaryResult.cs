using System.Globalization;
using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>The value of one metric in the summary of a verdict.</summary>
public sealed record SummaryResult
{
    [JsonIgnore]
    public required SummaryMetric Question { get; init; }

    /// <summary>The value: of one run, the mean of repeats, the median of the last five rounds, or the latest of several days.</summary>
    public required double Measured { get; init; }

    [JsonIgnore]
    public required IReadOnlyList<IoTestResult> Runs { get; init; }

    /// <summary>Origin if it is not one run, as in <c>mean of 3</c> or <c>latest of 14 nights, first 0.42 ms</c>; otherwise null.</summary>
    public string? Basis { get; init; }

    /// <summary>Whether the value comes from rounds that never became steady; the basis states that too.</summary>
    [JsonIgnore]
    public bool IsNeverSteady { get; init; }

    /// <summary>Severity; Info without a limit, Unknown if the value cannot be rated fairly.</summary>
    public FindingSeverity Severity { get; init; } = FindingSeverity.Info;

    /// <summary>Verdicts of the limits on every run that provides the metric; empty if there is no limit.</summary>
    public IReadOnlyList<RuleVerdict> Verdicts { get; init; } = [];

    /// <summary>Why the value is not rated or does not pass, in a few words.</summary>
    public string? Reason { get; init; }

    internal string? ReasonWithoutValue { get; init; }

    /// <summary>The run that the value comes from (the last one of several).</summary>
    [JsonIgnore]
    public IoTestResult Run => Runs[^1];

    public string? RuleSet => Verdicts.Count > 0 ? Verdicts[0].RuleSet : null;

    public string? Limit => Verdicts.Count > 0 ? string.Join("; ", Verdicts.Select(DescribeLimit).Distinct()) : null;

    public bool IsRated => Severity is FindingSeverity.Good or FindingSeverity.Watch or FindingSeverity.Bad;

    public string Text => Question.FormatValue(Measured);

    /// <summary>The value with its unit, and the 99th percentile if that exceeds its limit, as in <c>0.9 ms, p99 4.2 ms</c>.</summary>
    [JsonIgnore]
    public string FigureText => FailedP99Ms is { } tail ? $"{Text}, p99 {NumberFormat.Milliseconds(tail)}" : Text;

    private double? FailedP99Ms =>
        Verdicts
            .Where(verdict => verdict.Metric is "P99Ms" or "ResponseP99Ms" && RuleVerdict.GetSeverity(verdict) >= FindingSeverity.Watch)
            .Max(verdict => verdict.Measured);

    public override string ToString() => $"{Question.Words} {Text}{(Basis is null ? "" : $" ({Basis})")}";

    public Finding CreateFinding(string run) =>
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
            Values = Finding.CreateValues(("RuleSet", RuleSet), ("Limit", Limit), ("Reason", Reason), ("Basis", Basis)),
        };

    internal static SummaryResult? Create(
        SummaryMetric question,
        IReadOnlyList<IoTestResult> runs,
        ILookup<IoTestResult, RuleVerdict> verdicts
    )
    {
        var able = runs.Where(run => run.Status == IoResultStatus.Complete && question.IsAbout(run) && question.Value(run) is not null)
            .ToList();
        // Use the lowest load of a sweep, because only one I/O at a time shows the latency without queueing.
        if (
            question.Kind == SummaryMetricKind.Wait
            && able.TrueForAll(run => run.TotalOutstanding <= RuleEvaluator.MaxLowLoadOutstanding)
            && able.Min(run => run.TotalOutstanding) is { } min
        )
            able.RemoveAll(run => run.TotalOutstanding != min);
        if (able.Count == 0)
            return null;
        // Of different tests, use the decisive one: the highest latency or the highest rate.
        var (chosen, figure, basis, isNeverSteady) = able.GroupBy(TestIdentity.GetKey)
            .Select(group => Measure(question, [.. group]))
            .MaxBy(group => group.Figure);
        var answer = new SummaryResult
        {
            Question = question,
            Measured = figure,
            Runs = chosen,
            Basis = basis,
            IsNeverSteady = isNeverSteady,
        };
        return WithRating(answer, [.. able.SelectMany(run => verdicts[run]).Where(verdict => question.JudgedBy.Contains(verdict.Metric))]);
    }

    private static (List<IoTestResult> Runs, double Figure, string? Basis, bool IsNeverSteady) Measure(
        SummaryMetric question,
        List<IoTestResult> runs
    )
    {
        double Value(IoTestResult run) => question.Value(run)!.Value;
        if (question.Kind == SummaryMetricKind.Stall)
            return ([runs.MaxBy(Value)!], runs.Max(Value), null, false);
        if (runs.Count == 1)
            return (runs, Value(runs[0]), null, false);
        if (RepeatSummary.Summarize(runs) is [{ Rounds: { } rounds } repeats])
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
                SampleSummary.FromSamples(last.Select(question.Value))!.Median,
                $"{state}, median of the last {last.Count}",
                repeats.IsSteady == false
            );
        }
        if (TestIdentity.FindHistory(runs) is not { } history)
            return (runs, runs.Average(Value), string.Create(CultureInfo.InvariantCulture, $"mean of {runs.Count}"), false);
        var first = question.FormatValue(Value(history.First));
        return (
            [history.Latest],
            Value(history.Latest),
            string.Create(CultureInfo.InvariantCulture, $"latest of {history.Days} days, first {first}"),
            false
        );
    }

    private static SummaryResult WithRating(SummaryResult answer, IReadOnlyList<RuleVerdict> verdicts)
    {
        if (verdicts.Count == 0)
            return answer;
        answer = answer with { Severity = FindingSeverity.Unknown, Verdicts = verdicts };
        var findings = verdicts.Select(verdict => (Verdict: verdict, Severity: RuleVerdict.GetSeverity(verdict))).ToList();
        // Use the first of the most severe verdicts.
        foreach (var severity in new[] { FindingSeverity.Bad, FindingSeverity.Watch })
        {
            if (findings.Find(finding => finding.Severity == severity).Verdict is { } missed)
                return answer with
                {
                    Severity = severity,
                    Reason = missed.Reason,
                    ReasonWithoutValue = GetReasonWithoutValue(answer, missed),
                };
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

    private static string GetReasonWithoutValue(SummaryResult answer, RuleVerdict verdict) =>
        verdict is { Measured: { } measured, ReasonWithoutValue: { } bound, Metric: not ("P99Ms" or "ResponseP99Ms") }
        && answer.Question.FormatValue(measured) == answer.Text
            ? bound
            : verdict.Reason;

    private static string DescribeLimit(RuleVerdict verdict)
    {
        var metric = MetricCatalog.Get(verdict.Metric);
        var words = verdict.Metric switch
        {
            "IOPS" => $"at least {NumberFormat.Rate(verdict.Limit)} per second",
            "BandwidthMBps" => $"at least {ThroughputDisplay.Format(verdict.Limit)}",
            "P99Ms" or "ResponseP99Ms" => $"p99 at most {NumberFormat.Milliseconds(verdict.Limit)}",
            "MaxLatencyMs" or "ResponseMaxMs" =>
                $"at most {NumberFormat.Milliseconds(verdict.Limit)}{(verdict.WarnFrom is { } from ? $", a warning from {NumberFormat.Milliseconds(from)} on" : "")}",
            _ => $"average at most {NumberFormat.Milliseconds(verdict.Limit)}",
        };
        return verdict.HouseRule && verdict.RuleSet != RuleSets.HardLimits ? words + " (IoBench's own)" : words;
    }
}
