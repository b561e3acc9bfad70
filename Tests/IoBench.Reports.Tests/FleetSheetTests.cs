using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class FleetSheetTests
{
    private static List<IoTestResult> Hosts(string group, int hosts, double each, string workload = "page-read", double slowest = 1) => [.. Enumerable.Range(1, hosts).Select(n =>
    {
        var iops = n == 3 ? each * slowest : each + n;
        var run = Runs.Measured(workload, 8, IoAccessPattern.Random, 0, 4, 8, iops, 1.2, 3, 12, "/data/iobench.dat", seconds: 30);
        (run.GroupId, run.Member, run.GroupHosts, run.StartOffsetSeconds, run.ComputerName) = (group, $"sql{n}", hosts, 0.001 * n, $"SQL{n}");
        run.Specification = new IoTestSpecification { WarmUp = TimeSpan.FromSeconds(5), Duration = TimeSpan.FromSeconds(30) };
        run.Timeline = [.. Enumerable.Range(1, 30).Select(second => new IoTimelinePoint { Seconds = second, IOPS = iops, MBps = iops / 128 })];
        return run;
    })];

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
    public void A_ramp_has_its_knee_and_its_bars()
    {
        using var book = new Workbook([.. Hosts("g-1/1", 1, 10_000), .. Hosts("g-2/1", 2, 10_000), .. Hosts("g-4/1", 4, 10_000), .. Hosts("g-8/1", 8, 6_250)]);
        Assert.Contains("at 8 hosts, knee at 5", book.Text("Fleet"), StringComparison.Ordinal);
        Assert.Equal(["8", "4", "2", "1"], book.Charts().Single(chart => chart.Title() == "page-read: sum of I/Os per second by hosts").Categories());
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Without_hosts_that_ran_together_there_is_none()
    {
        using var book = new Workbook([Runs.Measured("page-read", 8, IoAccessPattern.Random, 0, 4, 8, 10_000, 1.2, 3, 12, "/data/iobench.dat", seconds: 30)]);
        Assert.DoesNotContain("Fleet", book.SheetNames());
        Assert.DoesNotContain("Host | ", book.Text("Results"), StringComparison.Ordinal);
    }
}
