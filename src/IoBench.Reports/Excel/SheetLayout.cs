namespace IoBench.Reports.Excel;

/// <summary>A block of a section and the row it begins in, from 1.</summary>
internal readonly record struct PlacedBlock(Block Block, int Row);

/// <summary>Where everything of a section stands on its sheet: rows of blocks, widths of columns, places of charts.</summary>
internal sealed class SheetLayout
{
    /// <summary>No row is higher (Excel specifications and limits), in points.</summary>
    private const double HighestRow = 409;
    private const double TitleHeight = 24;
    private const double Gap = 15;

    /// <summary>Left edge, distance from the table and first top of the charts in the classic workbook, in points.</summary>
    private const double ClassicLeft = 600,
        ClassicDistance = 20,
        ClassicTop = 60;

    /// <summary>Charts that stand between blocks fill so many points, which a landscape page shows at four fifths.</summary>
    private const double PageWidth = 980;
    private const double MaxChartsWidth = 1500;

    /// <summary>Widths are whole pixels: what ends within them ends at the column's edge.</summary>
    private const double Rounding = 3;
    private const double PointsOfCharacter = 5.25;

    /// <summary>A printed page is so high when it is as wide as <see cref="PageWidth"/>: A4 or Letter, landscape.</summary>
    private const double PageHeight = 660;

    /// <summary>A table begins a page of its own when less than this is left below charts.</summary>
    private const double MinBelowCharts = 60;

    private readonly List<PlacedBlock> _blocks = [];
    private readonly List<PlacedChart> _charts = [];
    private readonly List<int> _breaks = [];
    private readonly int? _lastPrinted;
    private double _pageTop;

    /// <summary>Lays a section out.</summary>
    public SheetLayout(Section section)
    {
        Section = section;
        var tables = section.Blocks.OfType<TableBlock>().ToList();
        Widths = Fit(tables);
        if (section.Placement == ChartPlacement.Inline && section.Blocks.Any(block => block is ChartsBlock))
            StretchToPage(tables);
        PageColumns = ColumnAt(PageWidth - Rounding).Index;
        // Row 2 is empty, as in the classic sheet, whose header is row 3.
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

    /// <summary>Widths of the first columns in characters; others have the default.</summary>
    public double[] Widths { get; }

    /// <summary>Texts and tables.</summary>
    public IReadOnlyList<PlacedBlock> Blocks => _blocks;
    public IReadOnlyList<PlacedChart> Charts => _charts;

    /// <summary>Rows above which a new page begins.</summary>
    public IReadOnlyList<int> Breaks => _breaks;

    /// <summary>The last row in use, from 1.</summary>
    public int LastRow { get; }

    /// <summary>The last row that is printed, from 1.</summary>
    public int LastPrintedRow => _lastPrinted ?? LastRow;

    /// <summary>The last column in use, from 0.</summary>
    public int LastColumn { get; }

    /// <summary>The column, from 0, in which running text ends.</summary>
    public int PageColumns { get; }

    /// <summary>The row of the heading that stays in view or is repeated on each page; null when there are several tables or none.</summary>
    public int? HeaderRow => _blocks.Where(placed => placed.Block is TableBlock).ToList() is [var only] ? only.Row : null;

    /// <summary>Height of a text in points, when it is wrapped at the width of the page.</summary>
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
        // Lines break at words, so that each loses a little.
        var lines = Math.Max(1, (int)Math.Ceiling(TextWidth.Of(text.Text, size, bold: text.Style == CellStyle.Lead) / (PageWidth * 0.97)));
        return Math.Clamp(lines * height, text.Style == CellStyle.Heading ? 21 : SheetXml.RowHeight, HighestRow);
    }

    /// <summary>Height in points of a table's heading of several lines; null for the usual one.</summary>
    public static double? HeaderHeightOf(TableBlock table) =>
        table.WrapsHeader ? table.Columns.Max(column => ColumnWidths.HeaderLines(column.Header)) * 13.5 : null;

    private double TopOf(int row)
    {
        if (row == 1)
            return 0;
        // The title's row and wrapped texts are higher than others.
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

    /// <summary>The row (from 0) at a distance from the top in points, and its own upper edge.</summary>
    public (int Index, double Edge) RowAt(double top)
    {
        var row = 1;
        while (TopOf(row + 1) <= top)
            row++;
        return (row - 1, TopOf(row));
    }

    /// <summary>The column (from 0) at a distance from the left in points, and its own left edge.</summary>
    public (int Index, double Edge) ColumnAt(double left)
    {
        var (column, edge) = (0, 0.0);
        while (edge + WidthOf(column) <= left)
            edge += WidthOf(column++);
        return (column, edge);
    }

    /// <summary>Width in points of columns beside one another.</summary>
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

    /// <summary>Makes a table that ends with texts as wide as the charts above and below it.</summary>
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
