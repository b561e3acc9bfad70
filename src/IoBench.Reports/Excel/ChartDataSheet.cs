using System.Xml;

namespace IoBench.Reports;

/// <param name="Above">Distances to the upper ends of the intervals; null for no intervals.</param>
internal sealed record SeriesCellRanges(string Name, string Categories, string Values, string? Above, string? Below);

/// <summary>Each chart has its own columns in its own order, so that sorting a table changes no chart.</summary>
internal sealed class ChartDataSheet(string name)
{
    public const string DefaultName = "ChartData";

    private readonly List<IReadOnlyList<CellValue>> _columns = [];

    public string Name => name;

    public bool IsEmpty => _columns.Count == 0;

    public IReadOnlyList<SeriesCellRanges> AddChart(ChartSpec chart)
    {
        int? categories =
            chart.Kind == ChartKind.Curves
                ? null
                : AddColumn(chart.Title, [.. chart.GroupedCategories.Select(name => CellValue.Create(name))]);
        var ranges = new List<SeriesCellRanges>();
        foreach (var series in chart.Series)
        {
            var x = categories ?? AddColumn(chart.CategoryTitle, [.. series.X!.Select(value => CellValue.Create(value))]);
            var values = AddColumn(series.Name, [.. series.Values.Select(value => CellValue.Create(value))]);
            var last = series.Values.Count + 1;
            int? above = series.Intervals is null
                ? null
                : AddColumn(
                    series.Name + ", above",
                    [.. series.Values.Select((value, index) => CellValue.Create(series.Intervals[index]?.High - value))]
                );
            int? below = series.Intervals is null
                ? null
                : AddColumn(
                    series.Name + ", below",
                    [.. series.Values.Select((value, index) => CellValue.Create(value - series.Intervals[index]?.Low))]
                );
            ranges.Add(
                new(
                    GetRange(values, 1, 1),
                    GetRange(x, 2, last),
                    GetRange(values, 2, last),
                    above is { } high ? GetRange(high, 2, last) : null,
                    below is { } low ? GetRange(low, 2, last) : null
                )
            );
        }
        return ranges;
    }

    public void Write(XmlWriter xml, Stream stream)
    {
        xml.WriteStartElement("worksheet", SheetCellWriter.MainNamespace);
        SheetWriter.WriteSheetData(xml, stream, WriteCells);
        xml.WriteEndElement();
    }

    private void WriteCells(SheetCellWriter sheet)
    {
        var rows = _columns.Max(column => column.Count);
        for (var row = 0; row < rows; row++)
        {
            sheet.BeginRow(row + 1);
            for (var column = 0; column < _columns.Count; column++)
            {
                if (row < _columns[column].Count)
                    sheet.WriteCell(column, _columns[column][row]);
            }
            sheet.EndRow();
        }
    }

    private int AddColumn(string heading, List<CellValue> cells)
    {
        cells.Insert(0, CellValue.Create(heading));
        _columns.Add(cells);
        return _columns.Count - 1;
    }

    private string GetRange(int column, int firstRow, int lastRow)
    {
        var range = WorkbookText.GetAbsoluteRange(column, firstRow, column, lastRow);
        return WorkbookText.QuoteSheetName(Name) + (firstRow == lastRow ? range.Split(':')[0] : range);
    }
}
