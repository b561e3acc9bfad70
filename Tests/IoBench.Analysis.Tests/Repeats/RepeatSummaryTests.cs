using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class RepeatSummaryTests
{
    private static IoTestResult CreateRun(double? iops, string pattern = "8KB random read") =>
        new()
        {
            IOPattern = pattern,
            Path = "T:\\f",
            IOPS = iops,
            AverageLatencyMs = 32_000 / iops,
        };

    [Fact]
    public void Repeats_have_one_row_with_mean_spread_and_confidence_interval()
    {
        var rows = RepeatSummary.Summarize([
            CreateRun(1000),
            CreateRun(500, "64KB random read"),
            CreateRun(1100),
            CreateRun(1020),
            new IoTestResult { Status = IoResultStatus.Failed, IOPS = 1 },
        ]);
        Assert.Equal([3, 1], rows.Select(r => r.Runs));
        Assert.Equal(1040, rows[0].IOPS);
        // Mean 1040, s 52.915, t(0.975; 2) 4.303: 1040 +- 131.4.
        Assert.Equal(908.55, rows[0].Metrics["IOPS"].ConfidenceLow!.Value, 2);
        Assert.Equal(1171.45, rows[0].Metrics["IOPS"].ConfidenceHigh!.Value, 2);
        Assert.Equal(52.915 / 1040, rows[0].IopsVariation!.Value, 5);
        Assert.DoesNotContain("P99Ms", rows[0].Metrics.Keys);
        Assert.StartsWith("8KB random read: 3 runs; mean 1,040 IOPS (range 1,000 to 1,100, 95% interval 909 to 1,171)", rows[0].Summary);
        Assert.Contains("one run: no spread", rows[1].Summary);
    }

    [Fact]
    public void Groups_with_the_same_name_show_what_differs()
    {
        static IoTestResult Of(string? label, string path, int outstanding, string pattern = "8KB random read") =>
            new()
            {
                IOPattern = pattern,
                Label = label,
                Path = path,
                ThreadCount = 1,
                OutstandingIO = outstanding,
                IOPS = 1000,
                AverageLatencyMs = 1,
            };
        static string[] Names(params IoTestResult[] runs) =>
            [.. RepeatSummary.Summarize(runs.Concat(runs)).Select(summary => summary.Summary.Split(": 2 runs")[0])];

        Assert.Equal(["8KB random read", "64KB random read"], Names(Of("Old", "a", 1), Of("Old", "a", 1, "64KB random read")));
        Assert.Equal(["8KB random read, Old", "8KB random read, New"], Names(Of("Old", "a", 1), Of("New", "b", 1)));
        Assert.Equal(["8KB random read, 1 x 1", "8KB random read, 1 x 8"], Names(Of(null, "a", 1), Of(null, "a", 8)));
        Assert.Equal(["8KB random read, T:\\a", "8KB random read, T:\\b"], Names(Of(null, "T:\\a", 1), Of(null, "T:\\b", 1)));
    }

    // Does what a runner does with a plan of rounds.
    private static List<IoTestResult> RunRounds(int maxRounds, Func<int, double> rate, IEnumerable<IoTestResult>? earlier = null)
    {
        List<IoTestResult> done = [.. earlier ?? []];
        foreach (
            var test in Enumerable
                .Range(1, maxRounds)
                .Select(round => new IoTestSpecification
                {
                    Targets = [new("T:\\f")],
                    SteadyStateRounds = maxRounds,
                    Repeat = round,
                })
                .Where(t => done.TrueForAll(d => d.Repeat != t.Repeat))
        )
        {
            if (!SteadyState.IsRoundNeeded(test, done))
                continue;
            var result = CreateRun(rate(test.Repeat!.Value));
            (result.Specification, result.Repeat) = (test, test.Repeat);
            if (SteadyState.CreateWarning(result, done) is { } warning)
                result.Warnings.Add(warning);
            done.Add(result);
        }
        return done;
    }

    private static double GetSettlingIops(int round) =>
        round switch
        {
            1 => 2000,
            2 => 1600,
            3 => 1300,
            4 => 1100,
            5 => 1020,
            6 => 1010,
            8 => 1005,
            10 => 5000,
            _ => 1000,
        };

    [Fact]
    public void Rounds_end_when_the_last_five_are_steady()
    {
        var rounds = RunRounds(25, GetSettlingIops);
        // Rounds 4 to 8 are the first five whose slope is within 10%.
        Assert.Equal(8, rounds.Count);
        var summary = Assert.Single(RepeatSummary.Summarize(rounds));
        Assert.Equal((8, 5, true), (summary.Rounds, summary.Runs, summary.IsSteady));
        Assert.Equal(1027, summary.IOPS);
        Assert.StartsWith(
            "8KB random read: steady after 8 rounds by the IoBench criterion, not the SNIA criterion (not preconditioned, rounds of 30s instead of 60s): in the last 5 rounds, the range of IOPS is 9.7% of the average (limit 20%), and the slope is 8",
            summary.Summary
        );
        Assert.All(rounds, r => Assert.Empty(r.Warnings));
        Assert.True(SteadyState.IsRoundNeeded(new IoTestSpecification { Repeat = 2 }, rounds));
    }

    [Theory]
    [InlineData(2, 60, "by the SNIA criterion")]
    [InlineData(3, 120, "by the SNIA criterion")]
    [InlineData(2, 30, "by the IoBench criterion, not the SNIA criterion (rounds of 30s instead of 60s)")]
    [InlineData(1, 60, "by the IoBench criterion, not the SNIA criterion (preconditioned with 1x instead of 2x)")]
    [InlineData(0, 3, "by the IoBench criterion, not the SNIA criterion (not preconditioned, rounds of 3s instead of 60s)")]
    public void SNIA_criterion_requires_its_preconditioning_and_round_duration(double passes, int seconds, string words)
    {
        var rounds = RunRounds(25, GetSettlingIops);
        foreach (var test in rounds.Select(round => round.Specification!))
            (test.Precondition, test.Duration) = (passes == 0 ? null : passes, TimeSpan.FromSeconds(seconds));
        Assert.Equal(words, SteadyState.DescribeCriterion(rounds));
        Assert.Contains(" rounds " + words + ": ", Assert.Single(RepeatSummary.Summarize(rounds)).Summary, StringComparison.Ordinal);
    }

    [Fact]
    public void Interrupted_rounds_are_resumed()
    {
        var first = RunRounds(25, GetSettlingIops).Take(6).ToList();
        Assert.Equal([7, 8], RunRounds(25, GetSettlingIops, first).Skip(6).Select(r => r.Repeat!.Value));
    }

    [Fact]
    public void Rounds_that_are_never_steady_have_a_warning()
    {
        var rounds = RunRounds(7, round => 1000 + 100 * round);
        Assert.Equal(7, rounds.Count);
        Assert.StartsWith(
            "not steady in 7 rounds by the IoBench criterion, not the SNIA criterion (not preconditioned, rounds of 30s instead of 60s): in the last 5 rounds, the range of IOPS is 26.7%",
            Assert.Single(rounds[^1].Warnings)
        );
        Assert.All(rounds.SkipLast(1), r => Assert.Empty(r.Warnings));
        var summary = Assert.Single(RepeatSummary.Summarize(rounds));
        Assert.False(summary.IsSteady);
        Assert.Contains("not steady in 7 rounds", summary.Summary);
    }

    [Fact]
    public void Fewer_than_five_rounds_have_no_steady_state()
    {
        var summary = Assert.Single(RepeatSummary.Summarize(RunRounds(25, GetSettlingIops).Take(3)));
        Assert.Equal((3, null), (summary.Rounds, summary.IsSteady));
        Assert.Contains("3 rounds, too few to determine", summary.Summary);
    }
}
