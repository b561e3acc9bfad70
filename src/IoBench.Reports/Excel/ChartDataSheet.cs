using System.Xml;
using IoBench.Reports.Model;

namespace IoBench.Reports.Excel;

/// <summary>Where the data of a chart's series are.</summary>
/// <param name="Name">Cell of the name.</param>
/// <param name="Categories">Categories or x values.</param>
/// <param name="Values">Values.</param>
internal sealed record SeriesRanges(string Name, string Categories, string Values);

/// <summary>
/// The hidden sheet that all charts draw from: each chart has columns of its own, in its own order, so that sorting a table changes no chart.
/// </summary>
/// <param name="name">Its name in this workbook.</param>
internal sealed class ChartDataSheet(string name)
{
    /// <summary>Its usual name.</summary>
    public const string UsualName = "ChartData";

    private readonly List<IReadOnlyList<CellValue>> _columns = [];

    /// <summary>Its name in this workbook.</summary>
    public string Name => name;

    /// <summary>True when no chart needs it.</summary>
    public bool IsEmpty => _columns.Count == 0;

    /// <summary>Takes the data of a chart and tells where each series' are.</summary>
    public IReadOnlyList<SeriesRanges> Add(ChartSpec chart)
    {
        int? categories = chart.Kind == ChartKind.Curves ? null
            : AddColumn(chart.Title, [.. chart.Categories.Select(name => CellValue.Of(name))]);
        var ranges = new List<SeriesRanges>();
        foreach (var series in chart.Series)
        {
            var x = categories ?? AddColumn(chart.CategoryTitle, [.. series.X!.Select(value => CellValue.Of(value))]);
            var values = AddColumn(series.Name, [.. series.Values.Select(value => CellValue.Of(value))]);
            ranges.Add(new(Cells(values, 1, 1), Cells(x, 2, series.Values.Count + 1), Cells(values, 2, series.Values.Count + 1)));
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
        => CellReference.Sheet(Name) + (firstRow == lastRow ? CellReference.Fixed(column, firstRow, column, lastRow).Split(':')[0] : CellReference.Fixed(column, firstRow, column, lastRow));
}
