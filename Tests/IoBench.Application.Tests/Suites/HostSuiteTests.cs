using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class HostSuiteTests
{
    private readonly StageHost _one = new("one");
    private readonly StageHost _two = new("two");

    private static IoTestSpecification Test(int outstanding) =>
        new()
        {
            Targets = [new IoTargetSpecification("/d/t.dat")],
            OutstandingIO = outstanding,
            Duration = TimeSpan.FromSeconds(10),
            WarmUp = TimeSpan.Zero,
        };

    private static IoTestResult Done(IoTestSpecification test, double iops = 1000) =>
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

    private static IoTestResult Of(string computer, IoTestResult result)
    {
        result.ComputerName = computer;
        return result;
    }

    private static IReadOnlyList<string> ResultsOf(HostStage stage) =>
        [.. stage.Shown.Where(line => line.Contains(": result ", StringComparison.Ordinal))];

    [Fact]
    public void Each_test_goes_to_all_hosts_that_have_its_files()
    {
        // The second host refused the file of the last two tests.
        var stage = new HostStage { Answer = (_, test) => Done(test), IsReady = (host, number) => host == _one || number == 0 };
        var outcome = stage.Suite().Run([Test(1), Test(2), Test(4)], [_one, _two], [], CancellationToken.None);
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
        Assert.Equal(["one: result 1", "two: result 1", "one: result 2", "one: result 4"], ResultsOf(stage));
        Assert.Equal(["one", "two", "one", "one"], outcome.Results.Select(result => result.ComputerName));
        Assert.Equal((4, false, true, 1), (outcome.CompleteCount, outcome.IsCancelled, outcome.IsSaved, stage.Opened));
    }

    [Fact]
    public void A_resumed_suite_runs_what_each_host_has_not_done()
    {
        IoTestSpecification[] plan = [Test(1), Test(2)];
        var stage = new HostStage { Answer = (_, test) => Done(test) };
        var cut = Of("two", Done(plan[1]));
        cut.Status = IoResultStatus.Cancelled;
        stage
            .Suite(isResumed: true)
            .Run(
                plan,
                [_one, _two],
                [Of("one", Done(plan[0])), Of("one", Done(plan[1])), Of("two", Done(plan[0])), cut, Of("three", Done(plan[1]))],
                CancellationToken.None
            );
        Assert.Equal(["prepare two: 1", "run 1 on two, 0 s left", "end two"], stage.Steps);
        Assert.Equal(
            [
                "one: note Both tests are there already; nothing is left to run.",
                "two: note 1 of 2 tests is there already; 1 is left to run.",
                "two: result 2",
            ],
            stage.Shown
        );
    }

    [Fact]
    public void Where_nothing_is_left_no_host_and_no_file_is_touched()
    {
        var stage = new HostStage { Answer = (_, test) => Done(test) };
        var outcome = stage.Suite(isResumed: true).Run([Test(1)], [_one], [Of("one", Done(Test(1)))], CancellationToken.None);
        Assert.Empty(stage.Steps);
        Assert.Equal((0, 0, true), (stage.Opened, outcome.Results.Count, outcome.IsSaved));
    }

    [Fact]
    public void Two_ways_to_one_computer_share_what_it_gave()
    {
        IoTestSpecification[] plan = [Test(1), Test(2)];
        StageHost[] ways = [new("a", "sql1"), new("b", "sql1")];
        var stage = new HostStage { Answer = (_, test) => Done(test) };
        stage
            .Suite()
            .Run(plan, ways, [Of("sql1", Done(plan[0])), Of("sql1", Done(plan[0])), Of("sql1", Done(plan[1]))], CancellationToken.None);
        Assert.Equal(["prepare b: 1", "run 1 on b, 0 s left", "end b"], stage.Steps);
    }

    [Fact]
    public void One_suite_has_one_duration_on_all_hosts()
    {
        var longer = Test(1);
        longer.Duration = TimeSpan.FromSeconds(60);
        var stage = new HostStage { Answer = (_, test) => Done(test) };
        var error = Assert.Throws<IoBenchException>(() =>
            stage.Suite(isResumed: true).Run([Test(1), Test(2)], [_one, _two], [Of("two", Done(longer))], CancellationToken.None)
        );
        Assert.Equal("IoBench.ResumeDiffers", error.ErrorId);
        Assert.Empty(stage.Steps);
    }

    [Fact]
    public void Rounds_end_on_each_host_when_they_are_steady_there()
    {
        var plan = Enumerable
            .Range(1, 7)
            .Select(round =>
            {
                var test = Test(1);
                (test.SteadyStateRounds, test.Repeat) = (7, round);
                return test;
            })
            .ToList();
        var stage = new HostStage { Answer = (host, test) => Done(test, host == _one ? 1000 : 1000 * test.Repeat!.Value) };
        // The first host already has one round.
        var outcome = stage.Suite().Run(plan, [_one, _two], [Of("one", Done(plan[0]))], CancellationToken.None);
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
                && line.Contains("never steady in 7 rounds", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(stage.Shown, line => line.StartsWith("one: warning ", StringComparison.Ordinal));
    }

    [Fact]
    public void A_host_that_fails_in_the_middle_costs_only_its_own_tests()
    {
        var stage = new HostStage
        {
            Answer = (host, test) =>
            {
                host.IsUsable = host != _two || test.OutstandingIO < 2;
                return host.IsUsable ? Done(test) : null;
            },
        };
        var outcome = stage.Suite().Run([Test(1), Test(2), Test(4)], [_one, _two], [], CancellationToken.None);
        Assert.Equal(
            ["run 0 on one two, 20 s left", "run 1 on one two, 10 s left", "run 2 on one, 0 s left", "end one"],
            stage.Steps.Skip(2)
        );
        Assert.Equal(["one: result 1", "two: result 1", "one: result 2", "one: result 4"], ResultsOf(stage));
        Assert.Equal((4, 0), (outcome.CompleteCount, outcome.Failures.Count));
    }

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 0)]
    public void A_missed_rate_is_a_failure_of_its_host_where_rates_are_required(bool requiresRate, int failures)
    {
        IoTestResult Paced(IoTestSpecification test, double reached)
        {
            var result = Done(test, reached);
            (result.LoadModel, result.TargetIops) = (IoLoadModel.Open, 1000);
            return result;
        }
        var stage = new HostStage { Answer = (host, test) => Paced(test, host == _one ? 1000 : 500) };
        var outcome = stage.Suite(requiresRate: requiresRate).Run([Test(1), Test(2)], [_one, _two], [], CancellationToken.None);
        Assert.Equal((4, 2 * failures, requiresRate), (outcome.CompleteCount, outcome.Failures.Count, outcome.IsRateMissed));
        Assert.Equal(
            2 * failures,
            stage.Shown.Count(line => line == "two: error 8KB random read on /d/t.dat: asked for 1,000 IOPS, reached 500.")
        );
    }

    [Fact]
    public void A_result_that_cannot_be_saved_costs_no_test_and_is_tried_once_more()
    {
        var stage = new HostStage { Answer = (_, test) => Done(test), FullAt = 1 };
        var outcome = stage.Suite().Run([Test(1), Test(2)], [_one, _two], [], CancellationToken.None);
        Assert.Equal(
            ["one: result 1", "two: error the disk is full", "two: result 1", "one: result 2", "two: result 2"],
            stage.Shown.Take(5)
        );
        Assert.Equal((4, 0, 1), (outcome.CompleteCount, outcome.Failures.Count, stage.Flushed));
        Assert.Equal("IoBench.OutputFailed", Assert.Single(stage.Failures).Error.ErrorId);
    }

    [Fact]
    public void A_failed_test_is_an_error_in_the_same_words_as_on_this_computer()
    {
        var stage = new HostStage
        {
            Answer = (_, test) =>
            {
                var result = Done(test);
                result.Status = IoResultStatus.Failed;
                return result;
            },
        };
        var outcome = stage.Suite().Run([Test(1)], [_one], [], CancellationToken.None);
        Assert.Equal(ErrorIds.TestFailed, Assert.Single(outcome.Failures).Error.ErrorId);
        Assert.Contains("one: error The test of /d/t.dat failed.", stage.Shown);
    }

    [Fact]
    public void A_paced_mix_is_a_share_of_what_each_host_reached_by_itself()
    {
        var plan = RolePlan.Create(
            new(Data: "/d", Log: "/l"),
            workloads: new Dictionary<string, string[]> { ["data"] = ["page-read"], ["log"] = ["log-commit"] },
            mixLoadPercent: 50
        );
        var stage = new HostStage
        {
            Answer = (host, test) =>
                host == _two && test.Workload == "log-commit"
                    ? null
                    : Done(test, (host == _one ? 1000 : 3000) * (test.Workload == "log-commit" ? 2 : 1)),
        };
        var outcome = stage.Suite().Run(plan, [_one, _two], [], CancellationToken.None);
        Assert.Contains(stage.Steps, step => step.StartsWith($"run {plan.Count - 1} on one at 500+1000, ", StringComparison.Ordinal));
        Assert.Equal(("IoBench.NoOwnRate", plan[^1]), (Assert.Single(outcome.Failures).Error.ErrorId, outcome.Failures[0].Test));
        Assert.Contains(stage.Shown, line => line.StartsWith("two: error ", StringComparison.Ordinal));
    }

    [Fact]
    public void Each_host_has_its_verdict_and_its_warnings_once()
    {
        IoTestResult Commit(IoTestSpecification test, double milliseconds)
        {
            var result = Done(test, 1000 / milliseconds);
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
        var stage = new HostStage { Answer = (host, test) => Commit(test, host == _one ? 0.5 : 40) };
        stage.Suite().Run([Test(1), Test(1)], [_one, _two], [], CancellationToken.None);
        Assert.All<StageHost>(
            [_one, _two],
            host =>
                Assert.Single(stage.Shown, line => line == $"{host.Name}: warning IoBench.Slow both tests: writes wait: -FlushEvery helps.")
        );
        Assert.Single(stage.Shown, line => line.StartsWith("one: note Good: a commit waits 0.5", StringComparison.Ordinal));
        Assert.Single(stage.Shown, line => line.StartsWith("two: note Bad: a commit waits 40", StringComparison.Ordinal));
        Assert.Equal(2, stage.Shown.Count(line => line.EndsWith(": note Storage: flash, assumed.", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(true, "end one, removing")]
    [InlineData(false, null)]
    public void A_suite_that_is_ended_early_says_no_verdict_and_removes_only_what_was_to_go(bool removes, string? end)
    {
        using var cancel = new CancellationTokenSource();
        var stage = new HostStage
        {
            Answer = (_, test) =>
            {
                cancel.Cancel();
                return Done(test);
            },
        };
        var outcome = stage.Suite(removes: removes).Run([Test(1), Test(2)], [_one], [], cancel.Token);
        Assert.Equal(["prepare one: 0 1", "run 0 on one, 10 s left", .. end is null ? Array.Empty<string>() : [end]], stage.Steps);
        Assert.Equal(["one: result 1"], stage.Shown);
        Assert.True(outcome.IsCancelled);
    }

    [Fact]
    public void What_is_asked_for_another_host_names_the_copy_the_file_and_the_writes()
    {
        var write = Test(2);
        write.WritePercent = 100;
        Assert.Equal(
            $"copy IoBench there if it is missing, make the test file if it is missing, run 2 tests, 1 of them writing to it, {TestPlan.Estimate([Test(1), write])}",
            SuiteWords.RunElsewhere([Test(1), write])
        );
        Assert.StartsWith("run 1 test writing to it, ", SuiteWords.Run([write]), StringComparison.Ordinal);
        Assert.StartsWith("run 1 test, ", SuiteWords.Run([Test(1)]), StringComparison.Ordinal);
    }
}
