using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class HostSuiteRunnerTests
{
    private readonly FakeHost _one = new("one");
    private readonly FakeHost _two = new("two");

    private static IoTestSpecification CreateTest(int outstanding) =>
        new()
        {
            Targets = [new IoTargetSpecification("/d/t.dat")],
            OutstandingIO = outstanding,
            Duration = TimeSpan.FromSeconds(10),
            WarmUp = TimeSpan.Zero,
        };

    private static IoTestResult CreateResult(IoTestSpecification test, double iops = 1000) =>
        new()
        {
            Specification = test.Clone(),
            Path = "/d/t.dat",
            IOPattern = "8KB random read",
            OutstandingIO = test.OutstandingIO,
            TotalOutstanding = test.OutstandingIO,
            Repeat = test.Repeat,
            IOPS = iops,
            AverageLatencyMs = 1,
        };

    private static IoTestResult WithComputer(string computer, IoTestResult result)
    {
        result.ComputerName = computer;
        return result;
    }

    private static IReadOnlyList<string> GetResults(FakeHostTransport stage) =>
        [.. stage.Shown.Where(line => line.Contains(": result ", StringComparison.Ordinal))];

    [Fact]
    public void Each_test_runs_on_all_hosts_with_its_files()
    {
        // The second host refused the file of the last two tests.
        var stage = new FakeHostTransport
        {
            GetResult = (_, test) => CreateResult(test),
            IsReady = (host, number) => host == _one || number == 0,
        };
        var outcome = stage.CreateSuite().Run([CreateTest(1), CreateTest(2), CreateTest(4)], [_one, _two], [], CancellationToken.None);
        Assert.Equal(
            [
                "prepare one: 0 1 2",
                "prepare two: 0 1 2",
                "run 0 on one two, 20 s left",
                "run 1 on one, 10 s left",
                "run 2 on one, 0 s left",
                "end one two",
            ],
            stage.Steps
        );
        Assert.Equal(["one: result 1", "two: result 1", "one: result 2", "one: result 4"], GetResults(stage));
        Assert.Equal(["one", "two", "one", "one"], outcome.Results.Select(result => result.ComputerName));
        Assert.Equal((4, false, true, 1), (outcome.CompleteCount, outcome.IsCancelled, outcome.IsSaved, stage.Opened));
    }

    [Fact]
    public void Resumed_suite_runs_the_missing_tests_of_each_host()
    {
        IoTestSpecification[] plan = [CreateTest(1), CreateTest(2)];
        var stage = new FakeHostTransport { GetResult = (_, test) => CreateResult(test) };
        var cut = WithComputer("two", CreateResult(plan[1]));
        cut.Status = IoResultStatus.Cancelled;
        stage
            .CreateSuite(isResumed: true)
            .Run(
                plan,
                [_one, _two],
                [
                    WithComputer("one", CreateResult(plan[0])),
                    WithComputer("one", CreateResult(plan[1])),
                    WithComputer("two", CreateResult(plan[0])),
                    cut,
                    WithComputer("three", CreateResult(plan[1])),
                ],
                CancellationToken.None
            );
        Assert.Equal(["prepare two: 1", "run 1 on two, 0 s left", "end two"], stage.Steps);
        Assert.Equal(
            [
                "one: note The output already contains both tests, so there is nothing to run.",
                "two: note The output contains 1 of 2 tests. IoBench runs the other one.",
                "two: result 2",
            ],
            stage.Shown.Take(3)
        );
        Assert.StartsWith("two: note NOT RATED: ", Assert.Single(stage.Shown.Skip(3)), StringComparison.Ordinal);
    }

    [Fact]
    public void Completed_suite_uses_no_host_and_no_file()
    {
        var stage = new FakeHostTransport { GetResult = (_, test) => CreateResult(test) };
        var outcome = stage
            .CreateSuite(isResumed: true)
            .Run([CreateTest(1)], [_one], [WithComputer("one", CreateResult(CreateTest(1)))], CancellationToken.None);
        Assert.Empty(stage.Steps);
        Assert.Equal((0, 0, true), (stage.Opened, outcome.Results.Count, outcome.IsSaved));
    }

    [Fact]
    public void Two_names_for_one_computer_share_its_results()
    {
        IoTestSpecification[] plan = [CreateTest(1), CreateTest(2)];
        FakeHost[] ways = [new("a", "sql1"), new("b", "sql1")];
        var stage = new FakeHostTransport { GetResult = (_, test) => CreateResult(test) };
        stage
            .CreateSuite()
            .Run(
                plan,
                ways,
                [
                    WithComputer("sql1", CreateResult(plan[0])),
                    WithComputer("sql1", CreateResult(plan[0])),
                    WithComputer("sql1", CreateResult(plan[1])),
                ],
                CancellationToken.None
            );
        Assert.Equal(["prepare b: 1", "run 1 on b, 0 s left", "end b"], stage.Steps);
    }

    [Fact]
    public void Suite_has_the_same_duration_on_all_hosts()
    {
        var longer = CreateTest(1);
        longer.Duration = TimeSpan.FromSeconds(60);
        var stage = new FakeHostTransport { GetResult = (_, test) => CreateResult(test) };
        var error = Assert.Throws<IoBenchException>(() =>
            stage
                .CreateSuite(isResumed: true)
                .Run([CreateTest(1), CreateTest(2)], [_one, _two], [WithComputer("two", CreateResult(longer))], CancellationToken.None)
        );
        Assert.Equal("IoBench.ResumeDiffers", error.ErrorId);
        Assert.Empty(stage.Steps);
    }

    [Fact]
    public void Rounds_end_on_each_host_at_its_own_steady_state()
    {
        var plan = Enumerable
            .Range(1, 7)
            .Select(round =>
            {
                var test = CreateTest(1);
                (test.SteadyStateRounds, test.Repeat) = (7, round);
                return test;
            })
            .ToList();
        var stage = new FakeHostTransport
        {
            GetResult = (host, test) => CreateResult(test, host == _one ? 1000 : 1000 * test.Repeat!.Value),
        };
        // The first host already has one round.
        var outcome = stage.CreateSuite().Run(plan, [_one, _two], [WithComputer("one", CreateResult(plan[0]))], CancellationToken.None);
        Assert.Equal(
            (4, 7),
            (outcome.Results.Count(result => result.ComputerName == "one"), outcome.Results.Count(result => result.ComputerName == "two"))
        );
        Assert.Contains("run 5 on two, 10 s left", stage.Steps);
        Assert.Equal(outcome.Results[^1], Assert.Single(outcome.Results, result => result.HasWarning(WarningCodes.NeverSteady)));
        Assert.Contains(
            stage.Shown,
            line =>
                line.StartsWith("two: warning IoBench.NeverSteady ", StringComparison.Ordinal)
                && line.Contains("not steady in 7 rounds", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(stage.Shown, line => line.StartsWith("one: warning ", StringComparison.Ordinal));
    }

    [Fact]
    public void Failed_host_affects_only_its_own_tests()
    {
        var stage = new FakeHostTransport
        {
            GetResult = (host, test) =>
            {
                host.IsUsable = host != _two || test.OutstandingIO < 2;
                return host.IsUsable ? CreateResult(test) : null;
            },
        };
        var outcome = stage.CreateSuite().Run([CreateTest(1), CreateTest(2), CreateTest(4)], [_one, _two], [], CancellationToken.None);
        Assert.Equal(
            ["run 0 on one two, 20 s left", "run 1 on one two, 10 s left", "run 2 on one, 0 s left", "end one"],
            stage.Steps.Skip(2)
        );
        Assert.Equal(["one: result 1", "two: result 1", "one: result 2", "one: result 4"], GetResults(stage));
        Assert.Equal((4, 0), (outcome.CompleteCount, outcome.Failures.Count));
    }

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 0)]
    public void Missed_rate_is_a_failure_only_if_rates_are_required(bool requiresRate, int failures)
    {
        IoTestResult Paced(IoTestSpecification test, double reached)
        {
            var result = CreateResult(test, reached);
            (result.LoadModel, result.TargetIops) = (IoLoadModel.Open, 1000);
            return result;
        }
        var stage = new FakeHostTransport { GetResult = (host, test) => Paced(test, host == _one ? 1000 : 500) };
        var outcome = stage
            .CreateSuite(requiresRate: requiresRate)
            .Run([CreateTest(1), CreateTest(2)], [_one, _two], [], CancellationToken.None);
        Assert.Equal((4, 2 * failures, requiresRate), (outcome.CompleteCount, outcome.Failures.Count, outcome.IsRateMissed));
        Assert.Equal(
            2 * failures,
            stage.Shown.Count(line => line == "two: error 8KB random read on /d/t.dat: the achieved rate was 500 of 1,000 IOPS.")
        );
    }

    [Fact]
    public void Result_that_cannot_be_saved_loses_no_test_and_is_saved_again()
    {
        var stage = new FakeHostTransport { GetResult = (_, test) => CreateResult(test), FailingSaveNumber = 1 };
        var outcome = stage.CreateSuite().Run([CreateTest(1), CreateTest(2)], [_one, _two], [], CancellationToken.None);
        Assert.Equal(
            ["one: result 1", "two: error the disk is full", "two: result 1", "one: result 2", "two: result 2"],
            stage.Shown.Take(5)
        );
        Assert.Equal((4, 0, 1), (outcome.CompleteCount, outcome.Failures.Count, stage.Flushed));
        Assert.Equal("IoBench.OutputFailed", Assert.Single(stage.Failures).Error.ErrorId);
    }

    [Fact]
    public void Failed_test_has_the_same_error_as_a_local_test()
    {
        var stage = new FakeHostTransport
        {
            GetResult = (_, test) =>
            {
                var result = CreateResult(test);
                result.Status = IoResultStatus.Failed;
                return result;
            },
        };
        var outcome = stage.CreateSuite().Run([CreateTest(1)], [_one], [], CancellationToken.None);
        Assert.Equal(ErrorIds.TestFailed, Assert.Single(outcome.Failures).Error.ErrorId);
        Assert.Contains("one: error The test of /d/t.dat failed.", stage.Shown);
    }

    [Fact]
    public void Rate_limited_mix_uses_the_rates_of_each_host()
    {
        var plan = RoleTestPlan.Create(
            new(Data: "/d", Log: "/l"),
            workloads: new Dictionary<string, string[]> { ["data"] = ["page-read"], ["log"] = ["log-commit"] },
            mixLoadPercent: 50
        );
        var stage = new FakeHostTransport
        {
            GetResult = (host, test) =>
                host == _two && test.Workload == "log-commit"
                    ? null
                    : CreateResult(test, (host == _one ? 1000 : 3000) * (test.Workload == "log-commit" ? 2 : 1)),
        };
        var outcome = stage.CreateSuite().Run(plan, [_one, _two], [], CancellationToken.None);
        Assert.Contains(stage.Steps, step => step.StartsWith($"run {plan.Count - 1} on one at 500+1000, ", StringComparison.Ordinal));
        Assert.Equal(("IoBench.NoOwnRate", plan[^1]), (Assert.Single(outcome.Failures).Error.ErrorId, outcome.Failures[0].Test));
        Assert.Contains(stage.Shown, line => line.StartsWith("two: error ", StringComparison.Ordinal));
    }

    [Fact]
    public void Each_host_has_its_verdict_and_warnings_once()
    {
        IoTestResult Commit(IoTestSpecification test, double milliseconds)
        {
            var result = CreateResult(test, 1000 / milliseconds);
            (result.Workload, result.IOPattern, result.Operation, result.WritePercent, result.AccessPattern) = (
                "log-commit",
                "4KB sequential write",
                IoOperation.Write,
                100,
                IoAccessPattern.Sequential
            );
            (result.BlockSizeKB, result.ThreadCount, result.LoadModel, result.AverageLatencyMs, result.P99Ms) = (
                4,
                1,
                IoLoadModel.Closed,
                milliseconds,
                milliseconds
            );
            result.AddWarning(new IoWarning("IoBench.Slow", $"writes wait: {new OptionName("FlushEvery")} helps."));
            return result;
        }
        var stage = new FakeHostTransport { GetResult = (host, test) => Commit(test, host == _one ? 0.5 : 40) };
        stage.CreateSuite().Run([CreateTest(1), CreateTest(1)], [_one, _two], [], CancellationToken.None);
        Assert.All<FakeHost>(
            [_one, _two],
            host =>
                Assert.Single(stage.Shown, line => line == $"{host.Name}: warning IoBench.Slow both tests: writes wait: -FlushEvery helps.")
        );
        Assert.Single(
            stage.Shown,
            line => line.StartsWith("one: note PASS (rule set flash): average log write latency 0.5 ms", StringComparison.Ordinal)
        );
        Assert.Single(
            stage.Shown,
            line => line.StartsWith("two: note FAIL (critical; rule set flash): average log write latency 40 ms", StringComparison.Ordinal)
        );
        Assert.Equal(2, stage.Shown.Count(line => line.EndsWith(": note Storage type: flash, assumed.", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(true, "end one, removing")]
    [InlineData(false, null)]
    public void Canceled_suite_has_no_verdict_and_removes_files_only_if_requested(bool removes, string? end)
    {
        using var cancel = new CancellationTokenSource();
        var stage = new FakeHostTransport
        {
            GetResult = (_, test) =>
            {
                cancel.Cancel();
                return CreateResult(test);
            },
        };
        var outcome = stage.CreateSuite(removes: removes).Run([CreateTest(1), CreateTest(2)], [_one], [], cancel.Token);
        Assert.Equal(["prepare one: 0 1", "run 0 on one, 10 s left", .. end is null ? Array.Empty<string>() : [end]], stage.Steps);
        Assert.Equal(["one: result 1"], stage.Shown);
        Assert.True(outcome.IsCancelled);
    }

    [Fact]
    public void Confirmation_for_a_host_names_the_copy_the_file_and_the_writes()
    {
        var write = CreateTest(2);
        write.WritePercent = 100;
        Assert.Equal(
            $"copy IoBench to the host if it is missing, create the test file if it is missing, run 2 tests, 1 of them with writes, {TestPlanEstimate.Create([CreateTest(1), write])}",
            SuiteMessages.DescribeRemoteRun([CreateTest(1), write])
        );
        Assert.StartsWith("run 1 test with writes, ", SuiteMessages.DescribeRun([write]), StringComparison.Ordinal);
        Assert.StartsWith("run 1 test, ", SuiteMessages.DescribeRun([CreateTest(1)]), StringComparison.Ordinal);
    }
}
