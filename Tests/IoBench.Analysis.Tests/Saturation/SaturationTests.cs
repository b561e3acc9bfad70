using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis.Tests;

public class SaturationTests
{
    private static IoTestResult Run(int outstanding, double iops, string source = IoTestResult.OwnSource, double? latency = null) =>
        new()
        {
            Source = source,
            TotalOutstanding = outstanding,
            IOPS = iops,
            BandwidthMBps = iops / 128,
            IOPattern = "8KB random read",
            AverageLatencyMs = latency ?? outstanding / iops * 1000,
            Path = "T:\\iobench.dat",
            LoadModel = IoLoadModel.Closed,
        };

    [Fact]
    public void The_knee_is_the_least_load_that_reaches_95_percent()
    {
        var result = Assert.Single(SaturationAnalysis.Analyze([Run(1, 1000), Run(2, 2000), Run(4, 3900), Run(8, 4000), Run(16, 4010)]));
        Assert.Equal(4, result.KneeOutstanding);
        Assert.True(result.PlateauReached);
        Assert.Equal(4 / 3.9, result.KneeLatencyMs!.Value, 6);
        Assert.Equal(16 / 4.01 - 4 / 3.9, result.LatencyGainedMs!.Value, 6);
        Assert.Empty(result.Warnings);
    }

    // 1 thread with QD2 and 2 threads with QD1 are the same load but different runs. Their mean does not follow Little's law, but each run
    // does.
    [Fact]
    public void Littles_law_is_asked_of_each_run_and_not_of_a_mean_of_unlike_ones()
    {
        var result = Assert.Single(SaturationAnalysis.Analyze([Run(1, 1000), Run(2, 1000), Run(2, 4000), Run(4, 4000), Run(8, 4010)]));
        Assert.DoesNotContain(result.Warnings, w => w.Contains("contradict", StringComparison.Ordinal));
        Assert.All(result.Points, point => Assert.Equal(0, point.LittlesLawErrorPercent!.Value, 6));
    }

    [Fact]
    public void A_sweep_that_still_grows_has_no_knee()
    {
        var result = Assert.Single(SaturationAnalysis.Analyze([Run(1, 1000), Run(2, 1990), Run(4, 3900), Run(8, 7500)]));
        Assert.Null(result.KneeOutstanding);
        Assert.False(result.PlateauReached);
        Assert.Contains("no plateau", result.Summary);
    }

    [Fact]
    public void Figures_that_break_Littles_law_are_named()
    {
        var result = Assert.Single(SaturationAnalysis.Analyze([Run(1, 1000), Run(8, 1000, latency: 2)]));
        Assert.Contains(result.Warnings, w => w.Contains("contradict", StringComparison.Ordinal));
    }

    [Fact]
    public void Sqlios_whole_milliseconds_give_way_to_Littles_law()
    {
        var result = Assert.Single(
            SaturationAnalysis.Analyze([
                Run(8, 20_000, SqlioFormat.Source, 0),
                Run(16, 20_100, SqlioFormat.Source, 0),
                Run(32, 20_000, SqlioFormat.Source, 1),
            ])
        );
        Assert.Equal(0.4, result.KneeLatencyMs!.Value, 6);
    }

    [Fact]
    public void Even_whole_milliseconds_can_contradict_Littles_law()
    {
        var fine = SaturationAnalysis.Analyze([Run(8, 1000, SqlioFormat.Source, 7), Run(64, 2000, SqlioFormat.Source, 31)]).Single();
        Assert.DoesNotContain(fine.Warnings, w => w.Contains("contradict", StringComparison.Ordinal));
        var wrong = SaturationAnalysis.Analyze([Run(8, 1000, SqlioFormat.Source, 7), Run(64, 2000, SqlioFormat.Source, 16)]).Single();
        Assert.Contains(wrong.Warnings, w => w.StartsWith("At 64 outstanding", StringComparison.Ordinal));
    }

    [Fact]
    public void Runs_that_are_held_back_are_no_sweep()
    {
        List<IoTestResult> runs = [Run(1, 500), Run(8, 500), Run(16, 500)];
        runs.ForEach(r => r.Specification = new() { MaxIopsPerThread = 500 });
        Assert.Equal("IoBench.NoSweep", Assert.Throws<IoBenchException>(() => SaturationAnalysis.Analyze(runs)).ErrorId);
        runs.ForEach(r => r.Specification = new());
        Assert.Equal(1, SaturationAnalysis.Analyze(runs)[0].KneeOutstanding);
    }

    [Fact]
    public void Without_a_sweep_it_says_what_is_needed() =>
        Assert.Equal(
            "IoBench.NoSweep",
            Assert.Throws<IoBenchException>(() => SaturationAnalysis.Analyze([Run(8, 1000), Run(8, 1001)])).ErrorId
        );
}
