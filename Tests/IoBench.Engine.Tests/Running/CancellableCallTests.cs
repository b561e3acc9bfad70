namespace IoBench.Engine.Tests;

public class CancellableCallTests
{
    [Fact]
    public void Abandoned_result_is_discarded_when_the_call_returns()
    {
        using var release = new ManualResetEventSlim();
        var call = StartBlockedCall(release);
        var discarded = 0;
        call.Abandon(value => discarded = value);
        Assert.False(call.Wait(TimeSpan.Zero));
        release.Set();
        Assert.True(call.Wait(TimeSpan.FromMinutes(1)));
        Assert.Equal(7, discarded);
    }

    [Fact]
    public void Error_of_a_late_discard_does_not_end_the_process()
    {
        using var release = new ManualResetEventSlim();
        var call = StartBlockedCall(release);
        call.Abandon(_ => throw new IOException("The disk is gone."));
        release.Set();
        Assert.True(call.Wait(TimeSpan.FromMinutes(1)));
        Assert.Throws<IOException>(() => call.Result);
    }

    private static CancellableCall<int> StartBlockedCall(ManualResetEventSlim release) =>
        new(() =>
        {
            release.Wait();
            return 7;
        });
}
