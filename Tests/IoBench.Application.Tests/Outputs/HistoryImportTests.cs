using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public sealed class HistoryImportTests : IDisposable
{
    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("iobench-intake-");

    private string History => Path.Combine(_root.FullName, "history");

    private string Results => Directory.CreateDirectory(Path.Combine(_root.FullName, "results")).FullName;

    public void Dispose() => _root.Delete(recursive: true);

    private static IoTestResult CreateRun(int day, double iops = 1000, IoResultStatus status = IoResultStatus.Complete) =>
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

    private void WriteResults(string name, params IoTestResult[] results)
    {
        using var writer = new StreamWriter(Path.Combine(Results, name));
        ResultWriter.Write(writer, results, ResultFormat.Json);
    }

    [Fact]
    public void Each_result_is_imported_once_regardless_of_the_file_name()
    {
        WriteResults("a.json", CreateRun(0), CreateRun(1));
        var first = HistoryWriter.ImportResults(History, [Results]);
        Assert.Equal((2, 0), (first.Added.Count, first.Known));

        File.Move(Path.Combine(Results, "a.json"), Path.Combine(Results, "b.json"));
        WriteResults("c.json", CreateRun(2), CreateRun(1));
        var second = HistoryWriter.ImportResults(History, [Results]);

        Assert.Equal((1, 3), (second.Added.Count, second.Known));
        Assert.Equal(3, ResultHistory.Read(History).Count);
        Assert.Equal(
            "1 result added to " + Path.Combine(History, "SQL1-2026-01.jsonl") + "; 3 were already in the history",
            second.ToString()
        );
    }

    [Fact]
    public void Results_of_other_tools_are_recognized_as_known()
    {
        File.Copy(IoBench.Tests.SampleFiles.GetPath("fio", "read-psync.json"), Path.Combine(Results, "night.json"));
        File.Copy(IoBench.Tests.SampleFiles.GetPath("diskspd-runs", "v22-mix-r-L.out"), Path.Combine(Results, "night.txt"));
        Assert.Equal(2, HistoryWriter.ImportResults(History, [Results]).Added.Count);

        var again = HistoryWriter.ImportResults(History, [Results]);

        Assert.Equal((0, 2, 0), (again.Added.Count, again.Known, again.Files.Count));
    }

    [Fact]
    public void Runs_with_equal_values_at_different_times_are_two_results()
    {
        WriteResults("a.json", CreateRun(0, 1000), CreateRun(1, 1000));
        Assert.Equal(2, HistoryWriter.ImportResults(History, [Results]).Added.Count);
    }

    [Fact]
    public void Incomplete_run_is_imported_only_when_complete()
    {
        WriteResults("a.json", CreateRun(0, status: IoResultStatus.Incomplete));
        var first = HistoryWriter.ImportResults(History, [Results]);
        Assert.Equal((0, 1), (first.Added.Count, first.Incomplete));

        WriteResults("a.json", CreateRun(0));
        Assert.Single(HistoryWriter.ImportResults(History, [Results]).Added);
    }

    [Fact]
    public void Unreadable_file_does_not_prevent_importing_others()
    {
        WriteResults("a.json", CreateRun(0));
        File.WriteAllText(Path.Combine(Results, "b.json"), "[{\"ioPattern\": \"8KB\", ");

        var added = HistoryWriter.ImportResults(History, [Results, Path.Combine(_root.FullName, "none")]);

        Assert.Single(added.Added);
        Assert.Contains(added.Failures, error => error.ErrorId == "IoBench.FileNotFound");
    }

    [Fact]
    public void Import_without_keep_writes_nothing()
    {
        WriteResults("a.json", CreateRun(0));
        Assert.Single(HistoryWriter.ImportResults(History, [Results], keep: false).Added);
        Assert.False(Directory.Exists(History));
    }
}
