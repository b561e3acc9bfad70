using System.Text.RegularExpressions;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

/// <summary>Sheets, headings and columns of reports, and the texts of the Summary.</summary>
public class ReportSnapshotTests
{
    [Fact]
    public void Structure_of_reports_is_as_recorded()
    {
        var sets = new Dictionary<string, (List<IoTestResult> Results, ReportOptions Options)>
        {
            ["suite"] = (ReportSamples.CreateSqlServerSuite(), new()),
            ["sweep-against-baseline"] = (ReportSamples.CreateDepthSweep(), new() { Baseline = ReportSamples.CreateDepthSweep() }),
            ["sqlio"] = (ReportSamples.CreateThreeFiles(), new() { Classic = true }),
            ["roles"] = (ScenarioResults.CreateRoles(), new()),
            ["nights"] = (ScenarioResults.CreateFortyDays(), new()),
            ["captured-workload"] = (ScenarioResults.CreateCapturedWorkload(), new()),
            ["rounds"] = (ScenarioResults.CreateRounds(steady: true), new()),
            ["fleet"] = (FleetSheetTests.CreateHosts("g", 4, 1000), new()),
        };
        Snapshot.Match("report", sets.ToDictionary(set => set.Key + ".txt", set => Outline(set.Value.Results, set.Value.Options)));
    }

    private static string Outline(List<IoTestResult> results, ReportOptions options)
    {
        using var page = new MemoryStream();
        Report.Write(page, "report.html", results, options);
        using var book = new Workbook(results, options);
        var document = ReportDocument.Build(results, options);
        List<string> lines =
        [
            $"Title: {document.Title}",
            $"Sheets: {string.Join(", ", book.GetSheetNames())}",
            .. Regex
                .Matches(System.Text.Encoding.UTF8.GetString(page.ToArray()), "<h[1-6][^>]*>(.*?)</h[1-6]>")
                .Select(heading => $"HTML heading: {heading.Groups[1].Value}"),
        ];
        foreach (var section in document.Sections)
        {
            lines.Add($"\n[{section.Name}] {section.Title}");
            lines.AddRange(section.Blocks.SelectMany(Lines));
        }
        return string.Join('\n', lines);
    }

    private static IEnumerable<string> Lines(SectionBlock block) =>
        block switch
        {
            TextBlock text => [$"Text: {text.Text}"],
            TableBlock table => [$"Table {table.Name}: {string.Join(" | ", table.Columns.Select(column => column.Header))}"],
            ChartsBlock charts => charts.Charts.Select(chart => $"Chart: {chart.Title} ({chart.CategoryTitle}, {chart.ValueTitle})"),
            _ => throw new NotSupportedException(block.GetType().Name),
        };
}
