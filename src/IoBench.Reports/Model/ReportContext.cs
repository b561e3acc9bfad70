using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal sealed record ReportContext(
    string Title,
    IReadOnlyList<IoTestResult> Results,
    ReportOptions Options,
    IoRuleSet RuleSet,
    ComparisonSides Sides,
    Palette Palette
)
{
    /// <exception cref="IoBenchException"><c>IoBench.UnknownRuleSet</c>, <c>IoBench.InvalidRuleFile</c>,
    /// <c>IoBench.NothingToCompare</c>.</exception>
    public static ReportContext Create(IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        var palette = new Palette();
        // Assign colors in the order of the results, whichever section is created first.
        foreach (var run in results.Take(1000))
            palette.GetColor(RunDescription.DescribePattern(run));
        var title = string.IsNullOrWhiteSpace(options.Title) ? ReportContext.DescribeTitle(results) : options.Title;
        return new(
            title,
            results,
            options,
            options.RuleSet is { } name ? RuleSets.Find(name) : RuleSetChoice.ChooseFor(results, options.Storage).Rules,
            ComparisonSides.Create(results, options.Baseline),
            palette
        );
    }

    private readonly Lazy<IReadOnlyList<Sweep>> _sweeps = new(() => Sweep.FindAll(Results));

    public IReadOnlyList<Sweep> Sweeps => _sweeps.Value;

    private readonly Lazy<RunGroups> _groups = new(() =>
    {
        var groups = RunGroups.Create(Results);
        ReportMemoryPolicy.ReleaseMemory(Results.Count);
        return groups;
    });

    public RunGroups Groups => _groups.Value;

    private HeatMapSelection? _heatMapSelection;
    private IReadOnlyList<HeatMap>? _heatMaps;

    public HeatMapSelection HeatMapSelection => _heatMapSelection ??= HeatMapSelection.SelectRuns(Groups);

    public IReadOnlyList<HeatMap> HeatMaps =>
        _heatMaps ??= HeatMap.CreateAll(
            [.. HeatMapSelection.ShownRuns.Select(run => (GetName(run), LatencyInterval.FromResult(run)!))],
            Groups.HasMergedRuns ? HeatMap.MaxColumnsSideBySide : HeatMap.MaxColumns
        );

    private readonly Lazy<IReadOnlyList<StalledRun>> _stalls = new(() => StalledRun.Find(Results));

    public IReadOnlyList<StalledRun> Stalls => _stalls.Value;

    private readonly Lazy<IReadOnlyList<SlowestIO>> _slowest = new(() => SlowestIO.Find(Results));

    public IReadOnlyList<SlowestIO> SlowestIOs => _slowest.Value;

    private readonly Lazy<ReportAnalyses> _analyses = new(() => AnalyzeResults(Results, Options, Sides));

    public ReportAnalyses Analyses => _analyses.Value;

    /// <summary>Sides that are compared are not a history, so a trend of too few runs is left out.</summary>
    private static ReportAnalyses AnalyzeResults(IReadOnlyList<IoTestResult> results, ReportOptions options, ComparisonSides sides)
    {
        var answers = ReportAnalyses.Analyze(results, options.Bought);
        ReportMemoryPolicy.ReleaseMemory(results.Count);
        return sides.Comparisons.Count > 0 && answers.Trends.All(trend => trend.Direction == TrendDirection.TooFew)
            ? answers with
            {
                Trends = [],
            }
            : answers;
    }

    private readonly Lazy<Dictionary<IoTestResult, string>> _names = new(() =>
    {
        var names = RunDescription.CreateNames(Results);
        ReportMemoryPolicy.ReleaseMemory(Results.Count);
        return Results
            .Select((run, index) => (run, index))
            .DistinctBy(item => item.run)
            .ToDictionary(item => item.run, item => names[item.index]);
    });

    /// <summary>A name that no other run of the report has; for a run of the baseline, its workload or pattern.</summary>
    public string GetName(IoTestResult run) =>
        _names.Value.TryGetValue(run, out var name) ? name : run.Workload ?? RunDescription.DescribePattern(run);
}
