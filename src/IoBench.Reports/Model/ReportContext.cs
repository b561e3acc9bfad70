namespace IoBench.Reports.Model;

/// <summary>What all sections are made from.</summary>
/// <param name="Title">Title of the report.</param>
/// <param name="Results">The results, in the order given.</param>
/// <param name="Options">What was asked for.</param>
/// <param name="RuleSet">The rule set that judges.</param>
/// <param name="Sides">Who is compared with whom.</param>
/// <param name="Palette">The colours of patterns.</param>
internal sealed record ReportContext(
    string Title,
    IReadOnlyList<IoTestResult> Results,
    ReportOptions Options,
    IoRuleSet RuleSet,
    RunSides Sides,
    Palette Palette
)
{
    /// <exception cref="IoBenchException"><c>IoBench.UnknownRuleSet</c>, <c>IoBench.InvalidRuleFile</c>, <c>IoBench.NothingToCompare</c>.</exception>
    public static ReportContext Of(IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        var palette = new Palette();
        // Patterns take their colours in the order of the results, whichever section is made first.
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

    /// <summary>Runs that are equal but for one or two parameters.</summary>
    public IReadOnlyList<Sweep> Sweeps => _sweeps.Value;

    private readonly Lazy<RunGroups> _groups = new(() =>
    {
        var groups = RunGroups.Of(Results);
        LargeReport.EndPart(Results.Count);
        return groups;
    });

    /// <summary>The rows of tables that have one per run, or for many runs one per test.</summary>
    public RunGroups Groups => _groups.Value;

    private HeatMapRuns? _heatMapRuns;
    private IReadOnlyList<HeatMap>? _heatMaps;

    /// <summary>The runs that have heat maps.</summary>
    public HeatMapRuns HeatMapRuns => _heatMapRuns ??= HeatMapRuns.Of(Groups);

    /// <summary>Time by latency of these, on one scale.</summary>
    public IReadOnlyList<HeatMap> HeatMaps =>
        _heatMaps ??= HeatMap.Of(
            [.. HeatMapRuns.Shown.Select(run => (NameOf(run), LatencyInterval.Of(run)!))],
            Groups.AreMerged ? HeatMap.MaxColumnsAbreast : HeatMap.MaxColumns
        );

    private readonly Lazy<IReadOnlyList<ResultStalls>> _stalls = new(() => ResultStalls.Find(Results));

    /// <summary>The runs that stalled.</summary>
    public IReadOnlyList<ResultStalls> Stalls => _stalls.Value;

    private readonly Lazy<IReadOnlyList<SlowestIO>> _slowest = new(() => SlowestIO.Find(Results));

    /// <summary>The slowest I/O of each run, where somebody would have noticed it.</summary>
    public IReadOnlyList<SlowestIO> Slowest => _slowest.Value;

    private readonly Lazy<ReportAnswers> _answers = new(() => Answer(Results, Options, Sides));

    /// <summary>Answers that the results hold beside their figures.</summary>
    public ReportAnswers Answers => _answers.Value;

    /// <summary>Sides that are compared are no history, too short as it may be.</summary>
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

    /// <summary>A run by a name that no other run of the report has; of the baseline its workload or pattern.</summary>
    public string NameOf(IoTestResult run) => _names.Value.TryGetValue(run, out var name) ? name : run.Workload ?? RunText.Pattern(run);
}
