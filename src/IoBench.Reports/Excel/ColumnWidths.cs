using System.Globalization;

namespace IoBench.Reports;

internal static class SheetLayout
{
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
        var (width, lines, used) = (Math.Max(GetHeaderWidth(header), MinHeaderLineLength), 1, 0);
        foreach (var word in header.Split(' '))
        {
            if (used > 0 && used + 1 + word.Length > width)
                (lines, used) = (lines + 1, 0);
            used += (used > 0 ? 1 : 0) + word.Length;
        }
        return lines;
    }

    private static int GetHeaderWidth(string header) => header.Split(' ').Max(word => word.Length);

    private static double GetTextLength(CellValue cell) =>
        cell.Kind switch
        {
            CellKind.Text => cell.Style == CellStyle.Wrapped ? Math.Min(cell.TextValue!.Length, 50) : cell.TextValue!.Length,
            CellKind.Number => cell.Style switch
            {
                CellStyle.DateTime => 17,
                CellStyle.Whole or (>= CellStyle.HeatFigure1 and <= CellStyle.HeatFigure8) => GetTextLength(cell.NumberValue, 0),
                CellStyle.OneDecimal => GetTextLength(cell.NumberValue, 1),
                CellStyle.TwoDecimals or CellStyle.Rate or CellStyle.Share => GetTextLength(cell.NumberValue, 2),
                CellStyle.ThreeDecimals or CellStyle.Milliseconds => GetTextLength(cell.NumberValue, 3),
                _ => GetPlainLength(cell.NumberValue),
            },
            _ => 0,
        };

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
