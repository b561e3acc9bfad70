using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class HistoryWriterTests : IDisposable
{
    private readonly TemporarySuiteFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static IoTestResult CreateRun(int night) =>
        new()
        {
            Source = IoTestResult.OwnSource,
            Status = IoResultStatus.Complete,
            ComputerName = "SQL1",
            IOPS = 1000.1 + night,
            StartTime = new DateTimeOffset(2026, 1, 10 + night, 2, 0, 0, TimeSpan.FromHours(1)),
        };

    [Fact]
    public void Known_results_are_not_added_again()
    {
        var history = _folder.GetPath("history");
        var first = new HistoryWriter(history);
        first.Add([CreateRun(0), CreateRun(1), CreateRun(1)]);
        first.Add([CreateRun(0), CreateRun(2)]);
        Assert.Equal(2, first.Known);

        var second = new HistoryWriter(history);
        second.Add([CreateRun(0), CreateRun(1), CreateRun(2), CreateRun(3)]);
        Assert.Equal((3, null), (second.Known, second.Unread));
        Assert.Equal(4, ResultHistory.Read(history).Count);
    }

    [Fact]
    public void Result_that_another_process_added_meanwhile_is_known()
    {
        var history = _folder.GetPath("history");
        HistoryWriter first = new(history),
            second = new(history);
        first.Add([CreateRun(0)]);
        second.Add([CreateRun(1)]);
        first.Add([CreateRun(2)]);
        second.Add([CreateRun(2), CreateRun(0)]);
        Assert.Equal(2, second.Known);
        Assert.Equal(3, ResultHistory.Read(history).Count);
    }

    [Fact]
    public void Line_that_was_half_written_at_the_first_read_is_known_later()
    {
        var history = _folder.GetPath("history");
        var file = HistoryWriter.AppendResults(history, [CreateRun(0), CreateRun(1)])[0];
        var text = File.ReadAllText(file);
        File.WriteAllText(file, text[..^20]);
        var writer = new HistoryWriter(history);
        writer.Add([CreateRun(0)]);
        File.WriteAllText(file, text);
        writer.Add([CreateRun(1)]);
        Assert.Equal(2, writer.Known);
        Assert.Equal(text, File.ReadAllText(file));
    }

    [Fact]
    public void Damaged_history_file_does_not_prevent_adding_results()
    {
        var history = _folder.GetPath("history");
        Directory.CreateDirectory(history);
        File.WriteAllText(Path.Combine(history, "old.csv"), "IOPS,Label,Path\n5,\"x,p\n");
        var adder = new HistoryWriter(history);
        adder.Add([CreateRun(0)]);
        Assert.Equal("IoBench.InvalidCsv", adder.Unread?.ErrorId);
        Assert.Single(File.ReadAllLines(Path.Combine(history, "SQL1-2026-01.jsonl")));
    }
}
