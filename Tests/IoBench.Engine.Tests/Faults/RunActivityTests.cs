namespace IoBench.Engine.Tests;

public class RunActivityTests
{
    [Fact]
    public void What_has_not_got_further_for_a_second_hangs()
    {
        var activity = new RunActivity();
        Assert.Null(activity.Waiting(100 * Clock.Second));
        activity.Begin(RunCallKind.Preparation, () => "x", 0);
        Assert.Null(activity.Waiting(Clock.Second - 1));
        Assert.Equal(new WaitingCall(RunCallKind.Preparation, "x", 1.5), activity.Waiting(3 * Clock.Second / 2));
        activity.Moved(4096, 2 * Clock.Second);
        Assert.Null(activity.Waiting(3 * Clock.Second - 1));
        // The same position again is not progress.
        activity.Moved(4096, 4 * Clock.Second);
        Assert.Equal(5, activity.Waiting(7 * Clock.Second)!.Seconds);
        activity.End();
        Assert.Null(activity.Waiting(8 * Clock.Second));
    }

    [Fact]
    public void A_call_is_named_with_its_file()
    {
        Assert.Equal("the opening of T:\\x.dat", new WaitingCall(RunCallKind.Opening, "T:\\x.dat", 1).ToString());
        Assert.Equal("the last look at a file of the run", new WaitingCall(RunCallKind.Look, null, 1).ToString());
    }
}
