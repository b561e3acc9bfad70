namespace IoBench.Engine.Tests;

public class SchedulingGapMonitorTests
{
    private const long Millisecond = 1_000_000;

    [Fact]
    public void Late_wake_up_is_one_gap_whoever_notices_it_first()
    {
        using var monitor = new SchedulingGapMonitor(now: 0);
        monitor.WakeUp(20 * Millisecond);
        // 100 ms late is a busy host, not a gap.
        monitor.WakeUp(120 * Millisecond);
        Assert.Null(monitor.TakeGap(121 * Millisecond));
        monitor.WakeUp(2120 * Millisecond);
        var gap = (121 * Millisecond, 2120 * Millisecond);
        // The caller read the clock before the process was suspended.
        Assert.Null(monitor.TakeGap(122 * Millisecond));
        Assert.Equal(gap, monitor.TakeGap(2121 * Millisecond));
        Assert.Null(monitor.TakeGap(2122 * Millisecond));

        // The caller runs first after a gap.
        Assert.Equal((2122 * Millisecond, 5000 * Millisecond), monitor.TakeGap(5000 * Millisecond));
        monitor.WakeUp(5001 * Millisecond);
        Assert.Null(monitor.TakeGap(5002 * Millisecond));
    }

    [Fact]
    public void Longest_delay_does_not_include_gaps()
    {
        using var monitor = new SchedulingGapMonitor(now: 0);
        Assert.Equal(0, monitor.LongestDelaySeconds);
        foreach (var delay in new[] { 3, 60, 20, 2000 })
            monitor.AddDelay(delay * Millisecond);
        Assert.Equal(0.06, monitor.LongestDelaySeconds, 6);
    }
}
