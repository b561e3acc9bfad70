using System.Globalization;
using static IoBench.Engine.Tests.ModeledRun;

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

    public static TheoryData<double, double, double> GetStalls()
    {
        var data = new TheoryData<double, double, double>();
        foreach (var window in new[] { 5.0, 20.0, 60.0 })
        foreach (var length in new[] { 0.1, 1.0, 5.0 })
        foreach (var at in new[] { 0, (window - length) / 2, window - length }.Distinct())
            data.Add(window, length, at);
        return data;
    }

    [Theory]
    [MemberData(nameof(GetStalls))]
    public void Open_loop_response_times_match_the_schedule(double window, double length, double at)
    {
        const double rate = 1000;
        var result = Run(window, length, at, s => s.TargetIops = rate);
        var truth = ComputeResponseTimes(rate, window, length, at);
        PrintComparison(
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
        AssertClose(truth.Average(), result.ResponseAverageMs, 0.02);
        AssertCloseToPercentile(truth, 99, result.ResponseP99Ms!.Value);
        if (result.ResponseP999Ms is { } p999)
            AssertCloseToPercentile(truth, 99.9, p999);
        AssertClose(truth[^1], result.ResponseMaxMs, 0.001);
        Assert.Equal(rate * window, result.ResponseHistogram!.Buckets.Sum(b => (double)b.ReadCount!.Value), 1.0);
    }

    [Theory]
    [MemberData(nameof(GetStalls))]
    public void Closed_loop_maximum_latency_matches_the_stall(double window, double length, double at)
    {
        // One I/O at a time: the I/O in the stall waits for all of it, and the average follows from the count.
        var result = Run(window, length, at, s => s.OutstandingIO = 1);
        var (count, highest) = (Math.Round((window - length) * 1000 / ServiceMs), length * 1000 + ServiceMs);
        // An I/O that completes at or after the end of the window counts in the maximum only.
        var average = at + length >= window ? ServiceMs : (count * ServiceMs + length * 1000) / count;
        PrintComparison(
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
        AssertClose(highest, result.MaxLatencyMs, 0.001);
        if (length == window)
            return;
        AssertClose(average, result.AverageLatencyMs, 0.02);
        AssertClose(ServiceMs, result.P99Ms, 0.02);
    }

    [Fact]
    public void Unfinished_IOs_are_counted_with_the_age_of_the_oldest()
    {
        var result = Run(10, 3, 7, s => s.TargetIops = 1000);
        Assert.InRange(result.DueNotDone!.Value, 2999, 3001);
        AssertClose(3000, result.OldestDueMs, 0.001);
        AssertClose(70, result.RateReachedPercent, 0.001);
        Assert.True(result.HasWarning(WarningCodes.RateMissed));
        var calm = Run(10, 0, 0, s => s.TargetIops = 1000);
        Assert.InRange(calm.DueNotDone!.Value, 0, 1);
        Assert.Equal(100, calm.RateReachedPercent);
        Assert.DoesNotContain(calm.WarningDetails, w => w.Code is WarningCodes.RateMissed or WarningCodes.BehindAtEnd);
    }

    [Fact]
    public void Short_stall_at_the_end_is_reported_although_the_rate_is_reached()
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
    public void Warning_reports_a_rate_that_was_not_reached(double factor, bool missed)
    {
        foreach (var arrivals in Enum.GetValues<IoArrivals>())
        {
            var result = Run(20, 0, 0, s => (s.TargetIops, s.Arrivals) = (factor * Servers * 1000 / ServiceMs, arrivals));
            Assert.Equal(missed, result.HasMissedRate());
            Assert.Equal(missed, result.HasWarning(WarningCodes.RateMissed));
            if (missed)
                AssertClose(100 / factor, result.RateReachedPercent, 0.01);
        }
    }

    [Fact]
    public void Missed_rate_text_explains_IOPS_above_the_target_rate()
    {
        // With random arrivals, more I/Os can be due than the target rate says on average.
        var result = Run(20, 1.5, 18.5, s => (s.TargetIops, s.Arrivals, s.Seed) = (200, IoArrivals.Poisson, 5));
        Assert.True(result.HasMissedRate());
        result.IOPS = 187;
        Assert.Equal("the achieved rate was 187 of 200 IOPS", IoTestResult.DescribeMissedRate(result));
        result.IOPS = 210;
        Assert.Equal(
            $"only {NumberFormat.Plain(result.RateReachedPercent!.Value, 1)}% of the scheduled I/Os completed in time (target rate 200 IOPS)",
            IoTestResult.DescribeMissedRate(result)
        );
    }

    [Fact]
    public void Open_loop_timeline_shows_when_due_IOs_were_delayed()
    {
        // I/Os due in the first second of the stall wait 1.5 s on average and 2 s at most. Those of the next second wait 0.5 s on average.
        var result = Run(10, 2, 4, s => s.TargetIops = 1000);
        Assert.Equal(10, result.Timeline.Count);
        Assert.All(result.Timeline, point => Assert.True(point.Latencies!.IsResponse));
        AssertClose(1500, result.Timeline[4].GetDisplayAverageMs() - result.Timeline[6].GetDisplayAverageMs(), 0.2);
        AssertClose(2000, result.Timeline[4].GetDisplayMaxMs(), 0.01);
        AssertClose(ServiceMs, result.Timeline[0].GetDisplayAverageMs(), 0.02);
        AssertClose(result.ResponseAverageMs!.Value, result.Timeline.Average(point => point.GetDisplayAverageMs()), 0.01);
    }

    [Theory]
    [InlineData(35, false)]
    [InlineData(800, true)]
    public void Warning_reports_a_slow_clock(double nanoseconds, bool isSlow)
    {
        var warning = new ClockCost(nanoseconds, 1).CreateWarning();
        Assert.Equal(isSlow, warning is not null);
        if (isSlow)
            Assert.Contains("takes 800 ns, and short latencies include this time.", warning!.Text.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Backlog_of_billions_is_counted_without_a_loop()
    {
        var result = Run(10, 0, 0, s => s.TargetIops = 1e9);
        AssertClose(5000, result.ResponseAverageMs, 0.01);
        AssertClose(10_000, result.ResponseMaxMs, 0.15);
        AssertClose(1e10, result.DueNotDone, 0.01);
    }

    [Fact]
    public void Poisson_arrivals_match_queueing_theory()
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
        AssertClose(ServiceMs * (1 + 0.8 / (2 * 0.2)), Of(IoArrivals.Poisson).ResponseAverageMs, 0.02);
        AssertClose(ServiceMs, Of(IoArrivals.Even).ResponseAverageMs, 0.001);
    }

    private void PrintComparison(
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
                $"{loop} | {window} | {length} | {at} | {average:0.###} / {(loop == "open" ? truth.Average() : truth[0]):0.###} | {p99:0.###} / {(loop == "open" ? GetPercentile(truth, 99) : truth[1]):0.###} | {p999:0.###} / {(loop == "open" ? GetPercentile(truth, 99.9) : truth[2]):0.###} | {max:0.###} / {truth[^1]:0.###}"
            )
        );

    private static double[] ComputeResponseTimes(double rate, double window, double length, double at)
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
    private static void AssertCloseToPercentile(double[] truth, double percent, double actual)
    {
        var rank = (int)Math.Ceiling(percent / 100 * truth.Length) - 1;
        Assert.InRange(actual, truth[rank - 1] * 0.98, truth[Math.Min(rank + 1, truth.Length - 1)] * 1.02);
    }

    private static double GetPercentile(double[] ascending, double percent) =>
        ascending[(int)Math.Ceiling(percent / 100 * ascending.Length) - 1];

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
        return ModeledRun.RunToEnd(specification);
    }
}
