using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetEarlierTests
{
    private const string Group = "20261122-201500-ab12";

    private static IoTestSpecification Test(int outstanding) =>
        new()
        {
            Targets = [new IoTargetSpecification("/data")],
            OutstandingIO = outstanding,
            Duration = TimeSpan.FromSeconds(10),
        };

    private static FleetStep Step(string name = "", int hosts = 4, int tests = 3) =>
        new(
            name,
            FleetPlan.Create(
                FleetInventory.OfNames(Enumerable.Range(1, hosts).Select(n => $"sql{n}")),
                null,
                () => new PlanRequest { Specifications = [.. Enumerable.Range(1, tests).Select(Test)] }
            )
        );

    private static IoTestResult Result(int host, int test, string step = "", IoResultStatus status = IoResultStatus.Complete)
    {
        var specification = Test(test);
        // The host resolved the folder to the file in it.
        specification.Targets[0].Path = "/data/iobench.dat";
        return new IoTestResult
        {
            Member = $"sql{host}",
            GroupId = FleetIds.OfTest(Group + step, test),
            Status = status,
            Specification = specification,
            IOPS = 1000,
        };
    }

    private static List<IoTestResult> All(string step = "", int hosts = 4, int tests = 3) =>
        [.. from host in Enumerable.Range(1, hosts) from test in Enumerable.Range(1, tests) select Result(host, test, step)];

    [Fact]
    public void What_all_hosts_gave_is_not_run_again()
    {
        var earlier = new FleetEarlier(All(), null);
        Assert.Empty(earlier.Left(Step(), FleetResume.Together));
        Assert.Equal(12, earlier.Kept.Count);
    }

    [Fact]
    public void A_test_that_one_host_missed_is_run_again_by_all()
    {
        var results = All();
        results.RemoveAll(result => result is { Member: "sql2" } && result.GroupId!.EndsWith("/2", StringComparison.Ordinal));
        results.Add(Result(2, 2, status: IoResultStatus.Failed));
        var earlier = new FleetEarlier(results, null);
        var step = Assert.Single(earlier.Left(Step(), FleetResume.Together));
        Assert.Equal(4, step.Plan.Work.Count);
        Assert.All(step.Plan.Work, work => Assert.Equal(2, Assert.Single(work.Tests).OutstandingIO));
        Assert.Null(step.Mark);
        Assert.Equal(8, earlier.Kept.Count);
        Assert.DoesNotContain(earlier.Kept, result => result.GroupId!.EndsWith("/2", StringComparison.Ordinal));
    }

    [Fact]
    public void Alone_only_the_missing_hosts_run_each_test_by_itself_and_marked()
    {
        var results = All();
        results.RemoveAll(result => result.Member == "sql2" && result.OutstandingOf() >= 2);
        results.RemoveAll(result => result.Member == "sql3" && result.OutstandingOf() == 3);
        var steps = new FleetEarlier(results, null).Left(Step(), FleetResume.Alone).ToList();
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
    public void Alone_a_test_that_nobody_ran_is_run_by_all()
    {
        var steps = new FleetEarlier(All(tests: 2), null).Left(Step(), FleetResume.Alone).ToList();
        Assert.Equal((4, null), (Assert.Single(steps).Plan.Work.Count, steps[0].Mark));
    }

    [Fact]
    public void What_ran_alone_stands_for_no_test_of_the_group()
    {
        var results = All();
        foreach (var result in results.Where(result => result.OutstandingOf() == 1))
            result.Host[FleetMerge.AloneMark] = "1 of 4 hosts, without the other 3";
        Assert.Equal(
            1,
            Assert
                .Single(Assert.Single(new FleetEarlier(results, null).Left(Step(), FleetResume.Together)).Plan.Work[0].Tests)
                .OutstandingIO
        );
    }

    [Fact]
    public void A_step_of_a_ramp_does_not_stand_for_another()
    {
        var earlier = new FleetEarlier([.. All("-2", hosts: 2), .. All("-4", hosts: 3)], null);
        Assert.Empty(earlier.Left(Step("-2", hosts: 2), FleetResume.Together));
        Assert.Equal(3, Assert.Single(earlier.Left(Step("-4"), FleetResume.Together)).Plan.Work[0].Tests.Count);
    }

    [Fact]
    public void A_quorum_is_enough_here_too()
    {
        Assert.Empty(new FleetEarlier(All(hosts: 3), minHosts: 3).Left(Step(), FleetResume.Together));
        Assert.Single(new FleetEarlier(All(hosts: 2), minHosts: 3).Left(Step(), FleetResume.Together));
    }

    [Fact]
    public void Of_equal_tests_each_group_stands_for_one()
    {
        // Two rounds of one test are requested, and one is complete.
        var step = new FleetStep(
            "",
            FleetPlan.Create(
                FleetInventory.OfNames(["sql1", "sql2"]),
                null,
                () => new PlanRequest { Specifications = [Test(1)], Repeat = 2 }
            )
        );
        var first = step.Plan.Work.Select(
            (work, i) =>
            {
                var result = Result(i + 1, 1);
                result.Specification = work.Tests[0];
                return result;
            }
        );
        Assert.Single(Assert.Single(new FleetEarlier(first, null).Left(step, FleetResume.Together)).Plan.Work[0].Tests);
    }
}

file static class ResultText
{
    public static int OutstandingOf(this IoTestResult result) => result.Specification!.OutstandingIO;
}
