using System.Globalization;

namespace IoBench.Reports;

internal static class WorkbookWriter
{
    private const int RowsAroundTable = 4;

    private const int MaxChartRows = 1000;

    /// <summary>
    /// A long table continues on more sheets (<c>Results</c>, <c>Results (2)</c> …). Text and charts are on the first. Several tables of a
    /// section are truncated in proportion, with a note, because Results and Details have every run.
    /// </summary>
    public static IEnumerable<ReportSection> SplitSection(ReportSection section, int maxRows)
    {
        var tables = section.Blocks.OfType<TableBlock>().ToList();
        var charts =
            section.Placement == ChartPlacement.Inline && section.Blocks.Any(block => block is ChartsBlock)
                ? Math.Min(MaxChartRows, maxRows / 2)
                : 0;
        var fits = Math.Max(
            1,
            maxRows - charts - RowsAroundTable * Math.Max(1, tables.Count) - section.Blocks.Count(block => block is TextBlock) * 2
        );
        var rows = tables.Sum(table => (long)table.RowCount);
        return rows <= fits ? [section]
            : tables.Count == 1 ? SplitTable(section, tables[0], fits)
            : [TruncateTables(section, rows, fits)];
    }

    private static IEnumerable<ReportSection> SplitTable(ReportSection section, TableBlock table, int fits)
    {
        for (int first = 0, part = 1; first < table.RowCount; first += fits, part++)
        {
            var slice = table with { FirstRow = first, RowCount = Math.Min(fits, table.RowCount - first) };
            yield return part == 1
                ? section with
                {
                    Blocks = [.. section.Blocks.Select(block => ReferenceEquals(block, table) ? slice : block)],
                    FitsOnePage = false,
                }
                : section with
                {
                    Name = string.Create(CultureInfo.InvariantCulture, $"{section.Name} ({part})"),
                    Blocks = [slice],
                    FitsOnePage = false,
                };
        }
    }

    private static ReportSection TruncateTables(ReportSection section, long rows, int fits) =>
        section with
        {
            FitsOnePage = false,
            Blocks =
            [
                new TextBlock("A sheet holds no more rows: the tables below are cut. Results and Details have every run."),
                .. section.Blocks.Select(block =>
                    block is TableBlock table ? table with { RowCount = (int)Math.Max(1, table.RowCount * (long)fits / rows) } : block
                ),
            ],
        };
}
