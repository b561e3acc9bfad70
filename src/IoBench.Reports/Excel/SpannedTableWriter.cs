namespace IoBench.Reports;

internal sealed class SpannedTableWriter
{
    private const double UsableWidthShare = 0.93;
    private const double TextSize = 10,
        LineHeight = 13.5,
        MaxRowHeight = 400;

    private readonly TableBlock _table;
    private readonly int[] _firstColumns;
    private readonly double[] _widths;

    public SpannedTableWriter(SheetLayout layout, TableBlock table)
    {
        _table = table;
        _firstColumns = new int[table.Columns.Count];
        for (var column = 1; column < _firstColumns.Length; column++)
            _firstColumns[column] = _firstColumns[column - 1] + table.Columns[column - 1].Span;
        _widths = [.. table.Columns.Select((column, index) => layout.GetPoints(_firstColumns[index], column.Span))];
    }

    public void WriteCell(SheetCellWriter sheet, int column, in CellValue cell, int row, List<string> merged)
    {
        var first = _firstColumns[column];
        var span = _table.Columns[column].Span;
        sheet.WriteCell(first, cell, keepEmpty: true);
        for (var covered = first + 1; covered < first + span; covered++)
            sheet.WriteCell(covered, CellValue.Empty with { Style = cell.Style }, keepEmpty: true);
        if (span > 1)
            merged.Add(CellReference.GetRange(first, row, first + span - 1, row));
    }

    /// <summary>In points; null for the default height. Viewers do not fit the height of merged cells.</summary>
    public double? GetRowHeight(CellValue[] cells)
    {
        var lines = 1;
        for (var column = 0; column < cells.Length; column++)
        {
            if (cells[column] is { Style: CellStyle.Wrapped, Kind: CellKind.Text })
                lines = Math.Max(
                    lines,
                    (int)Math.Ceiling(TextWidth.Measure(cells[column].TextValue!, TextSize) / (_widths[column] * UsableWidthShare))
                );
        }
        return lines == 1 ? null : Math.Min(lines * LineHeight + 1.5, MaxRowHeight);
    }
}
