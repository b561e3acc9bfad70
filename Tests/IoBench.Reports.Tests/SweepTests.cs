using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class SweepTests
{
    [Fact]
    public void Repeats_are_one_point_with_their_mean_and_one_knee()
    {
        List<IoTestResult> runs = [];
        foreach (var factor in new[] { 0.9, 1.1 })
            runs.AddRange(Runs.DepthSweep(writesToo: false).Select(run => Times(run, factor)));
        using var book = new Workbook(runs, new() { NoSummary = true });
        using var once = new Workbook(Runs.DepthSweep(writesToo: false), new() { NoSummary = true });

        var (repeated, single) = (Iops(book), Iops(once));
        Assert.Equal(single.Categories(), repeated.Categories());
        Assert.All(single.Values().Zip(repeated.Values()), pair => Assert.Equal(pair.First, pair.Second, pair.First * 1e-9));
        Assert.Equal(Sentence(once), Sentence(book));
        Assert.Equal(2, repeated.Descendants(Chart.C + "ser").Count());
    }

    [Fact]
    public void Two_parameters_with_repeats_are_a_line_for_each_value_of_the_second()
    {
        var grid = (
            from repeat in new[] { 1, 2 }
            from threads in new[] { 1, 2 }
            from depth in new[] { 1, 2, 4, 8 }
            select Runs.Measured(
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
        var chart = Iops(book);

        Assert.Equal(["8KB random read, 1 thread", "8KB random read, 2 threads"], Names(chart));
        Assert.Equal([1500, 3000, 6000, 12000], chart.Values());
        Assert.Equal([3000, 6000, 12000, 24000], chart.Values(1));
    }

    [Fact]
    public void Several_patterns_are_a_line_each_in_the_colour_they_have_everywhere()
    {
        using var book = new Workbook(Runs.DepthSweep(), new() { NoSummary = true });
        var names = Names(Iops(book));

        Assert.Equal(["8KB random read", "8KB random write"], names.Take(2));
        // Each line has a marker for its saturation point.
        Assert.Equal(4, names.Count);
        Assert.Equal("64", names[2]);
    }

    [Theory]
    [InlineData("threads", "IOPS by threads")]
    [InlineData("block", "IOPS by block size")]
    [InlineData("size", "IOPS by file size")]
    public void Any_of_the_parameters_makes_a_sweep(string parameter, string title)
    {
        var runs = new[] { 1, 2, 4, 8 }
            .Select(value =>
                Runs.Measured(
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

        Assert.Contains(title, book.Charts().Select(chart => chart.Title()));
    }

    [Fact]
    public void Columns_that_nobody_fills_are_left_out_of_its_table()
    {
        var runs = new[] { 1, 2, 8 }.Select(depth => Runs.Sqlio(@"G:\testfile.dat", 64, depth, 20_000 + depth, 160, depth, 90)).ToList();
        using var book = new Workbook(runs, new() { NoSummary = true });

        Assert.Contains("Average latency (ms)", book.Text("Sweep"), StringComparison.Ordinal);
        Assert.DoesNotContain("p99 (ms)", book.Text("Sweep"), StringComparison.Ordinal);
    }

    private static System.Xml.Linq.XElement Iops(Workbook book) =>
        book.Charts().Single(chart => chart.Title() == "IOPS by outstanding I/Os per thread");

    private static List<string> Names(System.Xml.Linq.XElement chart) =>
        [.. chart.Descendants(Chart.C + "ser").Select(series => series.Element(Chart.C + "tx")!.Descendants(Chart.C + "v").Single().Value)];

    private static string Sentence(Workbook book) => book.Text("Sweep").Split('\n')[2];

    private static IoTestResult Times(IoTestResult run, double factor)
    {
        (run.IOPS, run.BandwidthMBps) = (run.IOPS * factor, run.BandwidthMBps * factor);
        return run;
    }
}
