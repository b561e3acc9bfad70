using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Selects results of a history by workload, computer, and time, and the metrics to analyze.</summary>
public sealed class HistoryQuery
{
    private readonly IReadOnlyList<string> _workloadNames;
    private readonly IReadOnlyList<NamePattern> _workloads;
    private readonly IReadOnlyList<NamePattern> _computers;
    private readonly DateTimeOffset? _since;
    private readonly IReadOnlyList<string> _metrics;

    /// <summary>Creates a query from option values.</summary>
    /// <param name="values">Values of <see cref="OptionTables.History"/>.</param>
    public HistoryQuery(OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        _workloadNames = values.List<string>(Opt.Workload);
        (_workloads, _computers) = (Patterns(values, Opt.Workload), Patterns(values, new OptionName("ComputerName")));
        _since = values.Value<DateTimeOffset>(new OptionName("Since"));
        _metrics = values.List<string>(new OptionName("Metric"));
    }

    /// <summary>Returns the selected results, ordered by time.</summary>
    public IReadOnlyList<IoTestResult> Wanted(IEnumerable<IoTestResult> results) =>
        InOrder(results.Where(result => IsOneOf(_workloads, result.Workload)));

    /// <summary>Analyzes the trends of the selected results. The error for an unknown workload suggests similar names.</summary>
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
