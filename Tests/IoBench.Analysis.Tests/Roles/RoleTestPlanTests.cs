using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class RoleTestPlanTests
{
    private static readonly RolePaths s_paths = new("D:\\", "L:\\", "T:\\", "B:\\");

    [Fact]
    public void Plan_runs_each_workload_alone_and_then_all_concurrently()
    {
        var plan = RoleTestPlan.Create(s_paths);
        Assert.Equal(
            ["page-read", "checkpoint", "log-commit", "tempdb", "backup-write", RoleTestPlan.ConcurrentWorkload],
            plan.Select(s => s.Workload)
        );
        Assert.Equal(
            ["data D:\\", "data D:\\", "log L:\\", "tempdb T:\\", "backup B:\\"],
            plan[^1].Targets.Select(t => $"{t.Role} {t.Path}")
        );
        Assert.Equal(
            plan.SkipLast(1).Select(s => (PatternText.Describe(s), s.ThreadCount, s.OutstandingIO, s.Buffering)),
            plan[^1]
                .Targets.Select(t =>
                    (PatternText.Describe(t.Pattern!), t.Pattern!.ThreadCount, t.Pattern.OutstandingIO, t.Pattern.Buffering)
                )
        );
        Assert.All(plan[^1].Targets, t => Assert.Equal(typeof(IoPattern), t.Pattern!.GetType()));
    }

    [Fact]
    public void Plan_accepts_other_workloads_and_requires_two_roles()
    {
        var plan = RoleTestPlan.Create(new(Data: "D:\\", Log: "L:\\"), workloads: new Dictionary<string, string[]> { ["Data"] = ["oltp"] });
        Assert.Equal(["oltp", "log-commit", RoleTestPlan.ConcurrentWorkload], plan.Select(s => s.Workload));
        Assert.Equal("IoBench.TooFewRoles", Assert.Throws<IoBenchException>(() => RoleTestPlan.Create(new(Data: "D:\\"))).ErrorId);
        Assert.Equal(
            "IoBench.UnknownRole",
            Assert
                .Throws<IoBenchException>(() =>
                    RoleTestPlan.Create(s_paths, workloads: new Dictionary<string, string[]> { ["dta"] = ["oltp"] })
                )
                .ErrorId
        );
    }

    [Fact]
    public void Interference_is_compared_with_each_role_alone()
    {
        IoTestResult Alone(string role, string path, string pattern, double iops, double ms) =>
            new()
            {
                Workload = role,
                Path = path,
                IOPattern = pattern,
                IOPS = iops,
                AverageLatencyMs = ms,
                P99Ms = 2 * ms,
                Targets =
                [
                    new()
                    {
                        Role = role,
                        Path = path,
                        IOPattern = pattern,
                    },
                ],
            };
        IoTargetResult Together(string role, string path, string pattern, double iops, double ms) =>
            new()
            {
                Role = role,
                Path = path,
                IOPattern = pattern,
                Total = new() { IOPS = iops, AverageLatencyMs = ms },
                Percentiles = [new() { Percent = 99, TotalMs = 5 * ms }],
            };
        var rows = RoleInterference.Analyze([
            Alone("data", "D:\\f", "16KB random write", 20_000, 3),
            Alone("log", "L:\\f", "4KB sequential write", 4000, 0.24),
            Alone("log", "X:\\f", "4KB sequential write", 1, 1),
            new IoTestResult
            {
                Targets =
                [
                    Together("data", "D:\\f", "16KB random write", 15_000, 4),
                    Together("log", "L:\\f", "4KB sequential write", 480, 2.1),
                ],
            },
        ]);
        Assert.Equal(["data", "log"], rows.Select(r => r.Role));
        Assert.Equal(25, rows[0].LossPercent!.Value, 9);
        Assert.Equal(8.75, rows[1].LatencyFactor!.Value, 9);
        Assert.Equal((0.48, 10.5), (rows[1].AloneP99Ms!.Value, rows[1].TogetherP99Ms!.Value));
        Assert.Equal(
            "Log write latency (4KB sequential write) is 2.10 ms instead of 0.24 ms (8.8 times as high) while the tests of data run.",
            rows[1].Summary
        );
        Assert.Equal(
            "IoBench.NoRoles",
            Assert.Throws<IoBenchException>(() => RoleInterference.Analyze([Alone("log", "L:\\", "x", 1, 1)])).ErrorId
        );
    }

    [Fact]
    public void Rate_limited_mix_sets_a_share_of_the_rate_of_each_role()
    {
        var plan = RoleTestPlan.Create(new(Data: "/d", Log: "/l"), mixLoadPercent: 50);
        foreach (var test in plan)
            test.Label = "San";
        Assert.Equal(
            ["page-read", "checkpoint", "log-commit", RoleTestPlan.ConcurrentWorkload, RoleTestPlan.RateLimitedWorkload],
            plan.Select(s => s.Workload)
        );
        Assert.Equal("data, log concurrently, each at 50% of its rate when run alone", plan[^1].WorkloadRole);
        Assert.Null(plan[^2].MixLoadPercent);
        IoTestResult Result(int test, double iops, int? repeat = null)
        {
            var specification = plan[test].Clone();
            specification.Repeat = repeat;
            return new()
            {
                Specification = specification,
                IOPS = iops,
                Label = "San",
                Repeat = repeat,
            };
        }
        List<IoTestResult> known = [Result(0, 8000), Result(1, 3001), Result(2, 0.17), Result(3, 1)];
        RoleTestPlan.SetRates(plan[^1], known);
        Assert.Equal([4000, 1500.5, 0.085], plan[^1].Targets.Select(t => t.Pattern!.TargetIops!.Value));
        Assert.All(plan[^1].Targets, t => Assert.Equal(IoArrivals.Poisson, t.Pattern!.Arrivals));
        // Results of the same round are preferred.
        plan[^1].Repeat = 2;
        RoleTestPlan.SetRates(plan[^1], [.. known, Result(0, 100, repeat: 2)]);
        Assert.Equal(50, plan[^1].Targets[0].Pattern!.TargetIops);
        RoleTestPlan.SetRates(plan[^2], []);
        Assert.All(plan[^2].Targets, t => Assert.Null(t.Pattern!.TargetIops));
        var error = Assert.Throws<IoBenchException>(() => RoleTestPlan.SetRates(plan[^1], known.Take(2)));
        Assert.Equal("IoBench.NoOwnRate", error.ErrorId);
        Assert.Contains("log alone (4KB sequential write)", error.Message);
    }

    [Fact]
    public void Rate_limited_mix_uses_response_time_and_reports_a_missed_rate()
    {
        var plan = RoleTestPlan.Create(
            new(Data: "/d", Log: "/l"),
            workloads: new Dictionary<string, string[]> { ["data"] = ["page-read"] },
            mixLoadPercent: 50
        );
        List<IoTestResult> alone =
        [
            .. plan.Take(2)
                .Select(
                    (test, i) =>
                        new IoTestResult
                        {
                            Specification = test,
                            Workload = test.Workload,
                            IOPattern = PatternText.Describe(test),
                            Path = test.Targets[0].Path,
                            IOPS = i == 0 ? 8000 : 2000,
                            AverageLatencyMs = 0.5,
                            P99Ms = 1,
                            Targets =
                            [
                                new()
                                {
                                    Role = test.Targets[0].Role,
                                    Path = test.Targets[0].Path,
                                    IOPattern = PatternText.Describe(test),
                                },
                            ],
                        }
                ),
        ];
        RoleTestPlan.SetRates(plan[^1], alone);
        IoTestResult Together(IoTestSpecification test, double? dataReached) =>
            new()
            {
                Specification = test,
                Targets =
                [
                    .. test.Targets.Select(
                        (t, i) =>
                            new IoTargetResult
                            {
                                Role = t.Role,
                                Path = t.Path,
                                IOPattern = PatternText.Describe(t.Pattern!),
                                RateReachedPercent = i == 0 ? dataReached : 100,
                                Total = new()
                                {
                                    IOPS = i == 0 ? 3000 : 1000,
                                    AverageLatencyMs = 0.4,
                                    ResponseAverageMs = test.MixLoadPercent is null ? null : 0.9,
                                    ResponseP99Ms = test.MixLoadPercent is null ? null : 4,
                                },
                            }
                    ),
                ],
            };
        var rows = RoleInterference.Analyze([.. alone, Together(plan[^2], null), Together(plan[^1], 75)]);
        Assert.Equal(
            ["data full speed", "log full speed", "data 50% of its rate when run alone", "log 50% of its rate when run alone"],
            rows.Select(r => $"{r.Role} {r.Load}")
        );
        Assert.Equal([(null, false), (null, false), (4000, true), (1000, false)], rows.Select(r => (r.TargetIops, r.IsRateMissed)));
        Assert.All(rows.Skip(2), r => Assert.Equal((null, null), (r.LossPercent, r.LatencyFactor)));
        Assert.Equal(
            "When data and log each run at 50% of the rate that they reached alone (4,000 IOPS for data), data (8KB random read) reached only 3,000 IOPS, so its response time is not rated.",
            rows[2].Summary
        );
        Assert.Equal(
            "When log and data each run at 50% of the rate that they reached alone (1,000 IOPS for log), log write response time (4KB sequential write) is 0.90 ms, p99 4.00 ms.",
            rows[3].Summary
        );
        Assert.Equal((FindingSeverity.Warning, FindingSeverity.Info), (rows[2].Findings[0].Severity, rows[3].Findings[0].Severity));
    }

    [Fact]
    public void Role_is_compared_with_what_it_shares_and_with_the_CPU_wait()
    {
        static IoTargetResult Target(string role, string path, string pattern, double iops, string? device) =>
            new()
            {
                Role = role,
                Path = path,
                IOPattern = pattern,
                Device = device,
                Total = new() { IOPS = iops, AverageLatencyMs = 1 },
            };
        IoTestResult Alone(IoTargetResult target) =>
            new()
            {
                Path = target.Path,
                IOPattern = target.IOPattern,
                IOPS = 2 * target.Total.IOPS,
                AverageLatencyMs = 0.4,
                ProcessorWaitPercent = 1,
                Targets = [target],
            };
        IoTargetResult[] targets =
        [
            Target("data", "/d", "8KB random read", 1000, "sda"),
            Target("data", "/d", "64KB random write", 500, "sda"),
            Target("log", "/l", "4KB sequential write", 200, "sda"),
            Target("tempdb", "/t", "64KB random write", 300, "sdb"),
        ];
        IoTestResult Together(double wait) => new() { Targets = [.. targets], ProcessorWaitPercent = wait };

        var rows = RoleInterference.Analyze([.. targets.Select(Alone), Together(2)]);
        Assert.Contains("while the tests of data (64KB random write), log, and tempdb run", rows[0].Summary, StringComparison.Ordinal);
        Assert.Equal("the file with data (64KB random write), the device sda with log", rows[0].Shares);
        Assert.EndsWith(
            "It shares the file with data (64KB random write), the device sda with log.",
            rows[0].Summary,
            StringComparison.Ordinal
        );
        Assert.Null(rows[3].Shares);
        Assert.StartsWith("Use a separate device for the log", rows[2].Findings[0].WhatToDo, StringComparison.Ordinal);

        rows = RoleInterference.Analyze([.. targets.Select(Alone), Together(43)]);
        Assert.All(rows, row => Assert.EndsWith("so this computer can be the cause.", row.Summary, StringComparison.Ordinal));
        Assert.StartsWith("Repeat the test when the computer is less busy", rows[2].Findings[0].WhatToDo, StringComparison.Ordinal);
    }
}
