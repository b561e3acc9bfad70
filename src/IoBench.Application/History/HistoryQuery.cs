using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

public sealed class HistoryQuery
{
    private readonly IReadOnlyList<string> _workloadNames;
    private readonly IReadOnlyList<WildcardMatcher> _workloads;
    private readonly IReadOnlyList<WildcardMatcher> _computers;
    private readonly DateTimeOffset? _since;
    private readonly IReadOnlyList<string> _metrics;

    public HistoryQuery(OptionValues values)
    {
        _workloadNames = values.GetList<string>(OptionNames.Workload);
        _workloads = GetPatterns(values, OptionNames.Workload);
        _computers = GetPatterns(values, new OptionName("ComputerName"));
        _since = values.GetValue<DateTimeOffset>(new OptionName("Since"));
        _metrics = values.GetList<string>(new OptionName("Metric"));
    }

    /// <summary>Returns the selected results, ordered by time.</summary>
    public IReadOnlyList<IoTestResult> SelectResults(IEnumerable<IoTestResult> results) =>
        FilterAndSort(results.Where(result => MatchesAny(_workloads, result.Workload)));

    /// <summary>Analyzes the trends of the selected results. The error for an unknown workload suggests similar names.</summary>
    public IReadOnlyList<HistoryTrend> GetTrends(IReadOnlyList<IoTestResult> results)
    {
        var ofWorkloads = HistoryTrend.SelectWorkloads(results, _workloadNames, name => MatchesAny(_workloads, name));
        var selected = FilterAndSort(ofWorkloads);
        if (selected.Count == 0 && ofWorkloads.Count > 0)
            throw CreateNothingSelectedError(ofWorkloads);
        return HistoryTrend.Analyze(selected, _metrics);
    }

    private IoBenchException CreateNothingSelectedError(IReadOnlyList<IoTestResult> results)
    {
        var runs = NumberFormat.PluralizeGrouped(results.Count, "run");
        if (results.All(result => !MatchesAny(_computers, result.ComputerName)))
        {
            var names = results.Select(result => result.ComputerName).OfType<string>().Distinct(StringComparer.OrdinalIgnoreCase).ToList();
            return IoBenchException.Usage(
                "IoBench.NoHistory",
                $"The history contains {runs}, but none from the specified computers. Computers in the history: {NumberFormat.List(names, 8)}."
            );
        }
        return IoBenchException.Usage(
            "IoBench.NoHistory",
            $"The history contains {runs}, but none since {_since:yyyy-MM-dd}. The last run began on {results.Max(result => result.StartTime):yyyy-MM-dd}."
        );
    }

    private IReadOnlyList<IoTestResult> FilterAndSort(IEnumerable<IoTestResult> ofWorkloads) =>
        [
            .. ofWorkloads
                .Where(result => MatchesAny(_computers, result.ComputerName) && (_since is not { } since || result.StartTime >= since))
                .OrderBy(result => result.StartTime ?? DateTimeOffset.MinValue),
        ];

    private static IReadOnlyList<WildcardMatcher> GetPatterns(OptionValues values, OptionName option) =>
        [.. values.GetList<string>(option).Select(text => new WildcardMatcher(text))];

    private static bool MatchesAny(IReadOnlyList<WildcardMatcher> patterns, string? name) =>
        patterns.Count == 0 || patterns.Any(pattern => pattern.Matches(name));
}
