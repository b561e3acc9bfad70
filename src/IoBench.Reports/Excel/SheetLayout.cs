using System.Globalization;

namespace IoBench.Reports;

internal sealed class SheetLayout
{
    /// <summary>In points (Excel specifications and limits).</summary>
    private const double MaxRowHeight = 409;
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
    private const double PixelTolerance = 3;
    private const double PointsPerCharacter = 5.25;

    /// <summary>Height of a printed page in points if it is <see cref="PageWidth"/> wide: A4 or Letter, landscape.</summary>
    private const double PageHeight = 660;

    /// <summary>In points. A table starts on a new page if less than this is left below charts.</summary>
    private const double MinBelowCharts = 60;

    private readonly List<(SectionBlock Block, int Row)> _blocks = [];
    private readonly List<(ChartSpec Chart, double Left, double Top)> _charts = [];
    private readonly List<int> _pageBreaks = [];
    private readonly int? _lastPrinted;
    private double _pageTop;

    public SheetLayout(ReportSection section)
    {
        Section = section;
        var tables = section.Blocks.OfType<TableBlock>().ToList();
        Widths = FitColumns(tables);
        if (!section.HasChartsOnRight && section.Blocks.Any(block => block is ChartsBlock))
            StretchToPage(tables);
        LastTextColumn = FindColumn(PageWidth - PixelTolerance).Index;
        // Row 2 is empty and row 3 has the header, as in the classic sheet.
        var row = 3;
        var printed = 0;
        foreach (var block in section.Blocks)
        {
            if (block is ChartsBlock charts)
            {
                if (section.HasChartsOnRight)
                    PlaceChartsRight(charts.Charts);
                else
                    row = PlaceChartsInline(charts, row);
            }
            else
            {
                if (block is TableBlock { KeepsTogether: true } whole && !section.FitsOnePage)
                    KeepTableTogether(whole, row);
                _blocks.Add((block, row));
                row += block switch
                {
                    TableBlock table => table.RowCount + 2,
                    TextBlock { Style: CellStyle.Lead } => 2,
                    _ => 1,
                };
            }
            if (++printed == section.PrintedBlockCount)
                _lastPrinted = row - 1;
        }
        LastRow = Math.Max(
            _blocks.Count == 0 ? 1 : _blocks.Max(placed => placed.Row + (placed.Block is TableBlock table ? table.RowCount : 0)),
            FindRow(_charts.Select(placed => placed.Top + placed.Chart.Height).DefaultIfEmpty(0).Max()).Index + 1
        );
        LastColumn = Math.Max(
            Math.Max(Widths.Length, 1) - 1,
            _charts.Count == 0 ? 0 : FindColumn(_charts.Max(placed => placed.Left + placed.Chart.Width)).Index
        );
        if (!section.HasChartsOnRight && tables.Count != 1)
            LastColumn = Math.Max(LastColumn, LastTextColumn);
    }

    public ReportSection Section { get; }

    /// <summary>Widths of the first columns in characters. Other columns have the default width.</summary>
    public double[] Widths { get; }

    /// <summary>The row is the first row of the block, from 1.</summary>
    public IReadOnlyList<(SectionBlock Block, int Row)> Blocks => _blocks;
    public IReadOnlyList<(ChartSpec Chart, double Left, double Top)> Charts => _charts;

    public IReadOnlyList<int> PageBreaks => _pageBreaks;

    /// <summary>From 1.</summary>
    public int LastRow { get; }

    public int LastPrintedRow => _lastPrinted ?? LastRow;

    /// <summary>From 0.</summary>
    public int LastColumn { get; }

    /// <summary>The last column of running text, from 0.</summary>
    public int LastTextColumn { get; }

    /// <summary>The header that stays in view or is repeated on each page; null if there is no table or more than one.</summary>
    public int? HeaderRow => _blocks.Where(placed => placed.Block is TableBlock).ToList() is [var only] ? only.Row : null;

    /// <summary>In points, for text that wraps at the width of the page.</summary>
    public static double? GetHeight(TextBlock text)
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
        var lines = Math.Max(
            1,
            (int)Math.Ceiling(TextWidth.Measure(text.Text, size, bold: text.Style == CellStyle.Lead) / (PageWidth * 0.97))
        );
        return Math.Clamp(lines * height, text.Style == CellStyle.Heading ? 21 : SheetCellWriter.RowHeight, MaxRowHeight);
    }

    /// <summary>In points; null for the default height.</summary>
    public static double? GetHeaderHeight(TableBlock table) =>
        table.WrapsHeader ? table.Columns.Max(column => CountHeaderLines(column.Header)) * 13.5 : null;

    private double GetTop(int row)
    {
        if (row == 1)
            return 0;
        // The title row and wrapped texts are higher than other rows.
        var top = TitleHeight + (row - 2) * SheetCellWriter.RowHeight;
        foreach (var placed in _blocks)
        {
            if (placed.Row >= row)
                break;
            var height =
                placed.Block is TextBlock text ? GetHeight(text)
                : placed.Block is TableBlock table ? GetHeaderHeight(table)
                : null;
            top += (height ?? SheetCellWriter.RowHeight) - SheetCellWriter.RowHeight;
        }
        return top;
    }

    /// <summary>The row (from 0) at a distance from the top in points, and its upper edge.</summary>
    public (int Index, double Edge) FindRow(double top)
    {
        var row = 1;
        while (GetTop(row + 1) <= top)
            row++;
        return (row - 1, GetTop(row));
    }

    /// <summary>The column (from 0) at a distance from the left in points, and its left edge.</summary>
    public (int Index, double Edge) FindColumn(double left)
    {
        var column = 0;
        var edge = 0.0;
        while (edge + GetWidth(column) <= left)
        {
            edge += GetWidth(column);
            column++;
        }
        return (column, edge);
    }

    public double GetPoints(int column, int span) => Enumerable.Range(column, span).Sum(GetWidth);

    private double GetWidth(int column) => ToPoints(column < Widths.Length ? Widths[column] : DefaultColumnWidth);

    private static double[] FitColumns(List<TableBlock> tables)
    {
        var all = tables.ConvertAll(GetColumnWidths);
        return
        [
            .. Enumerable
                .Range(0, all.Select(widths => widths.Length).DefaultIfEmpty(0).Max())
                .Select(column => all.Where(widths => column < widths.Length).Max(widths => widths[column]))
                .Select(width => width > 0 ? width : DefaultColumnWidth),
        ];
    }

    private void StretchToPage(List<TableBlock> tables)
    {
        var missing = PageWidth - Widths.Sum(ToPoints);
        if (missing > 0 && tables.Exists(table => table.Columns.Count == Widths.Length && !table.Columns[^1].IsNumber))
            Widths[^1] += missing / PointsPerCharacter;
    }

    private void PlaceChartsRight(IReadOnlyList<ChartSpec> charts)
    {
        var edge = Widths.Sum(ToPoints);
        var left = Math.Max(ClassicLeft, edge + ClassicDistance);
        var top = ClassicTop;
        foreach (var chart in charts)
        {
            _charts.Add((chart, left, top));
            top += chart.Height;
        }
    }

    private int PlaceChartsInline(ChartsBlock charts, int row)
    {
        var full = Math.Clamp(Widths.Sum(ToPoints), PageWidth, MaxChartsWidth) - PixelTolerance;
        var pageHeight = PageHeight * full / PageWidth;
        var top = GetTop(row) + Gap / 2;
        while (top - _pageTop > pageHeight)
            _pageTop += pageHeight;
        foreach (var line in charts.ChartLines)
        {
            var height = line[0].Height;
            if (top + height > _pageTop + pageHeight && top - _pageTop > height / 2)
                AddPageBreak(FindRow(top).Index + 1);
            var width = (full - Gap * (line.Count - 1)) / line.Count;
            for (var index = 0; index < line.Count; index++)
                _charts.Add((line[index] with { Width = width }, index * (width + Gap), top));
            top += height + Gap;
        }
        while (GetTop(row) < top)
            row++;
        if (top > _pageTop + pageHeight - MinBelowCharts && top < _pageTop + pageHeight)
            AddPageBreak(row);
        return row;
    }

    private void KeepTableTogether(TableBlock table, int row)
    {
        var pageHeight = PageHeight * Math.Max(1, Widths.Sum(ToPoints) / PageWidth);
        var top = GetTop(row);
        var height = (table.RowCount + 1) * SheetCellWriter.RowHeight;
        if (top + height > _pageTop + pageHeight && top > _pageTop)
            AddPageBreak(row);
    }

    private void AddPageBreak(int row)
    {
        _pageBreaks.Add(row);
        _pageTop = GetTop(row);
    }

    public const double DefaultColumnWidth = 9.14;

    private const double FilterButtonWidth = 2.5;

    private const double HeaderGap = 2;

    private const double Indent = 1.5;

    /// <summary>Later rows are rarely longer.</summary>
    private const int MaxMeasuredRows = 2000;

    /// <summary>Characters that fit in a line of any header, because letters can use the space above the filter button.</summary>
    private const int MinHeaderLineLength = 7;

    /// <summary>Arial 10 at 96 dpi has digits of 7 pixels. The formula is from ECMA-376, 18.3.1.13, col, width.</summary>
    public static double ToPoints(double characters) => Math.Truncate((256 * characters + Math.Truncate(128.0 / 7)) / 256 * 7) * 0.75;

    public static double[] GetColumnWidths(TableBlock table)
    {
        var widths = table
            .Columns.Select(column =>
                column.Width
                ?? Math.Max(
                    column.MinWidth,
                    (table.WrapsHeader ? GetHeaderWidth(column.Header) : column.Header.Length) * 1.12
                        + (table.IsFilterable ? FilterButtonWidth : HeaderGap)
                        + (column.IsNumber ? 0 : Indent)
                )
            )
            .ToArray();
        var cells = new CellValue[widths.Length];
        for (var row = 0; row < Math.Min(table.RowCount, MaxMeasuredRows); row++)
        {
            table.FillRow(table.FirstRow + row, cells);
            for (var column = 0; column < widths.Length; column++)
            {
                if (table.Columns[column].Width is null)
                    widths[column] = Math.Max(
                        widths[column],
                        Math.Min(
                            GetTextLength(cells[column]) * 1.05 + 2 + (table.Columns[column].IsNumber ? 0 : Indent),
                            table.Columns[column].MaxWidth
                        )
                    );
            }
        }
        // A cell that spans several columns does not change their widths.
        return table.Columns.All(column => column.Span == 1)
            ? widths
            : [.. table.Columns.SelectMany((column, index) => column.Span == 1 ? [widths[index]] : new double[column.Span])];
    }

    public static int CountHeaderLines(string header)
    {
        var width = Math.Max(GetHeaderWidth(header), MinHeaderLineLength);
        var lines = 1;
        var used = 0;
        foreach (var word in header.Split(' '))
        {
            if (used > 0 && used + 1 + word.Length > width)
            {
                lines++;
                used = 0;
            }
            used += (used > 0 ? 1 : 0) + word.Length;
        }
        return lines;
    }

    private static int GetHeaderWidth(string header) => header.Split(' ').Max(word => word.Length);

    private static double GetTextLength(CellValue cell)
    {
        if (cell.NumberValue is not { } number)
            return cell.Style == CellStyle.Wrapped ? Math.Min(cell.TextValue?.Length ?? 0, 50) : cell.TextValue?.Length ?? 0;
        return cell.Style switch
        {
            CellStyle.DateTime => 17,
            CellStyle.Integer or (>= CellStyle.HeatFigure1 and <= CellStyle.HeatFigure8) => GetTextLength(number, 0),
            CellStyle.OneDecimal => GetTextLength(number, 1),
            CellStyle.TwoDecimals or CellStyle.Rate or CellStyle.Share => GetTextLength(number, 2),
            CellStyle.ThreeDecimals or CellStyle.Milliseconds => GetTextLength(number, 3),
            _ => GetPlainLength(number),
        };
    }

    internal static int GetTextLength(double value, int decimals)
    {
        var rounded = Math.Round(Math.Abs(value), decimals, MidpointRounding.AwayFromZero);
        var digits = 1;
        for (var power = 10.0; power <= rounded && digits < 300; power *= 10)
            digits++;
        return digits + (digits - 1) / 3 + (decimals > 0 ? decimals + 1 : 0) + (value < 0 ? 1 : 0);
    }

    private static int GetPlainLength(double value)
    {
        Span<char> text = stackalloc char[32];
        return value.TryFormat(text, out var written, default, CultureInfo.InvariantCulture) ? Math.Min(written, 12) : 12;
    }
}
