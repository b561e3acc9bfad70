using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>The content of a report. The workbook and the HTML report are written from the same document.</summary>
internal sealed record ReportDocument(string Title, IReadOnlyList<Section> Sections)
{
    /// <summary>
    /// The sections in their order. To add one, write a class with a Build method, which returns null if it has no content, and add a line
    /// here. The Summary shows the findings of its analyses.
    /// </summary>
    private static readonly Entry[] s_sections =
    [
        new(SummarySection.Build),
        new(context => CapSection.Build(context.Answers.Caps), context => context.Answers.Caps),
        new(context => TrendSection.Build(context.Answers.Trends), context => context.Answers.Trends),
        new(IntegritySection.Build),
        new(
            context => FleetSection.Build(context.Answers.Fleets, context.Answers.Ramps),
            context => [.. context.Answers.Ramps, .. context.Answers.Fleets.Where(group => group.AskedHosts > 1)]
        ),
        new(ResultsSection.Build),
        new(DetailsSection.Build),
        new(TargetsSection.Build),
        new(context => RolesSection.Build(context.Answers.Roles), context => context.Answers.Roles),
        new(context => OwnLoadSection.Build(context.Answers.OwnLoads), context => context.Answers.OwnLoads),
        new(LatencySection.Build),
        new(SweepSection.Build),
        new(RepeatsSection.Build, RepeatsSection.RoundsOf),
        new(TimelineSection.Build),
        new(HeatMapSection.Build),
        new(StallsSection.Build),
        new(ComparisonSection.Build, context => context.Sides.Comparisons),
        new(SettingsSection.Build),
    ];

    private sealed record Entry(Func<ReportContext, Section?> Build, Func<ReportContext, IEnumerable<IHasFindings>>? Found = null);

    public static IEnumerable<Finding> FindingsOf(ReportContext context) =>
        ResultFindings.Of(s_sections.SelectMany(section => section.Found?.Invoke(context) ?? []));

    /// <summary>Sheet names of the workbook that this report is added to. Sheets of this report must not have them.</summary>
    public IReadOnlyCollection<string> TakenSheetNames { get; init; } = [];

    public static ReportDocument Build(IReadOnlyList<IoTestResult> results, ReportOptions options) =>
        Build(ReportContext.Of(results, options));

    public static ReportDocument Build(ReportContext context)
    {
        var sections = new List<Section>();
        foreach (var entry in s_sections)
        {
            if (entry.Build(context) is not { } section)
                continue;
            sections.Add(section);
            LargeReport.EndPart(context.Results.Count);
        }
        return new(context.Title, sections) { TakenSheetNames = context.Options.TakenSheetNames };
    }
}
