using System.Globalization;
using System.Text;
using IoBench.Analysis;

namespace IoBench.Reports;

/// <summary>A mail body of about 20 lines. All styles are inline, because mail programs drop style sheets.</summary>
internal static class HtmlMailBody
{
    /// <summary>In bytes.</summary>
    public const int MaxLength = 10_000;

    private const int MaxRows = 12,
        MaxAdvice = 3,
        MaxNotes = 3,
        MaxSentence = 1200,
        MaxLine = 400;
    private const string CellPadding = "padding:3px 10px;border-bottom:1px solid #" + Palette.LineColor;

    public static void WriteBody(Stream stream, ReportContext context)
    {
        // Long names can make a line long. The verdict and the table stay.
        var body = CreateBody(context, MaxRows, MaxAdvice, MaxNotes);
        for (var lines = MaxNotes - 1; body.Length > MaxLength && lines >= 0; lines--)
            body = CreateBody(context, 2 * (lines + 1), lines, lines);
        stream.Write(body);
    }

    private static byte[] CreateBody(ReportContext context, int maxRows, int maxAdvice, int maxNotes)
    {
        var (verdict, values) = SummarySection.GetValues(context);
        var answers = context.Sides.Sides.SelectMany(side => Verdict.Create(side.Runs, context.RuleSet).Answers).ToList();
        var html = new StringBuilder();
        var generator = HtmlReportWriter.EscapeHtml(WorkbookWriter.ProgramVersion);
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
        html.Append(CultureInfo.InvariantCulture, $"<td{attributes} style=\"{CellPadding}{style}\">{Escape(text, MaxLine)}</td>");

    private static void AppendParagraph(StringBuilder html, string text, int maxLength, string style) =>
        html.Append(CultureInfo.InvariantCulture, $"<p style=\"margin:8px 0;{style}\">{Escape(text, maxLength)}</p>\n");

    private static string Escape(string text, int maxLength) => HtmlReportWriter.EscapeHtml(RunDescription.ShortenMiddle(text, maxLength));
}
