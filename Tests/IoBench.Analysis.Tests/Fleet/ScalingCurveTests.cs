namespace IoBench.Analysis.Tests;

public class ScalingCurveTests
{
    private static string[] GetHostNames(int count) => [.. Enumerable.Range(1, count).Select(n => $"sql{n}")];

    private static ScalingCurve FindScalingCurve(SharedArrayModel array, bool withAlone, params int[] sizes)
    {
        var results = sizes.SelectMany(size => array.Run($"r{size}/1", GetHostNames(size).ToDictionary(host => host, _ => 0.0)));
        if (withAlone)
            results = results.Concat(
                GetHostNames(sizes[^1]).SelectMany(host => array.Run($"alone-{host}/1", new Dictionary<string, double> { [host] = 0 }))
            );
        return Assert.Single(ScalingCurve.Find(FleetMerge.FindGroups(results)));
    }

    [Theory]
    [InlineData(300_000, 33_333, 9)]
    [InlineData(300_000, 60_000, 5)]
    [InlineData(300_000, 25_000, 12)]
    public void Knee_is_found_within_one_host(double capacity, double demand, double truth)
    {
        var ramp = FindScalingCurve(new SharedArrayModel(capacity, demand), false, 1, 2, 4, 8, 16);
        Assert.InRange(ramp.KneeHosts!.Value, truth - 1, truth + 1);
        Assert.InRange(ramp.Points.Max(point => point.IOPS), capacity * 0.98, capacity * 1.02);
        Assert.Contains($"saturation point at {truth}", ramp.Summary);
    }

    [Fact]
    public void Scaling_loss_of_each_host_is_found_within_3_percent()
    {
        var array = new SharedArrayModel(300_000, 33_333) { Shares = { ["sql3"] = 0.5 } };
        var ramp = FindScalingCurve(array, true, 1, 2, 4, 8, 16);
        var truth = array.GetHostIops(GetHostNames(16));
        Assert.Equal(16, ramp.Losses.Count);
        Assert.All(
            ramp.Losses,
            loss => Assert.InRange(loss.LossPercent, (1 - truth[loss.Host] / 33_333) * 100 - 3, (1 - truth[loss.Host] / 33_333) * 100 + 3)
        );
        Assert.InRange(ramp.KneeHosts!.Value, 8, 10);
        Assert.Matches(
            "^oltp: (299|300),[0-9]{3} IOPS on 16 hosts, saturation point at 9 hosts, sql3 gets 52% of its share, and sql3 has the largest loss of IOPS",
            ramp.Summary
        );
    }

    [Fact]
    public void Array_below_saturation_has_no_knee()
    {
        var ramp = FindScalingCurve(new SharedArrayModel(3_000_000, 33_333), false, 1, 2, 4);
        Assert.Null(ramp.KneeHosts);
        Assert.Contains("no saturation point", ramp.Summary);
        Assert.Equal(FindingCodes.FleetNoKnee, ramp.Findings[0].Code);
    }

    [Fact]
    public void Single_group_size_has_no_scaling_curve() =>
        Assert.Empty(
            ScalingCurve.Find(
                FleetMerge.FindGroups(new SharedArrayModel(1000, 100).Run("g/1", new Dictionary<string, double> { ["a"] = 0 }))
            )
        );
}
