using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class SummaryImage
{
    public const int Width = 1200;

    public const int Height = 630;

    private const double Margin = 36,
        TitleHeight = 64,
        TileHeight = 96,
        TileGap = 12;

    /// <summary>Letters can be this much wider if neither Arial nor Helvetica is installed.</summary>
    private const double FontWidthMargin = 1.2;
    private const int MaxTiles = 5,
        MaxVerdictLines = 3,
        MaxFooterLines = 2;

    public static string Draw(ReportContext context)
    {
        var summary = SummarySection.GetValues(context);
        var svg = new SvgWriter();
        svg.AddBox(0, 0, Width, TitleHeight, Palette.HeaderFill);
        svg.AddText(Margin, 42, RunDescription.ShortenMiddle(context.Title, 64), size: 26, bold: true, color: "FFFFFF");
        var y = TitleHeight + 36;
        foreach (var line in WrapText(summary.Verdict, 20, Width - 2 * Margin, MaxVerdictLines, bold: true))
        {
            svg.AddText(Margin, y, line, size: 20, bold: true, color: Palette.HeaderFill);
            y += 26;
        }
        DrawTiles(svg, summary.Values, y);
        y += TileHeight + 2 * TileGap;
        var small = CreateFooter(context);
        var bottom = Height - 14 - small.Count * 15;
        DrawMainChart(svg, context, y, bottom - y - 12);
        foreach (var (line, index) in small.Select((line, index) => (line, index)))
            svg.AddText(Margin, bottom + 8 + index * 15, line, size: 11, color: Palette.MutedTextColor);
        return svg.CreateImage(Width, Height, summary.Verdict, isFile: true);
    }

    private static void DrawTiles(SvgWriter svg, IReadOnlyList<SummaryValue> figures, double y)
    {
        var shown = figures.Take(MaxTiles).ToList();
        var width = (Width - 2 * Margin - (MaxTiles - 1) * TileGap) / MaxTiles;
        foreach (var (figure, index) in shown.Select((figure, index) => (figure, index)))
        {
            var x = Margin + index * (width + TileGap);
            var (fill, text) = (figure.Outcome, figure.Severity) switch
            {
                (VerdictOutcome.Fail, _) => (Palette.FailFill, Palette.FailText),
                (not null, FindingSeverity.Warning) => (Palette.WarningFill, Palette.WarningText),
                (VerdictOutcome.Pass, _) => (Palette.PassFill, Palette.PassText),
                _ => (Palette.NeutralFill, Palette.NeutralText),
            };
            svg.AddBox(x, y, width, TileHeight, fill);
            svg.AddText(x + 12, y + 22, RunDescription.ShortenMiddle(figure.Label, 32), size: 13, color: text);
            svg.AddText(
                x + 12,
                y + 56,
                figure.Text,
                size: Math.Min(26, 26 * (width - 24) / FontWidthMargin / TextWidth.Measure(figure.Text, 26, bold: true)),
                bold: true,
                color: text
            );
            svg.AddText(x + 12, y + 82, figure.Rating, size: 13, bold: true, color: text);
        }
    }

    private static void DrawMainChart(SvgWriter svg, ReportContext context, double y, double height)
    {
        if (context.HeatMaps.Count > 0)
        {
            // Prefer a map with a stall.
            var map = context.HeatMaps.FirstOrDefault(item => item.DescribeStalls() is not null) ?? context.HeatMaps[0];
            svg.AddText(Margin, y + 12, map.DescribeStalls() ?? map.Name, size: 13, bold: true);
            map.DrawInto(svg, Margin, y + 22, Width - 2 * Margin, height - 22);
            return;
        }
        var charts = SummarySection.CreateCharts(context).Take(3).ToList();
        var width = (Width - 2 * Margin - TileGap * (charts.Count - 1)) / Math.Max(1, charts.Count);
        foreach (var (chart, index) in charts.Select((chart, index) => (chart, index)))
            svg.InsertImage(SvgChart.Draw(chart with { Height = height }, width), Margin + index * (width + TileGap), y, width, height);
    }

    private static List<string> CreateFooter(ReportContext context)
    {
        var first = context.Results[0];
        var parts = new[]
        {
            RunDescription.DescribeTool(first),
            first.ComputerName,
            first.Device,
            first.FileSystem,
            first.Backend,
            first.FileSizeMB is { } size ? "file " + NumberFormat.Size(size) : null,
            first.StartTime?.ToString("yyyy-MM-dd HH:mm zzz", CultureInfo.InvariantCulture),
            $"rule set {context.RuleSet.Name}",
            context.Results.Count > 1 ? Invariant($"{context.Results.Count:#,##0} runs") : null,
        };
        var lines = WrapText(
            string.Join("; ", parts.Where(part => !string.IsNullOrEmpty(part))),
            11,
            Width - 2 * Margin,
            MaxFooterLines,
            bold: false
        );
        if (SettingsSection.GetCommand(first) is { } command)
            lines.AddRange(
                WrapText(
                    (context.Results.Count > 1 ? "First test: " : "Repeat it: ") + command,
                    11,
                    Width - 2 * Margin,
                    MaxFooterLines,
                    bold: false
                )
            );
        return lines;
    }

    internal static List<string> WrapText(string text, double size, double width, int max, bool bold)
    {
        var lines = new List<string>();
        var line = "";
        foreach (var word in text.Split(' '))
        {
            var longer = line.Length == 0 ? word : line + " " + word;
            if (line.Length == 0 || TextWidth.Measure(longer, size, bold) * FontWidthMargin <= width)
            {
                line = longer;
                continue;
            }
            if (lines.Count == max - 1)
            {
                lines.Add(line + " …");
                return lines;
            }
            lines.Add(line);
            line = word;
        }
        lines.Add(line);
        return lines;
    }
}
