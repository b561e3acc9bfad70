using IoBench.Engine;

namespace IoBench.Application.Tests;

public class HostWorkloadTests
{
    private static readonly IoTestSpecification[] s_plan = [CreateTest(1), CreateTest(2)];

    private static IoTestSpecification CreateTest(int outstanding, int seconds = 10) =>
        new()
        {
            Targets = [new IoTargetSpecification("/d/t.dat")],
            OutstandingIO = outstanding,
            Duration = TimeSpan.FromSeconds(seconds),
            WarmUp = TimeSpan.Zero,
        };

    private static IoTestResult CreateResult(string computer, IoTestSpecification test, IoResultStatus status = IoResultStatus.Complete) =>
        new()
        {
            ComputerName = computer,
            Specification = test.Clone(),
            Status = status,
        };

    private static IReadOnlyList<HostWorkload> Resume(string[] computers, params IoTestResult[] earlier) =>
        HostWorkload.CreateForSuite(
            s_plan,
            [.. computers.Select((computer, index) => (new FleetHost { Name = $"host{index}" }, computer))],
            earlier
        );

    [Fact]
    public void Resumed_suite_runs_the_missing_tests_of_each_host()
    {
        var work = Resume(
            ["one", "two", "four"],
            CreateResult("one", s_plan[0]),
            CreateResult("one", s_plan[1]),
            CreateResult("two", s_plan[0]),
            CreateResult("two", s_plan[1], IoResultStatus.Cancelled),
            CreateResult("three", s_plan[1])
        );
        Assert.Equal(
            [
                [1, 2],
                [1],
                [],
            ],
            work.Select(item => item.CompletedTests)
        );
        Assert.Equal([2, 1, 0], work.Select(item => item.EarlierResults.Count));
        Assert.All(work, item => Assert.Equal(s_plan, item.Tests));
    }

    [Fact]
    public void Two_sessions_to_one_computer_share_its_results()
    {
        var work = Resume(
            ["sql1", "sql1"],
            CreateResult("sql1", s_plan[0]),
            CreateResult("sql1", s_plan[0]),
            CreateResult("sql1", s_plan[1])
        );
        Assert.Equal(
            [
                [1, 2],
                [1],
            ],
            work.Select(item => item.CompletedTests)
        );
    }

    [Fact]
    public void Suite_has_the_same_duration_on_all_hosts() =>
        Assert.Equal(
            "IoBench.ResumeDiffers",
            Assert.Throws<IoBenchException>(() => Resume(["one", "two"], CreateResult("two", CreateTest(1, seconds: 60)))).ErrorId
        );

    [Fact]
    public void Confirmation_for_a_host_names_the_copy_the_file_and_the_writes()
    {
        var write = CreateTest(2);
        write.WritePercent = 100;
        Assert.Equal(
            $"copy IoBench to the host if necessary, create the test file if necessary, run 2 tests, 1 of them with writes, {TestPlanEstimate.Create([CreateTest(1), write])}",
            SuiteMessages.DescribeRemoteRun([CreateTest(1), write])
        );
        Assert.StartsWith("run 1 test with writes, ", SuiteMessages.DescribeRun([write]), StringComparison.Ordinal);
        Assert.StartsWith("run 1 test, ", SuiteMessages.DescribeRun([CreateTest(1)]), StringComparison.Ordinal);
    }
}
