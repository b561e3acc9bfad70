using System.Globalization;
using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

public enum TrendDirection : long
{
    /// <summary>No change that is certain and large enough.</summary>
    Steady,

    Better,

    Worse,

    /// <summary>Too few runs, or all runs at the same time.</summary>
    TooFew,
}

/// <summary>One run of a trend. Repeats are combined into their median, because they do not show a change over time.</summary>
public sealed record TrendPoint(DateTimeOffset Time, double Value)
{
    /// <summary>Measured value, if <see cref="Value"/> is without the effect of weekends; otherwise null.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? Measured { get; init; }
}

/// <summary>A lasting change from one run to the next, with the medians before and after it.</summary>
/// <param name="HostChanges">Changes on the host at about the same time, within one run.</param>
public sealed record TrendStep(
    DateTimeOffset Time,
    double Before,
    double After,
    double ChangePercent,
    IReadOnlyList<HostChange> HostChanges
);

/// <summary>Trend of one metric of one workload on one host and path: level, step, or slope.</summary>
public sealed class HistoryTrend : IHasFindings
{
    public const int MinRuns = 8;

    public string? Workload { get; init; }

    public string? ComputerName { get; init; }

    public string? Path { get; init; }

    public string? IOPattern { get; init; }

    public int? ThreadCount { get; init; }

    public int? OutstandingIO { get; init; }

    /// <summary>The metric: the name of a property of the results.</summary>
    public required string Metric { get; init; }

    public required int Runs { get; init; }

    public required DateTimeOffset First { get; init; }

    public required DateTimeOffset Last { get; init; }

    public required double Latest { get; init; }

    public required double Median { get; init; }

    /// <summary>Values on weekends as a multiple of those on working days, which is not part of the trend; null without such an
    /// effect.</summary>
    public double? WeekendFactor { get; init; }

    /// <summary>The step, if the metric changed at once; otherwise null.</summary>
    public TrendStep? Step { get; init; }

    /// <summary>Change per day, in the unit of the metric; null if there are too few runs or the metric changed at once.</summary>
    public double? SlopePerDay { get; init; }

    /// <summary>In percent of the mean; null if the runs cover fewer than 30 days, because the trend is not extrapolated.</summary>
    public double? PercentPerMonth { get; init; }

    /// <summary>Lower end of the 95% confidence interval of the change in 30 days.</summary>
    public double? PercentPerMonthLow { get; init; }

    public double? PercentPerMonthHigh { get; init; }

    /// <summary>Change over the whole time in percent of the mean; for a step, the change of the step.</summary>
    public double? ChangePercent { get; init; }

    public required TrendDirection Direction { get; init; }

    public string Summary => DescribeTrend();

    public override string ToString() => Summary;

    /// <summary>Returns the value of the line or the step at a time; null if there are too few runs.</summary>
    public double? GetLineAt(DateTimeOffset time)
    {
        if (Step is { } step)
            return time < step.Time ? step.Before : step.After;
        if (SlopePerDay is not { } slope)
            return null;
        var meanDays = Points.Average(p => (p.Time - First).TotalDays);
        return Points.Average(p => p.Value) + slope * ((time - First).TotalDays - meanDays);
    }

    /// <summary>Runs in order, with repeats combined.</summary>
    public required IReadOnlyList<TrendPoint> Points { get; init; }

    public IReadOnlyList<Finding> Findings => (Finding[])[CreateFinding()];

    /// <summary>The only latency metric of open loops that shows stalls. It replaces the average if no metric is named.</summary>
    public const string OpenLoopLatency = "ResponseAverageMs";

    private const string DefaultLatency = "AverageLatencyMs";

    private const int MaxNames = 5;

    // A smaller change counts as steady, however certain it is.
    private const double MinChangePercent = 5;

    /// <summary>Default metrics; for open loops, <see cref="OpenLoopLatency"/> replaces the last one.</summary>
    public static IReadOnlyList<string> DefaultMetricNames { get; } = ["IOPS", DefaultLatency];

    public static IReadOnlyList<string> MetricNames { get; } =
    ["IOPS", "BandwidthMBps", DefaultLatency, "P99Ms", "MaxLatencyMs", OpenLoopLatency, "ResponseP99Ms"];

    /// <summary>Returns a trend for each workload, host, path, and load, from complete runs with a start time.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.UnknownMetric</c> or <c>IoBench.NoHistory</c>.</exception>
    public static IReadOnlyList<HistoryTrend> Analyze(IEnumerable<IoTestResult> results, IReadOnlyList<string>? metrics = null)
    {
        var names = metrics is { Count: > 0 } ? metrics : DefaultMetricNames;
        if (names.FirstOrDefault(n => !MetricNames.Contains(n, StringComparer.OrdinalIgnoreCase)) is { } unknown)
            throw IoBenchException.Usage(
                "IoBench.UnknownMetric",
                $"IoBench has no trend for '{unknown}'. Use one of {string.Join(", ", MetricNames)}.",
                unknown
            );
        var timed = results.Where(r => r is { Status: IoResultStatus.Complete, StartTime: not null }).ToList();
        if (timed.Count == 0)
            throw IoBenchException.Usage("IoBench.NoHistory", "The history contains no complete run with a start time.");
        return
        [
            .. from runs in timed.GroupBy(GetTestKey)
            from name in names
            let metric = metrics is not { Count: > 0 } && name == DefaultLatency && runs.All(r => r.ResponseAverageMs is not null)
                ? OpenLoopLatency
                : name
            let trend = Analyze([.. runs], MetricCatalog.Get(metric))
            where trend is not null
            select trend,
        ];
    }

    /// <summary>Runs with another file size, duration, or buffering are another test: their difference is no change of the
    /// storage.</summary>
    private static object GetTestKey(IoTestResult r) =>
        (
            (r.Workload, r.ComputerName, r.Path, r.IOPattern, r.ThreadCount, r.OutstandingIO, r.TargetIops),
            (
                Size: r.FileSizeMB is { } size ? Math.Round(size) : -1,
                r.Buffering,
                Duration: r.GetStoredSpecification()?.Duration.TotalSeconds ?? Math.Round(r.DurationSeconds ?? -1)
            )
        );

    /// <param name="names">Requested names, as the user typed them; null or empty = all.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoHistory</c>: no result has such a workload.</exception>
    public static IReadOnlyList<IoTestResult> SelectWorkloads(
        IReadOnlyList<IoTestResult> results,
        IReadOnlyList<string>? names,
        Func<string?, bool> isWanted
    )
    {
        if (names is not { Count: > 0 })
            return results;
        List<IoTestResult> wanted = [.. results.Where(result => isWanted(result.Workload))];
        if (wanted.Count > 0 || results.Count == 0)
            return wanted;
        var known = results.Select(result => result.Workload).OfType<string>().Distinct(StringComparer.OrdinalIgnoreCase).ToList();
        var near = names.SelectMany(name => Suggestions.FindNearest(name, known)).Distinct().Take(3).ToList();
        var hint =
            near.Count > 0 ? (IoMessage)$"Did you mean {string.Join(" or ", near)}?"
            : known.Count > 0 ? (IoMessage)$"Its workloads: {NumberFormat.List(known, MaxNames)}."
            : null;
        var quotedNames = string.Join(" or ", names.Select(name => $"'{name}'"));
        throw IoBenchException.Usage(
            "IoBench.NoHistory",
            $"No run in the history has the workload {quotedNames}. The history contains {NumberFormat.PluralizeGrouped(results.Count, "run")} of other workloads.",
            names[0],
            hint
        );
    }

    /// <summary>Returns the trends of tests that ran on a minimum number of days; empty if there are none.</summary>
    public static IReadOnlyList<HistoryTrend> Find(IReadOnlyList<IoTestResult> results, int minDays = 3) =>
        results.Where(r => r.StartTime is not null).Select(r => r.StartTime!.Value.Date).Distinct().Take(minDays).Count() < minDays
        || !results.Any(r => r is { Status: IoResultStatus.Complete, StartTime: not null })
            ? []
            : [.. Analyze(results).Where(trend => trend.Points.Select(point => point.Time.Date).Distinct().Count() >= minDays)];

    private static HistoryTrend? Analyze(IReadOnlyList<IoTestResult> runs, ResultMetric metric)
    {
        var of = metric.Figure!;
        var known = runs.Where(r => of(r) is not null).OrderBy(r => r.StartTime).ToList();
        if (known.Count == 0)
            return null;
        var occasions = GroupRepeats(known);
        var points = occasions.ConvertAll(o => new TrendPoint(o[0].StartTime!.Value, SampleSummary.FromSamples(o.Select(of))!.Median));
        var weekends = FindWeekendFactor(points);
        if (weekends != 1)
            points = points.ConvertAll(p => IsWeekend(p) ? p with { Value = p.Value / weekends, Measured = p.Value } : p);
        var days = points.ConvertAll(p => (p.Time - points[0].Time).TotalDays);
        var mean = points.Average(p => p.Value);
        var slope = points.Count >= MinRuns && mean != 0 ? FitSlope([.. days.Zip(points, (day, p) => (day, p.Value))]) : null;
        (int? StepAt, bool IsSlope, double SlopeError)? found = slope is null
            ? null
            : AutoregressiveFit.FindChange(days, [.. points.Select(p => p.Value)]);
        var step = found?.StepAt is { } at ? CreateStep(points, occasions, at) : null;
        var change = step?.ChangePercent ?? slope * days[^1] / mean * 100;
        var half = slope is null ? 0 : Distributions.CachedStudentQuantile(0.05, points.Count - 2) * found!.Value.SlopeError;
        double? Month(double? perDay) => step is null && days[^1] >= 30 ? perDay * 30 / mean * 100 : null;
        var ends = new[] { Month(slope - half), Month(slope + half) };
        var first = runs[0];
        return new()
        {
            Workload = first.Workload,
            ComputerName = first.ComputerName,
            Path = first.Path,
            IOPattern = first.IOPattern,
            ThreadCount = first.ThreadCount,
            OutstandingIO = first.OutstandingIO,
            Metric = metric.Name,
            First = points[0].Time,
            Last = points[^1].Time,
            Runs = known.Count,
            Latest = points[^1].Measured ?? points[^1].Value,
            WeekendFactor = weekends == 1 ? null : weekends,
            Median = SampleSummary.FromSamples(points.Select(p => (double?)p.Value))!.Median,
            Step = step,
            SlopePerDay = step is null ? slope : null,
            PercentPerMonth = Month(slope),
            // If the mean is negative, the ends of the interval are swapped.
            PercentPerMonthLow = ends.Min(),
            PercentPerMonthHigh = ends.Max(),
            ChangePercent = change,
            Points = points,
            Direction =
                found is null ? TrendDirection.TooFew
                : found is { StepAt: null, IsSlope: false } || Math.Abs(change!.Value) < MinChangePercent ? TrendDirection.Steady
                : metric.IsBetter(change.Value) == true ? TrendDirection.Better
                : TrendDirection.Worse,
        };
    }

    /// <summary>Slope of the line fitted by least squares; null if there are fewer than three points or all have one x.</summary>
    internal static double? FitSlope(IReadOnlyList<(double X, double Y)> points)
    {
        if (points.Count < 3)
            return null;
        var meanX = points.Average(p => p.X);
        var meanY = points.Average(p => p.Y);
        var sxx = points.Sum(p => (p.X - meanX) * (p.X - meanX));
        return sxx == 0 ? null : points.Sum(p => (p.X - meanX) * (p.Y - meanY)) / sxx;
    }

    // The step can be off by one run, so compare the host from one run earlier with the host one run later.
    private static TrendStep CreateStep(List<TrendPoint> points, List<List<IoTestResult>> occasions, int at)
    {
        double Median(IEnumerable<TrendPoint> side) => SampleSummary.FromSamples(side.Select(p => (double?)p.Value))!.Median;
        var before = Median(points.Take(at));
        var after = Median(points.Skip(at));
        var changes = HostChange.FindBetween(occasions[Math.Max(0, at - 2)][^1], occasions[Math.Min(occasions.Count - 1, at + 1)][0]);
        return new(points[at].Time, before, after, before == 0 ? 0 : (after - before) / Math.Abs(before) * 100, changes);
    }

    // Repeats of one occasion share its conditions. As separate points, they would make chance look like a trend.
    private static List<List<IoTestResult>> GroupRepeats(List<IoTestResult> runs)
    {
        List<List<IoTestResult>> occasions = [];
        foreach (var run in runs)
        {
            if (run.Repeat > 1 && occasions.Count > 0 && occasions[^1][^1].Repeat is { } before && before < run.Repeat)
                occasions[^1].Add(run);
            else
                occasions.Add([run]);
        }
        return occasions;
    }

    private const int MaxChanges = 6;

    private string DescribeTrend()
    {
        var metric = MetricCatalog.Get(Metric);
        var unit = metric.Unit.Length == 0 || metric.Unit == metric.Words ? "" : " " + metric.Unit;
        var where = $"{Workload ?? IOPattern} on {ComputerName ?? Path ?? "?"}";
        var days = FormatDays((Last - First).TotalDays);
        var way = Direction == TrendDirection.Worse ? "worse" : "better";
        var weekends = WeekendFactor is { } factor
            ? $" On weekends, the value changes by {NumberFormat.Change((factor - 1) * 100)} compared with weekdays. The trend excludes weekends."
            : "";
        var sentence = this switch
        {
            { Direction: TrendDirection.TooFew } =>
                $"{where}: {FormatNumber(Latest)}{unit}; {NumberFormat.Pluralize(Points.Count, "run")} {(Points.Count == 1 ? "is" : "are")} too few for a trend, which requires {MinRuns} runs at different times.",
            { Direction: TrendDirection.Steady } => Invariant(
                $"{where}: steady at {FormatNumber(Points.Average(p => p.Value))}{unit} over {Points.Count} runs in {days}."
            ),
            { Step: { } step } => Invariant(
                $"{where}: {way} since {FormatDay(step.Time)}. In one step, {metric.Words} changed from {FormatNumber(step.Before)} to {FormatNumber(step.After)}{unit} ({step.ChangePercent:+0.#;-0.#}%). The latest value is {FormatNumber(Latest)}{unit}.{DescribeChangesAt(step)}"
            ),
            _ => Invariant(
                $"{where}: {way}. Over {days}, {metric.Words} changed gradually by {ChangePercent:+0.#;-0.#}%. The latest value is {FormatNumber(Latest)}{unit}."
            ),
        };
        return sentence + weekends;
    }

    private static string FormatDay(DateTimeOffset time) => time.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    private static string JoinChanges(TrendStep step) => NumberFormat.List(step.HostChanges, MaxChanges, "; ");

    private static string FormatDays(double days)
    {
        var number = NumberFormat.Plain(days);
        return number == "1" ? "1 day" : $"{number} days";
    }

    private static string DescribeChangesAt(TrendStep step) =>
        step.HostChanges.Count == 0 ? "" : $" Changed at the same time: {JoinChanges(step)}.";

    private static string FormatNumber(double value) => NumberFormat.Short(value, wholeFrom: 100);

    private Finding CreateFinding()
    {
        var unit = MetricCatalog.Get(Metric).Unit;
        return new()
        {
            Code = Direction switch
            {
                TrendDirection.Better => FindingCodes.TrendBetter,
                TrendDirection.Worse => FindingCodes.TrendWorse,
                TrendDirection.Steady => FindingCodes.TrendSteady,
                _ => FindingCodes.TrendTooFew,
            },
            Subject = Workload ?? IOPattern ?? Metric,
            What = Summary,
            Severity = Direction == TrendDirection.Worse ? FindingSeverity.Critical : FindingSeverity.Info,
            Outcome = Direction switch
            {
                TrendDirection.Better or TrendDirection.Steady => VerdictOutcome.Pass,
                TrendDirection.Worse => VerdictOutcome.Fail,
                _ => VerdictOutcome.NotRated,
            },
            Evidence =
            [
                new("Runs", Runs),
                new(Metric + " median", Median, unit),
                new(Metric, Latest, unit),
                new("Change", ChangePercent, "%"),
                new("Change in 30 days", PercentPerMonth, "%"),
            ],
            WhatToDo =
                Direction != TrendDirection.Worse ? null
                : Step is not { } step ? "Check the free space, the wear of the drives, and the growth of the data"
                : step.HostChanges.Count > 0 ? $"Check what changed at the same time: {JoinChanges(step)}"
                : $"Check what changed on {FormatDay(step.Time)}",
            Values = Finding.CreateValues(
                ("Metric", Metric),
                ("ComputerName", ComputerName),
                ("Path", Path),
                ("IOPattern", IOPattern),
                ("Step", Step is { } night ? FormatDay(night.Time) : null),
                ("ChangedAtTheSameTime", Step is { HostChanges.Count: > 0 } changed ? JoinChanges(changed) : null)
            ),
        };
    }

    private const int MinWeekends = 2;
    private const double MinWeekendDays = 13;

    /// <summary>Smallest effect that is removed: 3%.</summary>
    private const double MinWeekendEffect = 0.03;

    /// <summary>Smallest effect in standard errors.</summary>
    private const double MinWeekendRatio = 4;

    /// <summary>
    /// Finds values that differ on weekends, such as higher rates when the storage is less busy. Each weekend is compared with the working
    /// days next to it, so a step or a slope within the time does not look like a weekend. Returns the ratio of weekend values to values of
    /// working days; 1 if they do not differ, or if the values cover less than two weeks.
    /// </summary>
    private static double FindWeekendFactor(IReadOnlyList<TrendPoint> points)
    {
        if (points.Count == 0 || points.Any(point => point.Value <= 0) || (points[^1].Time - points[0].Time).TotalDays < MinWeekendDays)
            return 1;
        var differences = new List<double>();
        for (var start = 0; start < points.Count; start++)
        {
            if (!IsWeekend(points[start]))
                continue;
            var end = start;
            while (end + 1 < points.Count && IsWeekend(points[end + 1]))
                end++;
            // Without working days on both sides, a change next to the weekend would look like the weekend.
            if (start > 0 && end + 1 < points.Count)
                differences.Add(
                    Enumerable.Range(start, end - start + 1).Average(i => Math.Log(points[i].Value))
                        - (Math.Log(points[start - 1].Value) + Math.Log(points[end + 1].Value)) / 2
                );
            start = end;
        }
        if (differences.Count < MinWeekends)
            return 1;
        var (effect, spread) = SampleSummary.GetRobustSpread(differences);
        // Four values hardly show a spread. The values of working days show it better.
        var error = Math.Max(spread, GetDailySpread(points)) / Math.Sqrt(differences.Count);
        return Math.Abs(effect) >= MinWeekendEffect && Math.Abs(effect) >= MinWeekendRatio * error ? Math.Exp(effect) : 1;
    }

    private static bool IsWeekend(TrendPoint point) => point.Time.DayOfWeek is DayOfWeek.Saturday or DayOfWeek.Sunday;

    /// <summary>Spread of the logarithms from one working day to the next.</summary>
    private static double GetDailySpread(IReadOnlyList<TrendPoint> points)
    {
        var days = points.Where(point => !IsWeekend(point)).Select(point => Math.Log(point.Value)).ToList();
        return days.Count < 3 ? 0 : SampleSummary.GetRobustSpread([.. days.Zip(days.Skip(1), (a, b) => b - a)]).Deviation / Math.Sqrt(2);
    }
}
