using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class CapPlanTests
{
    [Fact]
    public void Plan_tests_three_block_sizes_at_rising_queue_depth_and_repeats_the_last()
    {
        var plan = CapPlan.Create(["D:\\"]);
        Assert.Equal(
            [(8, 1), (8, 8), (8, 32), (8, 128), (64, 8), (64, 32), (64, 128), (256, 8), (256, 32), (256, 128), (8, 128), (8, 8)],
            plan.Select(s => ((int)(s.BlockSize / 1024), s.ThreadCount * s.OutstandingIO))
        );
        Assert.All(plan, s => Assert.Equal((0, IoAccessPattern.Random, CapPlan.Workload), (s.WritePercent, s.AccessPattern, s.Workload)));
        Assert.Equal(2, plan[^1].Repeat);
    }

    [Fact]
    public void Plan_tests_each_path_alone_and_all_paths_concurrently()
    {
        var plan = CapPlan.Create(["D:\\", "E:\\"], IoPathMode.Both, template: new() { FileSize = 1 << 30, Seed = 7 });
        Assert.Equal(12 * 2 + 6, plan.Count);
        Assert.All(plan, s => Assert.Equal((1L << 30, 7UL), (s.FileSize!.Value, s.Seed)));
        Assert.Equal(2, plan[^1].Targets.Count);
        Assert.Equal(6, CapPlan.Create(["D:\\", "E:\\"], IoPathMode.Together).Count);
    }

    [Theory]
    [InlineData(IoPathMode.Both, "D:\\")]
    [InlineData(IoPathMode.Together, "D:\\", "D:\\")]
    [InlineData(IoPathMode.Each)]
    public void Plan_requires_paths_that_fit_the_path_mode(IoPathMode mode, params string[] paths) =>
        Assert.Equal("IoBench.InvalidCapPlan", Assert.Throws<IoBenchException>(() => CapPlan.Create(paths, mode)).ErrorId);

    [Fact]
    public void Plan_requires_two_queue_depths() =>
        Assert.Contains(
            "At least two of the loads",
            Assert.Throws<IoBenchException>(() => CapPlan.Create(["D:\\"], outstanding: [1, 32])).Message
        );
}
