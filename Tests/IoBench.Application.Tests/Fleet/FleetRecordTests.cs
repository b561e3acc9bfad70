using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetRecordTests
{
    /// <summary>A journal that takes all must not hide that the user's file could not be written.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void One_place_that_cannot_save_is_not_hidden_by_another(bool isLast)
    {
        IResultSink[] sinks = [new Sink(!isLast), new Sink(isLast)];
        var fleet = new PlayedFleet();
        var record = new FleetRecord("group", fleet, sinks);
        record.OnResult(new FleetHost { Name = "sql1" }, new IoTestResult { Member = "sql1" });
        Assert.False(record.End(isCancelled: false).IsSaved);
        Assert.True(new FleetRecord("group", fleet, [new Sink(isFull: false)]).End(isCancelled: false).IsSaved);
    }

    private sealed class Sink(bool isFull) : IResultSink
    {
        public void Add(IoTestResult result) => Flush();

        public void Flush()
        {
            if (isFull)
                throw IoBenchException.Failure("IoBench.CannotSave", "the disk is full.");
        }
    }
}
