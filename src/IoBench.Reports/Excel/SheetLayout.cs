namespace IoBench.Reports;

/// <param name="Row">First row of the block, from 1.</param>
internal readonly record struct PlacedBlock(Block Block, int Row);

internal sealed class SheetLayout
{
    /// <summary>In points (Excel specifications and limits).</summary>
    private const double HighestRow = 409;
    private const double TitleHeight = 24;
    private const double Gap = 15;

    /// <summary>In points, as in the classic workbook: left edge, distance from the table, and top of the first chart.</summary>
    private const double ClassicLeft = 600,
        ClassicDistance = 20,
        ClassicTop = 60;

    /// <summary>Width of charts between blocks in points. A landscape page shows them at 80%.</summary>
    private const double PageWidth = 980;
    private const double MaxChartsWidth = 1500;

    /// <summary>In points. Column widths are whole pixels, so an edge can be off by this much.</summary>
    private const double Rounding = 3;
    private const double PointsOfCharacter = 5.25;

    /// <summary>Height of a printed page in points if it is <see cref="PageWidth"/> wide: A4 or Letter, landscape.</summary>
    private const double PageHeight = 660;

    /// <summary>In points. A table starts on a new page if less than this is left below charts.</summary>
    private const double MinBelowCharts = 60;

    private readonly List<PlacedBlock> _blocks = [];
    private readonly List<PlacedChart> _charts = [];
    private readonly List<int> _breaks = [];
    private readonly int? _lastPrinted;
    private double _pageTop;

    public SheetLayout(Section section)
    {
        Section = section;
        var tables = section.Blocks.OfType<TableBlock>().ToList();
        Widths = Fit(tables);
        if (section.Placement == ChartPlacement.Inline && section.Blocks.Any(block => block is ChartsBlock))
            StretchToPage(tables);
        PageColumns = ColumnAt(PageWidth - Rounding).Index;
        // Row 2 is empty and row 3 has the header, as in the classic sheet.
        var row = 3;
        var printed = 0;
        foreach (var block in section.Blocks)
        {
            if (block is ChartsBlock charts)
            {
                if (section.Placement == ChartPlacement.RightOfTable)
                    PlaceRight(charts.Charts);
                else
                    row = PlaceInline(charts, row);
            }
            else
            {
                if (block is TableBlock { StaysTogether: true } whole && !section.OnePage)
                    KeepTogether(whole, row);
                _blocks.Add(new(block, row));
                row += block switch
                {
                    TableBlock table => table.RowCount + 2,
                    TextBlock { Style: CellStyle.Lead } => 2,
                    _ => 1,
                };
            }
            if (++printed == section.PrintedBlocks)
                _lastPrinted = row - 1;
        }
        LastRow = Math.Max(
            _blocks.Count == 0 ? 1 : _blocks.Max(placed => placed.Row + (placed.Block is TableBlock table ? table.RowCount : 0)),
            RowAt(_charts.Select(chart => chart.Bottom).DefaultIfEmpty(0).Max()).Index + 1
        );
        LastColumn = Math.Max(Math.Max(Widths.Length, 1) - 1, _charts.Count == 0 ? 0 : ColumnAt(_charts.Max(chart => chart.Right)).Index);
        if (section.Placement == ChartPlacement.Inline && tables.Count != 1)
            LastColumn = Math.Max(LastColumn, PageColumns);
    }

    public Section Section { get; }

    /// <summary>Widths of the first columns in characters. Other columns have the default width.</summary>
    public double[] Widths { get; }

    public IReadOnlyList<PlacedBlock> Blocks => _blocks;
    public IReadOnlyList<PlacedChart> Charts => _charts;

    public IReadOnlyList<int> Breaks => _breaks;

    /// <summary>From 1.</summary>
    public int LastRow { get; }

    /// <summary>From 1.</summary>
    public int LastPrintedRow => _lastPrinted ?? LastRow;

    /// <summary>From 0.</summary>
    public int LastColumn { get; }

    /// <summary>The last column of running text, from 0.</summary>
    public int PageColumns { get; }

    /// <summary>The header that stays in view or is repeated on each page; null if there is no table or more than one.</summary>
    public int? HeaderRow => _blocks.Where(placed => placed.Block is TableBlock).ToList() is [var only] ? only.Row : null;

    /// <summary>In points, for text that wraps at the width of the page.</summary>
    public static double? HeightOf(TextBlock text)
    {
        if (text.Style == CellStyle.Title)
            return TitleHeight;
        var (size, height) = text.Style switch
        {
            CellStyle.Lead => (13, 18.0),
            CellStyle.Small => (8, 12.0),
            CellStyle.Heading => (12, 21.0),
            _ => (10, 14.0),
        };
        // Lines break at words, so a line is not filled completely.
        var lines = Math.Max(1, (int)Math.Ceiling(TextWidth.Of(text.Text, size, bold: text.Style == CellStyle.Lead) / (PageWidth * 0.97)));
        return Math.Clamp(lines * height, text.Style == CellStyle.Heading ? 21 : SheetXml.RowHeight, HighestRow);
    }

    /// <summary>In points; null for the default height.</summary>
    public static double? HeaderHeightOf(TableBlock table) =>
        table.WrapsHeader ? table.Columns.Max(column => ColumnWidths.HeaderLines(column.Header)) * 13.5 : null;

    private double TopOf(int row)
    {
        if (row == 1)
            return 0;
        // The title row and wrapped texts are higher than other rows.
        var top = TitleHeight + (row - 2) * SheetXml.RowHeight;
        foreach (var placed in _blocks)
        {
            if (placed.Row >= row)
                break;
            var height =
                placed.Block is TextBlock text ? HeightOf(text)
                : placed.Block is TableBlock table ? HeaderHeightOf(table)
                : null;
            top += (height ?? SheetXml.RowHeight) - SheetXml.RowHeight;
        }
        return top;
    }

    /// <summary>The row (from 0) at a distance from the top in points, and its upper edge.</summary>
    public (int Index, double Edge) RowAt(double top)
    {
        var row = 1;
        while (TopOf(row + 1) <= top)
            row++;
        return (row - 1, TopOf(row));
    }

    /// <summary>The column (from 0) at a distance from the left in points, and its left edge.</summary>
    public (int Index, double Edge) ColumnAt(double left)
    {
        var (column, edge) = (0, 0.0);
        while (edge + WidthOf(column) <= left)
            edge += WidthOf(column++);
        return (column, edge);
    }

    public double PointsOf(int column, int span) => Enumerable.Range(column, span).Sum(WidthOf);

    private double WidthOf(int column) => ColumnWidths.ToPoints(column < Widths.Length ? Widths[column] : ColumnWidths.Default);

    private static double[] Fit(List<TableBlock> tables)
    {
        var all = tables.ConvertAll(ColumnWidths.Of);
        return
        [
            .. Enumerable
                .Range(0, all.Select(widths => widths.Length).DefaultIfEmpty(0).Max())
                .Select(column => all.Where(widths => column < widths.Length).Max(widths => widths[column]))
                .Select(width => width > 0 ? width : ColumnWidths.Default),
        ];
    }

    private void StretchToPage(List<TableBlock> tables)
    {
        var missing = PageWidth - Widths.Sum(ColumnWidths.ToPoints);
        if (missing > 0 && tables.Exists(table => table.Columns.Count == Widths.Length && !table.Columns[^1].IsNumber))
            Widths[^1] += missing / PointsOfCharacter;
    }

    private void PlaceRight(IReadOnlyList<ChartSpec> charts)
    {
        var edge = Widths.Sum(ColumnWidths.ToPoints);
        var left = Math.Max(ClassicLeft, edge + ClassicDistance);
        var top = ClassicTop;
        foreach (var chart in charts)
        {
            _charts.Add(new(chart, left, top));
            top += chart.Height;
        }
    }

    private int PlaceInline(ChartsBlock charts, int row)
    {
        var full = Math.Clamp(Widths.Sum(ColumnWidths.ToPoints), PageWidth, MaxChartsWidth) - Rounding;
        var pageHeight = PageHeight * full / PageWidth;
        var top = TopOf(row) + Gap / 2;
        while (top - _pageTop > pageHeight)
            _pageTop += pageHeight;
        foreach (var line in charts.Lines)
        {
            var height = line[0].Height;
            if (top + height > _pageTop + pageHeight && top - _pageTop > height / 2)
                Break(RowAt(top).Index + 1);
            var width = (full - Gap * (line.Count - 1)) / line.Count;
            for (var index = 0; index < line.Count; index++)
                _charts.Add(new(line[index] with { Width = width }, index * (width + Gap), top));
            top += height + Gap;
        }
        while (TopOf(row) < top)
            row++;
        if (top > _pageTop + pageHeight - MinBelowCharts && top < _pageTop + pageHeight)
            Break(row);
        return row;
    }

    private void KeepTogether(TableBlock table, int row)
    {
        var pageHeight = PageHeight * Math.Max(1, Widths.Sum(ColumnWidths.ToPoints) / PageWidth);
        var (top, height) = (TopOf(row), (table.RowCount + 1) * SheetXml.RowHeight);
        if (top + height > _pageTop + pageHeight && top > _pageTop)
            Break(row);
    }

    private void Break(int row)
    {
        _breaks.Add(row);
        _pageTop = TopOf(row);
    }
}
