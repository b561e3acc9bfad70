namespace IoBench.Analysis.Tests;

public class FleetRampTests
{
    private static string[] Names(int count) => [.. Enumerable.Range(1, count).Select(n => $"sql{n}")];

    private static FleetRamp Ramp(SharedArray array, bool withAlone, params int[] sizes)
    {
        var results = sizes.SelectMany(size => array.Run($"r{size}/1", Names(size).ToDictionary(host => host, _ => 0.0)));
        if (withAlone)
            results = results.Concat(
                Names(sizes[^1]).SelectMany(host => array.Run($"alone-{host}/1", new Dictionary<string, double> { [host] = 0 }))
            );
        return Assert.Single(FleetRamp.Find(FleetMerge.Find(results)));
    }

    [Theory]
    [InlineData(300_000, 33_333, 9)]
    [InlineData(300_000, 60_000, 5)]
    [InlineData(300_000, 25_000, 12)]
    public void The_knee_is_within_one_host(double capacity, double demand, double truth)
    {
        var ramp = Ramp(new SharedArray(capacity, demand), false, 1, 2, 4, 8, 16);
        Assert.InRange(ramp.KneeHosts!.Value, truth - 1, truth + 1);
        Assert.InRange(ramp.Points.Max(point => point.IOPS), capacity * 0.98, capacity * 1.02);
        Assert.Contains($"knee at {truth}", ramp.Summary);
    }

    [Fact]
    public void The_loss_of_each_host_is_within_three_percent()
    {
        var array = new SharedArray(300_000, 33_333) { Shares = { ["sql3"] = 0.5 } };
        var ramp = Ramp(array, true, 1, 2, 4, 8, 16);
        var truth = array.Split(Names(16));
        Assert.Equal(16, ramp.Losses.Count);
        Assert.All(
            ramp.Losses,
            loss => Assert.InRange(loss.LossPercent, (1 - truth[loss.Host] / 33_333) * 100 - 3, (1 - truth[loss.Host] / 33_333) * 100 + 3)
        );
        Assert.InRange(ramp.KneeHosts!.Value, 8, 10);
        Assert.Matches("^oltp: (299|300),[0-9]{3} IOPS at 16 hosts, knee at 9, sql3 gets 52 % of its share, sql3 loses most", ramp.Summary);
    }

    [Fact]
    public void A_storage_that_still_grows_has_no_knee()
    {
        var ramp = Ramp(new SharedArray(3_000_000, 33_333), false, 1, 2, 4);
        Assert.Null(ramp.KneeHosts);
        Assert.Contains("no knee", ramp.Summary);
        Assert.Equal(FindingCodes.FleetNoKnee, ramp.Findings[0].Code);
    }

    [Fact]
    public void One_size_is_no_ramp() =>
        Assert.Empty(FleetRamp.Find(FleetMerge.Find(new SharedArray(1000, 100).Run("g/1", new Dictionary<string, double> { ["a"] = 0 }))));
}
