using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal sealed record ReportContext(
    string Title,
    IReadOnlyList<IoTestResult> Results,
    ReportOptions Options,
    IoRuleSet RuleSet,
    RunSides Sides,
    Palette Palette
)
{
    /// <exception cref="IoBenchException"><c>IoBench.UnknownRuleSet</c>, <c>IoBench.InvalidRuleFile</c>,
    /// <c>IoBench.NothingToCompare</c>.</exception>
    public static ReportContext Of(IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        var palette = new Palette();
        // Assign colors in the order of the results, whichever section is created first.
        foreach (var run in results.Take(1000))
            palette.ColourOf(RunText.Pattern(run));
        var title = string.IsNullOrWhiteSpace(options.Title) ? ReportTitle.Of(results) : options.Title;
        return new(
            title,
            results,
            options,
            options.RuleSet is { } name ? RuleSets.Find(name) : StorageYardstick.Of(results, options.Storage).Rules,
            RunSides.Of(results, options.Baseline),
            palette
        );
    }

    private readonly Lazy<IReadOnlyList<Sweep>> _sweeps = new(() => Sweep.FindAll(Results));

    public IReadOnlyList<Sweep> Sweeps => _sweeps.Value;

    private readonly Lazy<RunGroups> _groups = new(() =>
    {
        var groups = RunGroups.Of(Results);
        LargeReport.EndPart(Results.Count);
        return groups;
    });

    public RunGroups Groups => _groups.Value;

    private HeatMapRuns? _heatMapRuns;
    private IReadOnlyList<HeatMap>? _heatMaps;

    public HeatMapRuns HeatMapRuns => _heatMapRuns ??= HeatMapRuns.Of(Groups);

    public IReadOnlyList<HeatMap> HeatMaps =>
        _heatMaps ??= HeatMap.Of(
            [.. HeatMapRuns.Shown.Select(run => (NameOf(run), LatencyInterval.Of(run)!))],
            Groups.AreMerged ? HeatMap.MaxColumnsAbreast : HeatMap.MaxColumns
        );

    private readonly Lazy<IReadOnlyList<ResultStalls>> _stalls = new(() => ResultStalls.Find(Results));

    public IReadOnlyList<ResultStalls> Stalls => _stalls.Value;

    private readonly Lazy<IReadOnlyList<SlowestIO>> _slowest = new(() => SlowestIO.Find(Results));

    public IReadOnlyList<SlowestIO> Slowest => _slowest.Value;

    private readonly Lazy<ReportAnswers> _answers = new(() => Answer(Results, Options, Sides));

    public ReportAnswers Answers => _answers.Value;

    /// <summary>Sides that are compared are not a history, so a trend of too few runs is left out.</summary>
    private static ReportAnswers Answer(IReadOnlyList<IoTestResult> results, ReportOptions options, RunSides sides)
    {
        var answers = ReportAnswers.Of(results, options.Bought);
        LargeReport.EndPart(results.Count);
        return sides.Comparisons.Count > 0 && answers.Trends.All(trend => trend.Direction == TrendDirection.TooFew)
            ? answers with
            {
                Trends = [],
            }
            : answers;
    }

    private readonly Lazy<Dictionary<IoTestResult, string>> _names = new(() =>
    {
        var names = RunNames.Plain(Results);
        LargeReport.EndPart(Results.Count);
        return Results
            .Select((run, index) => (run, index))
            .DistinctBy(item => item.run)
            .ToDictionary(item => item.run, item => names[item.index]);
    });

    /// <summary>A name that no other run of the report has; for a run of the baseline, its workload or pattern.</summary>
    public string NameOf(IoTestResult run) => _names.Value.TryGetValue(run, out var name) ? name : run.Workload ?? RunText.Pattern(run);
}
