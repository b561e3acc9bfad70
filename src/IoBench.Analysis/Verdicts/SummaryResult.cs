using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>The value of one metric in the summary of a verdict.</summary>
public sealed record SummaryResult
{
    [JsonIgnore]
    public required SummaryMetric Question { get; init; }

    /// <summary>The value: of one run, the mean of repeats or of the last five rounds, or the latest of several days.</summary>
    public required double Measured { get; init; }

    [JsonIgnore]
    public required IReadOnlyList<IoTestResult> Runs { get; init; }

    /// <summary>Origin if it is not one run, as in <c>mean of 3 runs</c> or <c>latest value in a history of 14 days, first value 0.42 ms</c>; otherwise
    /// null.</summary>
    public string? Basis { get; init; }

    /// <summary>Whether the value comes from rounds that never became steady; the basis states that too.</summary>
    [JsonIgnore]
    public bool IsNeverSteady { get; init; }

    /// <summary>Outcome of the limits; null if there is no limit.</summary>
    public VerdictOutcome? Outcome { get; init; }

    /// <summary>Severity of a failure; Warning also for a pass with a warning.</summary>
    public FindingSeverity Severity { get; init; } = FindingSeverity.Info;

    /// <summary>Outcome as tables show it, such as <c>pass</c>, <c>fail (critical)</c>, or <c>no limit</c>.</summary>
    [JsonIgnore]
    public string Word => VerdictWords.DescribeRule(Outcome, Severity);

    /// <summary>The metric in words; for an open loop with response time instead of latency.</summary>
    [JsonIgnore]
    public string Words =>
        Question.Kind == SummaryMetricKind.Latency && Run.ResponseAverageMs is not null
            ? Question.Words.Replace("latency", "response time", StringComparison.Ordinal)
            : Question.Words;

    /// <summary>Load of the tests whose latency this is: <c>QD1</c> or <c>200 IOPS</c>; otherwise null.</summary>
    [JsonIgnore]
    public string? Load =>
        Question.Kind != SummaryMetricKind.Latency ? null
        : Run is { LoadModel: IoLoadModel.Open, TargetIops: { } rate } ? $"{NumberFormat.Rate(rate)} IOPS"
        : Run.TotalOutstanding is { } outstanding ? Invariant($"QD{outstanding}")
        : null;

    /// <summary>Verdicts of the limits on every run that provides the metric; empty if there is no limit.</summary>
    public IReadOnlyList<RuleVerdict> Verdicts { get; init; } = [];

    /// <summary>Why the value is not rated or does not pass, in a few words.</summary>
    public string? Reason { get; init; }

    /// <summary>The run that the value comes from (the last one of several).</summary>
    [JsonIgnore]
    public IoTestResult Run => Runs[^1];

    public string? RuleSet => Verdicts.Count > 0 ? Verdicts[0].RuleSet : null;

    public string? Limit =>
        Verdicts.Count > 0 ? string.Join("; ", Verdicts.Select(verdict => DescribeLimit(verdict, Measured)).Distinct()) : null;

    public bool IsRated => Outcome is not (null or VerdictOutcome.NotRated);

    /// <summary>The value with its unit, in the same unit as its limits.</summary>
    public string Text =>
        Question.Unit == "ms" && Verdicts.Count > 0
            ? RuleEvaluator.FormatTogether(
                Verdicts[0].Metric,
                [Measured, .. Verdicts.Select(verdict => Math.Min(verdict.Limit, verdict.WarnFrom ?? verdict.Limit))]
            )[0]
            : Question.FormatValue(Measured);

    /// <summary>The value with its unit, and the p99 latency if that exceeds its limit, as in <c>0.9 ms, p99 4.2 ms</c>.</summary>
    [JsonIgnore]
    public string FigureText => FailedP99Ms is { } tail ? $"{Text}, p99 {NumberFormat.Milliseconds(tail)}" : Text;

    private double? FailedP99Ms =>
        Verdicts
            .Where(verdict => verdict.Metric is "P99Ms" or "ResponseP99Ms" && verdict.Severity >= FindingSeverity.Warning)
            .Max(verdict => verdict.Measured);

    public override string ToString()
    {
        var details = string.Join(", ", new[] { Load, Basis }.OfType<string>());
        return details.Length == 0 ? $"{Words} {Text}" : $"{Words} {Text} ({details})";
    }

    public Finding CreateFinding(string run) =>
        new()
        {
            Code = FindingCodes.SummaryPrefix + Question.Code,
            Subject = run,
            What = $"{Words} {Text} ({run}{(Basis is null ? "" : ", " + Basis)})",
            Severity = Severity,
            Outcome = Outcome,
            Evidence =
            [
                new(Question.Code, Measured, Question.Unit),
                .. Verdicts.Where(verdict => Runs.Contains(verdict.Run)).SelectMany(verdict => RuleVerdict.CreateFinding(verdict).Evidence),
            ],
            WhatToDo = Severity >= FindingSeverity.Warning ? Question.WhatToDo ?? $"the limit is {Limit}" : null,
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
            question.Kind == SummaryMetricKind.Latency
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
        return WithRating(answer, [.. able.SelectMany(run => verdicts[run]).Where(verdict => question.RatedBy.Contains(verdict.Metric))]);
    }

    private static (List<IoTestResult> Runs, double Figure, string? Basis, bool IsNeverSteady) Measure(
        SummaryMetric question,
        List<IoTestResult> runs
    )
    {
        double Value(IoTestResult run) => question.Value(run)!.Value;
        if (question.Kind == SummaryMetricKind.LongestIO)
            return ([runs.MaxBy(Value)!], runs.Max(Value), null, false);
        if (runs.Count == 1)
            return (runs, Value(runs[0]), null, false);
        if (RepeatSummary.Summarize(runs) is [{ Rounds: { } rounds } repeats])
        {
            var last = repeats.Results.TakeLast(SteadyState.Window).ToList();
            var state = repeats.IsSteady switch
            {
                true => $"steady after {rounds} rounds",
                false => $"not steady in {rounds} rounds",
                _ => $"{rounds} rounds, too few to determine a steady state",
            };
            return (
                last,
                SampleSummary.FromSamples(last.Select(question.Value))!.Mean,
                $"{state}, mean of the last {last.Count} rounds",
                repeats.IsSteady == false
            );
        }
        if (TestIdentity.FindHistory(runs) is not { } history)
            return (runs, runs.Average(Value), Invariant($"mean of {runs.Count} runs"), false);
        var first = question.FormatValue(Value(history.First));
        return (
            [history.Latest],
            Value(history.Latest),
            Invariant($"latest value in a history of {history.Days} days, first value {first}"),
            false
        );
    }

    private static SummaryResult WithRating(SummaryResult answer, IReadOnlyList<RuleVerdict> verdicts)
    {
        if (verdicts.Count == 0)
            return answer;
        var (outcome, severity) = Verdict.Combine(verdicts);
        // The first verdict with the outcome and the severity of the whole explains it.
        var decisive =
            verdicts.FirstOrDefault(verdict => verdict.Outcome == outcome && verdict.Severity == severity)
            ?? verdicts.First(verdict => verdict.Severity == severity);
        return answer with
        {
            Outcome = outcome,
            Severity = severity,
            Verdicts = verdicts,
            Reason = outcome == VerdictOutcome.Pass && severity == FindingSeverity.Info ? null : decisive.Reason,
        };
    }

    private static string DescribeLimit(RuleVerdict verdict, double measured)
    {
        var limit = RuleEvaluator.FormatTogether(verdict.Metric, verdict.Limit, verdict.WarnFrom ?? verdict.Limit, measured);
        var words = verdict.Metric switch
        {
            "P99Ms" or "ResponseP99Ms" => $"p99 at most {limit[0]}",
            "MaxLatencyMs" or "ResponseMaxMs" => $"at most {limit[0]}",
            _ when verdict.IsMinimum => $"at least {limit[0]}",
            _ => $"average at most {limit[0]}",
        };
        if (verdict.WarnFrom is not null)
            words += $", warning from {limit[1]}";
        return verdict.IsIoBenchLimit ? words + " (IoBench)" : words;
    }
}
