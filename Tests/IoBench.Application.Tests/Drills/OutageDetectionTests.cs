using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class OutageDetectionTests(Xunit.Abstractions.ITestOutputHelper output)
{
    private const double Edge = 0.05;

    [Theory]
    [InlineData(ModeledFault.Hang, OutageKind.Stall)]
    [InlineData(ModeledFault.Errors, OutageKind.Errors)]
    [InlineData(ModeledFault.Vanish, OutageKind.Errors)]
    [InlineData(ModeledFault.SomeErrors, OutageKind.SomeErrors)]
    public void Outages_of_each_kind_are_found_within_50_ms(ModeledFault fault, OutageKind kind)
    {
        var random = new Random(18);
        var (windows, worst) = (0, 0.0);
        for (var drill = 0; windows < 1000; drill++)
        {
            // Log-uniform lengths from 0.2 to 20 s, at random times with pauses between them.
            var truth = new List<(ModeledFault Fault, double From, double To)>();
            for (var from = 1 + random.NextDouble() * 2; truth.Count < 10; )
            {
                var length = 0.2 * Math.Pow(100, random.NextDouble());
                truth.Add((fault, from, from + length));
                from += length + 1 + random.NextDouble() * 3;
            }
            var found = RunDrill(truth, truth[^1].To + 2, seed: (ulong)drill + 1).Outages;
            Assert.Equal(truth.Count, found.Count);
            foreach (var (window, outage) in truth.Zip(found))
            {
                var off = Math.Max(Math.Abs(outage.Begin - window.From), Math.Abs(outage.Begin + outage.Seconds - window.To));
                worst = Math.Max(worst, off);
                Assert.True(off <= Edge, $"{window} was found as {outage}");
                Assert.Equal(kind, outage.Kind);
                Assert.True(outage.IsOver);
            }
            windows += truth.Count;
        }
        output.WriteLine($"{fault}: {windows} windows, edges off by at most {worst * 1000:0.0} ms");
    }

    [Fact]
    public void Hang_followed_by_errors_is_one_outage()
    {
        var outage = Assert.Single(RunDrill([(ModeledFault.HangThenErrors, 5, 9)], 15).Outages);
        Assert.Equal(OutageKind.StallAndErrors, outage.Kind);
        Assert.InRange(outage.Begin, 4.99, 5.01);
        Assert.InRange(outage.Seconds, 3.95, 4.05);
        Assert.True(outage.Errors > 300);
    }

    [Fact]
    public void Drill_without_a_fault_has_no_outage_and_reaches_its_rate()
    {
        var result = RunDrill([], 60);
        Assert.Empty(result.Outages);
        Assert.InRange(result.ReadCount + result.WriteCount, 11_999, 12_001);
        Assert.InRange(result.WriteCount, 5600, 6400);
        Assert.Equal((0, 0, 0, false), (result.ErrorCount, result.NotStartedCount, result.NotBackCount, result.IsLimitExceeded));
        Assert.Equal(
            "No outage of 0.1 s or longer in 60 s; the longest I/O took 0.001 s. SQL Server reports I/Os of 15 s or longer as error 833, so it would not have reported this error.",
            result.Summary
        );
    }

    [Fact]
    public void Each_periodic_stall_is_an_outage()
    {
        var truth = Enumerable.Range(1, 8).Select(number => (ModeledFault.Hang, number * 7.0, number * 7 + 0.3)).ToList();
        Assert.Equal(truth.Select(window => window.Item2), RunDrill(truth, 60).Outages.Select(outage => Math.Round(outage.Begin, 1)));
    }

    [Fact]
    public void Pending_IOs_at_the_end_are_an_outage_that_is_not_over()
    {
        var result = RunDrill([(ModeledFault.Hang, 20, 1000)], 40);
        var outage = Assert.Single(result.Outages);
        Assert.False(outage.IsOver);
        Assert.InRange(outage.Begin, 19.99, 20.01);
        Assert.Equal(64, result.NotBackCount);
        Assert.True(result.NotStartedCount > 3000, "64 are in flight, the others were never started");
        Assert.True(result is { IsLimitExceeded: true, LongestIO: { IsBack: false, Seconds: > 20 } });
    }

    [Fact]
    public void File_replaced_by_another_file_is_an_outage_to_the_end()
    {
        var result = RunDrill([(ModeledFault.Vanish, 5, 7)], 30, comesBackAsAnother: true);
        Assert.False(Assert.Single(result.Outages).IsOver);
        Assert.Equal([DrillTargetState.Gone, DrillTargetState.Foreign], result.TargetChanges.Select(change => change.State));
    }

    [Fact]
    public void Vanished_file_is_reopened_and_errors_are_counted_by_code()
    {
        var result = RunDrill([(ModeledFault.Vanish, 5, 7), (ModeledFault.Errors, 10, 11)], 15);
        Assert.Equal([DrillTargetState.Gone, DrillTargetState.Reopened], result.TargetChanges.Select(change => change.State));
        Assert.Equal([19, 5], result.Errors.Select(error => error.Code));
        Assert.Equal(result.ErrorCount, result.Errors.Sum(error => error.Count));
    }

    [Theory]
    [InlineData(0.2)]
    [InlineData(2.0)]
    [InlineData(20.0)]
    public void Slow_verification_after_reopening_is_not_part_of_the_outage(double length)
    {
        // 16 reads of 25 ms take 400 ms. The storage completes I/Os again, while I/Os on the invalid handle still fail.
        var result = RunDrill([(ModeledFault.Vanish, 5, 5 + length)], length + 10, proof: (10, 25));
        var outage = Assert.Single(result.Outages);
        Assert.InRange(outage.Begin, 4.99, 5.01);
        Assert.InRange(outage.Begin + outage.Seconds, 5 + length, 5 + length + Edge);
        Assert.Equal(result.ErrorCount, outage.Errors);
        // The verification reads are not part of the load, so I/Os that failed or did not start are missing.
        Assert.InRange(result.ReadCount + result.WriteCount, 1900, (long)((length + 10) * 200) + 1 - result.ErrorCount);
    }

    [Fact]
    public void Hanging_verification_reads_do_not_end_an_outage()
    {
        var result = RunDrill([(ModeledFault.Vanish, 5, 6)], 20, proof: (1, 200));
        // Each verification read is a period in which no I/O completes.
        Assert.Equal(16, result.Outages.Count);
        Assert.InRange(result.Outages[^1].Begin + result.Outages[^1].Seconds, 9.15, 9.25);
    }

    [Theory]
    [InlineData(4.0, null, false)]
    [InlineData(16.0, null, true)]
    [InlineData(4.0, 5.0, false)]
    [InlineData(6.0, 5.0, true)]
    [InlineData(16.0, 30.0, false)]
    public void Outage_limit_is_the_specified_value_or_15_s(double length, double? limit, bool missed)
    {
        var result = RunDrill([(ModeledFault.Hang, 5, 5 + length)], 30) with { LimitSeconds = limit };
        Assert.Equal(missed, result.IsLimitExceeded);
        Assert.Equal(missed ? FindingCodes.DrillFailed : FindingCodes.DrillPassed, result.Findings[0].Code);
        Assert.Equal(missed ? FindingSeverity.Critical : FindingSeverity.Warning, result.Findings[0].Severity);
        Assert.Equal(length > 15, result.Summary.Contains("would have reported", StringComparison.Ordinal));
    }

    [Fact]
    public void Outage_events_are_reported_during_the_drill()
    {
        var record = new DrillStatistics();
        RunDrill([(ModeledFault.Hang, 5, 8)], 10, record: record);
        Assert.Equal([DrillEventKind.OutageBegan, DrillEventKind.OutageEnded], record.DequeueEvents().Select(news => news.Event));
    }

    [Fact]
    public void Remaining_time_is_0_at_the_end()
    {
        var record = new DrillStatistics();
        RunDrill([], 10, record: record);
        Assert.Equal(0, record.GetProgress(9.5).Remaining);
        Assert.EndsWith(" 0 s left", record.GetProgress(9.5).Text);
        Assert.Null(record.GetProgress(null).Remaining);
    }

    [Theory]
    [InlineData(1.0, true)]
    [InlineData(5.0, false)]
    public void Drill_that_the_host_did_not_run_is_rated_only_within_the_limit(double limit, bool isNotRated)
    {
        var record = new DrillStatistics();
        var result = RunDrill([], 10, record: record, hostPause: (3.8, 5.8)) with { LimitSeconds = limit };
        Assert.Empty(result.Outages);
        Assert.True(result.LongestIO!.Seconds < 0.1);
        Assert.InRange(result.ReadCount + result.WriteCount, 1595, 1605);
        Assert.Equal((0, false, isNotRated), (result.NotStartedCount, result.IsLimitExceeded, result.MightExceedLimit));
        Assert.Equal([DrillEventKind.Paused], record.DequeueEvents().Select(news => news.Event));
        Assert.StartsWith(
            "IoBench did not run from 3.80 s to 5.80 s, because the host did not schedule it.",
            result.Summary,
            StringComparison.Ordinal
        );
        Assert.Contains("No outage of 0.1 s or longer in 8 s", result.Summary, StringComparison.Ordinal);
        Assert.Equal(isNotRated ? FindingCodes.DrillNotRated : FindingCodes.DrillPassed, result.Findings[0].Code);
        Assert.Equal(FindingSeverity.Warning, result.Findings[0].Severity);
    }

    // 20 other processes delay each wake-up of IoBench by 80 ms. An I/O that then seems to take 0.2 s is not evidence about the storage.
    [Fact]
    public void Shortest_outage_is_three_times_the_longest_delay()
    {
        (ModeledFault, double, double)[] faults = [(ModeledFault.Hang, 2, 2.2), (ModeledFault.Hang, 4, 5)];
        Assert.Equal(2, RunDrill(faults, 8).Outages.Count);
        var result = RunDrill(faults, 8, record: new DrillStatistics(() => 0.08));
        Assert.InRange(Assert.Single(result.Outages).Begin, 3.99, 4.01);
        Assert.Equal(0.24, result.ShortestOutageSeconds, 6);
        Assert.StartsWith(
            "No outage of 0.24 s or longer in 3 s; ",
            RunDrill([(ModeledFault.Hang, 1, 1.2)], 3, record: new DrillStatistics(() => 0.08)).Summary,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Summary_counts_the_IOs_that_were_not_started()
    {
        var result = RunDrill([(ModeledFault.Hang, 1, 4)], 6);
        Assert.True(result.NotStartedCount > 0);
        Assert.Contains(
            $" {result.NotStartedCount:#,##0} I/Os were not started, because too many other I/Os were outstanding. ",
            result.Summary
        );
    }

    [Theory]
    [InlineData(1.0, true, false)]
    [InlineData(3.0, false, true)]
    [InlineData(5.0, false, false)]
    public void Pause_of_the_host_is_not_part_of_an_outage(double limit, bool missed, bool isNotRated)
    {
        var result = RunDrill([(ModeledFault.Hang, 3, 7)], 10, hostPause: (4, 6)) with { LimitSeconds = limit };
        var outage = Assert.Single(result.Outages);
        Assert.InRange(outage.Begin, 2.99, 3.01);
        Assert.InRange(outage.Seconds, 1.95, 2.05);
        Assert.InRange(outage.End, 6.99, 7.01);
        Assert.Equal((missed, isNotRated), (result.IsLimitExceeded, result.MightExceedLimit));
    }

    private static DrillResult RunDrill(
        IReadOnlyList<(ModeledFault, double, double)> windows,
        double seconds,
        ulong seed = 1,
        bool comesBackAsAnother = false,
        DrillStatistics? record = null,
        (double, double) proof = default,
        (double, double)? hostPause = null
    )
    {
        var clock = new VirtualClock { Now = 1_000_000_000 };
        record ??= new DrillStatistics();
        var disk = new ModeledDisk(clock, windows)
        {
            ReturnsAsOtherFile = comesBackAsAnother,
            VerificationTimes = proof,
            HostPause = hostPause,
        };
        var test = new IoTestSpecification
        {
            Targets = [new("modelled")],
            TargetIops = 200,
            WritePercent = 50,
            BlockSize = 8192,
            Seed = seed,
        };
        new DrillLoop(test, disk, record, clock, disk.TakeGap).Run(seconds, null, patience: 1);
        return record.ToResult(
            "modelled",
            DateTimeOffset.Now,
            DrillPlan.Create("modelled", new OptionValues(OptionTables.Drill)),
            integrity: null
        );
    }
}
