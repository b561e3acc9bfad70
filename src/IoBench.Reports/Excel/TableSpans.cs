namespace IoBench.Reports;

internal sealed class TableSpans
{
    private const double UsedWidth = 0.93;
    private const double TextSize = 10,
        LineHeight = 13.5,
        HighestRow = 400;

    private readonly TableBlock _table;
    private readonly int[] _first;
    private readonly double[] _points;

    public TableSpans(SheetLayout layout, TableBlock table)
    {
        _table = table;
        _first = new int[table.Columns.Count];
        for (var column = 1; column < _first.Length; column++)
            _first[column] = _first[column - 1] + table.Columns[column - 1].Span;
        _points = [.. table.Columns.Select((column, index) => layout.PointsOf(_first[index], column.Span))];
    }

    public void Write(SheetXml sheet, int column, in CellValue cell, int row, List<string> merged)
    {
        var (first, span) = (_first[column], _table.Columns[column].Span);
        sheet.Cell(first, cell, keepEmpty: true);
        for (var covered = first + 1; covered < first + span; covered++)
            sheet.Cell(covered, CellValue.Empty with { Style = cell.Style }, keepEmpty: true);
        if (span > 1)
            merged.Add(CellReference.Range(first, row, first + span - 1, row));
    }

    /// <summary>In points; null for the default height. Viewers do not fit the height of merged cells.</summary>
    public double? HeightOf(CellValue[] cells)
    {
        var lines = 1;
        for (var column = 0; column < cells.Length; column++)
        {
            if (cells[column] is { Style: CellStyle.Wrapped, Kind: CellKind.Text })
                lines = Math.Max(
                    lines,
                    (int)Math.Ceiling(TextWidth.Of(cells[column].TextValue!, TextSize) / (_points[column] * UsedWidth))
                );
        }
        return lines == 1 ? null : Math.Min(lines * LineHeight + 1.5, HighestRow);
    }
}
