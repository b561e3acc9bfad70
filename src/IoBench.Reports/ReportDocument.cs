using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>The content of a report. The workbook and the HTML report are written from the same document.</summary>
internal sealed record ReportDocument(string Title, IReadOnlyList<ReportSection> Sections)
{
    /// <summary>In order. A Build method returns null if its section has no content.</summary>
    private static readonly SectionDefinition[] s_sections =
    [
        new(SummarySection.Build),
        new(context => CapSection.Build(context.Analyses.Caps), context => context.Analyses.Caps),
        new(context => TrendSection.Build(context.Analyses.Trends), context => context.Analyses.Trends),
        new(IntegritySection.Build),
        new(
            context => FleetSection.Build(context.Analyses.Fleets, context.Analyses.ScalingCurves),
            context => [.. context.Analyses.ScalingCurves, .. context.Analyses.Fleets.Where(group => group.AskedHosts > 1)]
        ),
        new(ResultsSection.Build),
        new(DetailsSection.Build),
        new(TargetsSection.Build),
        new(context => RolesSection.Build(context.Analyses.Roles), context => context.Analyses.Roles),
        new(context => CapturedWorkloadSection.Build(context.Analyses.ObservedLatencies), context => context.Analyses.ObservedLatencies),
        new(LatencySection.Build),
        new(SweepSection.Build),
        new(RepeatsSection.Build, RepeatsSection.GetRounds),
        new(TimelineSection.Build),
        new(HeatMapSection.Build),
        new(StallsSection.Build),
        new(ComparisonSection.Build, context => context.Sides.Comparisons),
        new(SettingsSection.Build),
    ];

    private sealed record SectionDefinition(
        Func<ReportContext, ReportSection?> Build,
        Func<ReportContext, IEnumerable<IHasFindings>>? GetAnalyses = null
    );

    public static IEnumerable<Finding> CollectFindings(ReportContext context) =>
        Finding.CollectFrom(s_sections.SelectMany(section => section.GetAnalyses?.Invoke(context) ?? []));

    /// <summary>Sheet names of the workbook that this report is added to. Sheets of this report must not have them.</summary>
    public IReadOnlyCollection<string> TakenSheetNames { get; init; } = [];

    public static ReportDocument Build(IReadOnlyList<IoTestResult> results, ReportOptions options) =>
        Build(ReportContext.Create(results, options));

    public static ReportDocument Build(ReportContext context)
    {
        var sections = new List<ReportSection>();
        foreach (var entry in s_sections)
        {
            if (entry.Build(context) is not { } section)
                continue;
            sections.Add(section);
            ReportMemoryPolicy.ReleaseMemory(context.Results.Count);
        }
        return new(context.Title, sections) { TakenSheetNames = context.Options.TakenSheetNames };
    }
}
