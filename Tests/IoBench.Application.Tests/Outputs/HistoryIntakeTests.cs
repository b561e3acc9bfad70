using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed class HistoryIntakeTests : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("iobench-intake-");

    private string History => Path.Combine(_root.FullName, "history");

    private string Results => Directory.CreateDirectory(Path.Combine(_root.FullName, "results")).FullName;

    public void Dispose() => _root.Delete(recursive: true);

    private static IoTestResult Run(int day, double iops = 1000, IoResultStatus status = IoResultStatus.Complete) =>
        new()
        {
            Workload = "page-read",
            ComputerName = "SQL1",
            Path = "x.dat",
            IOPattern = "8KB random read",
            StartTime = new DateTimeOffset(2026, 1, 10, 2, 0, 0, TimeSpan.FromHours(1)).AddDays(day),
            IOPS = iops,
            BandwidthMBps = iops / 128,
            AverageLatencyMs = 1 / 3.0,
            Status = status,
            Warnings = ["Line 7: a remark"],
        };

    private void Write(string name, params IoTestResult[] results)
    {
        using var writer = new StreamWriter(Path.Combine(Results, name));
        ResultWriter.Write(writer, results, ResultFormat.Json);
    }

    [Fact]
    public void Each_result_is_taken_once_whatever_its_file_is_called()
    {
        Write("a.json", Run(0), Run(1));
        var first = HistoryIntake.Add(History, [Results]);
        Assert.Equal((2, 0), (first.Added.Count, first.Known));

        File.Move(Path.Combine(Results, "a.json"), Path.Combine(Results, "b.json"));
        Write("c.json", Run(2), Run(1));
        var second = HistoryIntake.Add(History, [Results]);

        Assert.Equal((1, 3), (second.Added.Count, second.Known));
        Assert.Equal(3, ResultHistory.Read(History).Count);
        Assert.Equal("1 result added to " + Path.Combine(History, "SQL1-2026-01.jsonl") + "; 3 were there already", second.ToString());
    }

    [Fact]
    public void Other_tools_results_are_known_again()
    {
        File.Copy(IoBench.Tests.Samples.Path("fio", "read-psync.json"), Path.Combine(Results, "night.json"));
        File.Copy(IoBench.Tests.Samples.Path("diskspd-runs", "v22-mix-r-L.out"), Path.Combine(Results, "night.txt"));
        Assert.Equal(2, HistoryIntake.Add(History, [Results]).Added.Count);

        var again = HistoryIntake.Add(History, [Results]);

        Assert.Equal((0, 2, 0), (again.Added.Count, again.Known, again.Files.Count));
    }

    [Fact]
    public void Runs_with_the_same_figures_at_different_times_are_two()
    {
        Write("a.json", Run(0, 1000), Run(1, 1000));
        Assert.Equal(2, HistoryIntake.Add(History, [Results]).Added.Count);
    }

    [Fact]
    public void A_run_that_is_not_whole_waits_until_it_is()
    {
        Write("a.json", Run(0, status: IoResultStatus.Incomplete));
        var first = HistoryIntake.Add(History, [Results]);
        Assert.Equal((0, 1), (first.Added.Count, first.Incomplete));

        Write("a.json", Run(0));
        Assert.Single(HistoryIntake.Add(History, [Results]).Added);
    }

    [Fact]
    public void A_file_that_cannot_be_read_costs_no_other()
    {
        Write("a.json", Run(0));
        File.WriteAllText(Path.Combine(Results, "b.json"), "[{\"ioPattern\": \"8KB\", ");

        var added = HistoryIntake.Add(History, [Results, Path.Combine(_root.FullName, "none")]);

        Assert.Single(added.Added);
        Assert.Contains(added.Failures, error => error.ErrorId == "IoBench.FileNotFound");
    }

    [Fact]
    public void Nothing_is_written_when_only_asked_for()
    {
        Write("a.json", Run(0));
        Assert.Single(HistoryIntake.Add(History, [Results], keep: false).Added);
        Assert.False(Directory.Exists(History));
    }
}
