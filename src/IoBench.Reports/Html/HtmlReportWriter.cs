using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>One self-contained file without scripts. Some mail programs drop style sheets, so essential styles are inline.</summary>
internal static class HtmlReportWriter
{
    private const double PageWidth = 1080,
        Gap = 12;

    /// <summary>Longer tables are too slow for browsers and mail programs. The workbook has all rows.</summary>
    private const int MaxRows = 500;
    private const int MaxOpenColumns = 20;

    /// <summary>Charts are drawn again at this width, because shrunk letters are too small on a phone.</summary>
    private const double NarrowWidth = 360;
    private const int MaxStackedColumns = 10;

    public static void WriteDocument(Stream stream, ReportDocument document)
    {
        using var writer = new StreamWriter(stream, new UTF8Encoding(false), 1 << 16, leaveOpen: true) { NewLine = "\n" };
        var title = HtmlReportWriter.EscapeHtml(document.Title);
        writer.WriteLine("<!DOCTYPE html>");
        writer.WriteLine(
            $"<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"generator\" content=\"IoBench {HtmlReportWriter.EscapeHtml(WorkbookWriter.ProgramVersion)}\"><title>{title}</title>"
        );
        writer.WriteLine($"<style>{HtmlReportWriter.Css}</style></head><body>");
        writer.WriteLine($"<h1>{title}</h1>");
        if (document.Sections.Count > 1)
            writer.WriteLine(
                $"<nav>{string.Concat(document.Sections.Select(section => $"<a href=\"#{section.Name}\">{section.Name}</a>"))}</nav>"
            );
        foreach (var section in document.Sections)
            WriteSection(writer, section, document.Title);
        writer.WriteLine(
            $"<p class=\"small\">Written {DateTime.UtcNow.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture)} UTC by IoBench {HtmlReportWriter.EscapeHtml(WorkbookWriter.ProgramVersion)}.</p></body></html>"
        );
    }

    private static void WriteSection(StreamWriter writer, ReportSection section, string title)
    {
        writer.WriteLine(
            $"<section id=\"{section.Name}\"{(section.IsPrinted ? "" : " class=\"screen\"")}><h2>{HtmlReportWriter.EscapeHtml(section.Title == title ? section.Name : section.Title)}</h2>"
        );
        var shown = section.PrintedBlockCount ?? section.Blocks.Count;
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
                    WriteHeatMaps(writer, maps);
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
        var escaped = HtmlReportWriter.EscapeHtml(text.Text);
        writer.WriteLine(
            text.Style switch
            {
                CellStyle.Heading => $"<h3>{escaped}</h3>",
                CellStyle.Lead => $"<p class=\"lead\" style=\"font-size:17px;font-weight:bold;color:#{Palette.HeaderFill}\">{escaped}</p>",
                CellStyle.Small => $"<p class=\"small\" style=\"font-size:11px;color:#{Palette.MutedTextColor}\">{escaped}</p>",
                _ => $"<p>{escaped}</p>",
            }
        );
    }

    private static void WriteCharts(StreamWriter writer, ChartsBlock charts)
    {
        foreach (var line in charts.ChartLines)
        {
            var width = (PageWidth - Gap * (line.Count - 1)) / line.Count;
            writer.WriteLine("<div class=\"line\">");
            foreach (var chart in line)
                WriteImage(writer, width, slim => SvgChart.Draw(chart, slim));
            writer.WriteLine("</div>");
        }
    }

    private static void WriteHeatMaps(StreamWriter writer, HeatMapBlock maps)
    {
        var width = (PageWidth - Gap * (maps.MapsPerLine - 1)) / maps.MapsPerLine;
        writer.WriteLine("<div class=\"line\">");
        foreach (var map in maps.Maps)
        {
            writer.WriteLine(
                $"<div class=\"map\" style=\"display:inline-block;vertical-align:top;width:{SvgWriter.FormatNumber(width)}px;max-width:100%\"><h3>{HtmlReportWriter.EscapeHtml(map.Name)}</h3>"
            );
            WriteImage(writer, width, each => HeatMapSvg.Draw(map, each));
            writer.WriteLine("</div>");
        }
        writer.WriteLine("</div>");
    }

    private static void WriteImage(StreamWriter writer, double width, Func<double, string> draw)
    {
        writer.WriteLine(
            $"<div class=\"chart\" style=\"display:inline-block;vertical-align:top;width:{SvgWriter.FormatNumber(width)}px;max-width:100%\">{draw(width)}</div>"
        );
        writer.WriteLine($"<div class=\"slim\" style=\"display:none\" aria-hidden=\"true\">{draw(NarrowWidth)}</div>");
    }

    private static void WriteTable(StreamWriter writer, TableBlock table)
    {
        // A table of every property is for lookup, so it starts collapsed.
        var folded = table.Columns.Count > MaxOpenColumns;
        writer.Write(
            folded
                ? $"<details><summary>{table.Columns.Count} columns, {table.RowCount.ToString("#,##0", CultureInfo.InvariantCulture)} {(table.RowCount == 1 ? "row" : "rows")}</summary><div class=\"wide\">"
                : "<div class=\"wide\">"
        );
        // On a phone, a short text table is stacked. A table for sorting and comparing scrolls sideways.
        var isStacked = !table.IsFilterable && table.Columns.Count <= MaxStackedColumns;
        if (isStacked)
            writer.WriteLine(HtmlReportWriter.CreateStackedTableRules(table));
        writer.Write(
            isStacked ? $"<table cellspacing=\"0\" class=\"stack {table.Name}\"><thead><tr>"
            : table.Columns.Count > MaxStackedColumns ? "<table cellspacing=\"0\" class=\"many\"><thead><tr>"
            : "<table cellspacing=\"0\"><thead><tr>"
        );
        foreach (var column in table.Columns)
        {
            writer.Write(
                $"<th class=\"{GetCssClass(column)}\" bgcolor=\"#{Palette.HeaderFill}\" style=\"background:#{Palette.HeaderFill};color:#FFFFFF;text-align:{(column.IsCentered ? "center" : column.IsNumber ? "right" : "left")}\">{HtmlReportWriter.EscapeHtml(column.Header)}</th>"
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
            CellStyle.Pass or CellStyle.ChangeBetter => FormatFill(Palette.PassFill, Palette.PassText, true),
            CellStyle.Warning => FormatFill(Palette.WarningFill, Palette.WarningText, true),
            CellStyle.Fail or CellStyle.ChangeWorse => FormatFill(Palette.FailFill, Palette.FailText, true),
            CellStyle.Neutral => FormatFill(Palette.NeutralFill, Palette.NeutralText, false),
            >= CellStyle.HeatFigure1 and <= CellStyle.HeatFigure8 => FormatFill(
                Palette.HeatRamp[cell.Style - CellStyle.HeatFigure1],
                Palette.GetHeatTextColor(cell.Style - CellStyle.HeatFigure1),
                false
            ),
            CellStyle.Strong or CellStyle.Figure => " style=\"font-weight:bold\"",
            _ => "",
        };
        // Stacked cells without a value are hidden on a phone.
        var none = cell is { Kind: CellKind.Text, TextValue: "-" } ? " none" : "";
        writer.Write(
            $"<td class=\"{GetCssClass(column)}{none}\"{(column.IsNumber ? " align=\"right\"" : column.IsCentered ? " align=\"center\"" : "")}{look}>{HtmlReportWriter.EscapeHtml(FormatCell(cell))}{FormatPadding(cell)}</td>"
        );
    }

    private static string GetCssClass(TableColumn column) =>
        column.IsCentered ? "c"
        : column.IsNumber ? "n"
        : "t";

    private static string FormatFill(string fill, string text, bool bold) =>
        $" bgcolor=\"#{fill}\" style=\"background:#{fill};color:#{text}{(bold ? ";font-weight:bold" : "")}\"";

    private static string FormatCell(CellValue cell) =>
        cell.Kind switch
        {
            CellKind.Text => cell.TextValue!,
            CellKind.Number => cell.Style switch
            {
                CellStyle.Integer or (>= CellStyle.HeatFigure1 and <= CellStyle.HeatFigure8) => FormatNumber(cell, "#,##0"),
                CellStyle.OneDecimal => FormatNumber(cell, "#,##0.0"),
                CellStyle.TwoDecimals => FormatNumber(cell, "#,##0.00"),
                CellStyle.ThreeDecimals => FormatNumber(cell, "#,##0.000"),
                CellStyle.Rate => FormatNumber(
                    cell,
                    cell.NumberValue >= 100 ? "#,##0"
                        : cell.NumberValue >= 10 ? "0.0"
                        : "0.00"
                ),
                CellStyle.Milliseconds => FormatNumber(
                    cell,
                    cell.NumberValue >= 100 ? "#,##0"
                        : cell.NumberValue >= 10 ? "0.0"
                        : "0.000"
                ),
                CellStyle.Share => cell.NumberValue is > 0 and < 0.005 ? "< 0.01" : FormatNumber(cell, "0.00"),
                CellStyle.Change or CellStyle.ChangeBetter or CellStyle.ChangeWorse => FormatNumber(cell, "+#,##0.0%;-#,##0.0%;0.0%"),
                CellStyle.DateTime => DateTime.FromOADate(cell.NumberValue).ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture),
                _ => FormatNumber(cell, "0.######"),
            },
            _ => "",
        };

    /// <summary>Invisible digits that align the decimal points of a column. They are not copied.</summary>
    private static string FormatPadding(CellValue cell) =>
        (cell.Kind, cell.Style, cell.NumberValue) switch
        {
            (CellKind.Number, CellStyle.Rate, >= 100) => FormatHidden(".00"),
            (CellKind.Number, CellStyle.Rate, >= 10) => FormatHidden("0"),
            (CellKind.Number, CellStyle.Milliseconds, >= 100) => FormatHidden(".000"),
            (CellKind.Number, CellStyle.Milliseconds, >= 10) => FormatHidden("00"),
            _ => "",
        };

    private static string FormatHidden(string digits) => $"<span style=\"visibility:hidden\">{digits}</span>";

    private static string FormatNumber(CellValue cell, string format) => cell.NumberValue.ToString(format, CultureInfo.InvariantCulture);

    /// <summary>Escapes HTML and SVG markup, and control characters and direction marks, which could disguise a text.</summary>
    public static string EscapeHtml(string text)
    {
        text = SafeText.EscapeLines(text);
        var result = new StringBuilder(text.Length + 16);
        for (var index = 0; index < text.Length; index++)
        {
            var character = text[index];
            _ = character switch
            {
                '&' => result.Append("&amp;"),
                '<' => result.Append("&lt;"),
                '>' => result.Append("&gt;"),
                '"' => result.Append("&quot;"),
                '\'' => result.Append("&#39;"),
                '\t' or '\n' or '\r' => result.Append(' '),
                '\uFFFE' or '\uFFFF' => result.Append('\uFFFD'),
                _ => result.Append(character),
            };
        }
        return result.ToString();
    }

    /// <summary>For mail programs, images have colors at their elements. CSS rules override those.</summary>
    public static readonly string Css = CssTemplate.Replace("%heat%", CreateDarkHeatMapRules(), StringComparison.Ordinal);

    private const string CssTemplate = """
        body{margin:0 auto;max-width:1080px;padding:16px;font:13px/1.45 Arial,Helvetica,sans-serif;color:#1F2933;background:#fff;overflow-wrap:break-word}
        h1{font-size:24px;margin:8px 0}h2{font-size:19px;margin:34px 0 8px;border-bottom:2px solid #1F4E79;padding-bottom:4px}h3{font-size:15px;color:#1F4E79;margin:18px 0 6px}
        p{margin:5px 0}p.lead{font-size:17px;font-weight:bold;color:#1F4E79;margin:10px 0}p.small{font-size:11px;color:#5F6B76}
        table{border-collapse:collapse;margin:8px 0 14px;font-size:12px}th{padding:4px 6px;text-align:left;vertical-align:bottom}td{padding:3px 6px;border-bottom:1px solid #D5DBE1}td:first-child{white-space:nowrap}
        .n{text-align:right}.c{text-align:center}td.n,td.c{white-space:nowrap}td.t{min-width:90px}table.many{font-size:11px}table.many th,table.many td{padding:3px 4px}table.many td.t{min-width:60px}nav a{margin-right:14px;color:#1F4E79}.wide{overflow-x:auto}svg{display:block;height:auto}.line{display:flex;flex-wrap:wrap;gap:12px;margin:6px 0}
        @media screen and (min-width:1320px){body{max-width:1280px}.line .chart,.map{flex:1 1 0}.map .chart{width:100%!important}.line svg{max-width:none!important}}
        @media screen and (max-width:640px){
        body{padding:10px;font-size:15px}h1{font-size:20px}.chart{display:none!important}.slim{display:block!important;margin:8px 0;width:100%}.slim svg{max-width:100%!important}
        table.stack thead{display:none}table.stack,table.stack tbody,table.stack tr{display:block}table.stack tr{border-bottom:2px solid #D5DBE1;padding:6px 0}
        table.stack td{display:flex;justify-content:space-between;gap:12px;text-align:right;white-space:normal;border:0;font-size:14px}table.stack td:first-child{font-size:15px;white-space:normal}
        table.stack td::before{color:#5F6B76;text-align:left;font-weight:normal}table.Findings td{display:block!important;text-align:left!important}table.Findings td::before{display:block}table.stack td:empty,table.stack td.none{display:none}
        nav a{display:inline-block;padding:4px 0}}
        @media screen and (prefers-color-scheme:dark){
        body{color:#E4E8EC;background:#15191D}h2{border-color:#7FB2E5}h3,p.lead,nav a,summary{color:#9CC7F0!important}p.small{color:#A3AEB8!important}td{border-color:#38414A}table.stack td::before{color:#A3AEB8}table.stack td[bgcolor]::before{color:#4A545E}
        svg{fill:#E4E8EC}svg [fill="#FFFFFF"]{fill:#1D2329}svg [fill="#1F2933"]{fill:#E4E8EC}svg [fill="#5F6B76"]{fill:#A3AEB8}svg [fill="#1F4E79"]{fill:#9CC7F0}svg [stroke="#D5DBE1"]{stroke:#38414A}svg [stroke="#1F2933"]{stroke:#E4E8EC}
        svg [fill="#332288"]{fill:#8F83E0}svg [stroke="#332288"]{stroke:#8F83E0}svg [fill="#000000"],svg [fill="#1A1A1A"]{fill:#E4E8EC}svg [stroke="#000000"]{stroke:#E4E8EC}svg [fill="#5A5A5A"]{fill:#9A9A9A}svg [stroke="#5A5A5A"]{stroke:#9A9A9A}
        svg [fill="#0B4F82"]{fill:#4B94CF}svg [stroke="#0B4F82"]{stroke:#4B94CF}svg [fill="#4A1500"],svg [fill="#8A2A00"]{fill:#F2A27C}svg [fill="#8A3300"]{fill:#DB7433}svg [fill="#622000"]{fill:#F2A27C}svg [fill="#3A1000"]{fill:#FCDCCB}svg [stroke="#8A2A00"]{stroke:#F2A27C}svg [stroke="#FFFFFF"]{stroke:#1D2329}
        %heat%}
        @media print{
        @page{size:A4 landscape;margin:8mm}body{max-width:none;padding:0;font-size:11px}nav,.screen,.slim{display:none!important}.wide{overflow:visible}h2,h3,h2+p,h3+p{break-after:avoid}tr,svg,.chart{break-inside:avoid}
        thead{display:table-header-group}body{line-height:1.3}table,table.many{font-size:8.5px;margin:4px 0 8px}th,td,table.many th,table.many td{padding:1px 4px}td.t{min-width:0}td,th{print-color-adjust:exact;-webkit-print-color-adjust:exact}.line{flex-wrap:nowrap;break-inside:avoid}svg{max-height:54mm;margin:0 auto}#Summary svg{max-height:50mm}#HeatMap svg{max-height:40mm}tbody tr:nth-child(-n+4){break-before:avoid}h1{font-size:19px;margin:0 0 4px}h2{font-size:15px;margin:10px 0 4px;padding-bottom:2px}h3{font-size:12px;margin:6px 0 2px}p{margin:3px 0}p.lead{font-size:14px!important;margin:5px 0}p.small{font-size:9px!important}.chart,.map{flex:1 1 0;width:auto!important}.map{break-inside:avoid}.wide:has(table.Host){columns:3}#Settings table.many{font-size:7.5px}}
        """;

    /// <summary>Empty cells are as dark as the page, and the ramp is reversed. The text of a cell follows its color.</summary>
    private static string CreateDarkHeatMapRules() =>
        $"svg [fill=\"#{Palette.HeatBackground}\"]{{fill:#{Palette.HeatBackgroundDark}}}"
        + string.Concat(
            Palette
                .HeatRamp.Zip(Palette.HeatRampDark, (light, dark) => (light, dark))
                .Select(
                    (pair, level) =>
                        $"svg [fill=\"#{pair.light}\"]{{fill:#{pair.dark}}}td[bgcolor=\"#{pair.light}\"]{{background:#{pair.dark}!important;color:#{Palette.GetHeatTextColor(Palette.HeatRamp.Count - 1 - level)}!important}}"
                )
        );

    /// <summary>On a phone, each cell of a stacked table shows its header. The rules apply to this table only.</summary>
    public static string CreateStackedTableRules(TableBlock table)
    {
        var rules = string.Concat(
            table
                .Columns.Skip(1)
                .Select(
                    (column, index) =>
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"table.{table.Name} td:nth-child({index + 2})::before{{content:\"{EscapeCssText(column.Header)}\"}}"
                        )
                )
        );
        return $"<style>@media screen and (max-width:640px){{{rules}}}</style>";
    }

    /// <summary>Escapes every character that could end a CSS string.</summary>
    private static string EscapeCssText(string text) =>
        string.Concat(
            SafeText
                .Escape(text)
                .Select(character =>
                    char.IsAsciiLetterOrDigit(character) || character is ' ' or '(' or ')' or '-' or '.'
                        ? character.ToString()
                        : string.Create(CultureInfo.InvariantCulture, $"\\{(int)character:X} ")
                )
        );
}
