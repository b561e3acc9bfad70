using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class RepeatTests
{
    private static IoTestResult Run(double? iops, string pattern = "8KB random read") => new() { IOPattern = pattern, Path = "T:\\f", IOPS = iops, AverageLatencyMs = 32_000 / iops };

    [Fact]
    public void Equal_runs_make_one_row_with_median_spread_and_interval()
    {
        var rows = RepeatSummary.Of([Run(1000), Run(500, "64KB random read"), Run(1100), Run(1020), new IoTestResult { Status = IoResultStatus.Failed, IOPS = 1 }]);
        Assert.Equal([3, 1], rows.Select(r => r.Runs));
        Assert.Equal(1020, rows[0].IOPS);
        // Mean 1040, s 52.915, t(0.975; 2) 4.303: 1040 +- 131.4.
        Assert.Equal(908.55, rows[0].Metrics["IOPS"].ConfidenceLow!.Value, 2);
        Assert.Equal(1171.45, rows[0].Metrics["IOPS"].ConfidenceHigh!.Value, 2);
        Assert.Equal(52.915 / 1040, rows[0].IopsVariation!.Value, 5);
        Assert.DoesNotContain("P99Ms", rows[0].Metrics.Keys);
        Assert.StartsWith("8KB random read: 3 runs; median 1,020 IOPS (1,000 to 1,100; the mean is 909 to 1,171 with 95 % confidence)", rows[0].Summary);
        Assert.Contains("one run: no spread", rows[1].Summary);
    }

    [Fact]
    public void Rounds_end_when_five_are_steady()
    {
        double[] rates = [2000, 1600, 1300, 1100, 1020, 1010, 1000, 1005, 990, 5000];
        var result = SteadyStateRunner.Run(new(), spec => Run(rates[spec.Repeat!.Value - 1]));
        Assert.True(result.Reached);
        // Rounds 4 to 8 are the first five whose slope is within 10 %.
        Assert.Equal(8, result.Rounds.Count);
        Assert.Contains("steady after 8 rounds", result.Summary);
    }

    [Fact]
    public void Rounds_that_never_are_steady_say_so()
    {
        var result = SteadyStateRunner.Run(new(), spec => Run(1000 + 100 * spec.Repeat!.Value), maxRounds: 7);
        Assert.False(result.Reached);
        Assert.Equal(7, result.Rounds.Count);
        Assert.Contains("never steady in 7 rounds", result.Summary);
    }

    [Fact]
    public void A_cancelled_round_ends_it_and_four_rounds_cannot_be_judged()
    {
        var result = SteadyStateRunner.Run(new(), spec => new IoTestResult { IOPS = 1, Status = spec.Repeat == 2 ? IoResultStatus.Cancelled : IoResultStatus.Complete });
        Assert.Equal((false, 2), (result.Reached, result.Rounds.Count));
        Assert.Equal("IoBench.InvalidRounds", Assert.Throws<IoBenchException>(() => SteadyStateRunner.Run(new(), _ => Run(1), 4)).ErrorId);
    }
}
