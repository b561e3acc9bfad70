namespace IoBench.Cli.Tests;

/// <summary>Stop requests as Windows sends them when its window is closed: the process lives until its handler returns.</summary>
public class StopSignalTests
{
    [InProcessFact]
    public async Task Process_ending_handler_waits_until_results_are_saved()
    {
        using var stop = new StopSignal();
        var handler = Task.Run(() => stop.RequestStop(endsProcess: true));
        Assert.True(stop.Token.WaitHandle.WaitOne(TimeSpan.FromMinutes(1)));
        Assert.False(handler.IsCompleted);
        stop.SignalEnd();
        Assert.True(await handler.WaitAsync(TimeSpan.FromMinutes(1)));
    }

    [InProcessFact]
    public void Process_ending_handler_waits_less_than_5_seconds()
    {
        using var stop = new StopSignal();
        Assert.True(stop.RequestStop(endsProcess: true));
        Assert.InRange(StopSignal.MaxEndTime.TotalSeconds, 2.5, 4.9);
    }

    [InProcessFact]
    public void First_request_stops_the_run_and_the_second_ends_the_program()
    {
        using var stop = new StopSignal();
        Assert.True(stop.RequestStop());
        Assert.True(stop.Token.IsCancellationRequested);
        Assert.False(stop.RequestStop());
    }
}
