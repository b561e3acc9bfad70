using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class RoleTests
{
    private static readonly RolePaths s_paths = new("D:\\", "L:\\", "T:\\", "B:\\");

    [Fact]
    public void Each_workload_alone_then_all_at_once()
    {
        var plan = RolePlan.Create(s_paths, new() { Duration = TimeSpan.FromSeconds(7), Label = "San", FileSize = 1 << 30 });
        Assert.Equal(["page-read", "checkpoint", "log-commit", "tempdb", "backup-write", RolePlan.TogetherWorkload], plan.Select(s => s.Workload));
        Assert.All(plan, s => Assert.Equal((TimeSpan.FromSeconds(7), "San", 1L << 30), (s.Duration, s.Label, s.FileSize!.Value)));
        Assert.Equal(["data D:\\", "data D:\\", "log L:\\", "tempdb T:\\", "backup B:\\"], plan[^1].Targets.Select(t => $"{t.Role} {t.Path}"));
        // The patterns at once are those alone.
        Assert.Equal(plan.SkipLast(1).Select(s => (PatternText.Of(s), s.ThreadCount, s.OutstandingIO, s.Buffering)),
            plan[^1].Targets.Select(t => (PatternText.Of(t.Pattern!), t.Pattern!.ThreadCount, t.Pattern.OutstandingIO, t.Pattern.Buffering)));
        Assert.All(plan[^1].Targets, t => Assert.Equal(typeof(IoPattern), t.Pattern!.GetType()));
    }

    [Fact]
    public void Roles_may_have_other_workloads_and_need_company()
    {
        var plan = RolePlan.Create(new(Data: "D:\\", Log: "L:\\"), workloads: new Dictionary<string, string[]> { ["Data"] = ["oltp"] });
        Assert.Equal(["oltp", "log-commit", RolePlan.TogetherWorkload], plan.Select(s => s.Workload));
        Assert.Equal("IoBench.TooFewRoles", Assert.Throws<IoBenchException>(() => RolePlan.Create(new(Data: "D:\\"))).ErrorId);
        Assert.Equal("IoBench.UnknownRole", Assert.Throws<IoBenchException>(() => RolePlan.Create(s_paths, workloads: new Dictionary<string, string[]> { ["dta"] = ["oltp"] })).ErrorId);
    }

    [Fact]
    public void The_loss_is_that_of_each_role_alone()
    {
        IoTestResult Alone(string role, string path, string pattern, double iops, double ms) => new()
        {
            Workload = role, Path = path, IOPattern = pattern, IOPS = iops, AverageLatencyMs = ms, P99Ms = 2 * ms, Targets = [new() { Role = role, Path = path, IOPattern = pattern }],
        };
        IoTargetResult Together(string role, string path, string pattern, double iops, double ms) => new()
        {
            Role = role, Path = path, IOPattern = pattern, Total = new() { IOPS = iops, AverageLatencyMs = ms }, Percentiles = [new() { Percent = 99, TotalMs = 5 * ms }],
        };
        var rows = RoleInterference.Of(
        [
            Alone("data", "D:\\f", "16KB random write", 20_000, 3), Alone("log", "L:\\f", "4KB sequential write", 4000, 0.24), Alone("log", "X:\\f", "4KB sequential write", 1, 1),
            new IoTestResult { Targets = [Together("data", "D:\\f", "16KB random write", 15_000, 4), Together("log", "L:\\f", "4KB sequential write", 480, 2.1)] },
        ]);
        Assert.Equal(["data", "log"], rows.Select(r => r.Role));
        Assert.Equal(25, rows[0].LossPercent!.Value, 9);
        Assert.Equal(8.75, rows[1].LatencyFactor!.Value, 9);
        Assert.Equal((0.48, 10.5), (rows[1].AloneP99Ms!.Value, rows[1].TogetherP99Ms!.Value));
        Assert.Equal("A commit (4KB sequential write) waits 2.10 ms instead of 0.24 ms while data run (8.8 times).", rows[1].Summary);
        Assert.Equal("IoBench.NoRoles", Assert.Throws<IoBenchException>(() => RoleInterference.Of([Alone("log", "L:\\", "x", 1, 1)])).ErrorId);
    }
}
