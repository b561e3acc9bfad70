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
    /// <summary>Decides what there is to say about the results.</summary>
    public static ReportDocument Build(IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        var title = string.IsNullOrWhiteSpace(options.Title) ? ReportTitle.Of(results) : options.Title;
        var palette = new Palette();
        var sections = new List<Section?>
        {
            ResultsSection.Build(title, results, palette),
            DetailsSection.Build(results),
        };
        return new(title, [.. sections.OfType<Section>()]);
    }
}
