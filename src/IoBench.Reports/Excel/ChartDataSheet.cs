using System.Xml;

namespace IoBench.Reports.Excel;

/// <summary>Where the data of a chart's series are.</summary>
/// <param name="Name">Cell of the name.</param>
/// <param name="Categories">Categories or x values.</param>
/// <param name="Above">How far each interval reaches above its value; null = no intervals.</param>
/// <param name="Below">How far below.</param>
internal sealed record SeriesRanges(string Name, string Categories, string Values, string? Above, string? Below);

/// <summary>
/// The hidden sheet that all charts draw from: each chart has columns of its own, in its own order, so that sorting a table changes no chart.
/// </summary>
/// <param name="name">Its name in this workbook.</param>
internal sealed class ChartDataSheet(string name)
{
    public const string UsualName = "ChartData";

    private readonly List<IReadOnlyList<CellValue>> _columns = [];

    /// <summary>Its name in this workbook.</summary>
    public string Name => name;

    /// <summary>True when no chart needs it.</summary>
    public bool IsEmpty => _columns.Count == 0;

    /// <summary>Takes the data of a chart and returns where each series stands.</summary>
    public IReadOnlyList<SeriesRanges> Add(ChartSpec chart)
    {
        int? categories =
            chart.Kind == ChartKind.Curves ? null : AddColumn(chart.Title, [.. chart.GroupedCategories.Select(name => CellValue.Of(name))]);
        var ranges = new List<SeriesRanges>();
        foreach (var series in chart.Series)
        {
            var x = categories ?? AddColumn(chart.CategoryTitle, [.. series.X!.Select(value => CellValue.Of(value))]);
            var values = AddColumn(series.Name, [.. series.Values.Select(value => CellValue.Of(value))]);
            var last = series.Values.Count + 1;
            int? above = series.Intervals is null
                ? null
                : AddColumn(
                    series.Name + ", above",
                    [.. series.Values.Select((value, index) => CellValue.Of(series.Intervals[index]?.High - value))]
                );
            int? below = series.Intervals is null
                ? null
                : AddColumn(
                    series.Name + ", below",
                    [.. series.Values.Select((value, index) => CellValue.Of(value - series.Intervals[index]?.Low))]
                );
            ranges.Add(
                new(
                    Cells(values, 1, 1),
                    Cells(x, 2, last),
                    Cells(values, 2, last),
                    above is { } high ? Cells(high, 2, last) : null,
                    below is { } low ? Cells(low, 2, last) : null
                )
            );
        }
        return ranges;
    }

    /// <summary>Writes the worksheet part.</summary>
    public void Write(XmlWriter xml, Stream stream)
    {
        xml.WriteStartElement("worksheet", SheetXml.Main);
        SheetWriter.SheetData(xml, stream, WriteCells);
        xml.WriteEndElement();
    }

    private void WriteCells(SheetXml sheet)
    {
        var rows = _columns.Max(column => column.Count);
        for (var row = 0; row < rows; row++)
        {
            sheet.BeginRow(row + 1);
            for (var column = 0; column < _columns.Count; column++)
            {
                if (row < _columns[column].Count)
                    sheet.Cell(column, _columns[column][row]);
            }
            sheet.EndRow();
        }
    }

    private int AddColumn(string heading, List<CellValue> cells)
    {
        cells.Insert(0, CellValue.Of(heading));
        _columns.Add(cells);
        return _columns.Count - 1;
    }

    private string Cells(int column, int firstRow, int lastRow)
    {
        var range = CellReference.Fixed(column, firstRow, column, lastRow);
        return CellReference.Sheet(Name) + (firstRow == lastRow ? range.Split(':')[0] : range);
    }
}
