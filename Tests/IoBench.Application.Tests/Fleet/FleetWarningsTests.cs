namespace IoBench.Application.Tests;

public class FleetWarningsTests
{
    [Fact]
    public void What_all_hosts_say_is_said_once()
    {
        var fleet = new PlayedFleet();
        var warnings = new FleetWarnings(fleet);
        for (var host = 1; host <= 16; host++)
            warnings.Take(new FleetHost { Name = $"sql{host}" }, new FleetMessage { State = FleetState.Warning, ErrorId = "IoBench.Hang", Text = $"an I/O hangs for {host} s" });
        warnings.Take(new FleetHost { Name = "sql3" }, new FleetMessage { State = FleetState.Warning, ErrorId = "IoBench.Other", Text = "something else" });
        warnings.Tick(1, 16);
        Assert.Empty(fleet.Warnings);
        warnings.Tick(1 + 2 * Clock.Second, 16);
        Assert.Equal(["16 of 16 hosts: an I/O hangs for 1 s", "sql3: something else"], fleet.Warnings);
    }
}
