namespace IoBench.Application.History;

/// <summary>Which results of a history are looked at, and by which figures.</summary>
public sealed class HistoryQuery
{
    private readonly IReadOnlyList<string> _workloadNames;
    private readonly IReadOnlyList<NamePattern> _workloads;
    private readonly IReadOnlyList<NamePattern> _computers;
    private readonly DateTimeOffset? _since;
    private readonly IReadOnlyList<string> _metrics;

    /// <summary>What was asked for.</summary>
    /// <param name="values">Of <see cref="OptionTables.History"/>.</param>
    public HistoryQuery(OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        _workloadNames = values.List<string>(Opt.Workload);
        (_workloads, _computers) = (Patterns(values, Opt.Workload), Patterns(values, new OptionName("ComputerName")));
        _since = values.Value<DateTimeOffset>(new OptionName("Since"));
        _metrics = values.List<string>(new OptionName("Metric"));
    }

    /// <summary>The results that are meant, in order of time.</summary>
    public IReadOnlyList<IoTestResult> Wanted(IEnumerable<IoTestResult> results) =>
        InOrder(results.Where(result => IsOneOf(_workloads, result.Workload)));

    /// <summary>The trends of those results; a workload that the history does not have is an error that names what is near.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.UnknownMetric</c>, <c>IoBench.NoHistory</c>.</exception>
    public IReadOnlyList<HistoryTrend> Trends(IReadOnlyList<IoTestResult> results) =>
        HistoryTrend.Of(InOrder(HistoryTrend.OfWorkloads(results, _workloadNames, name => IsOneOf(_workloads, name))), _metrics);

    private IReadOnlyList<IoTestResult> InOrder(IEnumerable<IoTestResult> ofWorkloads) =>
        [
            .. ofWorkloads
                .Where(result => IsOneOf(_computers, result.ComputerName) && (_since is not { } since || result.StartTime >= since))
                .OrderBy(result => result.StartTime ?? DateTimeOffset.MinValue),
        ];

    private static IReadOnlyList<NamePattern> Patterns(OptionValues values, OptionName option) =>
        [.. values.List<string>(option).Select(text => new NamePattern(text))];

    private static bool IsOneOf(IReadOnlyList<NamePattern> patterns, string? name) =>
        patterns.Count == 0 || patterns.Any(pattern => pattern.Matches(name));
}
