namespace IoBench.Analysis.History;

/// <summary>Where a metric goes over time.</summary>
public enum TrendDirection
{
    /// <summary>No change that is sure and large enough.</summary>
    Steady,

    /// <summary>It gets better.</summary>
    Better,

    /// <summary>It gets worse.</summary>
    Worse,

    /// <summary>Too few runs, or all at one time.</summary>
    TooFew,
}

/// <summary>One run of a trend; of repeats, which say nothing about time, all of them by their median.</summary>
/// <param name="Time">When it began.</param>
/// <param name="Value">The metric.</param>
public sealed record TrendPoint(DateTimeOffset Time, double Value);

/// <summary>A change from one night to the next that stayed.</summary>
/// <param name="Time">When the first run at the new level began.</param>
/// <param name="Before">Median before.</param>
/// <param name="After">Median from then on.</param>
/// <param name="ChangePercent">Change of the median in percent.</param>
/// <param name="HostChanges">What changed on the host at the same time, give or take a run.</param>
public sealed record TrendStep(
    DateTimeOffset Time,
    double Before,
    double After,
    double ChangePercent,
    IReadOnlyList<HostChange> HostChanges
);

/// <summary>A metric of one workload on one computer and path over time: level, step or slope.</summary>
public sealed class HistoryTrend : IHasFindings
{
    /// <summary>Runs from which a trend is judged.</summary>
    public const int MinRuns = 8;

    /// <summary>Workload of the runs; null for tests of one's own.</summary>
    public string? Workload { get; init; }

    /// <summary>The computer they ran on; null when not known.</summary>
    public string? ComputerName { get; init; }

    /// <summary>What they tested; several paths are joined by <c>; </c>.</summary>
    public string? Path { get; init; }

    /// <summary>Pattern in words.</summary>
    public string? IOPattern { get; init; }

    /// <summary>All threads.</summary>
    public int? ThreadCount { get; init; }

    /// <summary>Outstanding I/Os per thread and target.</summary>
    public int? OutstandingIO { get; init; }

    /// <summary>The metric: a property of the results.</summary>
    public required string Metric { get; init; }

    /// <summary>Number of runs.</summary>
    public required int Runs { get; init; }

    /// <summary>When the first run began.</summary>
    public required DateTimeOffset First { get; init; }

    /// <summary>When the last run began.</summary>
    public required DateTimeOffset Last { get; init; }

    /// <summary>The metric of the last run.</summary>
    public required double Latest { get; init; }

    /// <summary>Median of all runs.</summary>
    public required double Median { get; init; }

    /// <summary>The night on which it changed, where it did so at once; null where it did not.</summary>
    public TrendStep? Step { get; init; }

    /// <summary>Change per day, in the metric's unit; null when there are too few runs or it changed at once.</summary>
    public double? SlopePerDay { get; init; }

    /// <summary>Change in 30 days, in percent of the mean; null when the runs cover less than that: nothing is foretold.</summary>
    public double? PercentPerMonth { get; init; }

    /// <summary>Lower end of its 95 % confidence interval.</summary>
    public double? PercentPerMonthLow { get; init; }

    /// <summary>Its upper end.</summary>
    public double? PercentPerMonthHigh { get; init; }

    /// <summary>Change over all the time, in percent of the mean; of a step that of the step.</summary>
    public double? ChangePercent { get; init; }

    /// <summary>Where it goes.</summary>
    public required TrendDirection Direction { get; init; }

    /// <summary>The answer in a sentence.</summary>
    public string Summary => TrendWords.Of(this);

    /// <inheritdoc/>
    public override string ToString() => Summary;

    /// <summary>The line's or the step's value at a time; null when there are too few runs.</summary>
    public double? LineAt(DateTimeOffset time) =>
        Step is { } step
            ? time < step.Time
                ? step.Before
                : step.After
            : SlopePerDay is { } slope
                ? Points.Average(p => p.Value) + slope * ((time - First).TotalDays - Points.Average(p => (p.Time - First).TotalDays))
                : null;

    /// <summary>The runs in order, repeats as one.</summary>
    public required IReadOnlyList<TrendPoint> Points { get; init; }

    /// <summary>The answer as a finding.</summary>
    public IReadOnlyList<Finding> Findings => (Finding[])[TrendFindings.Of(this)];

    /// <summary>The latency of an open loop, where alone a stall shows: it stands for the average where no metric is named.</summary>
    public const string OpenLoopLatency = "ResponseAverageMs";

    private const string DefaultLatency = "AverageLatencyMs";

    private const int MaxNames = 5;

    // A smaller change is steady, however sure.
    private const double MinChangePercent = 5;

    /// <summary>Metrics that are looked at where none is named; of open loops <see cref="OpenLoopLatency"/> in place of the last one.</summary>
    public static IReadOnlyList<string> DefaultMetricNames { get; } = ["IOPS", DefaultLatency];

    /// <summary>Metrics that have a trend.</summary>
    public static IReadOnlyList<string> MetricNames { get; } =
    ["IOPS", "BandwidthMBps", DefaultLatency, "P99Ms", "MaxLatencyMs", OpenLoopLatency, "ResponseP99Ms"];

    /// <summary>A trend for each workload, computer, path and load of complete runs whose time is known.</summary>
    /// <param name="results">The history.</param>
    /// <param name="metrics">Names of metrics; none = <see cref="DefaultMetricNames"/>, of open loops with <see cref="OpenLoopLatency"/>.</param>
    /// <exception cref="IoBenchException"><c>IoBench.UnknownMetric</c>; <c>IoBench.NoHistory</c>: no complete run has a time.</exception>
    public static IReadOnlyList<HistoryTrend> Of(IEnumerable<IoTestResult> results, IReadOnlyList<string>? metrics = null)
    {
        var names = metrics is { Count: > 0 } ? metrics : DefaultMetricNames;
        if (names.FirstOrDefault(n => !MetricNames.Contains(n, StringComparer.OrdinalIgnoreCase)) is { } unknown)
            throw IoBenchException.Usage(
                "IoBench.UnknownMetric",
                $"'{unknown}' has no trend. Metrics that have one are {string.Join(", ", MetricNames)}.",
                unknown
            );
        var timed = results.Where(r => r is { Status: IoResultStatus.Complete, StartTime: not null }).ToList();
        if (timed.Count == 0)
            throw IoBenchException.Usage("IoBench.NoHistory", "No complete run with a time is in the history.");
        return
        [
            .. from runs in timed.GroupBy(r =>
                (r.Workload, r.ComputerName, r.Path, r.IOPattern, r.ThreadCount, r.OutstandingIO, r.TargetIops)
            )
            from name in names
            let metric = metrics is not { Count: > 0 } && name == DefaultLatency && runs.All(r => r.ResponseAverageMs is not null)
                ? OpenLoopLatency
                : name
            let trend = Of([.. runs], MetricCatalog.Get(metric))
            where trend is not null
            select trend,
        ];
    }

    /// <summary>The results of some workloads: what is asked for and not there is an error that names what is near.</summary>
    /// <param name="results">The history.</param>
    /// <param name="names">What was asked for, as the user wrote it; none = all.</param>
    /// <param name="isWanted">Whether a result's workload is one of them.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoHistory</c>: no result is of such a workload.</exception>
    public static IReadOnlyList<IoTestResult> OfWorkloads(
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
        var near = names.SelectMany(name => NearNames.Of(name, known)).Distinct().Take(3).ToList();
        var hint =
            near.Count > 0 ? (IoText)$"Did you mean {string.Join(" or ", near)}?"
            : known.Count > 0 ? (IoText)$"Workloads in it are {NameList.Of(known, MaxNames)}."
            : null;
        throw IoBenchException.Usage(
            "IoBench.NoHistory",
            $"No run in the history has the workload {string.Join(" or ", names.Select(name => $"'{name}'"))}; it has {Figures.CountedGrouped(results.Count, "run")} of others.",
            names[0],
            hint
        );
    }

    /// <summary>The same over at least so many days; empty when the results are no history.</summary>
    /// <param name="results">The history.</param>
    /// <param name="minDays">Days, at least, on which a test ran.</param>
    public static IReadOnlyList<HistoryTrend> Find(IReadOnlyList<IoTestResult> results, int minDays = 3) =>
        results.Where(r => r.StartTime is not null).Select(r => r.StartTime!.Value.Date).Distinct().Take(minDays).Count() < minDays
        || !results.Any(r => r is { Status: IoResultStatus.Complete, StartTime: not null })
            ? []
            : [.. Of(results).Where(trend => trend.Points.Select(point => point.Time.Date).Distinct().Count() >= minDays)];

    private static HistoryTrend? Of(IReadOnlyList<IoTestResult> runs, ResultMetric metric)
    {
        var of = metric.Figure!;
        var known = runs.Where(r => of(r) is not null).OrderBy(r => r.StartTime).ToList();
        if (known.Count == 0)
            return null;
        var occasions = Occasions(known);
        var points = occasions.ConvertAll(o => new TrendPoint(o[0].StartTime!.Value, SampleSummary.Of(o.Select(of))!.Median));
        var days = points.ConvertAll(p => (p.Time - points[0].Time).TotalDays);
        var mean = points.Average(p => p.Value);
        var line = points.Count >= MinRuns && mean != 0 ? LeastSquares.Of([.. days.Zip(points, (day, p) => (day, p.Value))]) : null;
        var found = line is null ? null : TimeSeriesChange.Of(days, [.. points.Select(p => p.Value)]);
        var step = found?.Shape == SeriesShape.Step ? StepOf(points, occasions, found.StepAt) : null;
        var change = step?.ChangePercent ?? line?.Slope * days[^1] / mean * 100;
        var half = line is null ? 0 : StudentT.KeptQuantile(0.05, points.Count - 2) * found!.SlopeError;
        double? Month(double? slope) => step is null && days[^1] >= 30 ? slope * 30 / mean * 100 : null;
        var ends = new[] { Month(line?.Slope - half), Month(line?.Slope + half) };
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
            Latest = points[^1].Value,
            Median = SampleSummary.Of(points.Select(p => (double?)p.Value))!.Median,
            // A negative mean would turn the interval round.
            Step = step,
            SlopePerDay = step is null ? line?.Slope : null,
            PercentPerMonth = Month(line?.Slope),
            PercentPerMonthLow = ends.Min(),
            PercentPerMonthHigh = ends.Max(),
            ChangePercent = change,
            Points = points,
            Direction =
                found is null ? TrendDirection.TooFew
                : found.Shape == SeriesShape.Level || Math.Abs(change!.Value) < MinChangePercent ? TrendDirection.Steady
                : metric.IsBetter(change.Value) == true ? TrendDirection.Better
                : TrendDirection.Worse,
        };
    }

    // The night may be off by one: what changed is looked for from the run before the last one to the run after the first one.
    private static TrendStep StepOf(List<TrendPoint> points, List<List<IoTestResult>> occasions, int at)
    {
        double Median(IEnumerable<TrendPoint> side) => SampleSummary.Of(side.Select(p => (double?)p.Value))!.Median;
        var (before, after) = (Median(points.Take(at)), Median(points.Skip(at)));
        var changes = HostChanges.Between(occasions[Math.Max(0, at - 2)][^1], occasions[Math.Min(occasions.Count - 1, at + 1)][0]);
        return new(points[at].Time, before, after, before == 0 ? 0 : (after - before) / Math.Abs(before) * 100, changes);
    }

    // Repeats of one evening share what that evening was like: counted one by one they would make chance look like a trend.
    private static List<List<IoTestResult>> Occasions(List<IoTestResult> runs)
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
}
