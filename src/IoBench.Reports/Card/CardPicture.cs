using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class CardPicture
{
    public const int Width = 1200;

    public const int Height = 630;

    private const double Edge = 36,
        TitleHeight = 64,
        TileHeight = 96,
        TileGap = 12;

    /// <summary>Letters can be this much wider if neither Arial nor Helvetica is installed.</summary>
    private const double OtherFonts = 1.2;
    private const int MaxTiles = 5,
        MaxVerdictLines = 3,
        MaxSmallLines = 2;

    public static string Draw(ReportContext context)
    {
        var summary = SummarySection.Figures(context);
        var svg = new SvgText();
        svg.Box(0, 0, Width, TitleHeight, Palette.HeaderFill);
        svg.Text(Edge, 42, RunText.Shorten(context.Title, 64), size: 26, bold: true, colour: "FFFFFF");
        var y = TitleHeight + 36;
        foreach (var line in Lines(summary.Verdict, 20, Width - 2 * Edge, MaxVerdictLines, bold: true))
        {
            svg.Text(Edge, y, line, size: 20, bold: true, colour: Palette.HeaderFill);
            y += 26;
        }
        DrawTiles(svg, summary.Figures, y);
        y += TileHeight + 2 * TileGap;
        var small = SmallPrint(context);
        var bottom = Height - 14 - small.Count * 15;
        DrawPicture(svg, context, y, bottom - y - 12);
        foreach (var (line, index) in small.Select((line, index) => (line, index)))
            svg.Text(Edge, bottom + 8 + index * 15, line, size: 11, colour: Palette.Muted);
        return svg.Picture(Width, Height, summary.Verdict, isFile: true);
    }

    private static void DrawTiles(SvgText svg, IReadOnlyList<SummaryFigure> figures, double y)
    {
        var shown = figures.Take(MaxTiles).ToList();
        var width = (Width - 2 * Edge - (MaxTiles - 1) * TileGap) / MaxTiles;
        foreach (var (figure, index) in shown.Select((figure, index) => (figure, index)))
        {
            var x = Edge + index * (width + TileGap);
            var (fill, text) = figure.Severity switch
            {
                FindingSeverity.Good => (Palette.GoodFill, Palette.GoodText),
                FindingSeverity.Watch => (Palette.WatchFill, Palette.WatchText),
                FindingSeverity.Bad => (Palette.BadFill, Palette.BadText),
                _ => (Palette.NeutralFill, Palette.NeutralText),
            };
            svg.Box(x, y, width, TileHeight, fill);
            svg.Text(x + 12, y + 22, RunText.Shorten(figure.Words, 32), size: 13, colour: text);
            svg.Text(
                x + 12,
                y + 56,
                figure.Text,
                size: Math.Min(26, 26 * (width - 24) / OtherFonts / TextWidth.Of(figure.Text, 26, bold: true)),
                bold: true,
                colour: text
            );
            svg.Text(x + 12, y + 82, figure.Rating, size: 13, bold: true, colour: text);
        }
    }

    private static void DrawPicture(SvgText svg, ReportContext context, double y, double height)
    {
        if (context.HeatMaps.Count > 0)
        {
            // Prefer a map with a stall.
            var map = context.HeatMaps.FirstOrDefault(item => Stalls.Say(item) is not null) ?? context.HeatMaps[0];
            svg.Text(Edge, y + 12, Stalls.Say(map) ?? map.Name, size: 13, bold: true);
            HeatMapSvg.DrawOn(svg, map, Edge, y + 22, Width - 2 * Edge, height - 22);
            return;
        }
        var charts = SummaryCharts.Of(context).Take(3).ToList();
        var width = (Width - 2 * Edge - TileGap * (charts.Count - 1)) / Math.Max(1, charts.Count);
        foreach (var (chart, index) in charts.Select((chart, index) => (chart, index)))
            svg.Insert(SvgChart.Draw(chart with { Height = height }, width), Edge + index * (width + TileGap), y, width, height);
    }

    private static List<string> SmallPrint(ReportContext context)
    {
        var first = context.Results[0];
        var parts = new[]
        {
            RunText.ToolVersion(first),
            first.ComputerName,
            first.Device,
            first.FileSystem,
            first.Backend,
            first.FileSizeMB is { } size ? "file " + Figures.Size(size) : null,
            first.StartTime?.ToString("yyyy-MM-dd HH:mm zzz", CultureInfo.InvariantCulture),
            $"rule set {context.RuleSet.Name}",
            context.Results.Count > 1 ? string.Create(CultureInfo.InvariantCulture, $"{context.Results.Count:#,##0} runs") : null,
        };
        var lines = Lines(
            string.Join("; ", parts.Where(part => !string.IsNullOrEmpty(part))),
            11,
            Width - 2 * Edge,
            MaxSmallLines,
            bold: false
        );
        if (SettingsSection.CommandOf(first) is { } command)
            lines.AddRange(
                Lines(
                    (context.Results.Count > 1 ? "First test: " : "Repeat it: ") + command,
                    11,
                    Width - 2 * Edge,
                    MaxSmallLines,
                    bold: false
                )
            );
        return lines;
    }

    internal static List<string> Lines(string text, double size, double width, int max, bool bold)
    {
        var lines = new List<string>();
        var line = "";
        foreach (var word in text.Split(' '))
        {
            var longer = line.Length == 0 ? word : line + " " + word;
            if (line.Length == 0 || TextWidth.Of(longer, size, bold) * OtherFonts <= width)
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
