namespace IoBench.Cli.Tests;

/// <summary>Stop requests as Windows sends them when its window is closed: the process lives until its handler returns.</summary>
public class StopSignalTests
{
    [InProcessFact]
    public async Task A_handler_that_ends_the_process_waits_until_all_is_saved()
    {
        using var stop = new StopSignal();
        var handler = Task.Run(() => stop.Request(endsProcess: true));
        Assert.True(stop.Token.WaitHandle.WaitOne(TimeSpan.FromMinutes(1)));
        Assert.False(handler.IsCompleted);
        stop.Ended();
        Assert.True(await handler.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    [InProcessFact]
    public void It_waits_no_longer_than_Windows_does()
    {
        using var stop = new StopSignal();
        Assert.True(stop.Request(endsProcess: true));
        Assert.InRange(StopSignal.TimeToEnd.TotalSeconds, 2.5, 4.9);
    }

    [InProcessFact]
    public void The_first_request_ends_the_run_and_the_second_the_program()
    {
        using var stop = new StopSignal();
        Assert.True(stop.Request());
        Assert.True(stop.Token.IsCancellationRequested);
        Assert.False(stop.Request());
    }
}
