using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetResumeStateTests
{
    private const string Group = "20261122-201500-ab12";

    private static IoTestSpecification CreateTest(int outstanding) =>
        new()
        {
            Targets = [new IoTargetSpecification("/data")],
            OutstandingIO = outstanding,
            Duration = TimeSpan.FromSeconds(10),
        };

    private static RampStep CreateStep(string name = "", int hosts = 4, int tests = 3) =>
        new(
            name,
            FleetPlan.Create(
                FleetInventory.FromNames(Enumerable.Range(1, hosts).Select(n => $"sql{n}")),
                null,
                () => new PlanRequest { Specifications = [.. Enumerable.Range(1, tests).Select(CreateTest)] }
            )
        );

    private static IoTestResult CreateResult(int host, int test, string step = "", IoResultStatus status = IoResultStatus.Complete)
    {
        var specification = CreateTest(test);
        // The host resolved the folder to the file in it.
        specification.Targets[0].Path = "/data/iobench.dat";
        return new IoTestResult
        {
            Member = $"sql{host}",
            GroupId = FleetPlan.GetGroupId(Group + step, test),
            Status = status,
            Specification = specification,
            IOPS = 1000,
        };
    }

    private static List<IoTestResult> CreateResults(string step = "", int hosts = 4, int tests = 3) =>
        [.. from host in Enumerable.Range(1, hosts) from test in Enumerable.Range(1, tests) select CreateResult(host, test, step)];

    [Fact]
    public void Test_completed_by_all_hosts_is_not_run_again()
    {
        var earlier = new FleetResumeState(CreateResults(), null);
        Assert.Empty(earlier.GetRemaining(CreateStep(), FleetResumeMode.Together));
        Assert.Equal(12, earlier.Kept.Count);
    }

    [Fact]
    public void Test_missed_by_one_host_is_run_again_by_all()
    {
        var results = CreateResults();
        results.RemoveAll(result => result is { Member: "sql2" } && result.GroupId!.EndsWith("/2", StringComparison.Ordinal));
        results.Add(CreateResult(2, 2, status: IoResultStatus.Failed));
        var earlier = new FleetResumeState(results, null);
        var step = Assert.Single(earlier.GetRemaining(CreateStep(), FleetResumeMode.Together));
        Assert.Equal(4, step.Plan.Work.Count);
        Assert.All(step.Plan.Work, work => Assert.Equal(2, Assert.Single(work.Tests).OutstandingIO));
        Assert.Null(step.Mark);
        Assert.Equal(8, earlier.Kept.Count);
        Assert.DoesNotContain(earlier.Kept, result => result.GroupId!.EndsWith("/2", StringComparison.Ordinal));
    }

    [Fact]
    public void Alone_mode_runs_missing_tests_on_the_missing_hosts_with_a_mark()
    {
        var results = CreateResults();
        results.RemoveAll(result => result.Member == "sql2" && result.GetOutstanding() >= 2);
        results.RemoveAll(result => result.Member == "sql3" && result.GetOutstanding() == 3);
        var steps = new FleetResumeState(results, null).GetRemaining(CreateStep(), FleetResumeMode.Alone).ToList();
        Assert.Equal(
            [
                ["sql2"],
                ["sql2", "sql3"],
            ],
            steps.Select(step => step.Plan.Work.Select(work => work.Host.Name))
        );
        Assert.All(steps, step => Assert.All(step.Plan.Work, work => Assert.Single(work.Tests)));
        Assert.Equal(["1 of 4 hosts, without the other 3", "2 of 4 hosts, without the other 2"], steps.Select(step => step.Mark));
        Assert.Equal(2, steps.Select(step => step.Name).Distinct().Count());
    }

    [Fact]
    public void Alone_mode_runs_a_test_without_results_on_all_hosts()
    {
        var steps = new FleetResumeState(CreateResults(tests: 2), null).GetRemaining(CreateStep(), FleetResumeMode.Alone).ToList();
        Assert.Equal((4, null), (Assert.Single(steps).Plan.Work.Count, steps[0].Mark));
    }

    [Fact]
    public void Results_of_hosts_that_ran_alone_do_not_complete_a_group_test()
    {
        var results = CreateResults();
        foreach (var result in results.Where(result => result.GetOutstanding() == 1))
            result.Host[FleetMerge.ResumedAloneFact] = "1 of 4 hosts, without the other 3";
        Assert.Equal(
            1,
            Assert
                .Single(
                    Assert
                        .Single(new FleetResumeState(results, null).GetRemaining(CreateStep(), FleetResumeMode.Together))
                        .Plan.Work[0]
                        .Tests
                )
                .OutstandingIO
        );
    }

    [Fact]
    public void Results_of_one_ramp_step_do_not_complete_another()
    {
        var earlier = new FleetResumeState([.. CreateResults("-2", hosts: 2), .. CreateResults("-4", hosts: 3)], null);
        Assert.Empty(earlier.GetRemaining(CreateStep("-2", hosts: 2), FleetResumeMode.Together));
        Assert.Equal(3, Assert.Single(earlier.GetRemaining(CreateStep("-4"), FleetResumeMode.Together)).Plan.Work[0].Tests.Count);
    }

    [Fact]
    public void Results_of_a_quorum_complete_a_test()
    {
        Assert.Empty(new FleetResumeState(CreateResults(hosts: 3), minHosts: 3).GetRemaining(CreateStep(), FleetResumeMode.Together));
        Assert.Single(new FleetResumeState(CreateResults(hosts: 2), minHosts: 3).GetRemaining(CreateStep(), FleetResumeMode.Together));
    }

    [Fact]
    public void Each_group_completes_only_one_of_several_equal_tests()
    {
        // Two rounds of one test are requested, and one is complete.
        var step = new RampStep(
            "",
            FleetPlan.Create(
                FleetInventory.FromNames(["sql1", "sql2"]),
                null,
                () => new PlanRequest { Specifications = [CreateTest(1)], Repeat = 2 }
            )
        );
        var first = step.Plan.Work.Select(
            (work, i) =>
            {
                var result = CreateResult(i + 1, 1);
                result.Specification = work.Tests[0];
                return result;
            }
        );
        Assert.Single(Assert.Single(new FleetResumeState(first, null).GetRemaining(step, FleetResumeMode.Together)).Plan.Work[0].Tests);
    }
}

file static class ResultExtensions
{
    public static int GetOutstanding(this IoTestResult result) => result.Specification!.OutstandingIO;
}
