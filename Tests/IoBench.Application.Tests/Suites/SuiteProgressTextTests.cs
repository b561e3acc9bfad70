using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class SuiteProgressTextTests : IDisposable
{
    public void Dispose() => Throughput.Units = ThroughputUnits.Binary;

    private static SuiteProgress At(RunProgress run, double rest = 0) =>
        new(6, 9, "checkpoint", new IoTestSpecification { RestBefore = TimeSpan.FromSeconds(rest) }, run, TimeSpan.Zero);

    private static RunProgress Measuring(RunPhase phase = RunPhase.Measuring, double? p99 = 6.4) =>
        new(phase, 18, 11.8, 25380.4, 396.6, p99, null, 0, 0);

    private static RunProgress Preparing(double elapsed = 0) => new(RunPhase.Preparing, elapsed, null, 0, 0, null, null, 0, 0);

    private static void Shows(string line, string status, SuiteProgress progress) =>
        Assert.Equal((line, status), (SuiteProgressText.Line(progress), SuiteProgressText.Status(progress)));

    [Fact]
    public void A_run() =>
        Shows(
            "6/9 checkpoint   12 s left   25,380 IOPS   397 MiB/s   p99 6.4 ms",
            "6/9 checkpoint   25,380 IOPS   397 MiB/s   p99 6.4 ms",
            At(Measuring())
        );

    [Theory]
    [InlineData(RunPhase.WarmUp, "warming up")]
    [InlineData(RunPhase.CoolDown, "cooling down")]
    [InlineData(RunPhase.Draining, "ending")]
    public void What_is_not_measured(RunPhase phase, string words) =>
        Shows(
            $"6/9 checkpoint   {words}   12 s left   25,380 IOPS   397 MiB/s",
            $"6/9 checkpoint   {words}   25,380 IOPS   397 MiB/s",
            At(Measuring(phase, p99: null))
        );

    [Theory]
    [InlineData(0.0824, "p99 0.082 ms")]
    [InlineData(24.31, "p99 24.3 ms")]
    public void A_percentile_has_the_digits_it_needs(double p99, string text) =>
        Assert.EndsWith(text, SuiteProgressText.Status(At(Measuring(p99: p99))), StringComparison.Ordinal);

    [Fact]
    public void An_open_loop_shows_response_times() =>
        Assert.EndsWith(
            "   response p99 6.4 ms",
            SuiteProgressText.Line(At(Measuring() with { IsResponse = true })),
            StringComparison.Ordinal
        );

    [Fact]
    public void A_file_that_is_made()
    {
        var progress = At(new RunProgress(RunPhase.Preparing, 6, 4.6, 0, 1945.6, null, @"T:\iobench.dat", 12025908429, 20L << 30));
        Shows(
            @"making T:\iobench.dat   11.2 GB of 20 GB   1,946 MiB/s   5 s left",
            @"making T:\iobench.dat   11.2 GB of 20 GB   1,946 MiB/s",
            progress
        );
        Throughput.Units = ThroughputUnits.Si;
        Shows(
            @"making T:\iobench.dat   11.2 GB of 20 GB   2,040 MB/s   5 s left",
            @"making T:\iobench.dat   11.2 GB of 20 GB   2,040 MB/s",
            progress
        );
        Assert.Equal("proving /t.dat   1 MB of 2 MB", SuiteProgressText.OfFile(PreparationStep.Proving, "/t.dat", 1 << 20, 2 << 20, 0));
    }

    [Fact]
    public void Before_the_first_IO()
    {
        Shows("6/9 checkpoint   preparing", "6/9 checkpoint   preparing", At(Preparing()));
        Shows("6/9 checkpoint   resting   5 s left", "6/9 checkpoint   resting   5 s left", At(Preparing(elapsed: 55.8), rest: 60));
        Shows("6/9 checkpoint   resting   2 minutes left", "6/9 checkpoint   resting   2 minutes left", At(Preparing(), rest: 120));
    }

    [Fact]
    public void What_hangs()
    {
        var call = At(Preparing() with { Call = new WaitingCall(RunCallKind.Opening, "/t.dat", 7.9) });
        Shows(
            "6/9 checkpoint   the opening of /t.dat   no answer for 7 s",
            "6/9 checkpoint   the opening of /t.dat   no answer for 7 s",
            call
        );
        var io = At(Measuring() with { Waiting = new WaitingIO(IoRequestKind.Write, "/t.dat", 0, 8192, 16.2, 1) });
        Assert.EndsWith("   no answer for 16 s", SuiteProgressText.Line(io), StringComparison.Ordinal);
    }
}
