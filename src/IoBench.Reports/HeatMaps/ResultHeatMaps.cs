using System.Globalization;
using System.Text;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>Heat maps of results as lines of text for a terminal.</summary>
public static class ResultHeatMaps
{
    private const string Shades = " .:-=+*#@";
    private const int LabelWidth = 16,
        MinCharacters = 10,
        MaxColumnWidth = 6;

    /// <summary>One heat map for each result that has latencies of intervals, on one scale; otherwise, one line with the reason.</summary>
    public static IReadOnlyList<string> FormatLines(IReadOnlyList<IoTestResult> results, int width = 100)
    {
        var known = results.Where(HeatMap.HasLatencies).ToList();
        var names = RunDescription.CreateNames(known);
        var maps = HeatMap.CreateAll([.. known.Select((run, index) => (names[index], HeatMap.GetIntervals(run)!))]);
        if (maps.Count == 0)
            return
            [
                $"A heat map requires a test of IoBench with at least {HeatMap.MinColumns} intervals, such as a test of {HeatMap.MinColumns} s with intervals of 1 s.",
            ];
        return [.. maps.SelectMany((map, index) => index == 0 ? FormatLines(map, width) : FormatLines(map, width).Prepend(""))];
    }

    /// <summary>The longest latencies are on top.</summary>
    internal static IReadOnlyList<string> FormatLines(HeatMap map, int width = 100)
    {
        var room = Math.Max(MinCharacters, width - LabelWidth - 3);
        // The columns of a short run are wider, so that a gap is visible.
        var columns = map.Ends.Count >= room ? room : map.Ends.Count * Math.Min(MaxColumnWidth, room / map.Ends.Count);
        var lines = new List<string> { map.Name, $"{"latency (ms)", LabelWidth} |{FormatTimeAxis(map.Duration, columns)}|" };
        for (var band = map.Bands.Count - 1; band >= 0; band--)
        {
            var line = new StringBuilder(width);
            line.Append(CultureInfo.InvariantCulture, $"{map.Bands.GetName(band), LabelWidth} |");
            for (var column = 0; column < columns; column++)
                line.Append(
                    Shades[
                        GetShade(
                            map,
                            column * map.Ends.Count / columns,
                            Math.Max(column * map.Ends.Count / columns + 1, (column + 1) * map.Ends.Count / columns),
                            band
                        )
                    ]
                );
            lines.Add(line.Append('|').ToString());
        }
        if (map.DescribeStalls() is { } stalls)
            lines.Add(stalls);
        return lines;
    }

    /// <summary>The darkest of the columns that share a character, so that a single slow I/O is visible.</summary>
    private static int GetShade(HeatMap map, int first, int end, int band)
    {
        var level = 0;
        for (var column = first; column < end; column++)
            level = Math.Max(level, map.GetLevel(column, band));
        return level;
    }

    private static string FormatTimeAxis(double seconds, int columns)
    {
        var last = Invariant($" {seconds:0.#} s");
        return "0 s ".PadRight(Math.Max(0, columns - last.Length), '.') + last;
    }
}
