namespace IoBench.Reports;

internal static class HeatMapSvg
{
    private const double Top = 8,
        LabelWidth = 74,
        Bottom = 40,
        RowHeight = 13;
    private const int MaxTicks = 8;

    public static string Draw(HeatMap map, double width)
    {
        var height = Top + Bottom + map.Bands.Count * RowHeight;
        var svg = new SvgWriter();
        DrawInto(svg, map, 10, Top, width - 20, height - Top);
        return svg.CreateImage(width, height, DescribeMap(map));
    }

    public static string DescribeMap(HeatMap map) =>
        map.DescribeStalls() ?? Invariant($"{map.Name}: I/Os by latency over {map.Duration:0.#} s, without a stall.");

    public static void DrawInto(SvgWriter svg, HeatMap map, double x, double y, double width, double height)
    {
        var left = x + LabelWidth;
        var right = x + width - 4;
        var bottom = y + height - Bottom;
        var cell = (right - left) / map.Ends.Count;
        var row = (bottom - y) / map.Bands.Count;
        var step = (int)Math.Ceiling(9 / row);
        svg.AddBox(left, y, right - left, bottom - y, Palette.HeatBackground);
        for (var band = 0; band < map.Bands.Count; band++)
        {
            var top = bottom - (band + 1) * row;
            if (band % step == 0)
                svg.AddText(left - 4, top + row / 2 + 3, map.Bands.GetName(band), "end", 8);
            DrawRow(svg, map, band, left, top, cell, row);
        }
        svg.AddLine(left, y, left, bottom, "9AA5B1");
        svg.AddLine(left, bottom, right, bottom, "9AA5B1");
        var scale = SvgAxis.CreateLinear(0, map.Duration);
        foreach (var tick in scale.Ticks.Where(tick => tick <= map.Duration * 1.0001).Take(MaxTicks + 1))
            svg.AddText(left + tick / map.Duration * (right - left), bottom + 12, SvgAxis.FormatTick(tick), "middle", 8);
        svg.AddText((left + right) / 2, bottom + 26, "Seconds. A stronger color means more I/Os (logarithmic scale).", "middle", 9);
        svg.AddText(x + 8, (y + bottom) / 2, "Latency (ms)", "middle", 9, turned: -90);
    }

    /// <summary>Adjacent cells of the same color are one box, so that the map of a long run stays small.</summary>
    private static void DrawRow(SvgWriter svg, HeatMap map, int band, double left, double top, double cell, double row)
    {
        for (int first = 0, next; first < map.Ends.Count; first = next)
        {
            var level = map.GetLevel(first, band);
            for (next = first + 1; next < map.Ends.Count && map.GetLevel(next, band) == level; )
                next++;
            if (level > 0)
                svg.AddBox(left + first * cell, top, (next - first) * cell, row, Palette.HeatRamp[level - 1]);
        }
    }
}
