using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class OutageWindowTests(Xunit.Abstractions.ITestOutputHelper output)
{
    private const double Edge = 0.05;

    [Theory]
    [InlineData(ModelledFault.Hang, OutageKind.Silence)]
    [InlineData(ModelledFault.Errors, OutageKind.Errors)]
    [InlineData(ModelledFault.Vanish, OutageKind.Errors)]
    [InlineData(ModelledFault.SomeErrors, OutageKind.SomeErrors)]
    public void A_thousand_windows_of_each_kind_are_found_within_50_ms_of_their_edges(ModelledFault fault, OutageKind kind)
    {
        var random = new Random(18);
        var (windows, worst) = (0, 0.0);
        for (var drill = 0; windows < 1000; drill++)
        {
            // Log-uniform lengths from 0.2 to 20 s, at random times with pauses between them.
            var truth = new List<(ModelledFault Fault, double From, double To)>();
            for (var from = 1 + random.NextDouble() * 2; truth.Count < 10; )
            {
                var length = 0.2 * Math.Pow(100, random.NextDouble());
                truth.Add((fault, from, from + length));
                from += length + 1 + random.NextDouble() * 3;
            }
            var found = Run(truth, truth[^1].To + 2, seed: (ulong)drill + 1).Outages;
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
    public void A_hang_that_ends_in_errors_is_one_outage()
    {
        var outage = Assert.Single(Run([(ModelledFault.HangThenErrors, 5, 9)], 15).Outages);
        Assert.Equal(OutageKind.SilenceAndErrors, outage.Kind);
        Assert.InRange(outage.Begin, 4.99, 5.01);
        Assert.InRange(outage.Seconds, 3.95, 4.05);
        Assert.True(outage.Errors > 300);
    }

    [Fact]
    public void Without_a_fault_there_is_no_outage_and_the_rate_is_kept()
    {
        var result = Run([], 60);
        Assert.Empty(result.Outages);
        Assert.InRange(result.ReadCount + result.WriteCount, 11_999, 12_001);
        Assert.InRange(result.WriteCount, 5600, 6400);
        Assert.Equal((0, 0, 0, false), (result.ErrorCount, result.NotStartedCount, result.NotBackCount, result.IsLimitMissed));
        Assert.Equal(
            "No outage in 60 s; the longest I/O took 0.001 s. That is within the 15 s after which SQL Server reports error 833.",
            result.Summary
        );
    }

    [Fact]
    public void Stalls_of_each_7_s_are_windows_each()
    {
        var truth = Enumerable.Range(1, 8).Select(number => (ModelledFault.Hang, number * 7.0, number * 7 + 0.3)).ToList();
        Assert.Equal(truth.Select(window => window.Item2), Run(truth, 60).Outages.Select(outage => Math.Round(outage.Begin, 1)));
    }

    [Fact]
    public void What_does_not_come_back_is_an_outage_that_is_not_over()
    {
        var result = Run([(ModelledFault.Hang, 20, 1000)], 40);
        var outage = Assert.Single(result.Outages);
        Assert.False(outage.IsOver);
        Assert.InRange(outage.Begin, 19.99, 20.01);
        Assert.Equal(64, result.NotBackCount);
        Assert.True(result.NotStartedCount > 3000, "64 are in flight, the others were never started");
        Assert.True(result is { IsLimitMissed: true, LongestIO: { IsBack: false, Seconds: > 20 } });
    }

    [Fact]
    public void A_name_that_comes_back_as_another_file_is_an_outage_to_the_end()
    {
        var result = Run([(ModelledFault.Vanish, 5, 7)], 30, comesBackAsAnother: true);
        Assert.False(Assert.Single(result.Outages).IsOver);
        Assert.Equal([DrillTargetState.Gone, DrillTargetState.Foreign], result.TargetChanges.Select(change => change.State));
    }

    [Fact]
    public void A_file_that_vanished_is_opened_again_and_errors_are_counted_by_kind()
    {
        var result = Run([(ModelledFault.Vanish, 5, 7), (ModelledFault.Errors, 10, 11)], 15);
        Assert.Equal([DrillTargetState.Gone, DrillTargetState.Reopened], result.TargetChanges.Select(change => change.State));
        Assert.Equal([19, 5], result.Errors.Select(error => error.Code));
        Assert.Equal(result.ErrorCount, result.Errors.Sum(error => error.Count));
    }

    [Theory]
    [InlineData(0.2)]
    [InlineData(2.0)]
    [InlineData(20.0)]
    public void A_proof_that_takes_long_belongs_to_the_drill_and_not_to_the_outage(double length)
    {
        // 16 reads of 25 ms take 400 ms. The storage completes I/Os again, while I/Os on the invalid handle still fail.
        var result = Run([(ModelledFault.Vanish, 5, 5 + length)], length + 10, proof: (10, 25));
        var outage = Assert.Single(result.Outages);
        Assert.InRange(outage.Begin, 4.99, 5.01);
        Assert.InRange(outage.Begin + outage.Seconds, 5 + length, 5 + length + Edge);
        Assert.Equal(result.ErrorCount, outage.Errors);
        // The verification reads are not part of the load, so I/Os that failed or did not start are missing.
        Assert.InRange(result.ReadCount + result.WriteCount, 1900, (long)((length + 10) * 200) + 1 - result.ErrorCount);
    }

    [Fact]
    public void A_proof_whose_reads_hang_does_not_end_an_outage_that_goes_on()
    {
        var result = Run([(ModelledFault.Vanish, 5, 6)], 20, proof: (1, 200));
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
    public void The_limit_is_one_s_own_or_the_15_s_of_SQL_Server(double length, double? limit, bool missed)
    {
        var result = Run([(ModelledFault.Hang, 5, 5 + length)], 30) with { LimitSeconds = limit };
        Assert.Equal(missed, result.IsLimitMissed);
        Assert.Equal(missed ? FindingCodes.DrillMissed : FindingCodes.DrillKept, result.Findings[0].Code);
        Assert.Equal(missed || length > 15 ? FindingSeverity.Bad : FindingSeverity.Watch, result.Findings[0].Severity);
        Assert.Equal(
            length > 15,
            result.Summary.Contains("error 833", StringComparison.Ordinal) && !result.Summary.Contains("within", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void What_goes_on_is_seen_while_it_goes_on()
    {
        var record = new DrillRecord();
        Run([(ModelledFault.Hang, 5, 8)], 10, record: record);
        Assert.Equal([DrillEventKind.OutageBegan, DrillEventKind.OutageEnded], record.TakeNews().Select(news => news.Event));
    }

    [Fact]
    public void No_time_is_left_at_the_end()
    {
        var record = new DrillRecord();
        Run([], 10, record: record);
        Assert.Equal(0, record.Live(9.5).Remaining);
        Assert.EndsWith(" 0 s left", record.Live(9.5).Text);
        Assert.Null(record.Live(null).Remaining);
    }

    private static DrillResult Run(
        IReadOnlyList<(ModelledFault, double, double)> windows,
        double seconds,
        ulong seed = 1,
        bool comesBackAsAnother = false,
        DrillRecord? record = null,
        (double, double) proof = default
    )
    {
        var clock = new VirtualClock { Now = 1_000_000_000 };
        record ??= new DrillRecord();
        new DrillLoop(
            new DrillLoadSettings(200, 50, 8192, seed),
            new ModelledDisk(clock, windows) { ComesBackAsAnother = comesBackAsAnother, Proof = proof },
            record,
            clock
        ).Run(seconds, null, patience: 1);
        return record.ToResult(
            "modelled",
            DateTimeOffset.Now,
            DrillPlan.Create("modelled", new OptionValues(OptionTables.Drill)),
            integrity: null
        );
    }
}
