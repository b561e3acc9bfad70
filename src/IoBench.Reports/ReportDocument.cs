using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>A report before it is written: its title and its sections in order. The workbook and the page are made from the same.</summary>
/// <param name="Title">Title of the report.</param>
/// <param name="Sections">Sheets or chapters.</param>
internal sealed record ReportDocument(string Title, IReadOnlyList<Section> Sections)
{
    /// <summary>The sections in their order. One more is a class with such a method, and a line here; it returns null when it has nothing to say.</summary>
    private static readonly Func<ReportContext, Section?>[] s_sections =
    [
        SummarySection.Build,
        context => CapSection.Build(context.Answers.Caps),
        context => TrendSection.Build(context.Answers.Trends),
        ResultsSection.Build,
        DetailsSection.Build,
        TargetsSection.Build,
        context => RolesSection.Build(context.Answers.Roles),
        context => OwnLoadSection.Build(context.Answers.OwnLoads),
        LatencySection.Build,
        SweepSection.Build,
        RepeatsSection.Build,
        TimelineSection.Build,
        HeatMapSection.Build,
        StallsSection.Build,
        ComparisonSection.Build,
        SettingsSection.Build,
    ];

    /// <summary>Names that sheets of this report must not have: those of the workbook that they are added to.</summary>
    public IReadOnlyCollection<string> TakenSheetNames { get; init; } = [];

    /// <summary>Decides what there is to say about the results; a section with nothing to say is left out.</summary>
    public static ReportDocument Build(IReadOnlyList<IoTestResult> results, ReportOptions options)
        => Build(ReportContext.Of(results, options));

    /// <summary>The same from what it is made from.</summary>
    public static ReportDocument Build(ReportContext context)
        => new(context.Title, [.. s_sections.Select(build => build(context)).OfType<Section>()]) { TakenSheetNames = context.Options.TakenSheetNames };
}
