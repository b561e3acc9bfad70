using System.Globalization;
using System.Text;

namespace IoBench.Reports;

/// <summary>
/// Writes a report as one self-contained HTML file: images are inline SVG, and there are no scripts. Some mail programs drop style sheets,
/// so essential styles are at the elements.
/// </summary>
internal static class HtmlWriter
{
    private const double PageWidth = 1080,
        Gap = 12;

    /// <summary>Longer tables are too slow for browsers and mail programs. The workbook has all rows.</summary>
    private const int MaxRows = 500;
    private const int ManyColumns = 20;

    /// <summary>Charts are drawn again at this width, because shrunk letters are too small on a phone.</summary>
    private const double SlimWidth = 360;
    private const int StackedColumns = 10;

    public static void Write(Stream stream, ReportDocument document)
    {
        using var writer = new StreamWriter(stream, new UTF8Encoding(false), 1 << 16, leaveOpen: true) { NewLine = "\n" };
        var title = HtmlText.Escape(document.Title);
        writer.WriteLine("<!DOCTYPE html>");
        writer.WriteLine(
            $"<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"generator\" content=\"IoBench {HtmlText.Escape(DocumentProperties.Version)}\"><title>{title}</title>"
        );
        writer.WriteLine($"<style>{PageStyle.Css}</style></head><body>");
        writer.WriteLine($"<h1>{title}</h1>");
        if (document.Sections.Count > 1)
            writer.WriteLine(
                $"<nav>{string.Concat(document.Sections.Select(section => $"<a href=\"#{section.Name}\">{section.Name}</a>"))}</nav>"
            );
        foreach (var section in document.Sections)
            WriteSection(writer, section, document.Title);
        writer.WriteLine(
            $"<p class=\"small\">Written {DateTime.UtcNow.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture)} UTC by IoBench {HtmlText.Escape(DocumentProperties.Version)}.</p></body></html>"
        );
    }

    private static void WriteSection(StreamWriter writer, Section section, string title)
    {
        writer.WriteLine(
            $"<section id=\"{section.Name}\"{(section.IsPrinted ? "" : " class=\"screen\"")}><h2>{HtmlText.Escape(section.Title == title ? section.Name : section.Title)}</h2>"
        );
        var shown = section.PrintedBlocks ?? section.Blocks.Count;
        foreach (var block in section.Blocks.Take(shown))
        {
            switch (block)
            {
                case TextBlock text:
                    WriteText(writer, text);
                    break;
                case TableBlock table:
                    WriteTable(writer, table);
                    break;
                case HeatMapBlock maps:
                    WriteMaps(writer, maps);
                    break;
                case ChartsBlock charts:
                    WriteCharts(writer, charts);
                    break;
            }
        }
        if (shown < section.Blocks.Count)
            writer.WriteLine("<p class=\"small\">The workbook has every interval.</p>");
        writer.WriteLine("</section>");
    }

    private static void WriteText(StreamWriter writer, TextBlock text)
    {
        var escaped = HtmlText.Escape(text.Text);
        writer.WriteLine(
            text.Style switch
            {
                CellStyle.Heading => $"<h3>{escaped}</h3>",
                CellStyle.Lead => $"<p class=\"lead\" style=\"font-size:17px;font-weight:bold;color:#{Palette.HeaderFill}\">{escaped}</p>",
                CellStyle.Small => $"<p class=\"small\" style=\"font-size:11px;color:#{Palette.Muted}\">{escaped}</p>",
                _ => $"<p>{escaped}</p>",
            }
        );
    }

    private static void WriteCharts(StreamWriter writer, ChartsBlock charts)
    {
        foreach (var line in charts.Lines)
        {
            var width = (PageWidth - Gap * (line.Count - 1)) / line.Count;
            writer.WriteLine("<div class=\"line\">");
            foreach (var chart in line)
                WritePicture(writer, width, slim => SvgChart.Draw(chart, slim));
            writer.WriteLine("</div>");
        }
    }

    private static void WriteMaps(StreamWriter writer, HeatMapBlock maps)
    {
        var width = (PageWidth - Gap * (maps.Abreast - 1)) / maps.Abreast;
        writer.WriteLine("<div class=\"line\">");
        foreach (var map in maps.Maps)
        {
            writer.WriteLine(
                $"<div class=\"map\" style=\"display:inline-block;vertical-align:top;width:{SvgText.Number(width)}px;max-width:100%\"><h3>{HtmlText.Escape(map.Name)}</h3>"
            );
            WritePicture(writer, width, each => HeatMapSvg.Draw(map, each));
            writer.WriteLine("</div>");
        }
        writer.WriteLine("</div>");
    }

    private static void WritePicture(StreamWriter writer, double width, Func<double, string> draw)
    {
        writer.WriteLine(
            $"<div class=\"chart\" style=\"display:inline-block;vertical-align:top;width:{SvgText.Number(width)}px;max-width:100%\">{draw(width)}</div>"
        );
        writer.WriteLine($"<div class=\"slim\" style=\"display:none\" aria-hidden=\"true\">{draw(SlimWidth)}</div>");
    }

    private static void WriteTable(StreamWriter writer, TableBlock table)
    {
        // A table of every property is for lookup, so it starts collapsed.
        var folded = table.Columns.Count > ManyColumns;
        writer.Write(
            folded
                ? $"<details><summary>{table.Columns.Count} columns, {table.RowCount.ToString("#,##0", CultureInfo.InvariantCulture)} {(table.RowCount == 1 ? "row" : "rows")}</summary><div class=\"wide\">"
                : "<div class=\"wide\">"
        );
        // On a phone, a short text table is stacked. A table for sorting and comparing scrolls sideways.
        var isStacked = !table.IsFilterable && table.Columns.Count <= StackedColumns;
        if (isStacked)
            writer.WriteLine(PageStyle.StackedNames(table));
        writer.Write(
            isStacked ? $"<table cellspacing=\"0\" class=\"stack {table.Name}\"><thead><tr>"
            : table.Columns.Count > StackedColumns ? "<table cellspacing=\"0\" class=\"many\"><thead><tr>"
            : "<table cellspacing=\"0\"><thead><tr>"
        );
        foreach (var column in table.Columns)
        {
            writer.Write(
                $"<th class=\"{Class(column)}\" bgcolor=\"#{Palette.HeaderFill}\" style=\"background:#{Palette.HeaderFill};color:#FFFFFF;text-align:{(column.IsCentred ? "center" : column.IsNumber ? "right" : "left")}\">{HtmlText.Escape(column.Header)}</th>"
            );
        }
        writer.WriteLine("</tr></thead><tbody>");
        var cells = new CellValue[table.Columns.Count];
        var rows = Math.Min(table.RowCount, MaxRows);
        for (var row = 0; row < rows; row++)
        {
            table.FillRow(table.FirstRow + row, cells);
            writer.Write("<tr>");
            for (var column = 0; column < cells.Length; column++)
                WriteCell(writer, cells[column], table.Columns[column]);
            writer.WriteLine("</tr>");
        }
        writer.Write("</tbody></table></div>");
        if (folded)
            writer.Write("</details>");
        if (rows < table.RowCount)
            writer.Write(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"<p class=\"small\">The first {rows:#,##0} of {table.RowCount:#,##0} rows; the workbook has all.</p>"
                )
            );
        writer.WriteLine();
    }

    private static void WriteCell(StreamWriter writer, CellValue cell, TableColumn column)
    {
        var look = cell.Style switch
        {
            CellStyle.Good or CellStyle.ChangeBetter => Filled(Palette.GoodFill, Palette.GoodText, true),
            CellStyle.Watch => Filled(Palette.WatchFill, Palette.WatchText, true),
            CellStyle.Bad or CellStyle.ChangeWorse => Filled(Palette.BadFill, Palette.BadText, true),
            CellStyle.Neutral => Filled(Palette.NeutralFill, Palette.NeutralText, false),
            >= CellStyle.HeatFigure1 and <= CellStyle.HeatFigure8 => Filled(
                Palette.HeatRamp[cell.Style - CellStyle.HeatFigure1],
                Palette.HeatText(cell.Style - CellStyle.HeatFigure1),
                false
            ),
            CellStyle.Strong or CellStyle.Figure => " style=\"font-weight:bold\"",
            _ => "",
        };
        // Stacked cells without a value are hidden on a phone.
        var none = cell is { Kind: CellKind.Text, TextValue: "-" } ? " none" : "";
        writer.Write(
            $"<td class=\"{Class(column)}{none}\"{(column.IsNumber ? " align=\"right\"" : column.IsCentred ? " align=\"center\"" : "")}{look}>{HtmlText.Escape(Text(cell))}{Blank(cell)}</td>"
        );
    }

    private static string Class(TableColumn column) =>
        column.IsCentred ? "c"
        : column.IsNumber ? "n"
        : "t";

    private static string Filled(string fill, string text, bool bold) =>
        $" bgcolor=\"#{fill}\" style=\"background:#{fill};color:#{text}{(bold ? ";font-weight:bold" : "")}\"";

    private static string Text(CellValue cell) =>
        cell.Kind switch
        {
            CellKind.Text => cell.TextValue!,
            CellKind.Number => cell.Style switch
            {
                CellStyle.Whole or (>= CellStyle.HeatFigure1 and <= CellStyle.HeatFigure8) => Number(cell, "#,##0"),
                CellStyle.OneDecimal => Number(cell, "#,##0.0"),
                CellStyle.TwoDecimals => Number(cell, "#,##0.00"),
                CellStyle.ThreeDecimals => Number(cell, "#,##0.000"),
                CellStyle.Rate => Number(
                    cell,
                    cell.NumberValue >= 100 ? "#,##0"
                        : cell.NumberValue >= 10 ? "0.0"
                        : "0.00"
                ),
                CellStyle.Milliseconds => Number(
                    cell,
                    cell.NumberValue >= 100 ? "#,##0"
                        : cell.NumberValue >= 10 ? "0.0"
                        : "0.000"
                ),
                CellStyle.Share => cell.NumberValue is > 0 and < 0.005 ? "< 0.01" : Number(cell, "0.00"),
                CellStyle.Change or CellStyle.ChangeBetter or CellStyle.ChangeWorse => Number(cell, "+#,##0.0%;-#,##0.0%;0.0%"),
                CellStyle.DateTime => DateTime.FromOADate(cell.NumberValue).ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture),
                _ => Number(cell, "0.######"),
            },
            _ => "",
        };

    /// <summary>Invisible digits that align the decimal points of a column. They are not copied.</summary>
    private static string Blank(CellValue cell) =>
        (cell.Kind, cell.Style, cell.NumberValue) switch
        {
            (CellKind.Number, CellStyle.Rate, >= 100) => Hidden(".00"),
            (CellKind.Number, CellStyle.Rate, >= 10) => Hidden("0"),
            (CellKind.Number, CellStyle.Milliseconds, >= 100) => Hidden(".000"),
            (CellKind.Number, CellStyle.Milliseconds, >= 10) => Hidden("00"),
            _ => "",
        };

    private static string Hidden(string digits) => $"<span style=\"visibility:hidden\">{digits}</span>";

    private static string Number(CellValue cell, string format) => cell.NumberValue.ToString(format, CultureInfo.InvariantCulture);
}
