using System.Globalization;

namespace IoBench.Reports;

/// <summary>Time by latency of each run: a table in colours on the sheet, a picture on the page.</summary>
internal static class HeatMapSection
{
    private const double BandWidth = 14, AllColumns = 165;
    private const int NamedColumns = 10;

    /// <summary>The section; null when no run has the latencies of its intervals.</summary>
    public static Section? Build(ReportContext context)
    {
        var maps = context.HeatMaps;
        if (maps.Count == 0)
            return null;
        var blocks = new List<Block>
        {
            new TextBlock("Each column is an interval, each row a band of latency in milliseconds; the darker a cell, the more I/Os ended there. A stall is a gap in the usual rows with a tower above its end. All maps have the same scale."),
        };
        blocks.AddRange(maps.Select(Stalls.Say).OfType<string>().Select(text => new TextBlock(text, CellStyle.Lead)));
        if (context.HeatMapRuns is { } runs && runs.Count > runs.Shown.Count)
            blocks.Add(new TextBlock(string.Create(CultureInfo.InvariantCulture, $"{runs.Shown.Count} of {runs.Count:#,##0} runs: {(context.Groups.AreMerged ? "the last run of each test, of these " : "")}those with the longest latencies.")));
        foreach (var (map, index) in maps.Select((map, index) => (map, index)))
        {
            blocks.Add(new TextBlock(map.Name, CellStyle.Heading));
            blocks.Add(new HeatMapBlock(map, Table(map, index)));
        }
        return new("HeatMap", "Heat map: latency over time", blocks);
    }

    private static TableBlock Table(HeatMap map, int number)
    {
        var narrow = (AllColumns - BandWidth) / HeatMap.MaxColumns;
        var columns = new List<TableColumn> { new("Latency (ms)", false, BandWidth) { Width = BandWidth } };
        columns.AddRange(map.Ends.Select((end, index) => new TableColumn(index % NamedColumns == 0 ? Seconds(index == 0 ? 0 : map.Ends[index - 1]) : "", true) { Width = narrow, HeaderLook = CellStyle.HeatHeader }));
        return new(string.Create(CultureInfo.InvariantCulture, $"HeatMap{number + 1}"), columns, map.Bands.Count, (index, cells) =>
        {
            // The longest latencies on top.
            var band = map.Bands.Count - 1 - index;
            cells[0] = CellValue.Of(map.Bands.NameOf(band));
            for (var column = 0; column < map.Ends.Count; column++)
                cells[column + 1] = map.LevelOf(column, band) is > 0 and var level ? CellValue.Of(map.Counts[column][band], CellStyle.Heat1 + (level - 1)) : CellValue.Empty;
        }, IsFilterable: false);
    }

    private static string Seconds(double seconds) => string.Create(CultureInfo.InvariantCulture, $"{seconds:0.#} s");
}
