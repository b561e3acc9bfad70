using IoBench.Engine;

namespace IoBench.Engine.Tests.Plan;

public class TestPlanTests
{
    private static IReadOnlyList<IoTestSpecification> Plan(Action<TestPlanRequest>? change = null, params string[] paths)
    {
        var request = new TestPlanRequest { Paths = paths.Length == 0 ? ["t.dat"] : paths };
        change?.Invoke(request);
        return TestPlan.Create(request);
    }

    private static IoBenchException Fails(Action<TestPlanRequest> change, params string[] paths)
        => Assert.Throws<IoBenchException>(() => Plan(change, paths));

    [Fact]
    public void NothingSaidIsTheDefaultTest()
    {
        var test = Assert.Single(Plan());
        Assert.Equal("8KB random read", PatternText.Of(test));
        Assert.Equal((4, 8, 30, 5), (test.ThreadCount, test.OutstandingIO, (int)test.Duration.TotalSeconds, (int)test.WarmUp.TotalSeconds));
        Assert.Equal("t.dat", Assert.Single(test.Targets).Path);
        Assert.Null(test.Repeat);
        Assert.Null(test.FileSize);
    }

    [Fact]
    public void ListsMakeEveryCombinationInAStableOrder()
    {
        var plan = Plan(r =>
        {
            r.BlockSizes = [8192, 65536];
            r.WritePercents = [0, 100];
            r.OutstandingIOs = [1, 8];
        });
        Assert.Equal(
            [(8192, 0, 1), (8192, 0, 8), (8192, 100, 1), (8192, 100, 8), (65536, 0, 1), (65536, 0, 8), (65536, 100, 1), (65536, 100, 8)],
            plan.Select(t => ((int)t.BlockSize, t.WritePercent, t.OutstandingIO)));
    }

    [Fact]
    public void AllSixListsMultiply()
    {
        var plan = Plan(r =>
        {
            r.FileSizes = [1 << 20, 1 << 21];
            r.BlockSizes = [8192, 65536];
            r.AccessPatterns = [IoAccessPattern.Random, IoAccessPattern.Interlocked];
            r.WritePercents = [0, 100];
            r.ThreadCounts = [1, 2];
            r.OutstandingIOs = [1, 8];
        });
        Assert.Equal(64, plan.Count);
        Assert.Equal(64, plan.Select(t => (t.FileSize, t.BlockSize, t.AccessPattern, t.WritePercent, t.ThreadCount, t.OutstandingIO)).Distinct().Count());
    }

    [Fact]
    public void RepeatsAreRoundRobin()
    {
        var plan = Plan(r => { r.Workloads = ["oltp", "log-commit"]; r.Repeat = 2; });
        Assert.Equal([("oltp", 1), ("log-commit", 1), ("oltp", 2), ("log-commit", 2)], plan.Select(t => (t.Workload!, t.Repeat!.Value)));
    }

    [Fact]
    public void RestsAreBetweenTestsOnly()
    {
        var plan = Plan(r => { r.OutstandingIOs = [1, 2, 4]; r.Idle = TimeSpan.FromSeconds(60); });
        Assert.Equal([0, 60, 60], plan.Select(t => t.RestBefore.TotalSeconds));
    }

    [Fact]
    public void AShuffleIsKeyedBySeedAndStaysWithinItsRound()
    {
        IReadOnlyList<IoTestSpecification> Shuffled(ulong seed) => Plan(r =>
        {
            r.OutstandingIOs = [1, 2, 4, 8, 16, 32, 64, 128];
            r.Repeat = 2;
            r.Shuffle = true;
            r.Seed = seed;
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
    public void PathModesSayWhatRunsTogether(IoPathMode mode, params string[] expected)
    {
        var plan = Plan(r => r.PathMode = mode, "a", "b");
        Assert.Equal(expected, plan.Select(t => string.Join('+', t.Targets.Select(target => target.Path))));
    }

    [Fact]
    public void OnePathTogetherIsOneTest() => Assert.Single(Plan(r => r.PathMode = IoPathMode.Both, "a"));

    [Fact]
    public void ALabelAPath()
    {
        var plan = Plan(r => { r.Labels = ["Old", "New"]; r.PathMode = IoPathMode.Both; }, "a", "b");
        Assert.Equal(["Old", "New", "Old + New"], plan.Select(t => t.Label));
        Assert.All(Plan(r => r.Labels = ["San"], "a", "b"), t => Assert.Equal("San", t.Label));
        Assert.Equal("IoBench.LabelCount", Fails(r => r.Labels = ["x", "y"], "a", "b", "c").ErrorId);
    }

    [Fact]
    public void WhatIsSaidOverridesTheSuite()
    {
        var plan = Plan(r =>
        {
            r.Workloads = ["sql-server"];
            r.Duration = TimeSpan.FromSeconds(3);
            r.FileSizes = [256 << 20];
            r.Buffering = IoBuffering.Both;
            r.Seed = 7;
            r.Backend = IoBackendKind.Threads;
        });
        Assert.Equal(9, plan.Count);
        Assert.All(plan, t =>
        {
            Assert.Equal(3, t.Duration.TotalSeconds);
            Assert.Equal(1, t.WarmUp.TotalSeconds);
            Assert.Equal(256 << 20, t.FileSize);
            Assert.Equal(IoBuffering.Both, t.Buffering);
            Assert.Equal(7UL, t.Seed);
            Assert.Equal(IoBackendKind.Threads, t.Backend);
            Assert.NotNull(t.Workload);
        });
    }

    [Theory]
    [InlineData(3, 1)]
    [InlineData(12, 2)]
    [InlineData(30, 5)]
    [InlineData(7200, 5)]
    public void WarmUpFollowsTheDuration(int duration, int warmUp)
    {
        Assert.Equal(warmUp, Plan(r => r.Duration = TimeSpan.FromSeconds(duration))[0].WarmUp.TotalSeconds);
        Assert.Equal(9, Plan(r => { r.Duration = TimeSpan.FromSeconds(duration); r.WarmUp = TimeSpan.FromSeconds(9); })[0].WarmUp.TotalSeconds);
    }

    [Fact]
    public void AWorkloadWithoutWarmUpKeepsNone()
        => Assert.Equal(0, Plan(r => { r.Workloads = ["sqlio-classic"]; r.Duration = TimeSpan.FromSeconds(60); })[0].WarmUp.TotalSeconds);

    [Fact]
    public void TheLoadOfAWorkloadMayBeSwept()
    {
        var plan = Plan(r => { r.Workloads = ["page-read"]; r.OutstandingIOs = [1, 2]; });
        Assert.Equal([1, 2], plan.Select(t => t.OutstandingIO));
        Assert.All(plan, t => Assert.Equal("page-read", t.Workload));
    }

    [Fact]
    public void AnotherPatternIsNoLongerThatWorkload()
    {
        var plan = Plan(r => { r.Workloads = ["log-commit"]; r.BlockSizes = [4096, 65536]; });
        Assert.Equal(["log-commit", null], plan.Select(t => t.Workload));
        Assert.Null(plan[1].WorkloadRole);
    }

    [Fact]
    public void ASuiteKeepsWhatMakesItsTestsDiffer()
    {
        Action<TestPlanRequest>[] changes =
        [
            r => r.BlockSizes = [8192], r => r.AccessPatterns = [IoAccessPattern.Random], r => r.WritePercents = [0],
            r => r.ThreadCounts = [1], r => r.OutstandingIOs = [1], r => r.TargetIops = 100, r => r.RandomPercent = 50, r => r.Stride = 8192,
        ];
        foreach (var change in changes)
        {
            var error = Fails(r => { r.Workloads = ["sql-server"]; change(r); });
            Assert.Equal("IoBench.SuiteOverride", error.ErrorId);
            Assert.StartsWith("sql-server is 9 tests that differ in their ", error.Message);
        }
    }

    [Fact]
    public void AMaximumRateIsSharedByTheThreads()
    {
        var byCount = Plan(r => { r.MaxRate = IoRate.Parse("1000 IOPS"); r.ThreadCounts = [1, 4]; });
        Assert.Equal([1000, 250], byCount.Select(t => t.MaxIopsPerThread!.Value));
        var byBytes = Plan(r => r.MaxRate = IoRate.Parse("200MB/s"))[0];
        Assert.Equal(50e6, byBytes.MaxBytesPerSecondPerThread);
        Assert.Null(byBytes.MaxIopsPerThread);
        Assert.Equal("IoBench.TwoRates", Fails(r => { r.MaxRate = IoRate.OfIops(1); r.TargetIops = 1; }).ErrorId);
    }

    [Fact]
    public void SpecificationsBringTheirOwnTargets()
    {
        var own = new IoTestSpecification { Targets = [new IoTargetSpecification("x.dat") { FileSize = 5 }], BlockSize = 4096 };
        var request = new TestPlanRequest { Specifications = [own], OutstandingIOs = [1, 2], Labels = ["L"] };
        var plan = TestPlan.Create(request);
        Assert.Equal([("x.dat", 4096, 1), ("x.dat", 4096, 2)], plan.Select(t => (t.Targets[0].Path, (int)t.BlockSize, t.OutstandingIO)));
        Assert.All(plan, t => Assert.Equal("L", t.Label));
        Assert.Equal(8, own.OutstandingIO);

        Assert.Equal("y.dat", Plan(r => r.Specifications = [own], "y.dat")[0].Targets[0].Path);
        Assert.Equal("IoBench.PathsAndTargets", Fails(r => r.Specifications = [own], "a", "b").ErrorId);
    }

    [Fact]
    public void PatternsOfTargetsFollowTheOptions()
    {
        var own = new IoTestSpecification { Targets = [new IoTargetSpecification("x.dat") { Pattern = new IoPattern { BlockSize = 4096 } }] };
        var test = TestPlan.Create(new TestPlanRequest { Specifications = [own], OutstandingIOs = [3], Buffering = IoBuffering.Both })[0];
        Assert.Equal((4096, 3, IoBuffering.Both), ((int)test.Targets[0].Pattern!.BlockSize, test.Targets[0].Pattern!.OutstandingIO, test.Targets[0].Pattern!.Buffering));
    }

    [Theory]
    [InlineData("IoBench.InvalidSize", 0, 8192, 1, 1, 0, 1)]
    [InlineData("IoBench.InvalidBlockSize", 1 << 20, 8, 1, 1, 0, 1)]
    [InlineData("IoBench.InvalidThreadCount", 1 << 20, 8192, 0, 1, 0, 1)]
    [InlineData("IoBench.InvalidThreadCount", 1 << 20, 8192, 257, 1, 0, 1)]
    [InlineData("IoBench.InvalidOutstanding", 1 << 20, 8192, 1, 0, 0, 1)]
    [InlineData("IoBench.InvalidWritePercent", 1 << 20, 8192, 1, 1, 101, 1)]
    [InlineData("IoBench.InvalidRepeat", 1 << 20, 8192, 1, 1, 0, 0)]
    public void OutOfRangeSaysWhatIsPossible(string id, long size, long block, int threads, int outstanding, int write, int repeat)
    {
        var error = Fails(r =>
        {
            r.FileSizes = [size];
            r.BlockSizes = [block];
            r.ThreadCounts = [threads];
            r.OutstandingIOs = [outstanding];
            r.WritePercents = [write];
            r.Repeat = repeat;
        });
        Assert.Equal(id, error.ErrorId);
        Assert.Equal(2, error.ExitCode);
        Assert.DoesNotContain("\n", error.Message);
    }

    [Fact]
    public void ABareEightMeansEightKilobytes() => Assert.Contains("write 8KB", Fails(r => r.BlockSizes = [8]).Message);

    [Fact]
    public void NoPathAndTwiceTheSamePathAreErrors()
    {
        Assert.Equal("IoBench.NoPath", Assert.Throws<IoBenchException>(() => TestPlan.Create(new TestPlanRequest())).ErrorId);
        Assert.Equal("IoBench.NoPath", Assert.Throws<IoBenchException>(() => TestPlan.Create(new TestPlanRequest { Paths = [" "] })).ErrorId);
        Assert.Equal("IoBench.DuplicatePath", Fails(_ => { }, "a", "a").ErrorId);
    }

    [Fact]
    public void TheEstimateAddsUpAndSaysWhatIsGuessed()
    {
        var plan = Plan(r => { r.Workloads = ["sql-server"]; r.Idle = TimeSpan.FromSeconds(10); });
        var estimate = TestPlan.Estimate(plan);
        Assert.Equal((9 * 35) + (8 * 10), estimate.Tests.TotalSeconds);
        Assert.Equal("about 7 minutes", estimate.ToString());
        Assert.Equal("about 7 minutes and 41 seconds to make 20 GB at a guessed 500 MB/s", TestPlan.Estimate(plan, 20L << 30).ToString());
    }

    [Theory]
    [InlineData(1, "1 second")]
    [InlineData(45, "45 seconds")]
    [InlineData(360, "6 minutes")]
    [InlineData(8100, "2 hours 15 minutes")]
    [InlineData(86400, "24 hours")]
    public void TimesInWords(int seconds, string words) => Assert.Equal(words, TestPlanEstimate.Words(TimeSpan.FromSeconds(seconds)));
}
