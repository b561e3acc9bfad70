using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>The content of a report. The workbook and the HTML report are written from the same document.</summary>
internal sealed record ReportDocument(string Title, IReadOnlyList<ReportSection> Sections)
{
    /// <summary>In order. A Build method returns null if its section has no content.</summary>
    private static readonly (
        Func<ReportContext, ReportSection?> Build,
        Func<ReportContext, IEnumerable<IHasFindings>>? GetAnalyses
    )[] s_sections =
    [
        (SummarySection.Build, null),
        (context => CapSection.Build(context.Caps), context => context.Caps),
        (context => TrendSection.Build(context.Trends), context => context.Trends),
        (IntegritySection.Build, null),
        (
            context => FleetSection.Build(context.Fleets, context.ScalingCurves),
            context => [.. context.ScalingCurves, .. context.Fleets.Where(group => group.AskedHosts > 1)]
        ),
        (ResultsSection.Build, null),
        (ResultsSection.BuildDetails, null),
        (ResultsSection.BuildTargets, null),
        (context => RolesSection.Build(context.Roles), context => context.Roles),
        (context => CapturedWorkloadSection.Build(context.ObservedLatencies), context => context.ObservedLatencies),
        (LatencySection.Build, null),
        (SweepSection.Build, null),
        (RepeatsSection.Build, RepeatsSection.GetRounds),
        (TimelineSection.Build, null),
        (context => ErrorLogSection.Build(context.Options.ErrorLog), context => context.Options.ErrorLog is { } log ? [log] : []),
        (context => ErrorLogSection.BuildTimeline(context.Options.ErrorLog), null),
        (context => ErrorLogSection.BuildEvents(context.Options.ErrorLog), null),
        (HeatMapSection.Build, null),
        (TimelineSection.BuildStalls, null),
        (ComparisonSection.Build, context => context.Sides.Comparisons),
        (SettingsSection.Build, null),
    ];

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
            ReleaseMemory(context.Results.Count);
        }
        return new(context.Title, sections) { TakenSheetNames = context.Options.TakenSheetNames };
    }

    private const int MinResults = 5_000;

    /// <summary>From this size on, objects that survived a part and are not needed anymore are most of the memory.</summary>
    private const int MinResultsForFullCollection = 50_000;

    /// <summary>Each part creates many short-lived strings, and garbage would grow to several times the CPU cache.</summary>
    public static void ReleaseMemory(int rows)
    {
        if (rows >= MinResults)
            GC.Collect(rows >= MinResultsForFullCollection ? 2 : 1, GCCollectionMode.Forced, blocking: true);
    }
}
