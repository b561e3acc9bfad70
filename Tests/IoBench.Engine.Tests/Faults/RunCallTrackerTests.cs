namespace IoBench.Engine.Tests;

public class RunCallTrackerTests
{
    [Fact]
    public void Call_without_progress_for_a_second_is_pending()
    {
        var activity = new RunCallTracker();
        Assert.Null(activity.GetPendingCall(100 * Clock.Second));
        activity.Begin(RunCallKind.Preparation, () => "x", 0);
        Assert.Null(activity.GetPendingCall(Clock.Second - 1));
        Assert.Equal(new PendingCall(RunCallKind.Preparation, "x", 1.5), activity.GetPendingCall(3 * Clock.Second / 2));
        activity.ReportProgress(4096, 2 * Clock.Second);
        Assert.Null(activity.GetPendingCall(3 * Clock.Second - 1));
        // The same position again is not progress.
        activity.ReportProgress(4096, 4 * Clock.Second);
        Assert.Equal(5, activity.GetPendingCall(7 * Clock.Second)!.Seconds);
        activity.End();
        Assert.Null(activity.GetPendingCall(8 * Clock.Second));
    }

    [Fact]
    public void Pending_call_text_names_the_file()
    {
        Assert.Equal("the opening of T:\\x.dat", new PendingCall(RunCallKind.Opening, "T:\\x.dat", 1).ToString());
        Assert.Equal("the last check of a file of the run", new PendingCall(RunCallKind.Look, null, 1).ToString());
    }
}
