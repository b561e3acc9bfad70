namespace IoBench.Engine.Tests;

public class ProcessorWaitTests
{
    [LinuxFact]
    public void Result_warns_when_four_workers_share_one_CPU()
    {
        // The Null device completes immediately. On a busy disk, the workers would wait for the disk instead of a CPU.
        using var file = new TemporaryTestFile(4 << 20);
        var result = TemporaryTestFile.Run(
            file.CreateSpecification(s =>
                (s.Backend, s.ThreadCount, s.OutstandingIO, s.Processors, s.AffinityMode, s.Duration) = (
                    NullBackend.Name,
                    4,
                    1,
                    [0],
                    IoAffinityMode.RoundRobin,
                    TimeSpan.FromMilliseconds(500)
                )
            )
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        var warning = Assert.Single(result.WarningDetails, w => w.Code == WarningCodes.WaitedForProcessors);
        // Three of four workers wait while one runs. Other load on the computer adds to that.
        var percent = int.Parse(warning.ToString().Split(' ')[3].TrimEnd('%'), System.Globalization.CultureInfo.InvariantCulture);
        Assert.InRange(percent, 50, 100);
        Assert.Equal(percent, result.ProcessorWaitPercent!.Value, 0.51);
    }

    [Theory]
    [InlineData("65607524 260526682 167", 260_526_682L)]
    [InlineData("1 0 1", 0L)]
    // Cases: a kernel that does not count, a thread that has ended, and text in another format.
    [InlineData("0 0 0", null)]
    [InlineData(null, null)]
    [InlineData("", null)]
    [InlineData("nonsense", null)]
    [InlineData("5 -3 1", null)]
    public void CPU_wait_is_the_second_number_of_schedstat(string? text, long? nanoseconds) =>
        Assert.Equal(nanoseconds, ProcessorWait.Parse(text));

    [Fact]
    public void CPU_wait_percentage_averages_workers_with_known_waits()
    {
        Assert.Equal(30, ProcessorWait.GetPercent([100, 0, null], [300, 400, 900], 1000));
        Assert.Null(ProcessorWait.GetPercent([null, 5], [7, null], 1000));
        Assert.Null(ProcessorWait.GetPercent([], [], 1000));
        Assert.Null(ProcessorWait.GetPercent([0], [5], 0));
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData(5.0, false)]
    [InlineData(5.6, true)]
    public void Warning_requires_more_than_5_percent_CPU_wait(double? percent, bool isSaid)
    {
        var warning = ProcessorWait.CreateWarning(new IoTestResult { ProcessorWaitPercent = percent });
        Assert.Equal(isSaid, warning is not null);
        if (isSaid)
            Assert.StartsWith(
                "Worker threads waited 6% of the time for a CPU, so latency is overstated",
                warning!.ToString(),
                StringComparison.Ordinal
            );
    }

    [Fact]
    public void CPU_wait_of_a_missing_thread_is_null() => Assert.Null(ProcessorWait.GetThreadWait(int.MaxValue));
}
