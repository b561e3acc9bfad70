using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Tests;

public class TimerTests
{
    private const uint HighResolution = 2;
    private const long Millisecond = 1_000_000;

    [Fact]
    public void The_resolution_is_asked_for_once_and_taken_back()
    {
        var calls = new ModelTimers();
        using (var held = new TimerResolution(calls))
        {
            Assert.True(held.IsHeld);
            Assert.Equal(["begin 1"], calls.Said);
        }
        Assert.Equal(["begin 1", "end 1"], calls.Said);
    }

    [Fact]
    public void What_was_refused_is_not_taken_back()
    {
        const uint cannot = 97;
        var calls = new ModelTimers { Answer = cannot };
        using (var held = new TimerResolution(calls))
            Assert.False(held.IsHeld);
        Assert.Equal(["begin 1"], calls.Said);
    }

    [LinuxFact]
    public void Where_there_is_no_winmm_waits_are_coarser_and_nothing_fails()
    {
        // Linux has no winmm, so the call fails to find it, as on Nano Server.
        Assert.Throws<DllNotFoundException>(() => new WindowsTimerCalls().Begin(1));
        using var held = new TimerResolution(new WindowsTimerCalls());
        Assert.False(held.IsHeld);
    }

    [Fact]
    public void Waits_are_those_of_a_timer_of_high_resolution_but_for_their_end()
    {
        var calls = new ModelTimers();
        var timer = new HighResolutionTimer(calls);
        var until = Clock.Now + 20 * Millisecond;
        Clock.WaitUntil(until, timer.Wait);
        Assert.True(Clock.Now >= until);
        Assert.Equal(FormattableString.Invariant($"create {HighResolution}"), calls.Said[0]);
        // The due time is relative, in units of 100 ns. A loop covers the time by which the timer can be late.
        Assert.InRange(calls.Dues[0], -19 * Millisecond / 100, -1);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Where_Windows_knows_no_such_timer_or_does_not_set_it_the_wait_is_as_long(bool isMade)
    {
        // Windows before 10 version 1803 and Server 2016 refuse the flag.
        var calls = new ModelTimers { Makes = isMade, Sets = false };
        var timer = new HighResolutionTimer(calls);
        var until = Clock.Now + 20 * Millisecond;
        Clock.WaitUntil(until, timer.Wait);
        Assert.True(Clock.Now >= until);
        Assert.Equal(isMade, calls.Dues.Count > 0);
        Assert.DoesNotContain("wait", calls.Said);
    }

    private sealed class ModelTimers : ITimerCalls
    {
        public uint Answer { get; init; }

        public bool Makes { get; init; } = true;

        public bool Sets { get; init; } = true;

        public List<string> Said { get; } = [];

        public List<long> Dues { get; } = [];

        public uint Begin(uint milliseconds)
        {
            Said.Add(FormattableString.Invariant($"begin {milliseconds}"));
            return Answer;
        }

        public uint End(uint milliseconds)
        {
            Said.Add(FormattableString.Invariant($"end {milliseconds}"));
            return 0;
        }

        public SafeWaitHandle Create(uint flags)
        {
            Said.Add(FormattableString.Invariant($"create {flags}"));
            return new SafeWaitHandle(Makes ? 1 : 0, ownsHandle: false);
        }

        public bool Set(SafeWaitHandle timer, long due)
        {
            Dues.Add(due);
            return Sets;
        }

        public bool Wait(SafeWaitHandle timer)
        {
            Said.Add("wait");
            Thread.Sleep(TimeSpan.FromTicks(-Dues[^1]));
            return true;
        }
    }
}
