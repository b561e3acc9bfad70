namespace IoBench.Engine.Tests;

public class PacerTests
{
    [Fact]
    public void Rate_limited_threads_start_at_staggered_times()
    {
        var pattern = new IoPattern { MaxIopsPerThread = 10 };
        Assert.Equal(
            [0L, 25_000_000, 50_000_000, 75_000_000],
            Enumerable.Range(0, 4).Select(thread => Pacer.Create(pattern, thread, 4, default)!.NextDue)
        );
        pattern = new IoPattern { BurstSize = 8, ThinkTimeMs = 40 };
        Assert.Equal(
            [0L, 10_000_000, 20_000_000, 30_000_000],
            Enumerable.Range(0, 4).Select(thread => Pacer.Create(pattern, thread, 4, default)!.NextDue)
        );
    }

    [Theory]
    [InlineData(IoArrivals.Even)]
    [InlineData(IoArrivals.Poisson)]
    public void IOs_that_never_started_count_with_their_age(IoArrivals arrivals)
    {
        var pacer = Pacer.Create(new IoPattern { TargetIops = 1000, Arrivals = arrivals }, 0, 1, new RandomSource(1, 0, 0))!;
        pacer.SetStart(0);
        var times = new ResponseTimes();
        times.SetMeasuredTime(2 * Clock.Second, 12 * Clock.Second);
        pacer.CountNeverStarted(2 * Clock.Second, 12 * Clock.Second, 13 * Clock.Second, writePercent: 30, times);
        Assert.InRange(times.DueCount, arrivals == IoArrivals.Even ? 10_000 : 9_500, arrivals == IoArrivals.Even ? 10_000 : 10_500);
        Assert.Equal(times.DueCount, times.UnfinishedCount);
        Assert.InRange(times.OldestUnfinishedAge, 9.9 * Clock.Second, 10.0 * Clock.Second);
        Assert.InRange(times.Latencies.Writes!.Count, 0.28 * times.DueCount, 0.32 * times.DueCount);
        Assert.InRange(times.Latencies.Total.Average!.Value, 5.8e9, 6.2e9);
    }
}
