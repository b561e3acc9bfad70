namespace IoBench.Engine.Tests;

public class FlushGroupTests
{
    [Fact]
    public async Task Flush_covers_only_writes_that_completed_before_it_began()
    {
        var group = new FlushGroup();
        using var began = new ManualResetEventSlim();
        using var goOn = new ManualResetEventSlim();
        var flushes = 0;
        var first = Task.Run(() =>
            group.WaitUntilDurable(() =>
            {
                Interlocked.Increment(ref flushes);
                began.Set();
                goOn.Wait(TimeSpan.FromMinutes(1));
                return 0;
            })
        );
        Assert.True(began.Wait(TimeSpan.FromMinutes(1)));
        // These writes complete during the first flush, so one more flush must cover both of them.
        var late = Enumerable
            .Range(0, 2)
            .Select(_ =>
                Task.Factory.StartNew(
                    () =>
                        group.WaitUntilDurable(() =>
                        {
                            Interlocked.Increment(ref flushes);
                            return 0;
                        }),
                    TaskCreationOptions.LongRunning
                )
            )
            .ToArray();
        Thread.Sleep(100);
        Assert.DoesNotContain(late, task => task.IsCompleted);
        goOn.Set();
        Assert.Equal(0, await first);
        Assert.All(await Task.WhenAll(late), result => Assert.Equal(0, result));
        Assert.InRange(flushes, 2, 3);
    }

    [Fact]
    public void Failed_flush_fails_all_commits_that_wait_for_it()
    {
        var group = new FlushGroup();
        Assert.Equal(-LinuxCalls.EIO, group.WaitUntilDurable(() => -LinuxCalls.EIO));
        Assert.Equal(-LinuxCalls.EIO, group.WaitUntilDurable(() => 0));
    }
}
