using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Tests;

public class TimerTests
{
    private const uint HighResolution = 2;
    private const long Millisecond = 1_000_000;

    [Fact]
    public void Timer_resolution_is_requested_once_and_released()
    {
        var calls = new SimulatedTimerCalls();
        using (var held = new TimerResolutionScope(calls))
        {
            Assert.True(held.IsGranted);
            Assert.Equal(["begin 1"], calls.CallLog);
        }
        Assert.Equal(["begin 1", "end 1"], calls.CallLog);
    }

    [Fact]
    public void Refused_timer_resolution_is_not_released()
    {
        const uint cannot = 97;
        var calls = new SimulatedTimerCalls { BeginResult = cannot };
        using (var held = new TimerResolutionScope(calls))
            Assert.False(held.IsGranted);
        Assert.Equal(["begin 1"], calls.CallLog);
    }

    [LinuxFact]
    public void Waits_work_without_winmm()
    {
        // Linux has no winmm, so the call fails to find it, as on Nano Server.
        Assert.Throws<DllNotFoundException>(() => new WindowsTimerCalls().BeginPeriod(1));
        using var held = new TimerResolutionScope(new WindowsTimerCalls());
        Assert.False(held.IsGranted);
    }

    [Fact]
    public void Waits_use_a_high_resolution_timer_except_at_the_end()
    {
        var calls = new SimulatedTimerCalls();
        var timer = new HighResolutionTimer(calls);
        var until = Clock.Now + 20 * Millisecond;
        Clock.WaitUntil(until, timer.Wait);
        Assert.True(Clock.Now >= until);
        Assert.Equal(FormattableString.Invariant($"create {HighResolution}"), calls.CallLog[0]);
        // The due time is relative, in units of 100 ns. A loop covers the time by which the timer can be late.
        Assert.InRange(calls.DueTimes[0], -19 * Millisecond / 100, -1);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Wait_is_as_long_without_a_high_resolution_timer(bool isMade)
    {
        // Windows before 10 version 1803 and Server 2016 refuse the flag.
        var calls = new SimulatedTimerCalls { CanCreate = isMade, CanSet = false };
        var timer = new HighResolutionTimer(calls);
        var until = Clock.Now + 20 * Millisecond;
        Clock.WaitUntil(until, timer.Wait);
        Assert.True(Clock.Now >= until);
        Assert.Equal(isMade, calls.DueTimes.Count > 0);
        Assert.DoesNotContain("wait", calls.CallLog);
    }

    private sealed class SimulatedTimerCalls : ITimerCalls
    {
        public uint BeginResult { get; init; }

        public bool CanCreate { get; init; } = true;

        public bool CanSet { get; init; } = true;

        public List<string> CallLog { get; } = [];

        public List<long> DueTimes { get; } = [];

        public uint BeginPeriod(uint milliseconds)
        {
            CallLog.Add(FormattableString.Invariant($"begin {milliseconds}"));
            return BeginResult;
        }

        public uint EndPeriod(uint milliseconds)
        {
            CallLog.Add(FormattableString.Invariant($"end {milliseconds}"));
            return 0;
        }

        public SafeWaitHandle CreateTimer(uint flags)
        {
            CallLog.Add(FormattableString.Invariant($"create {flags}"));
            return new SafeWaitHandle(CanCreate ? 1 : 0, ownsHandle: false);
        }

        public bool SetTimer(SafeWaitHandle timer, long due)
        {
            DueTimes.Add(due);
            return CanSet;
        }

        public bool WaitForTimer(SafeWaitHandle timer)
        {
            CallLog.Add("wait");
            Thread.Sleep(TimeSpan.FromTicks(-DueTimes[^1]));
            return true;
        }
    }
}
