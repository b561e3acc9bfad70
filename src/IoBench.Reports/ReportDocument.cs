using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports.Model;
using IoBench.Reports.Sections;

namespace IoBench.Reports;

/// <summary>A report before it is written: its title and its sections in order. The workbook and the page are made from the same.</summary>
/// <param name="Title">Title of the report.</param>
/// <param name="Sections">Sheets or chapters.</param>
internal sealed record ReportDocument(string Title, IReadOnlyList<Section> Sections)
{
    /// <summary>Decides what there is to say about the results; a section with nothing to say is left out.</summary>
    public static ReportDocument Build(IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        var context = ReportContext.Of(results, options);
        var sweeps = Sweep.FindAll(results);
        var answers = ReportAnswers.Of(results);
        Section?[] sections =
        [
            options.NoSummary ? null : SummarySection.Build(context, sweeps, answers),
            ResultsSection.Build(context.Title, results, context.Palette),
            DetailsSection.Build(results),
            RolesSection.Build(answers.Roles),
            LatencySection.Build(context),
            SweepSection.Build(context, sweeps),
            RepeatsSection.Build(context),
            TrendSection.Build(answers.Trends),
            TimelineSection.Build(context),
            ComparisonSection.Build(context),
            SettingsSection.Build(context),
        ];
        return new(context.Title, [.. sections.OfType<Section>()]);
    }
}
