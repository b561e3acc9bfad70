namespace IoBench.Reports;

internal static class ChartSpec
{
    private const double MaxLinearRatio = 20;

    /// <returns>Bars, or dots if the values differ widely; null if no row has both values.</returns>
    /// <param name="rows">Names and latencies in ms, from top to bottom.</param>
    public static ChartSpec? CreateLatencyPairs(
        string title,
        string axis,
        string first,
        string second,
        IEnumerable<(string Name, double? First, double? Second)> rows
    )
    {
        // Bars run from bottom to top; the first row must be on top.
        var shown = rows.Where(row => row.First is not null && row.Second is not null).Reverse().ToList();
        return shown.Count == 0
            ? null
            : new ChartSpec(ChartKind.Bars, title, axis, "ms")
            {
                Categories = [.. shown.Select(row => row.Name)],
                Series =
                [
                    new(first, [.. shown.Select(row => row.First)], Palette.GetBarStyle(0)),
                    new(second, [.. shown.Select(row => row.Second)], Palette.GetBarStyle(1)),
                ],
                ShowsLegend = true,
                ShowsValues = true,
                Height = GetBarChartHeight(shown.Count, 2),
            }.WithLogarithmicAxisBeyond(MaxLinearRatio);
    }

    public static double GetBarChartHeight(int groups, int bars) => Math.Max(260, 110 + groups * (14 + 16 * bars));
}
