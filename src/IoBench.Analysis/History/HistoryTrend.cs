using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

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

/// <summary>A metric of one workload on one computer and path over time, with the straight line through it.</summary>
public sealed class HistoryTrend
{
    /// <summary>Runs from which a trend is judged.</summary>
    public const int LeastRuns = 5;

    /// <summary>Workload.</summary>
    public string? Workload { get; init; }
    /// <summary>Computer.</summary>
    public string? ComputerName { get; init; }
    /// <summary>Path.</summary>
    public string? Path { get; init; }
    /// <summary>Pattern in words.</summary>
    public string? IOPattern { get; init; }
    /// <summary>All threads.</summary>
    public int? ThreadCount { get; init; }
    /// <summary>Outstanding I/Os a thread and target.</summary>
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
    /// <summary>Change a day, in the metric's unit; null when there are too few runs.</summary>
    public double? SlopePerDay { get; init; }
    /// <summary>Change in 30 days, in percent of the mean.</summary>
    public double? PercentPerMonth { get; init; }
    /// <summary>Lower end of its 95 % confidence interval.</summary>
    public double? PercentPerMonthLow { get; init; }
    /// <summary>Its upper end.</summary>
    public double? PercentPerMonthHigh { get; init; }
    /// <summary>Change over all the time, in percent of the mean.</summary>
    public double? ChangePercent { get; init; }
    /// <summary>Where it goes.</summary>
    public required TrendDirection Direction { get; init; }
    /// <summary>The answer in a sentence.</summary>
    public required string Summary { get; init; }
    /// <summary>The line's value at a time; null when there are too few runs.</summary>
    public double? LineAt(DateTimeOffset time)
        => SlopePerDay is { } slope ? Points.Average(p => p.Value) + slope * ((time - First).TotalDays - Points.Average(p => (p.Time - First).TotalDays)) : null;

    /// <summary>The runs in order, repeats as one.</summary>
    public required IReadOnlyList<TrendPoint> Points { get; init; }

    private const string DefaultLatency = "AverageLatencyMs";

    private static readonly Dictionary<string, (Func<IoTestResult, double?> Of, bool HigherIsBetter, string Unit)> s_metrics = new(StringComparer.OrdinalIgnoreCase)
    {
        ["IOPS"] = (r => r.IOPS, true, "IOPS"),
        ["BandwidthMBps"] = (r => r.BandwidthMBps, true, "MB/s"),
        ["AverageLatencyMs"] = (r => r.AverageLatencyMs, false, "ms"),
        ["P99Ms"] = (r => r.P99Ms, false, "ms"),
        ["MaxLatencyMs"] = (r => r.MaxLatencyMs, false, "ms"),
        ["ResponseAverageMs"] = (r => r.ResponseAverageMs, false, "ms"),
        ["ResponseP99Ms"] = (r => r.ResponseP99Ms, false, "ms"),
    };

    /// <summary>Metrics that have a trend.</summary>
    public static IReadOnlyList<string> MetricNames => [.. s_metrics.Keys];

    /// <summary>A trend for each workload, computer, path and load of complete runs whose time is known.</summary>
    /// <param name="results">The history.</param>
    /// <param name="metrics">Names of metrics; none = IOPS and AverageLatencyMs, or ResponseAverageMs of open loops, where alone a stall shows.</param>
    /// <param name="alpha">Highest probability of a slope by chance; changes below 5 % over all the time are steady however sure.</param>
    /// <exception cref="IoBenchException"><c>IoBench.UnknownMetric</c>; <c>IoBench.NoHistory</c>: no complete run has a time.</exception>
    public static IReadOnlyList<HistoryTrend> Of(IEnumerable<IoTestResult> results, IReadOnlyList<string>? metrics = null, double alpha = 0.01)
    {
        var names = metrics is { Count: > 0 } ? metrics : ["IOPS", DefaultLatency];
        if (names.FirstOrDefault(n => !s_metrics.ContainsKey(n)) is { } unknown)
            throw IoBenchException.Usage("IoBench.UnknownMetric", $"'{unknown}' has no trend. Metrics that have are {string.Join(", ", s_metrics.Keys)}.", unknown);
        var timed = results.Where(r => r is { Status: IoResultStatus.Complete, StartTime: not null }).ToList();
        if (timed.Count == 0)
            throw IoBenchException.Usage("IoBench.NoHistory", "No complete run with a time is in the history.");
        return [.. from runs in timed.GroupBy(r => (r.Workload, r.ComputerName, r.Path, r.IOPattern, r.ThreadCount, r.OutstandingIO, r.TargetIops))
                   from name in names
                   let metric = metrics is not { Count: > 0 } && name == DefaultLatency && runs.All(r => r.ResponseAverageMs is not null) ? "ResponseAverageMs" : name
                   let trend = Of([.. runs], s_metrics.Keys.First(k => k.Equals(metric, StringComparison.OrdinalIgnoreCase)), alpha)
                   where trend is not null
                   select trend];
    }

    private static HistoryTrend? Of(IReadOnlyList<IoTestResult> runs, string metric, double alpha)
    {
        var (of, higherIsBetter, unit) = s_metrics[metric];
        var known = runs.Where(r => of(r) is not null).OrderBy(r => r.StartTime).ToList();
        if (known.Count == 0)
            return null;
        var points = Occasions(known).ConvertAll(o => new TrendPoint(o[0].StartTime!.Value, SampleSummary.Of(o.Select(of))!.Median));
        var start = points[0].Time;
        var mean = points.Average(p => p.Value);
        var days = (points[^1].Time - start).TotalDays;
        var line = points.Count >= LeastRuns && mean != 0 ? LeastSquares.Of([.. points.Select(p => ((p.Time - start).TotalDays, p.Value))]) : null;
        double? Month(double? slope) => slope * 30 / mean * 100;
        var change = line?.Slope * days / mean * 100;
        var direction = line is null ? TrendDirection.TooFew
            : line.P >= alpha || Math.Abs(change!.Value) < 5 ? TrendDirection.Steady
            : change > 0 == higherIsBetter ? TrendDirection.Better : TrendDirection.Worse;
        var first = runs[0];
        string Number(double value) => value.ToString(Math.Abs(value) >= 100 ? "N0" : "0.###", CultureInfo.InvariantCulture);
        var where = $"{first.Workload ?? first.IOPattern} on {first.ComputerName ?? first.Path ?? "?"}";
        return new()
        {
            Workload = first.Workload, ComputerName = first.ComputerName, Path = first.Path, IOPattern = first.IOPattern, ThreadCount = first.ThreadCount, OutstandingIO = first.OutstandingIO,
            Metric = metric, First = start, Last = points[^1].Time, Runs = known.Count, Latest = points[^1].Value, Median = SampleSummary.Of(points.Select(p => (double?)p.Value))!.Median,
            SlopePerDay = line?.Slope, PercentPerMonth = Month(line?.Slope), PercentPerMonthLow = Lower(Month(line?.SlopeLow), Month(line?.SlopeHigh)), PercentPerMonthHigh = Upper(Month(line?.SlopeLow), Month(line?.SlopeHigh)),
            ChangePercent = change, Direction = direction, Points = points,
            Summary = direction switch
            {
                TrendDirection.TooFew => $"{where}: {Number(points[^1].Value)} {unit}; {points.Count} run{(points.Count == 1 ? "" : "s")} are too few for a trend ({LeastRuns} at different times are needed).",
                TrendDirection.Steady => string.Create(CultureInfo.InvariantCulture, $"{where}: steady at {Number(mean)} {unit} over {points.Count} runs in {days:0.#} days."),
                _ => string.Create(CultureInfo.InvariantCulture, $"{where}: {(direction == TrendDirection.Worse ? "worse" : "better")}: {metric} changed by {change:+0.#;-0.#} % in {days:0.#} days ({Month(line!.Slope):+0.#;-0.#} % in 30 days), now {Number(points[^1].Value)} {unit}."),
            },
        };
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

    // A negative mean would turn the interval round.
    private static double? Lower(double? a, double? b) => a is null || b is null ? null : Math.Min(a.Value, b.Value);

    private static double? Upper(double? a, double? b) => a is null || b is null ? null : Math.Max(a.Value, b.Value);
}
