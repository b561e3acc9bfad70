namespace IoBench.Reports;

/// <summary>A colored table on the sheet, images in the HTML report. Short runs are side by side.</summary>
internal static class HeatMapSection
{
    private const double BandWidth = 17,
        TotalWidth = 165;
    private const int ColumnsPerTimeLabel = 10,
        MaxMapsPerStrip = 3;

    /// <summary>More strips of maps are illegible on one page.</summary>
    private const int MaxStripsOnOnePage = 5;

    public static ReportSection? Build(ReportContext context)
    {
        var maps = context.HeatMaps;
        if (maps.Count == 0)
            return null;
        var blocks = new List<SectionBlock>
        {
            new TextBlock(
                "Each column is an interval, and each row is a latency range in milliseconds. A stronger color means more completed I/Os. During a stall, the rows of the usual latencies are empty. After the stall, I/Os with high latency appear. All heat maps have the same scale."
            ),
        };
        blocks.AddRange(maps.Select(map => map.DescribeStalls()).OfType<string>().Select(text => new TextBlock(text, CellStyle.Lead)));
        var (shown, available) = (context.HeatMapRuns.ShownRuns.Count, context.HeatMapRuns.AvailableCount);
        if (available > shown)
            blocks.Add(
                new TextBlock(
                    Invariant(
                        $"The heat maps show {shown} of {available:#,##0} runs: the runs with the highest latencies{(context.HasMergedRuns ? ", chosen from the last runs of all tests" : "")}."
                    )
                )
            );
        // One empty column separates two maps.
        var abreast = Math.Clamp(
            (HeatMap.MaxColumns + 1) / (maps.Max(map => map.Ends.Count) + 1),
            1,
            Math.Min(MaxMapsPerStrip, maps.Count)
        );
        var strips = maps.Chunk(abreast).ToList();
        foreach (var (strip, index) in strips.Select((strip, index) => (strip, index)))
        {
            if (index > 0)
                blocks.Add(new TextBlock(""));
            blocks.Add(CreateTable(strip, (HeatMap.MaxColumns + 1) / abreast - 1, index) with { HeatMapsPerLine = abreast });
        }
        return new("HeatMap", "Heat map: latency over time", blocks) { FitsOnePage = strips.Count <= MaxStripsOnOnePage };
    }

    /// <param name="room">Columns for each map. A short run has several per interval.</param>
    private static TableBlock CreateTable(IReadOnlyList<HeatMap> strip, int room, int number)
    {
        // The map is null for the gap between two maps.
        var places = new List<(HeatMap? Map, int Interval, bool IsFirst)>();
        foreach (var map in strip)
        {
            if (places.Count > 0)
                places.AddRange(
                    Enumerable.Repeat(
                        ((HeatMap?)null, 0, false),
                        1 + (room + 1) * strip.TakeWhile(other => other != map).Count() - places.Count - 1
                    )
                );
            var each = Math.Max(1, room / map.Ends.Count);
            places.AddRange(
                from interval in Enumerable.Range(0, map.Ends.Count)
                from part in Enumerable.Range(0, each)
                select ((HeatMap?)map, interval, part == 0)
            );
        }
        var columns = new List<TableColumn> { new("Latency (ms)", false, BandWidth) { Width = BandWidth } };
        columns.AddRange(
            places.Select(place => new TableColumn(place is { Map: { } map, Interval: 0, IsFirst: true } ? map.Name : "", true)
            {
                Width = (TotalWidth - BandWidth) / HeatMap.MaxColumns,
                CustomHeaderStyle = CellStyle.HeatHeader,
            })
        );
        var bands = strip[0].Bands;
        return new(
            Invariant($"HeatMap{number + 1}"),
            columns,
            bands.Count + 1,
            (index, cells) =>
            {
                // The longest latencies are on top, and the time is below.
                var band = bands.Count - 1 - index;
                cells[0] = band < 0 ? CellValue.Empty with { Style = CellStyle.HeatTime } : CellValue.Create(bands.GetName(band));
                for (var column = 0; column < places.Count; column++)
                    cells[column + 1] = band < 0 ? CreateTimeCell(places, column) : CreateCell(places[column], band);
            },
            IsFilterable: false
        )
        {
            KeepsTogether = true,
            HeatMaps = strip,
        };
    }

    /// <summary>Only the first column of an interval has its number, but all have its color.</summary>
    private static CellValue CreateCell((HeatMap? Map, int Interval, bool IsFirst) place, int band)
    {
        var level = place.Map?.GetLevel(place.Interval, band) ?? 0;
        return level == 0
            ? CellValue.Empty
            : CellValue.Create(place.IsFirst ? place.Map!.Counts[place.Interval][band] : (double?)null, CellStyle.Heat1 + (level - 1));
    }

    private static CellValue CreateTimeCell(List<(HeatMap? Map, int Interval, bool IsFirst)> places, int column)
    {
        if (places[column] is not { Map: { } map, IsFirst: true, Interval: var interval })
            return CellValue.Empty with { Style = CellStyle.HeatTime };
        var each = places.Count(place => place.Map == map) / map.Ends.Count;
        return interval * each / ColumnsPerTimeLabel == (interval - 1) * each / ColumnsPerTimeLabel && interval > 0
            ? CellValue.Empty with
            {
                Style = CellStyle.HeatTime,
            }
            : CellValue.Create(Invariant($"{(interval == 0 ? 0 : map.Ends[interval - 1]):0.#} s"), CellStyle.HeatTime);
    }
}
