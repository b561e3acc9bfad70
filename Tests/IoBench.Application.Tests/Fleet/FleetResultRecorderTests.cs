using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetResultRecorderTests
{
    /// <summary>A journal that saves everything must not hide that the file of the user could not be written.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Failed_sink_is_reported_although_another_sink_saves(bool isLast)
    {
        using var spool = ResultSpool.Create("group", null);
        IResultSink[] sinks = [new RecordingSink(!isLast), new RecordingSink(isLast)];
        var fleet = new SimulatedFleet();
        var record = new FleetResultRecorder("group", fleet, sinks, spool, false);
        record.OnResult(new FleetHost { Name = "sql1" }, new IoTestResult { Member = "sql1" });
        Assert.False(record.Finish(isCancelled: false).IsSaved);
        Assert.True(
            new FleetResultRecorder("group", fleet, [new RecordingSink(isFull: false)], spool, false).Finish(isCancelled: false).IsSaved
        );
    }

    /// <summary>Rewriting a complete file for each of a thousand hosts would delay the next test of all hosts.</summary>
    [Fact]
    public void Results_of_all_hosts_of_a_test_are_saved_together()
    {
        var sink = new RecordingSink(isFull: false);
        using var spool = ResultSpool.Create("group", null);
        var record = new FleetResultRecorder("group", new SimulatedFleet(), [sink], spool, false);
        for (var test = 1; test <= 2; test++)
        {
            foreach (var host in new[] { "sql2", "sql10", "sql1" })
                record.OnResult(
                    new FleetHost { Name = host },
                    new IoTestResult
                    {
                        Member = host,
                        GroupId = FleetPlan.GetGroupId("group", test),
                        Status = IoResultStatus.Complete,
                    }
                );
            record.OnTestEnded(test);
        }
        record.Finish(isCancelled: false);
        Assert.Equal(["sql1 sql2 sql10", "sql1 sql2 sql10"], sink.Saved);
    }

    private sealed class RecordingSink(bool isFull) : IResultSink
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
