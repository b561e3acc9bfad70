using IoBench.Cli.Running;
using IoBench.Engine;

namespace IoBench.Cli.Tests.Running;

public class ResumePlanTests
{
    private static IReadOnlyList<IoTestSpecification> Plan() => TestPlan.Create(new TestPlanRequest { Paths = ["t.dat"], OutstandingIOs = [1, 2, 4], Repeat = 2 });

    private static IoTestResult Done(IoTestSpecification test, IoResultStatus status = IoResultStatus.Complete) => new() { Specification = test.Clone(), Status = status };

    [Fact]
    public void WhatIsCompleteIsNotRunAgain()
    {
        var plan = Plan();
        var remaining = ResumePlan.Remaining(plan, [Done(plan[0]), Done(plan[4]), Done(plan[1], IoResultStatus.Cancelled), new IoTestResult()]);
        Assert.Equal([(2, 1), (4, 1), (1, 2), (4, 2)], remaining.Select(t => (t.OutstandingIO, t.Repeat!.Value)));
    }

    [Fact]
    public void EqualTestsCountAsOftenAsTheyAreThere()
    {
        var twice = TestPlan.Create(new TestPlanRequest { Paths = ["t.dat"], Workloads = ["oltp", "oltp"] });
        Assert.Single(ResumePlan.Remaining(twice, [Done(twice[0])]));
        Assert.Empty(ResumePlan.Remaining(twice, [Done(twice[0]), Done(twice[1])]));
    }

    [Fact]
    public void AnotherQuestionIsAnotherTest()
    {
        var plan = TestPlan.Create(new TestPlanRequest { Paths = ["t.dat"] });
        foreach (var request in new[]
        {
            new TestPlanRequest { Paths = ["u.dat"] },
            new TestPlanRequest { Paths = ["t.dat"], Duration = TimeSpan.FromSeconds(31) },
            new TestPlanRequest { Paths = ["t.dat"], Buffering = IoBuffering.Both },
            new TestPlanRequest { Paths = ["t.dat"], FileSizes = [1 << 20] },
            new TestPlanRequest { Paths = ["t.dat"], Labels = ["x"] },
        })
            Assert.Single(ResumePlan.Remaining(TestPlan.Create(request), [Done(plan[0])]));
    }
}
