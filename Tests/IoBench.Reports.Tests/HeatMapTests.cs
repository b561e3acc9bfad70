using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class HeatMapTests
{
    private static readonly XNamespace s_main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    /// <summary>
    /// Intervals of 0.1 s with 400 I/Os of 0.2 ms. Every 7 seconds a stall lasts 2 seconds, and then 32 I/Os of 2 seconds complete.
    /// </summary>
    internal static List<(double Seconds, IoHistogram Histogram)> CreateStallingIntervals(double seconds = 60)
    {
        var intervals = new List<(double Seconds, IoHistogram Histogram)>();
        for (var tenth = 1; tenth <= seconds * 10; tenth++)
        {
            var within = tenth % 70;
            var histogram = new IoHistogram();
            if (within is <= 50 and > 0)
                histogram.Buckets.Add(
                    new()
                    {
                        FromMs = 0.19,
                        ToMs = 0.21,
                        ReadCount = 400,
                        Percent = 100,
                    }
                );
            if (within == 1 && tenth > 1)
                histogram.Buckets.Add(
                    new()
                    {
                        FromMs = 1990,
                        ToMs = 2010,
                        ReadCount = 32,
                        Percent = 1,
                    }
                );
            intervals.Add(new(tenth / 10.0, histogram));
        }
        return intervals;
    }

    /// <summary>Replaces the timeline of a run by these interval latencies.</summary>
    internal static IoTestResult SetIntervals(IoTestResult run, IReadOnlyList<(double Seconds, IoHistogram Histogram)> intervals)
    {
        run.Timeline =
        [
            .. intervals.Select(
                (interval, index) =>
                    new IoTimelinePoint
                    {
                        Seconds = interval.Seconds,
                        IOPS = interval.Histogram.Buckets.Sum(bucket => bucket.ReadCount) * 10,
                        Latencies =
                            interval.Histogram.Buckets.Count == 0
                                ? null
                                : new()
                                {
                                    FromSeconds = index == 0 ? 0 : intervals[index - 1].Seconds,
                                    Reads =
                                    [
                                        .. interval.Histogram.Buckets.SelectMany(bucket =>
                                            new[] { GetBucket((bucket.FromMs + bucket.ToMs!.Value) / 2), bucket.ReadCount!.Value }
                                        ),
                                    ],
                                },
                    }
            ),
        ];
        return run;
    }

    /// <summary>Index of the bucket: bucket b begins at (8 + b mod 8) x 2^(b/8 + 2) ns.</summary>
    private static long GetBucket(double milliseconds)
    {
        var power = (int)Math.Floor(Math.Log2(milliseconds * 1e6));
        return 8 * (power - 5) + (long)((milliseconds * 1e6 / Math.Pow(2, power) - 1) * 8);
    }

    internal static ReportDocument CreateDocument() => ReportDocument.Build(CreateContext());

    internal static ReportContext CreateContext()
    {
        var runs = ReportSamples.CreateSqlServerSuite()[6..8];
        SetIntervals(runs[0], CreateStallingIntervals()).MaxLatencyMs = 2010;
        SetIntervals(
            runs[1],
            [.. CreateStallingIntervals().Select(interval => interval with { Histogram = CreateStallingIntervals(1)[0].Histogram })]
        );
        return ReportContext.Create(runs, new());
    }

    [Fact]
    public void Heat_map_shows_stalls_and_reports_their_period()
    {
        var map = HeatMap.CreateAll([("log-commit", CreateStallingIntervals())]).Single();

        Assert.Equal(HeatMap.MaxColumns, map.Ends.Count);
        Assert.Equal("log-commit: periodic stalls. Every 7 s, almost no I/O completes for about 2 s.", map.DescribeStalls());
        var top = map.Bands.Count - 1;
        Assert.Equal(8, Enumerable.Range(0, map.Ends.Count).Count(column => map.GetLevel(column, top) > 0));
        // One slow I/O among thousands of fast I/Os has a visible color.
        Assert.True(map.GetLevel(Enumerable.Range(0, map.Ends.Count).First(column => map.GetLevel(column, top) > 0), top) >= 3);
        Assert.Contains(
            Enumerable.Range(0, map.Ends.Count),
            column => Enumerable.Range(0, map.Bands.Count).All(band => map.GetLevel(column, band) == 0)
        );
    }

    [Fact]
    public void Compared_heat_maps_share_one_scale()
    {
        var maps = HeatMap.CreateAll([("one", CreateStallingIntervals()), ("other", [.. CreateStallingIntervals().Take(40)])]);

        Assert.Equal(maps[0].Bands, maps[1].Bands);
        Assert.Equal(maps[0].MaxCount, maps[1].MaxCount);
    }

    [Fact]
    public void Intervals_of_a_result_match_the_measured_latencies()
    {
        var intervals = CreateStallingIntervals();
        var again = HeatMap.GetIntervals(SetIntervals(ReportSamples.CreateSqlServerSuite()[6], intervals))!;

        Assert.Equal(intervals.Select(interval => interval.Seconds), again.Select(interval => interval.Seconds));
        Assert.Equal(
            intervals.Select(interval => interval.Histogram.Buckets.Sum(bucket => bucket.ReadCount)),
            again.Select(interval => interval.Histogram.Buckets.Sum(bucket => bucket.ReadCount))
        );
        Assert.All(
            intervals.Zip(again),
            pair =>
                Assert.All(
                    pair.First.Histogram.Buckets.Zip(pair.Second.Histogram.Buckets),
                    bucket =>
                        Assert.InRange(
                            (bucket.First.FromMs + bucket.First.ToMs!.Value) / 2,
                            bucket.Second.FromMs,
                            bucket.Second.ToMs!.Value
                        )
                )
        );
        Assert.Null(HeatMap.GetIntervals(ReportSamples.CreateSqlServerSuite()[6]));
    }

    [Fact]
    public void Intervals_of_a_long_run_span_several_seconds()
    {
        var run = ReportSamples.CreateSqlServerSuite()[6];
        run.Timeline =
        [
            .. Enumerable
                .Range(1, 22)
                .Select(second => new IoTimelinePoint
                {
                    // No I/O ended from 8 s to 12 s.
                    Seconds = second,
                    Latencies =
                        second is not 12 && (second % 4 == 0 || second == 22)
                            ? new() { FromSeconds = (second - 1) / 4 * 4, Reads = [100, 5] }
                            : null,
                }),
        ];
        var intervals = HeatMap.GetIntervals(run)!;

        Assert.Equal([4.0, 8, 12, 16, 20, 22], intervals.Select(interval => interval.Seconds));
        Assert.Equal([5L, 5, 0, 5, 5, 5], intervals.Select(interval => interval.Histogram.Buckets.Sum(bucket => bucket.ReadCount!.Value)));
    }

    [Fact]
    public void Only_runs_with_the_longest_latencies_have_a_heat_map()
    {
        var runs = ReportSamples.CreateDepthSweep();
        runs.ForEach(run =>
            SetIntervals(
                run,
                [.. CreateStallingIntervals(10).Select(interval => interval with { Histogram = CreateStallingIntervals(1)[0].Histogram })]
            )
        );
        var context = ReportContext.Create(runs, new());

        Assert.Equal((9, 16), (context.HeatMaps.Count, context.HeatMapRuns.AvailableCount));
        Assert.Equal(
            runs.OrderByDescending(run => run.MaxLatencyMs).Take(9).Min(run => run.MaxLatencyMs),
            context.HeatMapRuns.ShownRuns.Min(run => run.MaxLatencyMs)
        );
        Assert.Contains(
            HeatMapSection.Build(context)!.Blocks.OfType<TextBlock>(),
            block => block.Text == "The heat maps show 9 of 16 runs: the runs with the highest latencies."
        );
    }

    [Fact]
    public void Steady_run_has_no_stall_message() =>
        Assert.Null(
            HeatMap
                .CreateAll([("a", [.. Enumerable.Range(1, 50).Select(second => (second, CreateStallingIntervals(1)[0].Histogram))])])
                .Single()
                .DescribeStalls()
        );

    [Fact]
    public void Terminal_heat_map_shows_stalls_in_the_top_row()
    {
        var lines = HeatMap.CreateAll([("log-commit", CreateStallingIntervals())]).Single().FormatLines();

        Assert.Equal("log-commit", lines[0]);
        Assert.All(lines.Skip(1).SkipLast(1), line => Assert.Equal(lines[1].Length, line.Length));
        var tower = lines.Single(line => line.TrimStart().StartsWith("2,000 and more", StringComparison.Ordinal));
        Assert.Equal(8, tower.Split('|')[1].Count(character => character != ' '));
        Assert.Contains("periodic stalls. ", lines[^1], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(5)]
    [InlineData(13)]
    [InlineData(600)]
    public void Terminal_heat_map_fits_80_columns_for_any_duration(int tenths)
    {
        var lines = HeatMap.CreateAll([("a", [.. CreateStallingIntervals().Take(tenths)])]).Single().FormatLines(80);
        Assert.All(lines.Skip(1), line => Assert.InRange(line.Length, 30, 110));
        Assert.All(lines.Where(line => line.EndsWith('|')), line => Assert.InRange(line.Length, 40, 80));
    }

    [Fact]
    public void HeatMap_sheet_has_colored_cells_and_is_valid()
    {
        using var book = new Workbook(CreateDocument(), WorkbookWriter.MaxRows);

        Assert.Contains("HeatMap", book.GetSheetNames());
        Assert.Contains("Every 7 s, almost no I/O completes for about 2 s", book.GetText("HeatMap"), StringComparison.Ordinal);
        Assert.Empty(book.FindFaults());
        var fills = book.GetSheet("HeatMap")
            .Descendants(s_main + "c")
            .Select(cell => (int)cell.Attribute("s")!)
            .Where(style => style >= StylesXml.GetFormatIndex(CellStyle.Heat1))
            .Distinct()
            .Count();
        Assert.True(fills >= 2, $"{fills}");
    }

    /// <summary>Nine tests on several days, each with interval latencies for <paramref name="seconds"/> seconds.</summary>
    private static List<IoTestResult> CreateDays(int seconds, int nights = 14)
    {
        var runs = ScenarioResults.CreateFourteenDays().Where(run => run.StartTime!.Value.Day <= nights).ToList();
        runs.ForEach(run =>
            SetIntervals(run, [.. Enumerable.Range(1, seconds).Select(second => (second, CreateStallingIntervals(1)[0].Histogram))])
        );
        return runs;
    }

    [Theory]
    [InlineData(5, 3, 3)]
    [InlineData(59, 5, 2)]
    [InlineData(300, 5, 2)]
    public void Heat_maps_of_many_days_share_one_page(int seconds, int strips, int abreast)
    {
        var section = HeatMapSection.Build(ReportContext.Create(CreateDays(seconds), new()))!;
        var blocks = section.Blocks.OfType<TableBlock>().ToList();

        Assert.True(section.FitsOnePage);
        Assert.Equal((strips, abreast), (blocks.Count, blocks[0].HeatMaps.Count));
        // Every strip is at most as wide as the map of a long run, and each interval is counted once.
        Assert.All(blocks, block => Assert.InRange(block.Columns.Count, 1, HeatMap.MaxColumns + 1));
        var (cells, sum) = (new CellValue[blocks[0].Columns.Count], 0.0);
        for (var row = 0; row < blocks[0].RowCount - 1; row++)
        {
            blocks[0].FillRow(row, cells);
            sum += cells.Skip(1).Sum(cell => cell.NumberValue ?? 0);
        }
        Assert.Equal(blocks[0].HeatMaps.Sum(map => map.Counts.Sum(column => column.Sum())), sum, 6);
    }

    [Fact]
    public void Page_breaks_are_only_between_heat_maps()
    {
        var runs = ReportSamples.CreateSqlServerSuite();
        runs.ForEach(run => SetIntervals(run, CreateStallingIntervals()));
        var section = HeatMapSection.Build(ReportContext.Create(runs, new()))!;
        var layout = new SheetLayout(section);

        Assert.False(section.FitsOnePage);
        Assert.NotEmpty(layout.PageBreaks);
        Assert.All(layout.PageBreaks, row => Assert.Contains(layout.Blocks, placed => placed.Row == row && placed.Block is TableBlock));
    }

    [Fact]
    public void At_most_six_sheets_are_printed_for_126_results()
    {
        var document = ReportDocument.Build(CreateDays(30), new());

        Assert.Contains(document.Sections, section => section.Name == "Timeline");
        var printed = document.Sections.Where(section => section.IsPrinted).ToList();
        Assert.InRange(printed.Count, 5, 6);
        Assert.All(printed, section => Assert.True(section.FitsOnePage || section.Name == "Settings", section.Name));
    }

    [Fact]
    public void HTML_report_hides_unprinted_sections_when_printed()
    {
        using var page = new MemoryStream();
        HtmlReportWriter.WriteDocument(page, ReportDocument.Build(CreateDays(30), new()));
        var html = System.Text.Encoding.UTF8.GetString(page.ToArray());

        Assert.Contains("<section id=\"Details\" class=\"screen\">", html, StringComparison.Ordinal);
        Assert.Contains("<section id=\"Timeline\" class=\"screen\">", html, StringComparison.Ordinal);
        Assert.Contains("<section id=\"Summary\">", html, StringComparison.Ordinal);
        Assert.Matches("@media print\\{[^@]*@page[^@]*\\.screen[^}]*display:none", html);
    }

    [Fact]
    public void Findings_use_the_page_width_without_summary_metrics()
    {
        var run = SetIntervals(ReportSamples.CreateSqlServerSuite()[6], CreateStallingIntervals());
        run.Backend = "Null";
        using var book = new Workbook([run]);

        Assert.Contains(
            "NOT RATED: results of a modeled device do not measure storage.",
            book.GetCell("Summary", "A3"),
            StringComparison.Ordinal
        );
        var widths = book.GetSheet("Summary")
            .Descendants(s_main + "col")
            .Select(column => double.Parse((string)column.Attribute("width")!, System.Globalization.CultureInfo.InvariantCulture))
            .ToList();
        Assert.True(widths.Count >= 3 && widths[1] >= 50, string.Join(' ', widths));
    }

    [Fact]
    public void HTML_report_and_summary_image_show_the_stall()
    {
        using var page = new MemoryStream();
        HtmlReportWriter.WriteDocument(page, CreateDocument());
        var html = System.Text.Encoding.UTF8.GetString(page.ToArray());

        Assert.Contains("<section id=\"HeatMap\">", html, StringComparison.Ordinal);
        Assert.Contains("aria-label=\"log-commit: periodic stalls. Every 7 s, almost no I/O completes", html, StringComparison.Ordinal);
        Assert.Contains("periodic stalls", SummaryImage.Draw(CreateContext()), StringComparison.Ordinal);
    }

    [Fact]
    public void Workbook_has_no_HeatMap_sheet_without_interval_latencies()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
        Assert.DoesNotContain("HeatMap", book.GetSheetNames());
    }
}
