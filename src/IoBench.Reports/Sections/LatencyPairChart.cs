namespace IoBench.Reports.Sections;

/// <summary>Two latencies of each of several things as bars side by side, or as dots where they are of unlike size.</summary>
internal static class LatencyPairChart
{
    private const double LinearSpread = 20;

    /// <summary>The chart; null when nothing has both.</summary>
    /// <param name="axis">What the things are.</param>
    /// <param name="first">What the first latency is.</param>
    /// <param name="second">What the second one is.</param>
    /// <param name="rows">Names and latencies in ms, in the order from the top.</param>
    public static ChartSpec? Of(
        string title,
        string axis,
        string first,
        string second,
        IEnumerable<(string Name, double? First, double? Second)> rows
    )
    {
        // Bars grow upwards; the first shall stand on top.
        var shown = rows.Where(row => row.First is not null && row.Second is not null).Reverse().ToList();
        return shown.Count == 0
            ? null
            : new ChartSpec(ChartKind.Bars, title, axis, "ms")
            {
                Categories = [.. shown.Select(row => row.Name)],
                Series =
                [
                    new(first, [.. shown.Select(row => row.First)], Palette.Bar(0)),
                    new(second, [.. shown.Select(row => row.Second)], Palette.Bar(1)),
                ],
                ShowLegend = true,
                ShowValues = true,
                Height = BarHeight(shown.Count, 2),
            }.LogarithmicBeyond(LinearSpread);
    }

    /// <summary>Height of a chart of so many groups of bars.</summary>
    public static double BarHeight(int groups, int bars) => Math.Max(260, 110 + groups * (14 + 16 * bars));
}
