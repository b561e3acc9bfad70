using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class AnalysisSheetTests
{
    [Fact]
    public void The_sheets_stand_in_their_order()
    {
        using var book = new Workbook(Runs.DepthSweep(), new() { Baseline = Runs.DepthSweep() });

        Assert.Equal(
            ["Summary", "Results", "Details", "Latency", "Sweep", "Timeline", "Comparison", "Settings", "ChartData"],
            book.SheetNames()
        );
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Latency_has_percentiles_on_a_logarithmic_axis_and_no_columns_that_nobody_fills()
    {
        using var book = new Workbook(Runs.SqlServerSuite(), new() { NoSummary = true });
        var chart = book.Charts().Single(item => item.Title() == "Latency by run");

        Assert.NotEmpty(chart.Descendants(Chart.C + "logBase"));
        Assert.Contains("page-read | 4 | 8 | 0.165", book.Text("Latency"), StringComparison.Ordinal);
        using var old = new Workbook(Runs.ThreeFiles(), new() { NoSummary = true });
        Assert.DoesNotContain("p99 (ms)", old.Text("Latency"), StringComparison.Ordinal);
        Assert.Contains("Little's law (ms)", old.Text("Latency"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_of_several_files_says_what_each_did()
    {
        var run = Runs.SqlServerSuite()[2];
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

        Assert.Contains(@"oltp | E:\b.dat | 10240 | 84480 | 75 | 660 | 0.5", book.Text("Targets"), StringComparison.Ordinal);
        Assert.Equal([84_480, 28_160], book.Charts().Single(chart => chart.Title() == "IOPS by target").Values());
        using var one = new Workbook(Runs.SqlServerSuite(), new() { NoSummary = true });
        Assert.DoesNotContain("Targets", one.SheetNames());
    }

    [Fact]
    public void Few_runs_are_a_line_each_over_the_percentiles()
    {
        using var book = new Workbook(Runs.SqlServerSuite()[..2], new() { NoSummary = true });
        var chart = book.Charts().Single(item => item.Title() == "Latency by percentile");

        // The average is not a percentile.
        Assert.Equal(["median", "p90", "p99", "p99.9", "longest"], chart.Categories());
        Assert.Equal(0.452, chart.Values(1)[2]);
        Assert.NotEmpty(chart.Descendants(Chart.C + "logBase"));
    }

    [Fact]
    public void Other_buffering_makes_another_test_and_no_repeat()
    {
        var runs = new[] { IoBuffering.Hardware, IoBuffering.None }
            .Select(buffering =>
            {
                var run = Runs.Sqlio("T:\\testfile.dat", 4, 8, 28_800, 225, 1, 3);
                run.Buffering = buffering;
                return run;
            })
            .ToList();
        using var book = new Workbook(runs);

        Assert.Contains("no repeats", book.Text("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void SQLIOs_25_buckets_are_charted_as_they_are()
    {
        using var book = new Workbook(Runs.ThreeFiles(), new() { NoSummary = true });
        var chart = book.Charts().Single(item => item.Title() == "Share of I/Os by latency");

        Assert.Equal(25, chart.Categories().Count);
        Assert.Equal("24+", chart.Categories()[^1]);
        Assert.Equal([13, 21, 7, 4], chart.Values().Take(4));
        Assert.Equal(32, chart.Values()[^1]);
    }

    [Fact]
    public void A_measured_histogram_loses_nothing_in_its_bands()
    {
        using var book = new Workbook([Runs.SqlServerSuite()[1]], new() { NoSummary = true });
        var chart = book.Charts().Single(item => item.Title() == "Share of I/Os by latency");

        Assert.Equal(100, chart.Values().Sum(), 6);
    }

    [Fact]
    public void Without_latency_there_is_no_latency_sheet_and_no_empty_chart()
    {
        var results = Runs.ThreeFiles();
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

        Assert.DoesNotContain("Latency", book.SheetNames());
        Assert.Equal(["Bandwidth", "IOPs"], book.Charts().Select(chart => chart.Title()));
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void A_file_size_sweep_shows_its_seven_sizes_and_where_caches_stop_helping()
    {
        using var book = new Workbook(Runs.FileSizeSweep(), new() { NoSummary = true });
        var chart = book.Charts().Single(item => item.Title() == "IOPS by file size");

        Assert.Equal(["256 MB", "512 MB", "2 GB", "8 GB", "32 GB", "64 GB", "128 GB"], chart.Categories());
        Assert.Equal([16_635, 15_980, 11_240, 5_630, 3_310, 2_790, 2_681], chart.Values());
        Assert.Equal(
            "levels off at 64 GB",
            chart.Descendants(Chart.C + "ser").ElementAt(1).Element(Chart.C + "tx")!.Value.Split('!')[^1][4..]
        );
        Assert.Contains("8KB random read | 64 GB | 2790 | 21.796875", book.Text("Sweep"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_depth_sweep_has_a_line_a_pattern_and_marks_its_plateau()
    {
        using var book = new Workbook(Runs.DepthSweep(), new() { NoSummary = true });

        Assert.Contains("8KB random read: 64 outstanding reach 94,541 IOPS", book.Text("Sweep"), StringComparison.Ordinal);
        var titles = book.Charts().Select(chart => chart.Title()).ToList();
        Assert.Contains("Average latency by outstanding I/Os per thread", titles);
        Assert.Contains("99th percentile of latency by outstanding I/Os per thread", titles);
    }

    [Theory]
    [InlineData(true, "8KB random read: 1 thread reaches 1,000 IOPS at 1 ms; more gains next to nothing (4 give 1,000 IOPS at 1 ms).")]
    [InlineData(
        false,
        "8KB random read: 1 outstanding reaches 1,000 IOPS at 1 ms; more gains next to nothing (4 give 1,000 IOPS at 1 ms)."
    )]
    public void A_sweep_that_gains_nothing_stops_at_one(bool threads, string words)
    {
        var runs = new[] { 1, 2, 4 }
            .Select(x => Runs.Measured(null, 8, IoAccessPattern.Random, 0, threads ? x : 1, threads ? 1 : x, 1000, 1, 2, 3))
            .ToList();
        using var book = new Workbook(runs, new() { NoSummary = true });
        Assert.Contains(words, book.Text("Sweep"), StringComparison.Ordinal);
    }

    [Fact]
    public void Two_parameters_are_a_sheaf_of_lines_when_every_combination_is_there()
    {
        var grid = (
            from threads in new[] { 1, 2 }
            from depth in new[] { 1, 2, 4 }
            select Runs.Measured(null, 8, IoAccessPattern.Random, 0, threads, depth, 1000 * threads * depth, 1, 2, 3)
        ).ToList();
        using var book = new Workbook(grid, new() { NoSummary = true });
        Assert.Contains("8KB random read, 2 threads | 4 | 8000", book.Text("Sweep"), StringComparison.Ordinal);

        using var holes = new Workbook(grid[..^1], new() { NoSummary = true });
        Assert.DoesNotContain("Sweep", holes.SheetNames());
    }

    [Fact]
    public void A_suite_is_no_sweep()
    {
        using var book = new Workbook(Runs.SqlServerSuite(), new() { NoSummary = true });
        Assert.DoesNotContain("Sweep", book.SheetNames());

        // Without workload names, the runs differ in three parameters at once, which is not a sweep.
        var nameless = Runs.SqlServerSuite();
        nameless.ForEach(run => run.Workload = null);
        using var other = new Workbook(nameless, new() { NoSummary = true });
        Assert.DoesNotContain("Sweep", other.SheetNames());
    }

    [Fact]
    public void A_baseline_is_compared_in_words_and_percent()
    {
        var now = Runs.SqlServerSuite();
        now[1].IOPS *= 0.5;
        now[1].BandwidthMBps *= 0.5;
        using var book = new Workbook(now, new() { Baseline = Runs.SqlServerSuite() });

        var row = book.Text("Comparison").Split('\n').Single(line => line.StartsWith("page-read: 8KB", StringComparison.Ordinal));
        Assert.StartsWith("page-read: 8KB random read | 4 x 8 | 193574 | 96787 | -0.5 |", row, StringComparison.Ordinal);
        Assert.EndsWith("▼ worse", row, StringComparison.Ordinal);
        // A lower throughput has no rating, so its cell has no color.
        var cells = book.Sheet("Comparison")
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
        Assert.Contains("1 worse, 8 too close to call", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Contains("Find out what changed: page-read", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Changes_that_are_all_alike_grow_from_zero()
    {
        using var book = new Workbook(Runs.SqlServerSuite(faster: 0.8), new() { Baseline = Runs.SqlServerSuite() });
        var axis = book.Charts()
            .First(chart => chart.Title() == "Change of IOPS against Baseline (%)")
            .Descendants(Chart.C + "valAx")
            .Single()
            .Element(Chart.C + "scaling")!;

        Assert.Equal("0", (string?)axis.Element(Chart.C + "max")?.Attribute("val"));
        Assert.Null(axis.Element(Chart.C + "min"));
    }

    [Fact]
    public void A_label_without_a_common_test_is_said()
    {
        using var book = new Workbook(Runs.ThreeArrays());

        Assert.Contains(
            "Nimble against HUS150: 1 better. Pure has no test in common with HUS150.",
            book.Text("Summary"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Warnings_that_differ_in_figures_only_are_one_sentence_with_its_runs()
    {
        var runs = Runs.SqlServerSuite();
        runs[0].Warnings.Add("all processors were busy (99 %): they, not the storage, may be the limit");
        runs[1].Warnings.Add("all processors were busy (100 %): they, not the storage, may be the limit");
        using var book = new Workbook(runs);

        Assert.Contains(
            "page-read-qd1, page-read: all processors were busy (99 to 100 %): they, not the storage, may be the limit.",
            book.Text("Summary"),
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("(100 %)", book.Text("Settings"), StringComparison.Ordinal);
    }

    [Fact]
    public void SQLIOs_milliseconds_are_stacked_in_bands_that_they_have()
    {
        using var book = new Workbook([.. Runs.ThreeFiles(), .. Runs.ThreeFiles()], new() { NoSummary = true });
        var chart = book.Charts().Single(item => item.Title() == "Share of I/Os by latency (ms)");

        var names = chart
            .Descendants(Chart.C + "ser")
            .Select(series => series.Element(Chart.C + "tx")!.Descendants(Chart.C + "v").Single().Value)
            .ToList();
        Assert.Equal(("below 1", "24 and more"), (names[0], names[^1]));
    }

    [Fact]
    public void Labels_are_compared_with_the_first()
    {
        using var book = new Workbook([
            .. Runs.SqlServerSuite("HUS150", 0.3),
            .. Runs.SqlServerSuite("Nimble", 0.9),
            .. Runs.SqlServerSuite("Pure"),
        ]);

        Assert.Contains("Pure against HUS150: 9 better.", book.Text("Comparison"), StringComparison.Ordinal);
        Assert.Contains("A page read waits, Nimble", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Many_labels_or_unlike_ones_are_no_comparison()
    {
        var unlike = new List<IoTestResult> { Runs.SqlServerSuite("a")[0], Runs.SqlServerSuite("b")[3] };
        using var book = new Workbook(unlike);
        Assert.DoesNotContain("Comparison", book.SheetNames());

        using var files = new Workbook([
            .. Enumerable.Range(0, 12).Select(number => Runs.Sqlio("E:\\t.dat", 2, 8, 100 + number, 1, 3, 9, label: $"file{number}")),
        ]);
        Assert.DoesNotContain("Comparison", files.SheetNames());
    }

    [Fact]
    public void A_baseline_with_nothing_in_common_is_an_error() =>
        Assert.Equal(
            "IoBench.NothingToCompare",
            Assert
                .Throws<IoBenchException>(() =>
                    Report.Write(Stream.Null, "report.xlsx", Runs.SqlServerSuite(), new() { Baseline = Runs.ThreeFiles() })
                )
                .ErrorId
        );

    [Fact]
    public void The_timeline_has_every_interval_and_a_curve_a_run()
    {
        using var book = new Workbook(Runs.SqlServerSuite()[..2], new() { NoSummary = true });

        Assert.Equal(2, book.Charts().Single(chart => chart.Title() == "IOPS over time").Descendants(Chart.C + "ser").Count());
        Assert.Contains("page-read | 30 | ", book.Text("Timeline"), StringComparison.Ordinal);
        using var old = new Workbook(Runs.ThreeFiles(), new() { NoSummary = true });
        Assert.DoesNotContain("Timeline", old.SheetNames());
    }

    [Fact]
    public void Stalls_silences_and_the_slowest_IOs_have_a_sheet_and_are_findings()
    {
        var runs = Runs.SqlServerSuite()[..2];
        runs[0].Silences = [.. Enumerable.Range(1, 4).Select(number => new IoSilence { Seconds = 7 * number - 1, LengthSeconds = 0.3 })];
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
        var sheet = book.Text("Stalls");
        Assert.Contains("every 7 s hardly any I/O ends for about 0.3 s: a stall with a period.", sheet, StringComparison.Ordinal);
        Assert.Contains("Slowest I/Os", sheet, StringComparison.Ordinal);
        Assert.Contains("| Write | 1048576 | 8192 | 31 |", sheet, StringComparison.Ordinal);
        Assert.Contains("the slowest I/O, a write of 8 KB at 1,048,576: 600 ms", book.Text("Summary"), StringComparison.Ordinal);
        using var calm = new Workbook(Runs.SqlServerSuite()[..2], new());
        Assert.DoesNotContain("Stalls", calm.SheetNames());
    }

    [Fact]
    public void The_curves_of_several_labels_are_of_the_same_tests()
    {
        using var book = new Workbook(
            [.. Runs.SqlServerSuite("HUS150", 0.3), .. Runs.SqlServerSuite("Nimble", 0.9), .. Runs.SqlServerSuite("Pure")],
            new() { NoSummary = true }
        );

        var curves = book.Charts()
            .Single(chart => chart.Title() == "IOPS over time")
            .Descendants(Chart.C + "ser")
            .Select(series => series.Descendants(Chart.C + "tx").Single().Value)
            .ToList();
        Assert.Equal(9, curves.Count);
        Assert.All(
            ["HUS150", "Nimble", "Pure"],
            label => Assert.Equal(3, curves.Count(curve => curve.Contains(label, StringComparison.Ordinal)))
        );
        Assert.Equal(3, curves.Count(curve => curve.Contains("page-read-qd1", StringComparison.Ordinal)));
        Assert.Contains(
            "The charts show 9 of 27 runs: the first tests, each of every label.",
            book.Text("Timeline"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Settings_hold_the_command_that_repeats_a_run()
    {
        var run = Runs.SqlServerSuite()[4];
        run.Warnings.Add("the array's cache may hold the file");
        using var book = new Workbook([run]);

        Assert.Contains(
            @"iobench run T:\iobench.dat --block 512KB --pattern interlocked --write 0 --threads 2 --outstanding 8 --size 20GB --duration 30 --warmup 5",
            book.Text("Settings"),
            StringComparison.Ordinal
        );
        Assert.Contains("Write cache | on", book.Text("Settings"), StringComparison.Ordinal);
        Assert.Contains("The array's cache may hold the file.", book.Text("Settings"), StringComparison.Ordinal);
    }

    [Fact]
    public void The_same_pattern_has_the_same_colour_on_every_sheet()
    {
        using var book = new Workbook(Runs.DepthSweep(), new() { NoSummary = true });
        var charts = book.Charts();

        static string? Colour(System.Xml.Linq.XElement element) =>
            (string?)element.Element(Chart.C + "spPr")!.Descendants(Chart.A + "srgbClr").First().Attribute("val");
        var bars = charts.Single(chart => chart.Title() == "Bandwidth");
        var colours = bars.Categories()
            .Zip(bars.Descendants(Chart.C + "dPt").Select(Colour))
            .GroupBy(item => item.First[..item.First.LastIndexOf(' ')])
            .ToDictionary(group => group.Key, group => group.Select(item => item.Second).Distinct().Single());
        var lines = charts.Single(chart => chart.Title() == "IOPS by outstanding I/Os per thread").Descendants(Chart.C + "ser").ToList();
        Assert.Equal(colours["8KB random read"], Colour(lines[0]));
        Assert.Equal(colours["8KB random write"], Colour(lines[1]));
    }

    [Fact]
    public void Every_series_has_a_fill_and_every_axis_a_title()
    {
        using var book = new Workbook(Runs.DepthSweep(), new() { Baseline = Runs.DepthSweep() });

        Assert.All(
            book.Charts(),
            chart =>
            {
                Assert.All(chart.Descendants(Chart.C + "ser"), series => Assert.NotEmpty(series.Element(Chart.C + "spPr")!.Elements()));
                Assert.All(chart.Descendants(Chart.C + "ser"), series => Assert.NotEmpty(series.Descendants(Chart.C + "numCache")));
                Assert.All(
                    chart.Descendants().Where(axis => axis.Name == Chart.C + "valAx" || axis.Name == Chart.C + "catAx"),
                    axis => Assert.NotEmpty(axis.Elements(Chart.C + "title"))
                );
            }
        );
    }
}
