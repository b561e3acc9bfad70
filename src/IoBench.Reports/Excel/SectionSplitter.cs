using System.Globalization;
using IoBench.Reports.Model;

namespace IoBench.Reports.Excel;

/// <summary>Splits a section whose table is longer than a sheet.</summary>
internal static class SectionSplitter
{
    /// <summary>Rows above the table and below it.</summary>
    private const int OtherRows = 4;

    /// <summary>The section itself, or as many as its table needs: <c>Results</c>, <c>Results (2)</c> … Text and charts are in the first.</summary>
    public static IEnumerable<Section> Split(Section section, int maxRows)
    {
        var fits = maxRows - OtherRows - section.Blocks.Count(block => block is TextBlock);
        if (section.Blocks.OfType<TableBlock>().ToList() is not [var table] || table.RowCount <= fits)
        {
            yield return section;
            yield break;
        }
        for (int first = 0, part = 1; first < table.RowCount; first += fits, part++)
        {
            var slice = table with { FirstRow = first, RowCount = Math.Min(fits, table.RowCount - first) };
            yield return part == 1
                ? section with { Blocks = [.. section.Blocks.Select(block => ReferenceEquals(block, table) ? slice : block)], OnePage = false }
                : section with { Name = string.Create(CultureInfo.InvariantCulture, $"{section.Name} ({part})"), Blocks = [slice], OnePage = false };
        }
    }
}
