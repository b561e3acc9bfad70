using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class SuiteMessagesTests : IDisposable
{
    public void Dispose() => ThroughputDisplay.Units = ThroughputUnits.Binary;

    private static SuiteProgress CreateProgress(RunProgress run, double rest = 0) =>
        new(6, 9, "checkpoint", new IoTestSpecification { RestBefore = TimeSpan.FromSeconds(rest) }, run, TimeSpan.Zero);

    private static RunProgress CreateMeasuring(RunPhase phase = RunPhase.Measuring, double? p99 = 6.4) =>
        new(phase, 18)
        {
            RemainingSeconds = 11.8,
            CurrentIops = 25380.4,
            CurrentMBps = 396.6,
            P99Ms = p99,
        };

    private static RunProgress CreatePreparing(double elapsed = 0) => new(RunPhase.Preparing, elapsed);

    private static void AssertText(string line, string status, SuiteProgress progress) =>
        Assert.Equal((line, status), (SuiteMessages.FormatLine(progress), SuiteMessages.FormatStatus(progress)));

    [Fact]
    public void Progress_of_a_measurement_shows_IOPS_throughput_and_p99() =>
        AssertText(
            "6/9 checkpoint   12 s left   25,380 IOPS   397 MiB/s   p99 6.4 ms",
            "6/9 checkpoint   25,380 IOPS   397 MiB/s   p99 6.4 ms",
            CreateProgress(CreateMeasuring())
        );

    [Theory]
    [InlineData(RunPhase.WarmUp, "warming up")]
    [InlineData(RunPhase.CoolDown, "cooling down")]
    [InlineData(RunPhase.Draining, "ending")]
    public void Progress_outside_the_measurement_names_the_phase(RunPhase phase, string words) =>
        AssertText(
            $"6/9 checkpoint   {words}   12 s left   25,380 IOPS   397 MiB/s",
            $"6/9 checkpoint   {words}   25,380 IOPS   397 MiB/s",
            CreateProgress(CreateMeasuring(phase, p99: null))
        );

    [Theory]
    [InlineData(0.0824, "p99 0.082 ms")]
    [InlineData(24.31, "p99 24.3 ms")]
    public void Percentile_has_three_significant_digits(double p99, string text) =>
        Assert.EndsWith(text, SuiteMessages.FormatStatus(CreateProgress(CreateMeasuring(p99: p99))), StringComparison.Ordinal);

    [Fact]
    public void Progress_of_an_open_loop_shows_response_time() =>
        Assert.EndsWith(
            "   response p99 6.4 ms",
            SuiteMessages.FormatLine(CreateProgress(CreateMeasuring() with { IsResponse = true })),
            StringComparison.Ordinal
        );

    [Fact]
    public void Progress_of_file_creation_shows_size_and_throughput()
    {
        var progress = CreateProgress(
            new RunProgress(RunPhase.Preparing, 6)
            {
                RemainingSeconds = 4.6,
                CurrentMBps = 1945.6,
                PreparingPath = @"T:\iobench.dat",
                PreparedBytes = 12025908429,
                PrepareTotalBytes = 20L << 30,
            }
        );
        AssertText(
            @"creating T:\iobench.dat   11.2 GB of 20 GB   1,946 MiB/s   5 s left",
            @"creating T:\iobench.dat   11.2 GB of 20 GB   1,946 MiB/s",
            progress
        );
        ThroughputDisplay.Units = ThroughputUnits.Si;
        AssertText(
            @"creating T:\iobench.dat   11.2 GB of 20 GB   2,040 MB/s   5 s left",
            @"creating T:\iobench.dat   11.2 GB of 20 GB   2,040 MB/s",
            progress
        );
        Assert.Equal(
            "verifying /t.dat   1 MB of 2 MB",
            SuiteMessages.FormatFileProgress(PreparationStep.Verifying, "/t.dat", 1 << 20, 2 << 20, 0)
        );
    }

    [Fact]
    public void Progress_before_the_first_IO_shows_preparation_or_idle_time()
    {
        AssertText("6/9 checkpoint   preparing", "6/9 checkpoint   preparing", CreateProgress(CreatePreparing()));
        AssertText(
            "6/9 checkpoint   resting   5 s left",
            "6/9 checkpoint   resting   5 s left",
            CreateProgress(CreatePreparing(elapsed: 55.8), rest: 60)
        );
        AssertText(
            "6/9 checkpoint   resting   2 minutes left",
            "6/9 checkpoint   resting   2 minutes left",
            CreateProgress(CreatePreparing(), rest: 120)
        );
    }

    [Fact]
    public void Progress_shows_a_pending_call_or_IO()
    {
        var call = CreateProgress(CreatePreparing() with { Call = new PendingCall(RunCallKind.Opening, "/t.dat", 7.9) });
        AssertText(
            "6/9 checkpoint   the opening of /t.dat   no response for 7 s",
            "6/9 checkpoint   the opening of /t.dat   no response for 7 s",
            call
        );
        var io = CreateProgress(CreateMeasuring() with { Waiting = new PendingIO(IoRequestKind.Write, "/t.dat", 0, 8192, 16.2, 1) });
        Assert.EndsWith("   no response for 16 s", SuiteMessages.FormatLine(io), StringComparison.Ordinal);
    }
}
