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
        Assert.True(calls.TryRaiseResolution());
        Assert.Equal(["begin 1"], calls.CallLog);
        calls.RestoreResolution();
        Assert.Equal(["begin 1", "end 1"], calls.CallLog);
    }

    [Fact]
    public void Refused_timer_resolution_is_not_released()
    {
        const uint cannot = 97;
        var calls = new SimulatedTimerCalls { BeginResult = cannot };
        Assert.False(calls.TryRaiseResolution());
        calls.RestoreResolution();
        Assert.Equal(["begin 1"], calls.CallLog);
    }

    [LinuxFact]
    public void Waits_work_without_winmm()
    {
        // Linux has no winmm, so the call fails to find it, as on Nano Server.
        Assert.Throws<DllNotFoundException>(() => new WindowsTimer().BeginPeriod(1));
        Assert.False(new WindowsTimer().TryRaiseResolution());
    }

    [Fact]
    public void Waits_use_a_high_resolution_timer_except_at_the_end()
    {
        var calls = new SimulatedTimerCalls();
        var until = Clock.Now + 20 * Millisecond;
        Clock.WaitUntil(until, calls.TryWait);
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
        var until = Clock.Now + 20 * Millisecond;
        Clock.WaitUntil(until, calls.TryWait);
        Assert.True(Clock.Now >= until);
        Assert.Equal(isMade, calls.DueTimes.Count > 0);
        Assert.DoesNotContain("wait", calls.CallLog);
    }

    private sealed class SimulatedTimerCalls : WindowsTimer
    {
        public uint BeginResult { get; init; }

        public bool CanCreate { get; init; } = true;

        public bool CanSet { get; init; } = true;

        public List<string> CallLog { get; } = [];

        public List<long> DueTimes { get; } = [];

        internal override uint BeginPeriod(uint milliseconds)
        {
            CallLog.Add(FormattableString.Invariant($"begin {milliseconds}"));
            return BeginResult;
        }

        internal override uint EndPeriod(uint milliseconds)
        {
            CallLog.Add(FormattableString.Invariant($"end {milliseconds}"));
            return 0;
        }

        internal override SafeWaitHandle CreateTimer(uint flags)
        {
            CallLog.Add(FormattableString.Invariant($"create {flags}"));
            return new SafeWaitHandle(CanCreate ? 1 : 0, ownsHandle: false);
        }

        internal override bool SetTimer(SafeWaitHandle timer, long due)
        {
            DueTimes.Add(due);
            return CanSet;
        }

        internal override bool WaitForTimer(SafeWaitHandle timer)
        {
            CallLog.Add("wait");
            Thread.Sleep(TimeSpan.FromTicks(-DueTimes[^1]));
            return true;
        }
    }
}
