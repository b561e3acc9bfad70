using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>One self-contained file without scripts. Some mail programs drop style sheets, so essential styles are inline.</summary>
internal static partial class HtmlReportWriter
{
    private const double PageWidth = 1080,
        Gap = 12;

    /// <summary>Longer tables are too slow for browsers and mail programs. The workbook has all rows.</summary>
    private const int MaxRows = 500;
    private const int MaxOpenColumns = 20;

    /// <summary>Text columns with at least this minimum width, in characters, hold sentences or paths. A browser must not squeeze
    /// them.</summary>
    private const double LongTextWidth = 30,
        VeryLongTextWidth = 60;

    /// <summary>Charts are drawn again at this width, because shrunk letters are too small on a phone.</summary>
    private const double NarrowWidth = 360;
    private const int MaxStackedColumns = 10;

    public static void WriteDocument(Stream stream, ReportDocument document)
    {
        using var writer = new StreamWriter(stream, new UTF8Encoding(false), 1 << 16, leaveOpen: true) { NewLine = "\n" };
        var title = EscapeHtml(document.Title);
        writer.WriteLine("<!DOCTYPE html>");
        writer.WriteLine(
            $"<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"generator\" content=\"IoBench {EscapeHtml(WorkbookWriter.ProgramVersion)}\"><title>{title}</title>"
        );
        writer.WriteLine($"<style>{Css}</style></head><body>");
        writer.WriteLine($"<h1>{title}</h1>");
        if (document.Sections.Count > 1)
            writer.WriteLine(
                $"<nav>{string.Concat(document.Sections.Select(section => $"<a href=\"#{section.Name}\">{section.Name}</a>"))}</nav>"
            );
        foreach (var section in document.Sections)
            WriteSection(writer, section, document.Title);
        writer.WriteLine(
            $"<p class=\"small\">Written {DateTime.UtcNow.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture)} UTC by IoBench {EscapeHtml(WorkbookWriter.ProgramVersion)}.</p></body></html>"
        );
    }

    private static void WriteSection(StreamWriter writer, ReportSection section, string title)
    {
        writer.WriteLine(
            $"<section id=\"{section.Name}\"{(section.IsPrinted ? "" : " class=\"screen\"")}><h2>{EscapeHtml(section.Title == title ? section.Name : section.Title)}</h2>"
        );
        var shown = section.PrintedBlockCount ?? section.Blocks.Count;
        foreach (var block in section.Blocks.Take(shown))
        {
            switch (block)
            {
                case TextBlock text:
                    WriteText(writer, text);
                    break;
                case TableBlock { HeatMaps.Count: > 0 } table:
                    WriteHeatMaps(writer, table);
                    break;
                case TableBlock table:
                    WriteTable(writer, table);
                    break;
                case ChartsBlock charts:
                    WriteCharts(writer, charts);
                    break;
            }
        }
        if (shown < section.Blocks.Count)
            writer.WriteLine("<p class=\"small\">The workbook contains every interval.</p>");
        writer.WriteLine("</section>");
    }

    private static void WriteText(StreamWriter writer, TextBlock text)
    {
        var escaped = EscapeHtml(text.Text);
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

    private static void WriteHeatMaps(StreamWriter writer, TableBlock table)
    {
        var width = (PageWidth - Gap * (table.HeatMapsPerLine - 1)) / table.HeatMapsPerLine;
        writer.WriteLine("<div class=\"line\">");
        foreach (var map in table.HeatMaps)
        {
            writer.WriteLine(
                $"<div class=\"map\" style=\"display:inline-block;vertical-align:top;width:{SvgWriter.FormatNumber(width)}px;max-width:100%\"><h3>{EscapeHtml(map.Name)}</h3>"
            );
            WriteImage(writer, width, each => map.DrawSvg(each));
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
            writer.WriteLine(CreateStackedTableRules(table));
        writer.Write(
            isStacked ? $"<table cellspacing=\"0\" class=\"stack {table.Name}\"><thead><tr>"
            : table.Columns.Count > MaxStackedColumns ? "<table cellspacing=\"0\" class=\"many\"><thead><tr>"
            : "<table cellspacing=\"0\"><thead><tr>"
        );
        foreach (var column in table.Columns)
        {
            writer.Write(
                $"<th class=\"{GetCssClass(column)}\" bgcolor=\"#{Palette.HeaderFill}\" style=\"background:#{Palette.HeaderFill};color:#FFFFFF;text-align:{(column.IsCentered ? "center" : column.IsNumber ? "right" : "left")}\">{EscapeHtml(column.Header)}</th>"
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
                Invariant(
                    $"<p class=\"small\">The first {rows:#,##0} of {table.RowCount:#,##0} rows. The workbook contains all of them.</p>"
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
        var none = cell.TextValue == "-" ? " none" : "";
        writer.Write(
            $"<td class=\"{GetCssClass(column)}{GetWidthClass(cell, column)}{none}\"{(column.IsNumber ? " align=\"right\"" : column.IsCentered ? " align=\"center\"" : "")}{look}>{EscapeHtml(FormatCell(cell))}{FormatPadding(cell)}</td>"
        );
    }

    private static string GetWidthClass(CellValue cell, TableColumn column) =>
        column.MinWidth >= VeryLongTextWidth ? " x"
        : cell.Style == CellStyle.Wrapped || column.MinWidth >= LongTextWidth ? " w"
        : "";

    private static string GetCssClass(TableColumn column) =>
        column.IsCentered ? "c"
        : column.IsNumber ? "n"
        : "t";

    private static string FormatFill(string fill, string text, bool bold) =>
        $" bgcolor=\"#{fill}\" style=\"background:#{fill};color:#{text}{(bold ? ";font-weight:bold" : "")}\"";

    private static string FormatCell(CellValue cell)
    {
        if (cell.NumberValue is not { } number)
            return cell.TextValue ?? "";
        return cell.Style switch
        {
            CellStyle.Integer or (>= CellStyle.HeatFigure1 and <= CellStyle.HeatFigure8) => FormatNumber(number, "#,##0"),
            CellStyle.OneDecimal => FormatNumber(number, "#,##0.0"),
            CellStyle.TwoDecimals => FormatNumber(number, "#,##0.00"),
            CellStyle.ThreeDecimals => FormatNumber(number, "#,##0.000"),
            CellStyle.Rate => FormatNumber(
                number,
                number >= 100 ? "#,##0"
                    : number >= 10 ? "0.0"
                    : "0.00"
            ),
            CellStyle.Milliseconds => FormatNumber(
                number,
                number >= 100 ? "#,##0"
                    : number >= 10 ? "0.0"
                    : "0.000"
            ),
            CellStyle.Share => number is > 0 and < 0.005 ? "< 0.01" : FormatNumber(number, "0.00"),
            CellStyle.Change or CellStyle.ChangeBetter or CellStyle.ChangeWorse => FormatNumber(number, "+#,##0.0%;-#,##0.0%;0.0%"),
            CellStyle.DateTime => DateTime.FromOADate(number).ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture),
            _ => FormatNumber(number, "0.######"),
        };
    }

    /// <summary>Invisible digits that align the decimal points of a column. They are not copied.</summary>
    private static string FormatPadding(CellValue cell) =>
        (cell.Style, cell.NumberValue) switch
        {
            (CellStyle.Rate, >= 100) => FormatHidden(".00"),
            (CellStyle.Rate, >= 10) => FormatHidden("0"),
            (CellStyle.Milliseconds, >= 100) => FormatHidden(".000"),
            (CellStyle.Milliseconds, >= 10) => FormatHidden("00"),
            _ => "",
        };

    private static string FormatHidden(string digits) => $"<span style=\"visibility:hidden\">{digits}</span>";

    private static string FormatNumber(double number, string format) => number.ToString(format, CultureInfo.InvariantCulture);

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
    public static readonly string Css = ReadStyleSheet().Replace("%heat%", CreateDarkHeatMapRules(), StringComparison.Ordinal);

    private static string ReadStyleSheet()
    {
        using var stream = typeof(HtmlReportWriter).Assembly.GetManifestResourceStream("report.css")!;
        using var reader = new StreamReader(stream);
        return GetStyleSheetSpacing().Replace(reader.ReadToEnd(), match => match.Value.Trim()).Replace(";}", "}", StringComparison.Ordinal);
    }

    // A report is often mailed, so the style sheet has no spaces that CSS does not need.
    [GeneratedRegex(@"\s*[{}]\s*|;\s+|: ")]
    private static partial Regex GetStyleSheetSpacing();

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
                        Invariant($"table.{table.Name} td:nth-child({index + 2})::before{{content:\"{EscapeCssText(column.Header)}\"}}")
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
                        : Invariant($"\\{(int)character:X} ")
                )
        );

    /// <summary>Bytes of the body of a mail.</summary>
    private const int MaxBodyLength = 10_000;

    private const int MaxBodyRows = 12,
        MaxAdvice = 3,
        MaxNotes = 3,
        MaxSentence = 1200,
        MaxLine = 400;
    private const string CellPadding = "padding:3px 10px;border-bottom:1px solid #" + Palette.LineColor;

    /// <summary>A mail body of about 20 lines. All styles are inline, because mail programs drop style sheets.</summary>
    public static void WriteBody(Stream stream, ReportContext context)
    {
        // Long names can make a line long. The verdict and the table stay.
        var body = CreateBody(context, MaxBodyRows, MaxAdvice, MaxNotes);
        for (var lines = MaxNotes - 1; body.Length > MaxBodyLength && lines >= 0; lines--)
            body = CreateBody(context, 2 * (lines + 1), lines, lines);
        stream.Write(body);
    }

    private static byte[] CreateBody(ReportContext context, int maxRows, int maxAdvice, int maxNotes)
    {
        var (verdict, values) = SummarySection.GetValues(context);
        var answers = context.Sides.Sides.SelectMany(side => Verdict.Create(side.Runs, context.RuleSet).Answers).ToList();
        var html = new StringBuilder();
        var generator = EscapeHtml(WorkbookWriter.ProgramVersion);
        html.Append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
        html.Append(CultureInfo.InvariantCulture, $"<meta name=\"generator\" content=\"IoBench {generator}\"></head>\n");
        html.Append(
            CultureInfo.InvariantCulture,
            $"<body style=\"font-family:Segoe UI,Arial,sans-serif;font-size:14px;color:#{Palette.TextColor}\">\n"
        );
        AppendParagraph(html, verdict, MaxSentence, "font-size:16px;font-weight:bold");
        html.Append("<table cellspacing=\"0\" style=\"border-collapse:collapse\">\n");
        foreach (var value in values.Take(maxRows))
            AppendRow(html, value);
        html.Append("</table>\n");
        if (values.Count > maxRows)
            AppendParagraph(html, $"{values.Count - maxRows} more values are in the report.", MaxLine, "");
        foreach (var advice in SummaryMessages.GetAdvice(context, answers).Take(maxAdvice))
            AppendParagraph(html, "To do: " + advice, MaxLine, "");
        var notes = SummaryMessages.DescribeSources(context, answers).Take(1).Concat(SummaryMessages.DescribeReliability(context));
        foreach (var note in notes.Take(maxNotes))
            AppendParagraph(html, note, MaxLine, $"font-size:12px;color:#{Palette.MutedTextColor}");
        html.Append("</body></html>\n");
        return Encoding.UTF8.GetBytes(html.ToString());
    }

    private static void AppendRow(StringBuilder html, SummaryValue value)
    {
        var (fill, text) = (value.Outcome, value.Severity) switch
        {
            (VerdictOutcome.Fail, _) or (null, FindingSeverity.Critical) => (Palette.FailFill, Palette.FailText),
            (_, FindingSeverity.Warning) => (Palette.WarningFill, Palette.WarningText),
            (VerdictOutcome.Pass, _) => (Palette.PassFill, Palette.PassText),
            _ => (Palette.NeutralFill, Palette.NeutralText),
        };
        html.Append("<tr>");
        AppendCell(html, value.Label, "", "");
        AppendCell(html, value.Text, " align=\"right\"", ";font-weight:bold");
        AppendCell(html, value.Rating, $" bgcolor=\"#{fill}\"", $";background:#{fill};color:#{text}");
        html.Append("</tr>\n");
    }

    private static void AppendCell(StringBuilder html, string text, string attributes, string style) =>
        html.Append(CultureInfo.InvariantCulture, $"<td{attributes} style=\"{CellPadding}{style}\">{EscapeShortened(text, MaxLine)}</td>");

    private static void AppendParagraph(StringBuilder html, string text, int maxLength, string style) =>
        html.Append(CultureInfo.InvariantCulture, $"<p style=\"margin:8px 0;{style}\">{EscapeShortened(text, maxLength)}</p>\n");

    private static string EscapeShortened(string text, int maxLength) => EscapeHtml(RunDescription.ShortenMiddle(text, maxLength));
}
