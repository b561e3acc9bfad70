namespace IoBench.Engine.Tests;

public class LatencyGuardTests
{
    private const long Ms = 1_000_000;

    [Fact]
    public void Guard_stops_on_the_average_of_the_last_three_intervals()
    {
        var guard = CreateGuard(limitMs: 5);
        TimelineInterval[] intervals =
        [
            CreateReads(10, 5 * Ms),
            CreateReads(10, 5 * Ms),
            CreateReads(10, 5 * Ms),
            CreateReads(10, 5 * Ms + 1_000_000),
        ];
        Assert.Null(guard.GetStopReason(-1, 4, CreateSource(intervals)));
        Assert.Null(guard.GetStopReason(2, 4, CreateSource(intervals)));
        Assert.Null(guard.GetStopReason(3, 4, CreateSource(intervals)));
        Assert.Equal(
            "IoBench ended the run, because the average latency of the last 3 s was 5.333 ms, above the limit of 5 ms.",
            guard.GetStopReason(4, 4, CreateSource(intervals))
        );
    }

    [Fact]
    public void Reads_and_writes_are_weighted_by_their_count()
    {
        var few = new TimelineInterval
        {
            Writes = 1,
            LatencySum = 100 * Ms,
            LatencyMax = 100 * Ms,
        };
        Assert.Null(CreateGuard(limitMs: 5).GetStopReason(3, 4, CreateSource(few, CreateReads(99, Ms), CreateReads(99, Ms))));
        Assert.NotNull(CreateGuard(limitMs: 5).GetStopReason(3, 4, CreateSource(few, few, CreateReads(1, Ms))));
    }

    [Fact]
    public void Guard_reads_each_interval_once()
    {
        var guard = CreateGuard(limitMs: 5);
        var asked = 0;
        TimelineInterval Count(int index)
        {
            asked++;
            return CreateReads(1, Ms);
        }
        for (var look = 0; look < 10; look++)
            Assert.Null(guard.GetStopReason(3, 4, Count));
        Assert.Equal(3, asked);
    }

    [Fact]
    public void Guard_stops_after_three_intervals_without_completions()
    {
        var guard = CreateGuard(limitMs: 5);
        for (var complete = -1; complete < 3; complete++)
            Assert.Null(guard.GetStopReason(complete, 32, GetEmptyInterval));
        Assert.Equal(
            "IoBench ended the run, because no I/O completed for 3 s (outstanding I/Os: 32; limit: 5 ms).",
            guard.GetStopReason(3, 32, GetEmptyInterval)
        );
    }

    [Fact]
    public void Missing_completions_do_not_exceed_a_longer_limit() =>
        Assert.Null(CreateGuard(limitMs: 3000).GetStopReason(3, 32, GetEmptyInterval));

    [Fact]
    public void Interval_without_outstanding_IO_restarts_the_count()
    {
        // No I/O was outstanding at one time in the second interval, so only the fourth and later intervals count.
        var guard = CreateGuard(limitMs: 5);
        Assert.Null(guard.GetStopReason(-1, 1, GetEmptyInterval));
        Assert.Null(guard.GetStopReason(0, 1, GetEmptyInterval));
        Assert.Null(guard.GetStopReason(1, 0, GetEmptyInterval));
        for (var complete = 2; complete < 5; complete++)
            Assert.Null(guard.GetStopReason(complete, 1, GetEmptyInterval));
        Assert.NotNull(guard.GetStopReason(5, 1, GetEmptyInterval));
    }

    [Fact]
    public void Guard_never_stops_an_idle_run()
    {
        var guard = CreateGuard(limitMs: 5);
        for (var complete = -1; complete < 100; complete++)
            Assert.Null(guard.GetStopReason(complete, 0, GetEmptyInterval));
    }

    private static LatencyGuard CreateGuard(double limitMs) => new(limitMs, TimeSpan.FromSeconds(1));

    private static TimelineInterval GetEmptyInterval(int index) => default;

    private static TimelineInterval CreateReads(long count, long latency) =>
        new()
        {
            Reads = count,
            LatencySum = count * latency,
            LatencyMax = latency,
        };

    private static Func<int, TimelineInterval> CreateSource(params TimelineInterval[] intervals) => index => intervals[index];
}
