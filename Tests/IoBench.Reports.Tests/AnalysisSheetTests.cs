using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class AnalysisSheetTests
{
    [Fact]
    public void Workbook_has_all_sheets_in_order()
    {
        using var book = new Workbook(ReportSamples.CreateDepthSweep(), new() { Baseline = ReportSamples.CreateDepthSweep() });

        Assert.Equal(
            ["Summary", "Results", "Details", "Latency", "Sweep", "Timeline", "Comparison", "Settings", "ChartData"],
            book.GetSheetNames()
        );
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Latency_sheet_has_a_logarithmic_axis_and_no_empty_columns()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite(), new() { NoSummary = true });
        var chart = book.GetCharts().Single(item => item.GetTitle() == "Latency by run");

        Assert.NotEmpty(chart.Descendants(ChartReader.ChartNs + "logBase"));
        Assert.Contains("page-read | 4 | 8 | 0.165", book.GetText("Latency"), StringComparison.Ordinal);
        using var old = new Workbook(ReportSamples.CreateThreeFiles(), new() { NoSummary = true });
        Assert.DoesNotContain("p99 (ms)", old.GetText("Latency"), StringComparison.Ordinal);
        Assert.Contains("Little's law (ms)", old.GetText("Latency"), StringComparison.Ordinal);
    }

    [Fact]
    public void Targets_sheet_shows_the_results_of_each_file()
    {
        var run = ReportSamples.CreateSqlServerSuite()[2];
        run.Path = @"D:\a.dat; E:\b.dat";
        foreach (var (path, share) in new[] { (@"D:\a.dat", 0.25), (@"E:\b.dat", 0.75) })
            run.Targets.Add(
                new()
                {
                    Path = path,
                    FileSizeMB = 10240,
                    Total =
                    {
                        IOPS = run.IOPS * share,
                        MBps = run.BandwidthMBps * share,
                        AverageLatencyMs = 0.5,
                    },
                }
            );
        using var book = new Workbook([run], new() { NoSummary = true });

        Assert.Contains(@"oltp | E:\b.dat | 10240 | 84480 | 75 | 660 | 0.5", book.GetText("Targets"), StringComparison.Ordinal);
        Assert.Equal([84_480, 28_160], book.GetCharts().Single(chart => chart.GetTitle() == "IOPS by target").GetValues());
        using var one = new Workbook(ReportSamples.CreateSqlServerSuite(), new() { NoSummary = true });
        Assert.DoesNotContain("Targets", one.GetSheetNames());
    }

    [Fact]
    public void Few_runs_have_one_line_each_by_percentile()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite()[..2], new() { NoSummary = true });
        var chart = book.GetCharts().Single(item => item.GetTitle() == "Latency by percentile");

        // The average is not a percentile.
        Assert.Equal(["median", "p90", "p99", "p99.9", "longest"], chart.GetCategories());
        Assert.Equal(0.452, chart.GetValues(1)[2]);
        Assert.NotEmpty(chart.Descendants(ChartReader.ChartNs + "logBase"));
    }

    [Fact]
    public void Runs_with_different_buffering_are_not_repeats()
    {
        var runs = new[] { IoBuffering.Hardware, IoBuffering.None }
            .Select(buffering =>
            {
                var run = ReportSamples.CreateSqlio("T:\\testfile.dat", 4, 8, 28_800, 225, 1, 3);
                run.Buffering = buffering;
                return run;
            })
            .ToList();
        using var book = new Workbook(runs);

        Assert.Contains("no repeats", book.GetText("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Latency_chart_has_the_25_buckets_of_SQLIO()
    {
        using var book = new Workbook(ReportSamples.CreateThreeFiles(), new() { NoSummary = true });
        var chart = book.GetCharts().Single(item => item.GetTitle() == "Share of I/Os by latency");

        Assert.Equal(25, chart.GetCategories().Count);
        Assert.Equal("24+", chart.GetCategories()[^1]);
        Assert.Equal([13, 21, 7, 4], chart.GetValues().Take(4));
        Assert.Equal(32, chart.GetValues()[^1]);
    }

    [Fact]
    public void Latency_bands_of_a_measured_histogram_sum_to_100_percent()
    {
        using var book = new Workbook([ReportSamples.CreateSqlServerSuite()[1]], new() { NoSummary = true });
        var chart = book.GetCharts().Single(item => item.GetTitle() == "Share of I/Os by latency");

        Assert.Equal(100, chart.GetValues().Sum(), 6);
    }

    [Fact]
    public void Latency_sheet_is_omitted_without_latencies()
    {
        var results = ReportSamples.CreateThreeFiles();
        results.ForEach(run =>
            (run.AverageLatencyMs, run.MinLatencyMs, run.MaxLatencyMs, run.Histogram, run.LittlesLawLatencyMs) = (
                null,
                null,
                null,
                null,
                null
            )
        );
        using var book = new Workbook(results, new() { NoSummary = true });

        Assert.DoesNotContain("Latency", book.GetSheetNames());
        Assert.Equal(["Bandwidth", "IOPs"], book.GetCharts().Select(chart => chart.GetTitle()));
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void File_size_sweep_shows_all_sizes_and_where_IOPS_level_off()
    {
        using var book = new Workbook(ReportSamples.CreateFileSizeSweep(), new() { NoSummary = true });
        var chart = book.GetCharts().Single(item => item.GetTitle() == "IOPS by file size");

        Assert.Equal(["256 MB", "512 MB", "2 GB", "8 GB", "32 GB", "64 GB", "128 GB"], chart.GetCategories());
        Assert.Equal([16_635, 15_980, 11_240, 5_630, 3_310, 2_790, 2_681], chart.GetValues());
        Assert.Equal(
            "constant from 64 GB",
            chart.Descendants(ChartReader.ChartNs + "ser").ElementAt(1).Element(ChartReader.ChartNs + "tx")!.Value.Split('!')[^1][4..]
        );
        Assert.Contains("8KB random read | 64 GB | 2790 | 21.796875", book.GetText("Sweep"), StringComparison.Ordinal);
    }

    [Fact]
    public void Depth_sweep_has_latency_charts_and_reports_saturation()
    {
        using var book = new Workbook(ReportSamples.CreateDepthSweep(), new() { NoSummary = true });

        Assert.Contains(
            "8KB random read: 64 outstanding I/Os per thread reach 94,541 IOPS",
            book.GetText("Sweep"),
            StringComparison.Ordinal
        );
        var titles = book.GetCharts().Select(chart => chart.GetTitle()).ToList();
        Assert.Contains("Average latency by outstanding I/Os per thread", titles);
        Assert.Contains("p99 latency by outstanding I/Os per thread", titles);
    }

    [Theory]
    [InlineData(
        true,
        "8KB random read: 1 thread reaches 1,000 IOPS at 1 ms; any further increase adds almost nothing (4: 1,000 IOPS at 1 ms)."
    )]
    [InlineData(
        false,
        "8KB random read: 1 outstanding I/O per thread reaches 1,000 IOPS at 1 ms; any further increase adds almost nothing (4: 1,000 IOPS at 1 ms)."
    )]
    public void Sweep_without_gain_saturates_at_its_first_value(bool threads, string words)
    {
        var runs = new[] { 1, 2, 4 }
            .Select(x => ReportSamples.CreateMeasured(null, 8, IoAccessPattern.Random, 0, threads ? x : 1, threads ? 1 : x, 1000, 1, 2, 3))
            .ToList();
        using var book = new Workbook(runs, new() { NoSummary = true });
        Assert.Contains(words, book.GetText("Sweep"), StringComparison.Ordinal);
    }

    [Fact]
    public void Sweep_of_two_parameters_requires_every_combination()
    {
        var grid = (
            from threads in new[] { 1, 2 }
            from depth in new[] { 1, 2, 4 }
            select ReportSamples.CreateMeasured(null, 8, IoAccessPattern.Random, 0, threads, depth, 1000 * threads * depth, 1, 2, 3)
        ).ToList();
        using var book = new Workbook(grid, new() { NoSummary = true });
        Assert.Contains("8KB random read, 2 threads | 4 | 8000", book.GetText("Sweep"), StringComparison.Ordinal);

        using var holes = new Workbook(grid[..^1], new() { NoSummary = true });
        Assert.DoesNotContain("Sweep", holes.GetSheetNames());
    }

    [Fact]
    public void Suite_has_no_Sweep_sheet()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite(), new() { NoSummary = true });
        Assert.DoesNotContain("Sweep", book.GetSheetNames());

        // Without workload names, the runs differ in three parameters at once, which is not a sweep.
        var nameless = ReportSamples.CreateSqlServerSuite();
        nameless.ForEach(run => run.Workload = null);
        using var other = new Workbook(nameless, new() { NoSummary = true });
        Assert.DoesNotContain("Sweep", other.GetSheetNames());
    }

    [Fact]
    public void Comparison_sheet_shows_change_from_the_baseline()
    {
        var now = ReportSamples.CreateSqlServerSuite();
        now[1].IOPS *= 0.5;
        now[1].BandwidthMBps *= 0.5;
        using var book = new Workbook(now, new() { Baseline = ReportSamples.CreateSqlServerSuite() });

        var row = book.GetText("Comparison").Split('\n').Single(line => line.StartsWith("page-read: 8KB", StringComparison.Ordinal));
        Assert.StartsWith("page-read: 8KB random read | 4 x 8 | 193574 | 96787 | -0.5 |", row, StringComparison.Ordinal);
        Assert.EndsWith("▼ worse", row, StringComparison.Ordinal);
        // A lower throughput has no rating, so its cell has no color.
        var cells = book.GetSheet("Comparison")
            .Descendants()
            .Where(cell => cell.Name.LocalName == "c" && cell.Parent!.Elements().Any(other => other.Value == "-0.5"))
            .ToList();
        string? LookOf(string column) =>
            (string?)cells.Single(cell => ((string)cell.Attribute("r")!).TrimEnd([.. "0123456789"]) == column).Attribute("s");
        Assert.Equal(
            ("-0.5", "-0.5"),
            (
                cells.Single(cell => ((string)cell.Attribute("r")!).StartsWith('E')).Value,
                cells.Single(cell => ((string)cell.Attribute("r")!).StartsWith('H')).Value
            )
        );
        Assert.NotEqual(LookOf("E"), LookOf("H"));
        Assert.Equal(LookOf("K"), LookOf("H"));
        Assert.Contains("1 worse, 8 inconclusive", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.Contains("Check what changed: page-read", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Change_chart_starts_at_zero_when_all_changes_have_one_sign()
    {
        using var book = new Workbook(
            ReportSamples.CreateSqlServerSuite(faster: 0.8),
            new() { Baseline = ReportSamples.CreateSqlServerSuite() }
        );
        var axis = book.GetCharts()
            .First(chart => chart.GetTitle() == "Change in IOPS compared with Baseline (%)")
            .Descendants(ChartReader.ChartNs + "valAx")
            .Single()
            .Element(ChartReader.ChartNs + "scaling")!;

        Assert.Equal("0", (string?)axis.Element(ChartReader.ChartNs + "max")?.Attribute("val"));
        Assert.Null(axis.Element(ChartReader.ChartNs + "min"));
    }

    [Fact]
    public void Label_without_a_common_test_is_reported()
    {
        using var book = new Workbook(ReportSamples.CreateThreeArrays());

        Assert.Contains(
            "Nimble compared with HUS150: 1 inconclusive. Pure has no test in common with HUS150.",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Warnings_that_differ_only_in_numbers_are_merged()
    {
        var runs = ReportSamples.CreateSqlServerSuite();
        runs[0].Warnings.Add("all processors were busy (99 %): they, not the storage, may be the limit");
        runs[1].Warnings.Add("all processors were busy (100 %): they, not the storage, may be the limit");
        using var book = new Workbook(runs);

        Assert.Contains(
            "page-read-qd1, page-read: all processors were busy (99 to 100 %): they, not the storage, may be the limit.",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("(100 %)", book.GetText("Settings"), StringComparison.Ordinal);
    }

    [Fact]
    public void SQLIO_latency_bands_are_whole_milliseconds()
    {
        using var book = new Workbook(
            [.. ReportSamples.CreateThreeFiles(), .. ReportSamples.CreateThreeFiles()],
            new() { NoSummary = true }
        );
        var chart = book.GetCharts().Single(item => item.GetTitle() == "Share of I/Os by latency (ms)");

        var names = chart
            .Descendants(ChartReader.ChartNs + "ser")
            .Select(series => series.Element(ChartReader.ChartNs + "tx")!.Descendants(ChartReader.ChartNs + "v").Single().Value)
            .ToList();
        Assert.Equal(("below 1", "24 and more"), (names[0], names[^1]));
    }

    [Fact]
    public void Labels_are_compared_with_the_first_label()
    {
        using var book = new Workbook([
            .. ReportSamples.CreateSqlServerSuite("HUS150", 0.3),
            .. ReportSamples.CreateSqlServerSuite("Nimble", 0.9),
            .. ReportSamples.CreateSqlServerSuite("Pure"),
        ]);

        Assert.Contains("Pure compared with HUS150: 9 better.", book.GetText("Comparison"), StringComparison.Ordinal);
        Assert.Contains("Average page read latency, Nimble", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Many_labels_or_different_tests_are_not_compared()
    {
        var unlike = new List<IoTestResult> { ReportSamples.CreateSqlServerSuite("a")[0], ReportSamples.CreateSqlServerSuite("b")[3] };
        using var book = new Workbook(unlike);
        Assert.DoesNotContain("Comparison", book.GetSheetNames());

        using var files = new Workbook([
            .. Enumerable
                .Range(0, 12)
                .Select(number => ReportSamples.CreateSqlio("E:\\t.dat", 2, 8, 100 + number, 1, 3, 9, label: $"file{number}")),
        ]);
        Assert.DoesNotContain("Comparison", files.GetSheetNames());
    }

    [Fact]
    public void Baseline_without_a_common_test_is_an_error() =>
        Assert.Equal(
            "IoBench.NothingToCompare",
            Assert
                .Throws<IoBenchException>(() =>
                    Report.Write(
                        Stream.Null,
                        "report.xlsx",
                        ReportSamples.CreateSqlServerSuite(),
                        new() { Baseline = ReportSamples.CreateThreeFiles() }
                    )
                )
                .ErrorId
        );

    [Fact]
    public void Timeline_sheet_has_all_intervals_and_one_line_per_run()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite()[..2], new() { NoSummary = true });

        Assert.Equal(
            2,
            book.GetCharts().Single(chart => chart.GetTitle() == "IOPS over time").Descendants(ChartReader.ChartNs + "ser").Count()
        );
        Assert.Contains("page-read | 30 | ", book.GetText("Timeline"), StringComparison.Ordinal);
        using var old = new Workbook(ReportSamples.CreateThreeFiles(), new() { NoSummary = true });
        Assert.DoesNotContain("Timeline", old.GetSheetNames());
    }

    [Fact]
    public void Stalls_sheet_shows_stalls_and_slowest_IOs()
    {
        var runs = ReportSamples.CreateSqlServerSuite()[..2];
        runs[0].Stalls = [.. Enumerable.Range(1, 4).Select(number => new IoStall { Seconds = 7 * number - 1, LengthSeconds = 0.3 })];
        runs[0].SlowestIOs =
        [
            new()
            {
                Seconds = 6,
                LatencyMs = 600,
                Kind = IoRequestKind.Write,
                Offset = 1 << 20,
                Size = 8192,
                InFlight = 31,
            },
        ];
        using var book = new Workbook(runs, new());
        var sheet = book.GetText("Stalls");
        Assert.Contains("periodic stalls. Every 7 s, almost no I/O completes for about 0.3 s.", sheet, StringComparison.Ordinal);
        Assert.Contains("Slowest I/Os", sheet, StringComparison.Ordinal);
        Assert.Contains("| Write | 1048576 | 8192 | 31 |", sheet, StringComparison.Ordinal);
        Assert.Contains("the slowest I/O, a write of 8 KB at 1,048,576: 600 ms", book.GetText("Summary"), StringComparison.Ordinal);
        using var calm = new Workbook(ReportSamples.CreateSqlServerSuite()[..2], new());
        Assert.DoesNotContain("Stalls", calm.GetSheetNames());
    }

    [Fact]
    public void Timeline_chart_shows_the_same_tests_for_every_label()
    {
        using var book = new Workbook(
            [
                .. ReportSamples.CreateSqlServerSuite("HUS150", 0.3),
                .. ReportSamples.CreateSqlServerSuite("Nimble", 0.9),
                .. ReportSamples.CreateSqlServerSuite("Pure"),
            ],
            new() { NoSummary = true }
        );

        var curves = book.GetCharts()
            .Single(chart => chart.GetTitle() == "IOPS over time")
            .Descendants(ChartReader.ChartNs + "ser")
            .Select(series => series.Descendants(ChartReader.ChartNs + "tx").Single().Value)
            .ToList();
        Assert.Equal(9, curves.Count);
        Assert.All(
            ["HUS150", "Nimble", "Pure"],
            label => Assert.Equal(3, curves.Count(curve => curve.Contains(label, StringComparison.Ordinal)))
        );
        Assert.Equal(3, curves.Count(curve => curve.Contains("page-read-qd1", StringComparison.Ordinal)));
        Assert.Contains("The charts show 9 of 27 runs: the first tests of each label.", book.GetText("Timeline"), StringComparison.Ordinal);
    }

    [Fact]
    public void Settings_sheet_has_the_command_that_repeats_a_run()
    {
        var run = ReportSamples.CreateSqlServerSuite()[4];
        run.Warnings.Add("the array's cache may hold the file");
        using var book = new Workbook([run]);

        Assert.Contains(
            @"iobench run T:\iobench.dat --block 512KB --pattern interlocked --write 0 --threads 2 --outstanding 8 --size 20GB --duration 30 --warmup 5",
            book.GetText("Settings"),
            StringComparison.Ordinal
        );
        Assert.Contains("Write cache | on", book.GetText("Settings"), StringComparison.Ordinal);
        Assert.Contains("The array's cache may hold the file.", book.GetText("Settings"), StringComparison.Ordinal);
    }

    [Fact]
    public void Pattern_has_the_same_color_on_every_sheet()
    {
        using var book = new Workbook(ReportSamples.CreateDepthSweep(), new() { NoSummary = true });
        var charts = book.GetCharts();

        static string? Colour(System.Xml.Linq.XElement element) =>
            (string?)element.Element(ChartReader.ChartNs + "spPr")!.Descendants(ChartReader.DrawingNs + "srgbClr").First().Attribute("val");
        var bars = charts.Single(chart => chart.GetTitle() == "Bandwidth");
        var colours = bars.GetCategories()
            .Zip(bars.Descendants(ChartReader.ChartNs + "dPt").Select(Colour))
            .GroupBy(item => item.First[..item.First.LastIndexOf(' ')])
            .ToDictionary(group => group.Key, group => group.Select(item => item.Second).Distinct().Single());
        var lines = charts
            .Single(chart => chart.GetTitle() == "IOPS by outstanding I/Os per thread")
            .Descendants(ChartReader.ChartNs + "ser")
            .ToList();
        Assert.Equal(colours["8KB random read"], Colour(lines[0]));
        Assert.Equal(colours["8KB random write"], Colour(lines[1]));
    }

    [Fact]
    public void Every_series_has_a_fill_and_every_axis_a_title()
    {
        using var book = new Workbook(ReportSamples.CreateDepthSweep(), new() { Baseline = ReportSamples.CreateDepthSweep() });

        Assert.All(
            book.GetCharts(),
            chart =>
            {
                Assert.All(
                    chart.Descendants(ChartReader.ChartNs + "ser"),
                    series => Assert.NotEmpty(series.Element(ChartReader.ChartNs + "spPr")!.Elements())
                );
                Assert.All(
                    chart.Descendants(ChartReader.ChartNs + "ser"),
                    series => Assert.NotEmpty(series.Descendants(ChartReader.ChartNs + "numCache"))
                );
                Assert.All(
                    chart
                        .Descendants()
                        .Where(axis => axis.Name == ChartReader.ChartNs + "valAx" || axis.Name == ChartReader.ChartNs + "catAx"),
                    axis => Assert.NotEmpty(axis.Elements(ChartReader.ChartNs + "title"))
                );
            }
        );
    }
}
