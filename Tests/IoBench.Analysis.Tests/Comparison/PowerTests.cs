using Xunit.Abstractions;

namespace IoBench.Analysis.Tests;

/// <summary>How much a comparison sees with the repeats that users have, and how often it sees what is not there. IOBENCH_LONG_TESTS=5000 runs so many suites.</summary>
public class PowerTests(ITestOutputHelper output)
{
    private static readonly int s_suites = int.TryParse(Environment.GetEnvironmentVariable("IOBENCH_LONG_TESTS"), out var suites) ? suites : 400;

    [Theory]
    [InlineData(1, 0.20)]
    [InlineData(2, 0.20)]
    [InlineData(3, 0.20)]
    [InlineData(5, 0.20)]
    [InlineData(3, 0.10)]
    [InlineData(5, 0.10)]
    public void A_loss_is_found_in_eight_of_nine_patterns(int repeats, double loss) => Assert.InRange(Said(new MadeUpSuites(11).Found(s_suites, repeats, loss)), 95, 100);

    // 1 % is the bound; of 400 suites 6 are allowed for chance; the long run shows the rate itself.
    [Theory]
    [InlineData(1, 0.02)]
    [InlineData(1, 0.10)]
    [InlineData(2, 0.10)]
    [InlineData(3, 0.10)]
    [InlineData(5, 0.10)]
    public void Equal_systems_are_not_called_worse(int repeats, double tailSpread) => Assert.InRange(Said(new MadeUpSuites(12).FalseAlarms(s_suites, repeats, tailSpread: tailSpread)), 0, 1.5);

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    public void A_noisy_system_raises_the_bar_instead_of_an_alarm(int repeats)
    {
        var suites = new MadeUpSuites(13);
        Assert.InRange(Said(suites.FalseAlarms(s_suites, repeats, spread: 0.1, tailSpread: 0.2)), 0, 2);
        var row = ResultComparer.Compare(suites.Suite(repeats, spread: 0.1), suites.Suite(repeats, 0.1, spread: 0.1)).Rows[0];
        Assert.InRange(row.MinVisiblePercent!.Value, 15, 60);
        Assert.Contains("too few repeats to see less than", row.Findings[0].What);
    }

    // One second says nothing of how a run repeats: twelve percent are not taken for two.
    [Fact]
    public void Single_runs_of_seconds_are_judged_by_how_far_the_patterns_lie_apart()
    {
        var suites = new MadeUpSuites(16) { Seconds = 1 };
        Assert.InRange(Said(suites.FalseAlarms(s_suites, 1, spread: 0.12, tailSpread: 0.2)), 0, 5);
        Assert.InRange(Said(suites.Found(s_suites, 1, 0.20)), 85, 100);
    }

    // On a busy computer whole suites are slower than others: one run a side tells no 20 % from that, and says so. Three tell by their own spread.
    [Fact]
    public void Single_runs_of_a_busy_computer_show_only_large_changes()
    {
        var suites = new MadeUpSuites(17);
        List<Engine.IoTestResult> Busy(double loss)
        {
            var suite = suites.Suite(1, loss);
            suite.ForEach(run => run.AddWarning(new(Engine.WarningCodes.ProcessorsBusy, "all processors were busy (99 %)")));
            return suite;
        }
        Assert.All(ResultComparer.Compare(Busy(0), Busy(0.25)).Rows, row => Assert.Equal((ComparisonVerdict.NoVerdict, 40), (row.Verdict, Math.Round(row.MinVisiblePercent!.Value))));
        Assert.All(ResultComparer.Compare(Busy(0), Busy(0.6)).Rows, row => Assert.Equal(ComparisonVerdict.Worse, row.Verdict));
    }

    [Fact]
    public void Three_patterns_of_nine_that_lost_are_those_that_are_named()
    {
        var suites = new MadeUpSuites(14);
        for (var repeats = 1; repeats <= 3; repeats++)
        {
            var rows = ResultComparer.Compare(suites.Suite(repeats), suites.Suite(repeats, 0.25, lossFrom: 6)).Rows;
            Assert.Equal([false, false, false, false, false, false, true, true, true], rows.Select(row => row.Verdict == ComparisonVerdict.Worse));
        }
    }

    // Eight patterns that repeat within 1 %, one within 10 %: pooled it would cry wolf, and the eight must not pay for it.
    [Fact]
    public void A_pattern_that_spreads_more_than_the_others_is_judged_by_its_own_spread()
    {
        var suites = new MadeUpSuites(15);
        var (alarms, found) = (0, 0);
        for (var i = 0; i < s_suites; i++)
        {
            alarms += Worse(0)[8] ? 1 : 0;
            found += Worse(0.1).Take(8).Count(worse => worse);
        }
        Assert.InRange(alarms, 0, s_suites / 25);
        Assert.InRange(found, s_suites * 8 * 0.95, s_suites * 8);

        List<bool> Worse(double loss)
        {
            var (before, after) = (Mixed(0), Mixed(loss));
            return [.. ResultComparer.Compare(before, after).Rows.Select(row => row.Verdict == ComparisonVerdict.Worse)];
        }

        List<Engine.IoTestResult> Mixed(double loss) => [.. suites.Suite(3, loss, 0.01, 0.01).Take(24), .. suites.Suite(3, 0, 0.1, 0.01).TakeLast(3)];
    }

    private double Said(double percent)
    {
        output.WriteLine($"{percent:0.00} %");
        return percent;
    }
}
