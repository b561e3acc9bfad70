using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application.Tests;

public class TestPlannerTests
{
    private static IReadOnlyList<IoTestSpecification> CreatePlan(Action<PlanRequest>? change = null, params string[] paths)
    {
        var request = new PlanRequest { Paths = paths.Length == 0 ? ["t.dat"] : paths };
        change?.Invoke(request);
        return TestPlanner.Create(request).Tests;
    }

    private static IoBenchException GetError(Action<PlanRequest> change, params string[] paths) =>
        Assert.Throws<IoBenchException>(() => CreatePlan(change, paths));

    [Fact]
    public void Request_without_options_is_the_default_test()
    {
        var test = Assert.Single(CreatePlan());
        Assert.Equal("8KB random read", PatternText.Describe(test));
        Assert.Equal((4, 8, 30, 5), (test.ThreadCount, test.OutstandingIO, (int)test.Duration.TotalSeconds, (int)test.WarmUp.TotalSeconds));
        Assert.Equal("t.dat", Assert.Single(test.Targets).Path);
        Assert.Null(test.Repeat);
        Assert.Null(test.FileSize);
    }

    [Fact]
    public void Lists_create_every_combination_in_a_stable_order()
    {
        var plan = CreatePlan(r =>
        {
            r.Set("BlockSize", new object[] { 8192, 65536 });
            r.Set("WritePercent", new object[] { 0, 100 });
            r.Set("OutstandingIO", new object[] { 1, 8 });
        });
        Assert.Equal(
            [(8192, 0, 1), (8192, 0, 8), (8192, 100, 1), (8192, 100, 8), (65536, 0, 1), (65536, 0, 8), (65536, 100, 1), (65536, 100, 8)],
            plan.Select(t => ((int)t.BlockSize, t.WritePercent, t.OutstandingIO))
        );
    }

    [Fact]
    public void All_six_lists_are_combined()
    {
        var plan = CreatePlan(r =>
        {
            r.Set("FileSize", new object[] { 1 << 20, 1 << 21 });
            r.Set("BlockSize", new object[] { 8192, 65536 });
            r.Set("AccessPattern", new object[] { IoAccessPattern.Random, IoAccessPattern.Interlocked });
            r.Set("WritePercent", new object[] { 0, 100 });
            r.Set("ThreadCount", new object[] { 1, 2 });
            r.Set("OutstandingIO", new object[] { 1, 8 });
        });
        Assert.Equal(64, plan.Count);
        Assert.Equal(
            64,
            plan.Select(t => (t.FileSize, t.BlockSize, t.AccessPattern, t.WritePercent, t.ThreadCount, t.OutstandingIO)).Distinct().Count()
        );
    }

    [Fact]
    public void Repeats_are_round_robin()
    {
        var plan = CreatePlan(r =>
        {
            r.Workloads = ["oltp", "log-commit"];
            r.Repeat = 2;
        });
        Assert.Equal([("oltp", 1), ("log-commit", 1), ("oltp", 2), ("log-commit", 2)], plan.Select(t => (t.Workload!, t.Repeat!.Value)));
    }

    [Fact]
    public void Idle_time_is_between_tests_only()
    {
        var plan = CreatePlan(r =>
        {
            r.Set("OutstandingIO", new object[] { 1, 2, 4 });
            r.Idle = TimeSpan.FromSeconds(60);
        });
        Assert.Equal([0, 60, 60], plan.Select(t => t.RestBefore.TotalSeconds));
    }

    [Fact]
    public void Shuffle_is_determined_by_the_seed_and_stays_within_a_round()
    {
        IReadOnlyList<IoTestSpecification> Shuffled(ulong seed) =>
            CreatePlan(r =>
            {
                r.Set("OutstandingIO", new object[] { 1, 2, 4, 8, 16, 32, 64, 128 });
                r.Repeat = 2;
                r.Shuffle = true;
                r.Set("Seed", seed);
            });
        var first = Shuffled(1).Select(t => t.OutstandingIO).ToList();
        Assert.Equal(first, Shuffled(1).Select(t => t.OutstandingIO));
        Assert.NotEqual(first, Shuffled(2).Select(t => t.OutstandingIO));
        Assert.NotEqual([1, 2, 4, 8, 16, 32, 64, 128], first.Take(8));
        Assert.Equal([1, 2, 4, 8, 16, 32, 64, 128], first.Take(8).Order());
        Assert.Equal([1, 2, 4, 8, 16, 32, 64, 128], first.Skip(8).Order());
        Assert.NotEqual(first.Take(8), first.Skip(8));
    }

    [Theory]
    [InlineData(IoPathMode.Each, "a", "b")]
    [InlineData(IoPathMode.Together, "a+b")]
    [InlineData(IoPathMode.Both, "a", "b", "a+b")]
    public void Path_mode_determines_which_paths_run_together(IoPathMode mode, params string[] expected)
    {
        var plan = CreatePlan(r => r.PathMode = mode, "a", "b");
        Assert.Equal(expected, plan.Select(t => string.Join('+', t.Targets.Select(target => target.Path))));
    }

    [Fact]
    public void Single_path_is_one_test_in_any_path_mode() => Assert.Single(CreatePlan(r => r.PathMode = IoPathMode.Both, "a"));

    [Fact]
    public void Each_path_has_its_own_label()
    {
        var plan = CreatePlan(
            r =>
            {
                r.Labels = ["Old", "New"];
                r.PathMode = IoPathMode.Both;
            },
            "a",
            "b"
        );
        Assert.Equal(["Old", "New", "Old + New"], plan.Select(t => t.Label));
        Assert.All(CreatePlan(r => r.Labels = ["San"], "a", "b"), t => Assert.Equal("San", t.Label));
        Assert.Equal("IoBench.LabelCount", GetError(r => r.Labels = ["x", "y"], "a", "b", "c").ErrorId);
    }

    [Fact]
    public void Every_test_and_round_has_a_seed_derived_from_the_suite_seed()
    {
        IReadOnlyList<IoTestSpecification> Of(ulong? seed) =>
            CreatePlan(r =>
            {
                r.Workloads = ["sql-server"];
                r.Repeat = 3;
                r.Shuffle = true;
                if (seed is { } given)
                    r.Set("Seed", given);
            });
        var first = Of(null);
        Assert.Equal(27, first.Select(t => t.Seed).Distinct().Count());
        var seed = Assert.Single(first.Select(t => t.SeedBase!.Value).Distinct());
        Assert.Equal(first.Select(t => (t.Workload, t.Repeat, t.Seed)), Of(seed).Select(t => (t.Workload, t.Repeat, t.Seed)));
        Assert.Empty(first.Select(t => t.Seed).Intersect(Of(null).Select(t => t.Seed)));
        // The test of a result gets a new seed. A seed that a user set in a specification stays its base. Command lines of other tools keep
        // their own seed.
        Assert.NotEqual(first[0].Seed, Assert.Single(CreatePlan(r => r.Specifications = [first[0]])).Seed);
        Assert.Equal(5ul, Assert.Single(CreatePlan(r => r.Specifications = [new IoTestSpecification { Seed = 5 }])).SeedBase);
        Assert.Equal(
            0ul,
            Assert
                .Single(
                    CreatePlan(r =>
                        r.Specifications = [new IoTestSpecification { Extension = new TestOrigin { DiskSpd = new DiskSpdOptions() } }]
                    )
                )
                .Seed
        );
    }

    [Fact]
    public void Options_override_the_suite()
    {
        var plan = CreatePlan(r =>
        {
            r.Workloads = ["sql-server"];
            r.Set("Duration", TimeSpan.FromSeconds(3));
            r.Set("FileSize", new object[] { 256 << 20 });
            r.Set("Buffering", IoBuffering.Both);
            r.Set("Seed", 7);
            r.Set("Backend", ThreadsBackend.Name);
        });
        Assert.Equal(9, plan.Count);
        Assert.All(
            plan,
            t =>
            {
                Assert.Equal(3, t.Duration.TotalSeconds);
                Assert.Equal(1, t.WarmUp.TotalSeconds);
                Assert.Equal(256 << 20, t.FileSize);
                Assert.Equal(IoBuffering.Both, t.Buffering);
                Assert.Equal(7UL, t.SeedBase);
                Assert.Equal(ThreadsBackend.Name, t.Backend);
                Assert.NotNull(t.Workload);
            }
        );
    }

    [Theory]
    [InlineData(3, 1)]
    [InlineData(12, 2)]
    [InlineData(30, 5)]
    [InlineData(7200, 5)]
    public void Warm_up_depends_on_the_duration(int duration, int warmUp)
    {
        Assert.Equal(warmUp, CreatePlan(r => r.Set("Duration", TimeSpan.FromSeconds(duration)))[0].WarmUp.TotalSeconds);
        Assert.Equal(
            9,
            CreatePlan(r =>
            {
                r.Set("Duration", TimeSpan.FromSeconds(duration));
                r.Set("WarmUp", TimeSpan.FromSeconds(9));
            })[0].WarmUp.TotalSeconds
        );
    }

    [Fact]
    public void Workload_without_warm_up_keeps_no_warm_up() =>
        Assert.Equal(
            0,
            CreatePlan(r =>
            {
                r.Workloads = ["sqlio-classic"];
                r.Set("Duration", TimeSpan.FromSeconds(60));
            })[0].WarmUp.TotalSeconds
        );

    [Fact]
    public void Queue_depth_of_a_workload_can_be_swept()
    {
        var plan = CreatePlan(r =>
        {
            r.Workloads = ["page-read"];
            r.Set("OutstandingIO", new object[] { 1, 2 });
        });
        Assert.Equal([1, 2], plan.Select(t => t.OutstandingIO));
        Assert.All(plan, t => Assert.Equal("page-read", t.Workload));
    }

    [Fact]
    public void Changed_pattern_removes_the_workload_name()
    {
        var plan = CreatePlan(r =>
        {
            r.Workloads = ["log-commit"];
            r.Set("BlockSize", new object[] { 4096, 65536 });
        });
        Assert.Equal(["log-commit", null], plan.Select(t => t.Workload));
        Assert.Null(plan[1].WorkloadRole);
    }

    [Fact]
    public void Options_that_distinguish_suite_tests_cannot_be_set()
    {
        Action<PlanRequest>[] changes =
        [
            r => r.Set("BlockSize", new object[] { 8192 }),
            r => r.Set("AccessPattern", new object[] { IoAccessPattern.Random }),
            r => r.Set("WritePercent", new object[] { 0 }),
            r => r.Set("ThreadCount", new object[] { 1 }),
            r => r.Set("OutstandingIO", new object[] { 1 }),
            r => r.Set("TargetIops", 100),
            r => r.Set("RandomPercent", 50),
            r => r.Set("Stride", 8192),
        ];
        foreach (var change in changes)
        {
            var error = GetError(r =>
            {
                r.Workloads = ["sql-server"];
                change(r);
            });
            Assert.Equal("IoBench.SuiteOverride", error.ErrorId);
            Assert.StartsWith("sql-server consists of 9 tests that differ in ", error.Message);
        }
    }

    [Fact]
    public void Maximum_rate_is_split_over_threads()
    {
        var byCount = CreatePlan(r =>
        {
            r.Set("MaxRate", IoRate.Parse("1000 IOPS"));
            r.Set("ThreadCount", new object[] { 1, 4 });
        });
        Assert.Equal([1000, 250], byCount.Select(t => t.MaxIopsPerThread!.Value));
        var byBytes = CreatePlan(r => r.Set("MaxRate", IoRate.Parse("200MB/s")))[0];
        Assert.Equal(50e6, byBytes.MaxBytesPerSecondPerThread);
        Assert.Null(byBytes.MaxIopsPerThread);
        Assert.Equal(
            "IoBench.TwoRates",
            GetError(r =>
            {
                r.Set("MaxRate", IoRate.FromIops(1));
                r.Set("TargetIops", 1);
            }).ErrorId
        );
    }

    [Fact]
    public void Specifications_keep_their_own_targets()
    {
        var own = new IoTestSpecification { Targets = [new IoTargetSpecification("x.dat") { FileSize = 1 << 20 }], BlockSize = 4096 };
        var request = new PlanRequest { Specifications = [own], Labels = ["L"] }.Set("OutstandingIO", new object[] { 1, 2 });
        var plan = TestPlanner.Create(request).Tests;
        Assert.Equal([("x.dat", 4096, 1), ("x.dat", 4096, 2)], plan.Select(t => (t.Targets[0].Path, (int)t.BlockSize, t.OutstandingIO)));
        Assert.All(plan, t => Assert.Equal("L", t.Label));
        Assert.Equal(8, own.OutstandingIO);

        Assert.Equal("y.dat", CreatePlan(r => r.Specifications = [own], "y.dat")[0].Targets[0].Path);
        Assert.Equal("IoBench.PathsAndTargets", GetError(r => r.Specifications = [own], "a", "b").ErrorId);
    }

    [Fact]
    public void Target_patterns_use_the_options()
    {
        var own = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("x.dat") { Pattern = new IoPattern { BlockSize = 4096 } }],
        };
        var test = TestPlanner
            .Create(
                new PlanRequest { Specifications = [own] }
                    .Set("OutstandingIO", new object[] { 3 })
                    .Set("Buffering", IoBuffering.Both)
            )
            .Tests[0];
        Assert.Equal(
            (4096, 3, IoBuffering.Both),
            ((int)test.Targets[0].Pattern!.BlockSize, test.Targets[0].Pattern!.OutstandingIO, test.Targets[0].Pattern!.Buffering)
        );
    }

    [Theory]
    [InlineData("IoBench.InvalidSize", 0, 8192, 1, 1, 0, 1)]
    [InlineData("IoBench.InvalidBlockSize", 1 << 20, 8, 1, 1, 0, 1)]
    [InlineData("IoBench.InvalidThreadCount", 1 << 20, 8192, 0, 1, 0, 1)]
    [InlineData("IoBench.InvalidThreadCount", 1 << 20, 8192, 1025, 1, 0, 1)]
    [InlineData("IoBench.InvalidOutstanding", 1 << 20, 8192, 1, 0, 0, 1)]
    [InlineData("IoBench.InvalidWritePercent", 1 << 20, 8192, 1, 1, 101, 1)]
    [InlineData("IoBench.InvalidRepeat", 1 << 20, 8192, 1, 1, 0, 0)]
    public void Out_of_range_error_names_the_valid_range(
        string id,
        long size,
        long block,
        int threads,
        int outstanding,
        int write,
        int repeat
    )
    {
        var error = GetError(r =>
        {
            r.Set("FileSize", new object[] { size });
            r.Set("BlockSize", new object[] { block });
            r.Set("ThreadCount", new object[] { threads });
            r.Set("OutstandingIO", new object[] { outstanding });
            r.Set("WritePercent", new object[] { write });
            r.Repeat = repeat;
        });
        Assert.Equal(id, error.ErrorId);
        Assert.Equal(2, error.ExitCode);
        Assert.DoesNotContain("\n", error.Message);
    }

    [Fact]
    public void Block_size_of_8_bytes_throws_with_the_suggestion_8KB() =>
        Assert.Contains("use 8KB", GetError(r => r.Set("BlockSize", new object[] { 8 })).Message);

    [Fact]
    public void Missing_or_duplicate_path_throws()
    {
        Assert.Equal("IoBench.NoPath", Assert.Throws<IoBenchException>(() => TestPlanner.Create(new PlanRequest()).Tests).ErrorId);
        Assert.Equal(
            "IoBench.NoPath",
            Assert.Throws<IoBenchException>(() => TestPlanner.Create(new PlanRequest { Paths = [" "] }).Tests).ErrorId
        );
        Assert.Equal("IoBench.DuplicatePath", GetError(_ => { }, "a", "a").ErrorId);
    }

    [Fact]
    public void Estimate_adds_up_and_names_assumptions()
    {
        var plan = CreatePlan(r =>
        {
            r.Workloads = ["sql-server"];
            r.Idle = TimeSpan.FromSeconds(10);
        });
        var estimate = TestPlanEstimate.Create(plan);
        Assert.Equal((9 * 35) + (8 * 10), estimate.Tests.TotalSeconds);
        Assert.Equal("about 7 minutes", estimate.ToString());
        Assert.Equal(
            "about 7 minutes, plus 41 seconds to create 20 GB (assuming 500 MiB/s)",
            TestPlanEstimate.Create(plan, 20L << 30).ToString()
        );
    }

    [Theory]
    [InlineData(1, "1 second")]
    [InlineData(45, "45 seconds")]
    [InlineData(360, "6 minutes")]
    [InlineData(8100, "2 hours 15 minutes")]
    [InlineData(86400, "24 hours")]
    public void Durations_are_formatted_in_words(int seconds, string words) =>
        Assert.Equal(words, TestPlanEstimate.FormatDuration(TimeSpan.FromSeconds(seconds)));

    [Fact]
    public void Rounds_until_steady_state_are_consecutive()
    {
        var plan = CreatePlan(r =>
        {
            r.SteadyState = true;
            r.MaxRounds = 7;
            r.Set("OutstandingIO", new object[] { 1, 2 });
        });
        Assert.Equal(
            [.. Enumerable.Range(1, 7).Select(round => (1, round)), .. Enumerable.Range(1, 7).Select(round => (2, round))],
            plan.Select(t => (t.OutstandingIO, t.Repeat!.Value))
        );
        Assert.All(plan, t => Assert.Equal(7, t.SteadyStateRounds));
        Assert.Equal(25, CreatePlan(r => r.SteadyState = true).Count);
        Assert.Equal(
            "IoBench.InvalidRounds",
            GetError(r =>
            {
                r.SteadyState = true;
                r.MaxRounds = 4;
            }).ErrorId
        );
        Assert.Equal(
            "IoBench.RoundsAndRepeat",
            GetError(r =>
            {
                r.SteadyState = true;
                r.Repeat = 2;
            }).ErrorId
        );
        Assert.Equal("IoBench.RoundsWithoutSteadyState", GetError(r => r.MaxRounds = 9).ErrorId);
    }

    [Fact]
    public void Option_without_effect_throws()
    {
        Refuses("IoBench.NoEffect", ("Alignment", "4KB"), ("AccessPattern", "sequential"));
        Refuses("IoBench.NoEffect", ("ThreadStride", "1MB"));
        Refuses("IoBench.NoEffect", ("CompressiblePercent", 50));
        Refuses("IoBench.NoEffect", ("DedupablePercent", 50), ("WritePercent", 0));
        Refuses("IoBench.ConflictingOptions", ("BlockMix", "8K,64K"), ("BlockSize", "8KB"));
        Refuses("IoBench.ConflictingOptions", ("ReadOutstanding", 8), ("WriteOutstanding", 8), ("WritePercent", 30));
        Refuses("IoBench.ConflictingOptions", ("ReadOutstanding", 8), ("WriteOutstanding", 8), ("OutstandingIO", 4));
        Refuses("IoBench.InvalidOutstanding", ("WriteOutstanding", 8));
        // One of the tests has a setting that the option affects.
        Assert.Equal(
            2,
            CreatePlan(r =>
            {
                r.Set("Alignment", "4KB");
                r.Set("AccessPattern", new object[] { "random", "sequential" });
            }).Count
        );

        void Refuses(string id, params (string Option, object Value)[] options) =>
            Assert.Equal(id, GetError(r => Array.ForEach(options, option => r.Set(option.Option, option.Value))).ErrorId);
    }

    [Fact]
    public void Block_mix_or_separate_depths_are_one_test()
    {
        var mix = Assert.Single(CreatePlan(r => r.Set("BlockMix", "read 8K:60,64K:40 / write 64K").Set("WritePercent", 30)));
        Assert.Equal(("read 8KB:60,64KB:40 / write 64KB:100", 65536L), (mix.BlockMix!.ToString(), mix.BlockSize));
        var apart = Assert.Single(CreatePlan(r => r.Set("ReadOutstanding", 16).Set("WriteOutstanding", 4)));
        Assert.Equal((new IoDepths(16, 4), 20), (apart.Depths, apart.OutstandingIO));
        Assert.Equal(1.1, Assert.Single(CreatePlan(r => r.Set("Distribution", "zipf:1.1"))).ZipfTheta);
        Assert.Equal(
            [new(90, 10), new IoDistributionRange(10, 90)],
            Assert.Single(CreatePlan(r => r.Set("Distribution", "90/10,10/90"))).Distribution
        );
        Assert.Equal(
            [new(90, 10), new IoDistributionRange(10, 90)],
            Assert.Single(CreatePlan(r => r.Set("Distribution", "zoned:90/10:10/90"))).Distribution
        );
    }

    [Fact]
    public void Steady_state_rounds_last_one_minute_by_default()
    {
        Assert.All(CreatePlan(r => r.SteadyState = true), t => Assert.Equal(TimeSpan.FromMinutes(1), t.Duration));
        Assert.All(
            CreatePlan(r =>
            {
                r.SteadyState = true;
                r.Set("Duration", "10s");
            }),
            t => Assert.Equal(TimeSpan.FromSeconds(10), t.Duration)
        );
    }

    [Fact]
    public void File_is_preconditioned_once_and_before_the_first_round()
    {
        var repeats = CreatePlan(r =>
        {
            r.Precondition = 2;
            r.Repeat = 2;
            r.Set("OutstandingIO", new object[] { 1, 2 });
        });
        Assert.All(repeats, t => Assert.Equal(2.0, t.Precondition));
        Assert.Equal([true, false, false, false], repeats.Select(t => t.PreconditionsFirst));
        var rounds = CreatePlan(r =>
        {
            (r.Precondition, r.SteadyState, r.MaxRounds) = (2, true, 5);
            r.Set("OutstandingIO", new object[] { 1, 2 });
        });
        Assert.Equal([(1, 1), (2, 1)], rounds.Where(t => t.PreconditionsFirst).Select(t => (t.OutstandingIO, t.Repeat!.Value)));
        // The plan decides which of several equal tests starts with preconditioning, so a resumed run is not affected.
        Assert.Equal(
            ResumePlan.GetTestKey(repeats[0]),
            ResumePlan.GetTestKey(
                CreatePlan(r =>
                {
                    r.Precondition = 2;
                    r.Repeat = 2;
                    r.Set("OutstandingIO", new object[] { 2, 1 });
                })[1]
            )
        );
        Assert.Equal("IoBench.InvalidPrecondition", GetError(r => r.Precondition = 0).ErrorId);
        Assert.Equal("IoBench.InvalidPrecondition", GetError(r => r.Precondition = 11).ErrorId);
        var writing = Assert.Single(Preconditioning.CreateRuns(repeats[0]));
        Assert.Equal(
            (128L * 1024, 100, IoAccessPattern.Sequential, (double?)2),
            (writing.BlockSize, writing.WritePercent, writing.AccessPattern, writing.EndAfterPasses)
        );
        Assert.Empty(Preconditioning.CreateRuns(repeats[1]));
    }

    [Fact]
    public void File_roles_use_the_duration_and_reject_pattern_options()
    {
        var paths = new RolePaths("D:\\", "L:\\", "T:\\", "B:\\");
        var plan = TestPlanner
            .Create(
                new PlanRequest { Roles = paths, Repeat = 2 }
                    .Set("Duration", 9)
                    .Set("Backend", "null")
            )
            .Tests;
        Assert.Equal(12, plan.Count);
        Assert.All(plan, s => Assert.Equal((TimeSpan.FromSeconds(9), NullBackend.Name), (s.Duration, s.Backend)));
        Assert.Equal(
            ["page-read", "checkpoint", "log-commit", "tempdb", "backup-write", RoleTestPlan.ConcurrentWorkload],
            plan.Take(6).Select(s => s.Workload)
        );
        var error = Assert.Throws<IoBenchException>(() => TestPlanner.Create(new PlanRequest { Roles = paths }.Set("BlockSize", "8KB")));
        Assert.Equal("IoBench.RolesAndPattern", error.ErrorId);
        Assert.Contains("a block size cannot be combined", error.Message);
    }

    [Fact]
    public void Label_count_error_uses_singular_and_plural() =>
        Assert.Contains("there are 2 labels for one path", GetError(r => r.Labels = ["x", "y"], "a").Message);

    [Fact]
    public void Offsets_are_applied_to_the_targets()
    {
        var test = CreatePlan(r => r.Set("BaseOffset", "1MB").Set("MaxOffset", "8MB"))[0];
        Assert.Equal((1L << 20, 8L << 20), (test.Targets[0].BaseOffset, test.Targets[0].MaxOffset!.Value));
    }
}
