using IoBench.Engine;

namespace IoBench.Application.Tests;

public class GroupRateTests
{
    private static FleetPlan CreatePlan(string inventory, params string[] settings)
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

    private static FleetSetup CreateSetup(string? option = null, string value = "")
    {
        var lead = new OptionValues(OptionTables.FleetLead);
        if (option is not null)
            lead.Set(option, value);
        return new FleetSetup(lead);
    }

    [Fact]
    public void Group_rate_is_split_evenly()
    {
        var plan = CreateSetup("GroupIops", "30000").SplitRate(CreatePlan("name\na\nb\nc\n"));
        Assert.All(plan.Work, work => Assert.Equal(10_000, work.Tests[0].TargetIops));
        // Fewer hosts share the same rate, so a smaller step of a ramp does not reduce the load on the storage.
        Assert.Equal(
            30_000,
            CreateSetup("GroupIops", "30000").SplitRate(CreatePlan("name\na\nb\nc\n").SelectFirst(1)).Work[0].Tests[0].TargetIops
        );
    }

    [Fact]
    public void Host_with_its_own_rate_keeps_that_rate()
    {
        var plan = CreateSetup("GroupIops", "30000").SplitRate(CreatePlan("name,rate\na,10000\nb,\nc,\n"));
        Assert.Equal([10_000.0, 10_000, 10_000], plan.Work.Select(work => work.Tests[0].TargetIops!.Value));
        Assert.Equal(
            "IoBench.InvalidRate",
            Assert
                .Throws<IoBenchException>(() => CreateSetup("GroupIops", "5000").SplitRate(CreatePlan("name,rate\na,10000\nb,\n")))
                .ErrorId
        );
    }

    [Fact]
    public void Maximum_rate_is_split_over_hosts_and_threads()
    {
        var plan = CreateSetup("GroupMaxRate", "8000 IOPS").SplitRate(CreatePlan("name\na\nb\n", "ThreadCount", "4"));
        Assert.All(plan.Work, work => Assert.Equal(1000, work.Tests[0].MaxIopsPerThread));
        Assert.All(plan.Work, work => Assert.Null(work.Tests[0].TargetIops));
    }

    [Fact]
    public void Plan_is_unchanged_without_a_group_rate()
    {
        var plan = CreatePlan("name\na\n");
        Assert.Same(plan, CreateSetup().SplitRate(plan));
    }

    [Fact]
    public void Target_rate_and_maximum_rate_exclude_each_other()
    {
        var lead = new OptionValues(OptionTables.FleetLead);
        lead.Set("GroupIops", "5000");
        lead.Set("GroupMaxRate", "2GB/s");
        Assert.Equal("IoBench.ConflictingOptions", Assert.Throws<IoBenchException>(() => new FleetSetup(lead)).ErrorId);
    }
}
