using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis.Tests;

public class SaturationResultTests
{
    private static IoTestResult CreateRun(int outstanding, double iops, string source = IoTestResult.OwnSource, double? latency = null) =>
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
    public void Saturation_point_is_the_lowest_load_with_95_percent_of_the_maximum()
    {
        var result = Assert.Single(
            SaturationResult.Analyze([CreateRun(1, 1000), CreateRun(2, 2000), CreateRun(4, 3900), CreateRun(8, 4000), CreateRun(16, 4010)])
        );
        Assert.Equal(4, result.KneeOutstanding);
        Assert.True(result.PlateauReached);
        Assert.Equal(4 / 3.9, result.KneeLatencyMs!.Value, 6);
        Assert.Equal(16 / 4.01 - 4 / 3.9, result.LatencyGainedMs!.Value, 6);
        Assert.Empty(result.Warnings);
    }

    [Theory]
    [InlineData(3, true)]
    [InlineData(40, false)]
    public void Sweep_whose_threads_waited_for_a_cpu_names_no_saturation_point(double waitPercent, bool isReached)
    {
        double[] rates = [1000, 2000, 3900, 4000, 4010];
        var runs = rates.Select((iops, i) => CreateRun(1 << i, iops)).ToList();
        runs[3].ProcessorWaitPercent = waitPercent;
        var result = Assert.Single(SaturationResult.Analyze(runs));
        Assert.Equal(isReached, result.KneeOutstanding is not null);
        Assert.Equal(!isReached, result.IsCpuLimited);
        Assert.Equal(isReached, !result.Summary.Contains("With 8 outstanding I/Os, worker threads waited 40%", StringComparison.Ordinal));
        Assert.False(result.IsStillGrowing);
    }

    // 1 thread with QD2 and 2 threads with QD1 are the same load but different runs. Their mean does not follow Little's law, but each run
    // does.
    [Fact]
    public void Littles_law_is_checked_for_each_run_of_a_load()
    {
        var result = Assert.Single(
            SaturationResult.Analyze([CreateRun(1, 1000), CreateRun(2, 1000), CreateRun(2, 4000), CreateRun(4, 4000), CreateRun(8, 4010)])
        );
        Assert.DoesNotContain(result.Warnings, w => w.Contains("contradict", StringComparison.Ordinal));
        Assert.All(result.Points, point => Assert.Equal(0, point.LittlesLawErrorPercent!.Value, 6));
    }

    // Simulated sweeps of 1 to 128 outstanding I/Os. The truth is the first load with 95% of the true throughput at the end.
    [Theory]
    [InlineData(8, false, 0.02)]
    [InlineData(8, false, 0.05)]
    [InlineData(20, false, 0.05)]
    [InlineData(8, true, 0.02)]
    public void Range_holds_the_saturation_point_in_95_percent_of_sweeps(int servers, bool isSoft, double spread)
    {
        var random = new Random(7);
        int[] loads = [1, 2, 4, 8, 16, 32, 64, 128];
        double[] truth = [.. loads.Select(n => isSoft ? (double)servers * n / (n + servers - 1) : Math.Min(n, servers))];
        var knee = loads[Array.FindIndex(truth, rate => rate >= 0.95 * truth.Max())];
        const int sweeps = 1000;
        var (held, grows) = (0, 0);
        for (var sweep = 0; sweep < sweeps; sweep++)
        {
            var result = Assert.Single(
                SaturationResult.Analyze([.. loads.Zip(truth, (load, rate) => CreateRun(load, 1000 * rate * Math.Exp(spread * Gauss())))])
            );
            held += result.KneeLowOutstanding <= knee && knee <= (result.KneeHighOutstanding ?? loads[^1]) ? 1 : 0;
            grows += result.IsStillGrowing ? 1 : 0;
        }
        Assert.InRange(held, sweeps * 0.95, sweeps);
        Assert.InRange(grows, 0, sweeps / 100);

        double Gauss() => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
    }

    [Fact]
    public void Short_runs_are_not_checked_by_Littles_law()
    {
        IoTestResult Slow(double seconds)
        {
            var run = CreateRun(256, 200, latency: 527);
            run.DurationSeconds = seconds;
            return run;
        }
        Assert.DoesNotContain(SaturationResult.Analyze([CreateRun(1, 200), Slow(5)])[0].Warnings, w => w.Contains("contradict"));
        Assert.Single(SaturationResult.Analyze([CreateRun(1, 200), Slow(60)])[0].Warnings, w => w.Contains("contradict"));
    }

    [Fact]
    public void Sweep_without_a_plateau_has_no_saturation_point()
    {
        var result = Assert.Single(
            SaturationResult.Analyze([CreateRun(1, 1000), CreateRun(2, 1990), CreateRun(4, 3900), CreateRun(8, 7500)])
        );
        Assert.Null(result.KneeOutstanding);
        Assert.False(result.PlateauReached);
        Assert.True(result.IsStillGrowing);
        Assert.Contains("no saturation point up to 8", result.Summary);
    }

    [Fact]
    public void Results_that_contradict_Littles_law_have_a_warning()
    {
        var result = Assert.Single(SaturationResult.Analyze([CreateRun(1, 1000), CreateRun(8, 1000, latency: 2)]));
        Assert.Contains(result.Warnings, w => w.Contains("contradict", StringComparison.Ordinal));
    }

    [Fact]
    public void SQLIO_latency_is_replaced_by_Littles_law()
    {
        var result = Assert.Single(
            SaturationResult.Analyze([
                CreateRun(8, 20_000, SqlioFormat.Source, 0),
                CreateRun(16, 20_100, SqlioFormat.Source, 0),
                CreateRun(32, 20_000, SqlioFormat.Source, 1),
            ])
        );
        Assert.Equal(0.4, result.KneeLatencyMs!.Value, 6);
    }

    [Fact]
    public void Rounded_milliseconds_can_contradict_Littles_law()
    {
        var fine = SaturationResult
            .Analyze([CreateRun(8, 1000, SqlioFormat.Source, 7), CreateRun(64, 2000, SqlioFormat.Source, 31)])
            .Single();
        Assert.DoesNotContain(fine.Warnings, w => w.Contains("contradict", StringComparison.Ordinal));
        var wrong = SaturationResult
            .Analyze([CreateRun(8, 1000, SqlioFormat.Source, 7), CreateRun(64, 2000, SqlioFormat.Source, 16)])
            .Single();
        Assert.Contains(wrong.Warnings, w => w.StartsWith("At 64 outstanding", StringComparison.Ordinal));
    }

    [Fact]
    public void Runs_with_a_maximum_rate_are_not_a_sweep()
    {
        List<IoTestResult> runs = [CreateRun(1, 500), CreateRun(8, 500), CreateRun(16, 500)];
        runs.ForEach(r => r.Specification = new() { MaxIopsPerThread = 500 });
        Assert.Equal("IoBench.NoSweep", Assert.Throws<IoBenchException>(() => SaturationResult.Analyze(runs)).ErrorId);
        runs.ForEach(r => r.Specification = new());
        Assert.Equal(1, SaturationResult.Analyze(runs)[0].KneeOutstanding);
    }

    [Fact]
    public void Analysis_throws_without_a_sweep() =>
        Assert.Equal(
            "IoBench.NoSweep",
            Assert.Throws<IoBenchException>(() => SaturationResult.Analyze([CreateRun(8, 1000), CreateRun(8, 1001)])).ErrorId
        );
}
