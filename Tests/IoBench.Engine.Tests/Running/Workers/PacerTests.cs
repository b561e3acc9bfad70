namespace IoBench.Engine.Tests;

public class PacerTests
{
    [Fact]
    public void Threads_of_a_limited_target_start_one_after_the_other()
    {
        var pattern = new IoPattern { MaxIopsPerThread = 10 };
        Assert.Equal(
            [0L, 25_000_000, 50_000_000, 75_000_000],
            Enumerable.Range(0, 4).Select(thread => Pacer.For(pattern, thread, 4, default)!.Due)
        );
        pattern = new IoPattern { BurstSize = 8, ThinkTimeMs = 40 };
        Assert.Equal(
            [0L, 10_000_000, 20_000_000, 30_000_000],
            Enumerable.Range(0, 4).Select(thread => Pacer.For(pattern, thread, 4, default)!.Due)
        );
    }

    [Theory]
    [InlineData(IoArrivals.Even)]
    [InlineData(IoArrivals.Poisson)]
    public void What_never_started_is_counted_with_its_age(IoArrivals arrivals)
    {
        var pacer = Pacer.For(new IoPattern { TargetIops = 1000, Arrivals = arrivals }, 0, 1, new RandomSource(1, 0, 0))!;
        pacer.Begin(0);
        var times = new ResponseTimes();
        times.Begin(2 * Clock.Second, 12 * Clock.Second);
        pacer.CountNeverStarted(2 * Clock.Second, 12 * Clock.Second, 13 * Clock.Second, writePercent: 30, times);
        Assert.InRange(times.DueCount, arrivals == IoArrivals.Even ? 10_000 : 9_500, arrivals == IoArrivals.Even ? 10_000 : 10_500);
        Assert.Equal(times.DueCount, times.NotDone);
        Assert.InRange(times.OldestAge, 9.9 * Clock.Second, 10.0 * Clock.Second);
        Assert.InRange(times.Latencies.Writes!.Count, 0.28 * times.DueCount, 0.32 * times.DueCount);
        Assert.InRange(times.Latencies.Total.Average!.Value, 5.8e9, 6.2e9);
    }
}
