using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class FleetSheetTests
{
    internal static List<IoTestResult> Hosts(string group, int hosts, double each, string workload = "page-read", double slowest = 1) =>
        [
            .. Enumerable
                .Range(1, hosts)
                .Select(n =>
                {
                    var iops = n == 3 ? each * slowest : each + n;
                    var run = Runs.Measured(
                        workload,
                        8,
                        IoAccessPattern.Random,
                        0,
                        4,
                        8,
                        iops,
                        1.2,
                        3,
                        12,
                        "/data/iobench.dat",
                        seconds: 30
                    );
                    (run.GroupId, run.Member, run.GroupHosts, run.StartOffsetSeconds, run.ComputerName) = (
                        group,
                        $"sql{n}",
                        hosts,
                        0.001 * n,
                        $"SQL{n}"
                    );
                    run.Specification = new IoTestSpecification { WarmUp = TimeSpan.FromSeconds(5), Duration = TimeSpan.FromSeconds(30) };
                    run.Timeline =
                    [
                        .. Enumerable
                            .Range(1, 30)
                            .Select(second => new IoTimelinePoint
                            {
                                Seconds = second,
                                IOPS = iops,
                                MBps = iops / 128,
                            }),
                    ];
                    return run;
                }),
        ];

    [Fact]
    public void Hosts_that_ran_together_have_a_sheet_with_sum_and_slowest()
    {
        using var book = new Workbook([.. Hosts("g/1", 6, 10_000, slowest: 0.5), .. Hosts("g/2", 6, 4_000, "oltp")]);
        var text = book.Text("Fleet");
        Assert.Contains("page-read: 55,0", text, StringComparison.Ordinal);
        Assert.Contains("sql3 gets 55 % of its share", text, StringComparison.Ordinal);
        Assert.Contains("Hosts by tests", text, StringComparison.Ordinal);
        Assert.Contains("page-read: 55,0", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Contains("Host | ", book.Text("Results"), StringComparison.Ordinal);
        Assert.Contains("sql4", book.Text("Results"), StringComparison.Ordinal);
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Hosts_by_tests_have_their_colour_and_their_figure_in_workbook_and_page()
    {
        List<IoTestResult> runs = [.. Hosts("g/1", 6, 10_000, slowest: 0.5), .. Hosts("g/2", 6, 4_000, "oltp")];
        using var book = new Workbook(runs);
        using var stream = new MemoryStream();
        Report.Write(stream, "report.html", runs, new());
        var page = System.Text.Encoding.UTF8.GetString(stream.ToArray());

        Assert.Contains("sql3 | 5000 | 4", book.Text("Fleet"), StringComparison.Ordinal);
        Assert.Matches(
            $"<td[^>]* bgcolor=\"#{Palette.HeatRamp[^1]}\" style=\"background:#{Palette.HeatRamp[^1]};color:#FFFFFF\">10,006</td>",
            page
        );
        // The value is rounded, without all digits of the division.
        Assert.Contains(">54.5</td>", page, StringComparison.Ordinal);
        Assert.Contains(
            "sql3 gives 5,000 IOPS in page-read, the median of 6 hosts is 10,003: look at the paths, limits and queue depths of sql3.",
            book.Text("Summary"),
            StringComparison.Ordinal
        );
        Assert.Contains("Sum of MiB/s", book.Text("Fleet"), StringComparison.Ordinal);
        // In dark mode, the same cell is light.
        Assert.Contains(
            $"td[bgcolor=\"#{Palette.HeatRamp[^1]}\"]{{background:#{Palette.HeatRampDark[^1]}!important;color:#{Palette.Ink}!important}}",
            page,
            StringComparison.Ordinal
        );
        var format = (int)
            book.Sheet("Fleet")
                .Descendants()
                .Last(cell =>
                    cell.Name.LocalName == "c"
                    && cell.Value == "5000"
                    && (int)cell.Attribute("s")! > StylesXml.Index(CellStyle.HeatFigure1) - 1
                )
                .Attribute("s")!;
        Assert.Equal(
            "3",
            (string?)
                book.Part("xl/styles.xml")
                    .Descendants()
                    .Single(item => item.Name.LocalName == "cellXfs")
                    .Elements()
                    .ElementAt(format)
                    .Attribute("numFmtId")
        );
    }

    [Fact]
    public void A_ramp_has_its_knee_and_its_bars()
    {
        using var book = new Workbook([
            .. Hosts("g-1/1", 1, 10_000),
            .. Hosts("g-2/1", 2, 10_000),
            .. Hosts("g-4/1", 4, 10_000),
            .. Hosts("g-8/1", 8, 6_250),
        ]);
        Assert.Contains("at 8 hosts, knee at 5", book.Text("Fleet"), StringComparison.Ordinal);
        Assert.Contains(
            "Host | page-read, 2 hosts | page-read, 4 hosts | page-read, 8 hosts",
            book.Text("Fleet"),
            StringComparison.Ordinal
        );
        Assert.Equal(
            ["8", "4", "2", "1"],
            book.Charts().Single(chart => chart.Title() == "page-read: sum of I/Os per second by hosts").Categories()
        );
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Without_hosts_that_ran_together_there_is_none()
    {
        using var book = new Workbook([
            Runs.Measured("page-read", 8, IoAccessPattern.Random, 0, 4, 8, 10_000, 1.2, 3, 12, "/data/iobench.dat", seconds: 30),
        ]);
        Assert.DoesNotContain("Fleet", book.SheetNames());
        Assert.DoesNotContain("Host | ", book.Text("Results"), StringComparison.Ordinal);
    }
}
