using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetRecordTests
{
    /// <summary>A journal that saves everything must not hide that the file of the user could not be written.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void One_place_that_cannot_save_is_not_hidden_by_another(bool isLast)
    {
        using var spool = FleetSpool.Begin("group", null);
        IResultSink[] sinks = [new Sink(!isLast), new Sink(isLast)];
        var fleet = new PlayedFleet();
        var record = new FleetRecord("group", fleet, sinks, spool, false);
        record.OnResult(new FleetHost { Name = "sql1" }, new IoTestResult { Member = "sql1" });
        Assert.False(record.End(isCancelled: false).IsSaved);
        Assert.True(new FleetRecord("group", fleet, [new Sink(isFull: false)], spool, false).End(isCancelled: false).IsSaved);
    }

    /// <summary>Rewriting a complete file for each of a thousand hosts would delay the next test of all hosts.</summary>
    [Fact]
    public void What_all_hosts_gave_is_saved_at_once()
    {
        var sink = new Sink(isFull: false);
        using var spool = FleetSpool.Begin("group", null);
        var record = new FleetRecord("group", new PlayedFleet(), [sink], spool, false);
        for (var test = 1; test <= 2; test++)
        {
            foreach (var host in new[] { "sql2", "sql10", "sql1" })
                record.OnResult(
                    new FleetHost { Name = host },
                    new IoTestResult
                    {
                        Member = host,
                        GroupId = FleetIds.OfTest("group", test),
                        Status = IoResultStatus.Complete,
                    }
                );
            record.OnTestEnded(test);
        }
        record.End(isCancelled: false);
        Assert.Equal(["sql1 sql2 sql10", "sql1 sql2 sql10"], sink.Saved);
    }

    private sealed class Sink(bool isFull) : IResultSink
    {
        public List<string> Saved { get; } = [];

        public void AddAll(IReadOnlyList<IoTestResult> results)
        {
            Saved.Add(string.Join(' ', results.Select(result => result.Member)));
            Flush();
        }

        public void Flush()
        {
            if (isFull)
                throw IoBenchException.Failure("IoBench.CannotSave", "the disk is full.");
        }
    }
}
