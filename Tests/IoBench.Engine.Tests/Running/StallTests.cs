using System.Globalization;
using static IoBench.Engine.Tests.ModelledRun;

namespace IoBench.Engine.Tests;

/// <summary>
/// Stalls of known length at known times, on a modeled device with a virtual clock. The expected values come from the schedule alone: the
/// due time of each I/O, the time when it got a free slot, and its completion.
/// </summary>
public class StallTests(Xunit.Abstractions.ITestOutputHelper output)
{
    private const double ServiceMs = 0.5;
    private const int Outstanding = 32;
    private const int Servers = 4;

    public static TheoryData<double, double, double> Stalls()
    {
        var data = new TheoryData<double, double, double>();
        foreach (var window in new[] { 5.0, 20.0, 60.0 })
        foreach (var length in new[] { 0.1, 1.0, 5.0 })
        foreach (var at in new[] { 0, (window - length) / 2, window - length }.Distinct())
            data.Add(window, length, at);
        return data;
    }

    [Theory]
    [MemberData(nameof(Stalls))]
    public void Response_times_of_an_open_loop_are_the_truth(double window, double length, double at)
    {
        const double rate = 1000;
        var result = Run(window, length, at, s => s.TargetIops = rate);
        var truth = Truth(rate, window, length, at);
        Report(
            "open",
            window,
            length,
            at,
            result.ResponseAverageMs,
            result.ResponseP99Ms,
            result.ResponseP999Ms,
            result.ResponseMaxMs,
            truth
        );
        Close(truth.Average(), result.ResponseAverageMs, 0.02);
        CloseToRank(truth, 99, result.ResponseP99Ms!.Value);
        if (result.ResponseP999Ms is { } p999)
            CloseToRank(truth, 99.9, p999);
        Close(truth[^1], result.ResponseMaxMs, 0.001);
        Assert.Equal(rate * window, result.ResponseHistogram!.Buckets.Sum(b => (double)b.ReadCount!.Value), 1.0);
    }

    [Theory]
    [MemberData(nameof(Stalls))]
    public void The_highest_latency_of_a_closed_loop_is_the_truth(double window, double length, double at)
    {
        // One I/O at a time: the I/O in the stall waits for all of it, and the average follows from the count.
        var result = Run(window, length, at, s => s.OutstandingIO = 1);
        var (count, highest) = (Math.Round((window - length) * 1000 / ServiceMs), length * 1000 + ServiceMs);
        // An I/O that completes at or after the end of the window counts in the maximum only.
        var average = at + length >= window ? ServiceMs : (count * ServiceMs + length * 1000) / count;
        Report(
            "closed",
            window,
            length,
            at,
            result.AverageLatencyMs,
            result.P99Ms,
            result.P999Ms,
            result.MaxLatencyMs,
            [average, ServiceMs, ServiceMs, highest]
        );
        Close(highest, result.MaxLatencyMs, 0.001);
        if (length == window)
            return;
        Close(average, result.AverageLatencyMs, 0.02);
        Close(ServiceMs, result.P99Ms, 0.02);
    }

    [Fact]
    public void What_was_due_and_not_done_is_counted_with_the_age_of_the_oldest()
    {
        var result = Run(10, 3, 7, s => s.TargetIops = 1000);
        Assert.InRange(result.DueNotDone!.Value, 2999, 3001);
        Close(3000, result.OldestDueMs, 0.001);
        Close(70, result.RateReachedPercent, 0.001);
        Assert.True(result.HasWarning(WarningCodes.RateMissed));
        var calm = Run(10, 0, 0, s => s.TargetIops = 1000);
        Assert.InRange(calm.DueNotDone!.Value, 0, 1);
        Assert.Equal(100, calm.RateReachedPercent);
        Assert.DoesNotContain(calm.WarningDetails, w => w.Code is WarningCodes.RateMissed or WarningCodes.BehindAtEnd);
    }

    [Fact]
    public void A_short_stall_at_the_end_of_a_long_run_is_reported_though_the_rate_was_kept()
    {
        var result = Run(60, 1.5, 58.5, s => s.TargetIops = 1000);
        Assert.False(result.HasMissedRate());
        Assert.True(result.HasWarning(WarningCodes.BehindAtEnd));
    }

    [Theory]
    [InlineData(1.05, true)]
    [InlineData(2, true)]
    [InlineData(10, true)]
    [InlineData(1.02, false)]
    [InlineData(0.9, false)]
    public void A_rate_that_the_device_cannot_keep_is_said(double factor, bool missed)
    {
        foreach (var arrivals in Enum.GetValues<IoArrivals>())
        {
            var result = Run(20, 0, 0, s => (s.TargetIops, s.Arrivals) = (factor * Servers * 1000 / ServiceMs, arrivals));
            Assert.Equal(missed, result.HasMissedRate());
            Assert.Equal(missed, result.HasWarning(WarningCodes.RateMissed));
            if (missed)
                Close(100 / factor, result.RateReachedPercent, 0.01);
        }
    }

    [Fact]
    public void More_than_the_rate_that_was_asked_is_never_called_less()
    {
        // With random arrivals, more I/Os can be due than the target rate says on average.
        var result = Run(20, 1.5, 18.5, s => (s.TargetIops, s.Arrivals, s.Seed) = (200, IoArrivals.Poisson, 5));
        Assert.True(result.HasMissedRate());
        result.IOPS = 187;
        Assert.Equal("asked for 200 IOPS, reached 187", MissedRate.Words(result));
        result.IOPS = 210;
        Assert.Equal(
            $"asked for 200 IOPS, and {Figures.Plain(result.RateReachedPercent!.Value, 1)} % of the I/Os that were due were done in time",
            MissedRate.Words(result)
        );
    }

    [Fact]
    public void A_timeline_of_an_open_loop_shows_when_what_was_due_had_to_wait()
    {
        // I/Os due in the first second of the stall wait 1.5 s on average and 2 s at most. Those of the next second wait 0.5 s on average.
        var result = Run(10, 2, 4, s => s.TargetIops = 1000);
        Assert.Equal(10, result.Timeline.Count);
        Assert.All(result.Timeline, point => Assert.True(point.Latencies!.IsResponse));
        Close(1500, result.Timeline[4].GetShownAverageMs() - result.Timeline[6].GetShownAverageMs(), 0.2);
        Close(2000, result.Timeline[4].GetShownMaxMs(), 0.01);
        Close(ServiceMs, result.Timeline[0].GetShownAverageMs(), 0.02);
        Close(result.ResponseAverageMs!.Value, result.Timeline.Average(point => point.GetShownAverageMs()), 0.01);
    }

    [Theory]
    [InlineData(35, false)]
    [InlineData(800, true)]
    public void A_slow_clock_is_said(double nanoseconds, bool isSlow)
    {
        var warning = new ClockCost(nanoseconds, 1).Warning();
        Assert.Equal(isSlow, warning is not null);
        if (isSlow)
            Assert.Contains("costs 800 ns: short latencies include that.", warning!.Text.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_backlog_of_billions_is_counted_at_once()
    {
        var result = Run(10, 0, 0, s => s.TargetIops = 1e9);
        Close(5000, result.ResponseAverageMs, 0.01);
        Close(10_000, result.ResponseMaxMs, 0.15);
        Close(1e10, result.DueNotDone, 0.01);
    }

    [Fact]
    public void Random_arrivals_wait_as_the_theory_of_queues_has_it()
    {
        // M/D/1 at 80% utilization: the mean wait is rho / (2 (1 - rho)) service times. With an even schedule no I/O waits.
        IoTestResult Of(IoArrivals arrivals) =>
            Run(
                200,
                0,
                0,
                s =>
                {
                    s.NullDevice = new NullDeviceModel(1, ServiceMs);
                    (s.TargetIops, s.Arrivals) = (0.8 * 1000 / ServiceMs, arrivals);
                }
            );
        Close(ServiceMs * (1 + 0.8 / (2 * 0.2)), Of(IoArrivals.Poisson).ResponseAverageMs, 0.02);
        Close(ServiceMs, Of(IoArrivals.Even).ResponseAverageMs, 0.001);
    }

    private void Report(
        string loop,
        double window,
        double length,
        double at,
        double? average,
        double? p99,
        double? p999,
        double? max,
        double[] truth
    ) =>
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{loop} | {window} | {length} | {at} | {average:0.###} / {(loop == "open" ? truth.Average() : truth[0]):0.###} | {p99:0.###} / {(loop == "open" ? Rank(truth, 99) : truth[1]):0.###} | {p999:0.###} / {(loop == "open" ? Rank(truth, 99.9) : truth[2]):0.###} | {max:0.###} / {truth[^1]:0.###}"
            )
        );

    private static double[] Truth(double rate, double window, double length, double at)
    {
        const double warmUp = 1000;
        var (stall, over, end) = (warmUp + at * 1000, warmUp + (at + length) * 1000, warmUp + window * 1000);
        var (places, servers) = (new double[Outstanding], new double[Servers]);
        var responses = new List<double>();
        var neverStarted = new List<double>();
        var lastBack = end;
        for (var i = 0; ; i++)
        {
            var due = i * 1000 / rate;
            if (due >= end)
                break;
            Array.Sort(places);
            Array.Sort(servers);
            var taken = Math.Max(due, places[0]);
            var start = Math.Max(taken, servers[0]);
            var done = start >= over || start + ServiceMs <= stall ? start + ServiceMs : over + ServiceMs - Math.Max(0, stall - start);
            places[0] = servers[0] = done;
            if (taken < end)
                lastBack = Math.Max(lastBack, done);
            if (due >= warmUp && taken < end)
                responses.Add(done - due);
            else if (due >= warmUp)
                neverStarted.Add(due);
        }
        // An I/O that got no slot before the end has its age at the time of the last completion.
        responses.AddRange(neverStarted.Select(due => lastBack - due));
        responses.Sort();
        return [.. responses];
    }

    // In a stall, adjacent ranks differ by a whole millisecond, and one I/O more or less at the edges of the window changes the rank.
    private static void CloseToRank(double[] truth, double percent, double actual)
    {
        var rank = (int)Math.Ceiling(percent / 100 * truth.Length) - 1;
        Assert.InRange(actual, truth[rank - 1] * 0.98, truth[Math.Min(rank + 1, truth.Length - 1)] * 1.02);
    }

    private static double Rank(double[] ascending, double percent) => ascending[(int)Math.Ceiling(percent / 100 * ascending.Length) - 1];

    private static IoTestResult Run(double window, double length, double at, Action<IoTestSpecification> change)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = NullBackend.Name,
            NullDevice = new NullDeviceModel(Servers, ServiceMs, StallAtSeconds: 1 + at, StallSeconds: length),
            ThreadCount = 1,
            OutstandingIO = Outstanding,
            WarmUp = TimeSpan.FromSeconds(1),
            Duration = TimeSpan.FromSeconds(window),
        };
        change(specification);
        return ModelledRun.Of(specification);
    }
}
