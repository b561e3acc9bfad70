using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class SweepTests
{
    [Fact]
    public void Repeats_are_averaged_to_one_point_and_one_saturation_point()
    {
        List<IoTestResult> runs = [];
        foreach (var factor in new[] { 0.9, 1.1 })
            runs.AddRange(ReportSamples.CreateDepthSweep(writesToo: false).Select(run => ScaleRates(run, factor)));
        using var book = new Workbook(runs, new() { NoSummary = true });
        using var once = new Workbook(ReportSamples.CreateDepthSweep(writesToo: false), new() { NoSummary = true });

        var (repeated, single) = (GetIopsChart(book), GetIopsChart(once));
        Assert.Equal(single.GetCategories(), repeated.GetCategories());
        Assert.All(single.GetValues().Zip(repeated.GetValues()), pair => Assert.Equal(pair.First, pair.Second, pair.First * 1e-9));
        Assert.Equal(GetSentence(once), GetSentence(book));
        Assert.Equal(2, repeated.Descendants(ChartReader.ChartNs + "ser").Count());
    }

    [Fact]
    public void Sweep_of_two_parameters_has_a_line_per_second_value()
    {
        var grid = (
            from repeat in new[] { 1, 2 }
            from threads in new[] { 1, 2 }
            from depth in new[] { 1, 2, 4, 8 }
            select ReportSamples.CreateMeasured(
                null,
                8,
                IoAccessPattern.Random,
                0,
                threads,
                depth,
                1000 * threads * depth * repeat,
                1,
                2,
                3,
                repeat: repeat
            )
        ).ToList();
        using var book = new Workbook(grid, new() { NoSummary = true });
        var chart = GetIopsChart(book);

        Assert.Equal(["8KB random read, 1 thread", "8KB random read, 2 threads"], GetSeriesNames(chart));
        Assert.Equal([1500, 3000, 6000, 12000], chart.GetValues());
        Assert.Equal([3000, 6000, 12000, 24000], chart.GetValues(1));
    }

    [Fact]
    public void Labels_do_not_split_a_sweep_when_each_run_has_its_own()
    {
        var runs = ReportSamples.CreateDepthSweep(writesToo: false).ToList();
        using var unlabeled = new Workbook(runs, new() { NoSummary = true });
        for (var i = 0; i < runs.Count; i++)
            runs[i].Label = $"file{i}";
        using var labeled = new Workbook(runs, new() { NoSummary = true });

        Assert.Equal(GetSeriesNames(GetIopsChart(unlabeled)), GetSeriesNames(GetIopsChart(labeled)));
        Assert.Equal(GetSentence(unlabeled), GetSentence(labeled));
    }

    [Fact]
    public void Labels_split_a_sweep_when_runs_share_them()
    {
        List<IoTestResult> runs = [];
        foreach (var label in new[] { "before", "after" })
        {
            foreach (var run in ReportSamples.CreateDepthSweep(writesToo: false))
            {
                run.Label = label;
                runs.Add(run);
            }
        }
        using var book = new Workbook(runs, new() { NoSummary = true });
        Assert.Equal(["8KB random read before", "8KB random read after"], GetSeriesNames(GetIopsChart(book)).Take(2));
    }

    [Fact]
    public void Each_pattern_has_a_line_and_a_saturation_marker()
    {
        using var book = new Workbook(ReportSamples.CreateDepthSweep(), new() { NoSummary = true });
        var names = GetSeriesNames(GetIopsChart(book));

        Assert.Equal(["8KB random read", "8KB random write"], names.Take(2));
        // Each line has a marker for its saturation point.
        Assert.Equal(4, names.Count);
        Assert.Equal("64", names[2]);
    }

    [Theory]
    [InlineData("threads", "IOPS by threads")]
    [InlineData("block", "IOPS by block size")]
    [InlineData("size", "IOPS by file size")]
    public void Sweep_supports_threads_block_size_and_file_size(string parameter, string title)
    {
        var runs = new[] { 1, 2, 4, 8 }
            .Select(value =>
                ReportSamples.CreateMeasured(
                    null,
                    parameter == "block" ? 8 * value : 8,
                    IoAccessPattern.Random,
                    0,
                    parameter == "threads" ? value : 1,
                    8,
                    10_000 * value,
                    1,
                    2,
                    3,
                    sizeMB: parameter == "size" ? 1024 * value : 20480
                )
            )
            .ToList();
        using var book = new Workbook(runs, new() { NoSummary = true });

        Assert.Contains(title, book.GetCharts().Select(chart => chart.GetTitle()));
    }

    [Fact]
    public void Sweep_table_has_no_empty_columns()
    {
        var runs = new[] { 1, 2, 8 }
            .Select(depth => ReportSamples.CreateSqlio(@"G:\testfile.dat", 64, depth, 20_000 + depth, 160, depth, 90))
            .ToList();
        using var book = new Workbook(runs, new() { NoSummary = true });

        Assert.Contains("Average latency (ms)", book.GetText("Sweep"), StringComparison.Ordinal);
        Assert.DoesNotContain("p99 (ms)", book.GetText("Sweep"), StringComparison.Ordinal);
    }

    private static System.Xml.Linq.XElement GetIopsChart(Workbook book) =>
        book.GetCharts().Single(chart => chart.GetTitle() == "IOPS by outstanding I/Os per thread");

    private static List<string> GetSeriesNames(System.Xml.Linq.XElement chart) =>
        [
            .. chart
                .Descendants(ChartReader.ChartNs + "ser")
                .Select(series => series.Element(ChartReader.ChartNs + "tx")!.Descendants(ChartReader.ChartNs + "v").Single().Value),
        ];

    private static string GetSentence(Workbook book) => book.GetText("Sweep").Split('\n')[2];

    private static IoTestResult ScaleRates(IoTestResult run, double factor)
    {
        (run.IOPS, run.BandwidthMBps) = (run.IOPS * factor, run.BandwidthMBps * factor);
        return run;
    }
}
