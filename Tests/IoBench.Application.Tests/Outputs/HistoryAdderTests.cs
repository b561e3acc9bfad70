using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class HistoryAdderTests : IDisposable
{
    private readonly SuiteFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private static IoTestResult Run(int night) =>
        new()
        {
            Source = IoTestResult.OwnSource,
            Status = IoResultStatus.Complete,
            ComputerName = "SQL1",
            IOPS = 1000.1 + night,
            StartTime = new DateTimeOffset(2026, 1, 10 + night, 2, 0, 0, TimeSpan.FromHours(1)),
        };

    [Fact]
    public void What_the_history_has_is_not_added_again()
    {
        var history = _folder.File("history");
        var first = new HistoryAdder(history);
        first.Add([Run(0), Run(1), Run(1)]);
        first.Add([Run(0), Run(2)]);
        Assert.Equal(2, first.Known);

        var second = new HistoryAdder(history);
        second.Add([Run(0), Run(1), Run(2), Run(3)]);
        Assert.Equal((3, null), (second.Known, second.Unread));
        Assert.Equal(4, ResultHistory.Read(history).Count);
    }

    [Fact]
    public void A_damaged_file_in_the_history_costs_no_result()
    {
        var history = _folder.File("history");
        Directory.CreateDirectory(history);
        File.WriteAllText(Path.Combine(history, "old.csv"), "IOPS,Label,Path\n5,\"x,p\n");
        var adder = new HistoryAdder(history);
        adder.Add([Run(0)]);
        Assert.Equal("IoBench.InvalidCsv", adder.Unread?.ErrorId);
        Assert.Single(File.ReadAllLines(Path.Combine(history, "SQL1-2026-01.jsonl")));
    }
}
