using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetRateTests
{
    private static FleetPlan Plan(string inventory, params string[] settings)
    {
        PlanRequest Request()
        {
            var request = new PlanRequest();
            for (var i = 0; i < settings.Length; i += 2)
                request.Set(settings[i], settings[i + 1]);
            return request;
        }
        return FleetPlan.Create(FleetInventory.Parse(inventory, "hosts.csv"), "/data/a.dat", Request);
    }

    [Fact]
    public void The_rate_of_a_group_is_split_evenly()
    {
        var plan = new FleetRate { Iops = 30_000 }.Split(Plan("name\na\nb\nc\n"));
        Assert.All(plan.Work, work => Assert.Equal(10_000, work.Tests[0].TargetIops));
        // Fewer hosts share the same rate, so a smaller step of a ramp does not reduce the load on the storage.
        Assert.Equal(
            30_000,
            new FleetRate { Iops = 30_000 }
                .Split(Plan("name\na\nb\nc\n").First(1))
                .Work[0]
                .Tests[0]
                .TargetIops
        );
    }

    [Fact]
    public void A_host_with_a_rate_of_its_own_keeps_it()
    {
        var plan = new FleetRate { Iops = 30_000 }.Split(Plan("name,rate\na,10000\nb,\nc,\n"));
        Assert.Equal([10_000.0, 10_000, 10_000], plan.Work.Select(work => work.Tests[0].TargetIops!.Value));
        Assert.Equal(
            "IoBench.InvalidRate",
            Assert.Throws<IoBenchException>(() => new FleetRate { Iops = 5_000 }.Split(Plan("name,rate\na,10000\nb,\n"))).ErrorId
        );
    }

    [Fact]
    public void A_limit_is_split_over_hosts_and_their_threads()
    {
        var plan = new FleetRate { Limit = new IoRate("8000 IOPS") }.Split(Plan("name\na\nb\n", "ThreadCount", "4"));
        Assert.All(plan.Work, work => Assert.Equal(1000, work.Tests[0].MaxIopsPerThread));
        Assert.All(plan.Work, work => Assert.Null(work.Tests[0].TargetIops));
    }

    [Fact]
    public void Without_one_the_plan_stays_as_it_is()
    {
        var plan = Plan("name\na\n");
        Assert.Same(plan, new FleetRate().Split(plan));
    }

    [Fact]
    public void A_pace_and_a_limit_exclude_each_other()
    {
        var lead = new OptionValues(OptionTables.FleetLead);
        lead.Set("GroupIops", "5000");
        lead.Set("GroupMaxRate", "2GB/s");
        Assert.Equal("IoBench.ConflictingOptions", Assert.Throws<IoBenchException>(() => FleetRate.Create(lead)).ErrorId);
    }
}
