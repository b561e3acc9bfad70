namespace IoBench.Engine.Tests;

public class LatencyGuardTests
{
    private const long Ms = 1_000_000;

    [Fact]
    public void The_average_of_the_last_three_intervals_decides()
    {
        var guard = Guard(limitMs: 5);
        TimelineInterval[] intervals = [Reads(10, 5 * Ms), Reads(10, 5 * Ms), Reads(10, 5 * Ms), Reads(10, 5 * Ms + 1_000_000)];
        Assert.Null(guard.WhyStop(-1, 4, At(intervals)));
        Assert.Null(guard.WhyStop(2, 4, At(intervals)));
        Assert.Null(guard.WhyStop(3, 4, At(intervals)));
        Assert.Equal(
            "the run was ended: the average latency of the last 3 s was 5.333 ms, above the limit of 5 ms.",
            guard.WhyStop(4, 4, At(intervals))
        );
    }

    [Fact]
    public void Reads_and_writes_weigh_by_their_number()
    {
        var few = new TimelineInterval
        {
            Writes = 1,
            LatencySum = 100 * Ms,
            LatencyMax = 100 * Ms,
        };
        Assert.Null(Guard(limitMs: 5).WhyStop(3, 4, At(few, Reads(99, Ms), Reads(99, Ms))));
        Assert.NotNull(Guard(limitMs: 5).WhyStop(3, 4, At(few, few, Reads(1, Ms))));
    }

    [Fact]
    public void It_looks_once_an_interval()
    {
        var guard = Guard(limitMs: 5);
        var asked = 0;
        TimelineInterval Count(int index)
        {
            asked++;
            return Reads(1, Ms);
        }
        for (var look = 0; look < 10; look++)
            Assert.Null(guard.WhyStop(3, 4, Count));
        Assert.Equal(3, asked);
    }

    [Fact]
    public void Nothing_came_back_for_three_intervals_though_it_was_outstanding()
    {
        var guard = Guard(limitMs: 5);
        for (var complete = -1; complete < 3; complete++)
            Assert.Null(guard.WhyStop(complete, 32, Nothing));
        Assert.Equal("the run was ended: no I/O completed for 3 s, with 32 outstanding (limit 5 ms).", guard.WhyStop(3, 32, Nothing));
    }

    [Fact]
    public void A_limit_longer_than_the_intervals_is_not_judged_by_what_did_not_come_back() =>
        Assert.Null(Guard(limitMs: 3000).WhyStop(3, 32, Nothing));

    [Fact]
    public void What_is_not_outstanding_all_the_time_is_no_latency()
    {
        // No I/O was outstanding at one time in the second interval, so only the fourth and later intervals count.
        var guard = Guard(limitMs: 5);
        Assert.Null(guard.WhyStop(-1, 1, Nothing));
        Assert.Null(guard.WhyStop(0, 1, Nothing));
        Assert.Null(guard.WhyStop(1, 0, Nothing));
        for (var complete = 2; complete < 5; complete++)
            Assert.Null(guard.WhyStop(complete, 1, Nothing));
        Assert.NotNull(guard.WhyStop(5, 1, Nothing));
    }

    [Fact]
    public void A_run_with_nothing_to_do_is_never_ended()
    {
        var guard = Guard(limitMs: 5);
        for (var complete = -1; complete < 100; complete++)
            Assert.Null(guard.WhyStop(complete, 0, Nothing));
    }

    private static LatencyGuard Guard(double limitMs) => new(limitMs, TimeSpan.FromSeconds(1));

    private static TimelineInterval Nothing(int index) => default;

    private static TimelineInterval Reads(long count, long latency) =>
        new()
        {
            Reads = count,
            LatencySum = count * latency,
            LatencyMax = latency,
        };

    private static Func<int, TimelineInterval> At(params TimelineInterval[] intervals) => index => intervals[index];
}
