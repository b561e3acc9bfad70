namespace IoBench.Reports;

/// <summary>A report before it is written: its title and its sections in order. The workbook and the page are made from the same.</summary>
/// <param name="Title">Title of the report.</param>
/// <param name="Sections">Sheets or chapters.</param>
internal sealed record ReportDocument(string Title, IReadOnlyList<Section> Sections)
{
    /// <summary>
    /// The sections in their order. One more is a class with such a method, and a line here; it returns null when it has nothing to say. What its analysis found stands
    /// behind it, for the Summary.
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

    /// <summary>What the sections' analyses found.</summary>
    public static IEnumerable<Finding> FindingsOf(ReportContext context) =>
        ResultFindings.Of(s_sections.SelectMany(section => section.Found?.Invoke(context) ?? []));

    /// <summary>Names that sheets of this report must not have: those of the workbook that they are added to.</summary>
    public IReadOnlyCollection<string> TakenSheetNames { get; init; } = [];

    /// <summary>Decides what there is to say about the results; a section with nothing to say is left out.</summary>
    public static ReportDocument Build(IReadOnlyList<IoTestResult> results, ReportOptions options) =>
        Build(ReportContext.Of(results, options));

    /// <summary>The same from what it is made from.</summary>
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
