using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class FleetSheetTests
{
    internal static List<IoTestResult> CreateHosts(
        string group,
        int hosts,
        double each,
        string workload = "page-read",
        double slowest = 1
    ) =>
        [
            .. Enumerable
                .Range(1, hosts)
                .Select(n =>
                {
                    var iops = n == 3 ? each * slowest : each + n;
                    var run = ReportSamples.CreateMeasured(
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
    public void Fleet_sheet_shows_the_sum_and_the_slowest_host()
    {
        using var book = new Workbook([.. CreateHosts("g/1", 6, 10_000, slowest: 0.5), .. CreateHosts("g/2", 6, 4_000, "oltp")]);
        var text = book.GetText("Fleet");
        Assert.Contains("page-read: 55,0", text, StringComparison.Ordinal);
        Assert.Contains("sql3 gets 55% of its share", text, StringComparison.Ordinal);
        Assert.Contains("IOPS by host and test", text, StringComparison.Ordinal);
        Assert.Contains("page-read: 55,0", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.Contains("Host | ", book.GetText("Results"), StringComparison.Ordinal);
        Assert.Contains("sql4", book.GetText("Results"), StringComparison.Ordinal);
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Hosts_by_tests_table_has_colored_values_in_both_formats()
    {
        List<IoTestResult> runs = [.. CreateHosts("g/1", 6, 10_000, slowest: 0.5), .. CreateHosts("g/2", 6, 4_000, "oltp")];
        using var book = new Workbook(runs);
        using var stream = new MemoryStream();
        Report.Write(stream, "report.html", runs, new());
        var page = System.Text.Encoding.UTF8.GetString(stream.ToArray());

        Assert.Contains("sql3 | 5000 | 4", book.GetText("Fleet"), StringComparison.Ordinal);
        Assert.Matches(
            $"<td[^>]* bgcolor=\"#{Palette.HeatRamp[^1]}\" style=\"background:#{Palette.HeatRamp[^1]};color:#FFFFFF\">10,006</td>",
            page
        );
        // The value is rounded, without all digits of the division.
        Assert.Contains(">54.5</td>", page, StringComparison.Ordinal);
        Assert.Contains(
            "sql3 reaches 5,000 IOPS in page-read; the median of 6 hosts is 10,003: check the paths, limits, and queue depths of sql3.",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
        Assert.Contains("Sum of MiB/s", book.GetText("Fleet"), StringComparison.Ordinal);
        // In dark mode, the same cell is light.
        Assert.Contains(
            $"td[bgcolor=\"#{Palette.HeatRamp[^1]}\"]{{background:#{Palette.HeatRampDark[^1]}!important;color:#{Palette.TextColor}!important}}",
            page,
            StringComparison.Ordinal
        );
        var format = (int)
            book.GetSheet("Fleet")
                .Descendants()
                .Last(cell =>
                    cell.Name.LocalName == "c"
                    && cell.Value == "5000"
                    && (int)cell.Attribute("s")! > StylesXml.GetFormatIndex(CellStyle.HeatFigure1) - 1
                )
                .Attribute("s")!;
        Assert.Equal(
            "3",
            (string?)
                book.GetPart("xl/styles.xml")
                    .Descendants()
                    .Single(item => item.Name.LocalName == "cellXfs")
                    .Elements()
                    .ElementAt(format)
                    .Attribute("numFmtId")
        );
    }

    [Fact]
    public void Ramp_shows_its_saturation_point_and_a_chart_by_hosts()
    {
        using var book = new Workbook([
            .. CreateHosts("g-1/1", 1, 10_000),
            .. CreateHosts("g-2/1", 2, 10_000),
            .. CreateHosts("g-4/1", 4, 10_000),
            .. CreateHosts("g-8/1", 8, 6_250),
        ]);
        Assert.Contains("on 8 hosts, saturation point at 5 hosts", book.GetText("Fleet"), StringComparison.Ordinal);
        Assert.Contains(
            "Host | page-read, 2 hosts | page-read, 4 hosts | page-read, 8 hosts",
            book.GetText("Fleet"),
            StringComparison.Ordinal
        );
        Assert.Equal(
            ["8", "4", "2", "1"],
            book.GetCharts().Single(chart => chart.GetTitle() == "page-read: sum of IOPS by number of hosts").GetCategories()
        );
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Workbook_has_no_Fleet_sheet_for_a_single_host()
    {
        using var book = new Workbook([
            ReportSamples.CreateMeasured(
                "page-read",
                8,
                IoAccessPattern.Random,
                0,
                4,
                8,
                10_000,
                1.2,
                3,
                12,
                "/data/iobench.dat",
                seconds: 30
            ),
        ]);
        Assert.DoesNotContain("Fleet", book.GetSheetNames());
        Assert.DoesNotContain("Host | ", book.GetText("Results"), StringComparison.Ordinal);
    }
}
