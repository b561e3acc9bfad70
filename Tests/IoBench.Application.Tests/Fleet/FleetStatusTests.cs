using IoBench.Engine;

namespace IoBench.Application.Tests;

public class FleetStatusTests
{
    [Fact]
    public void Status_lines_show_phases_sum_slowest_and_silent_hosts()
    {
        const long Now = 100 * Clock.Second;
        HostState Create(string name, FleetHostPhase phase, double? iops, double silentSeconds) =>
            new(new FleetHost { Name = name }, 1)
            {
                Phase = phase,
                Iops = iops,
                MBps = iops / 128,
                LastMessageTime = Now - (long)(silentSeconds * Clock.Second),
            };
        Assert.Equal(
            ["3 hosts: 1 preparing, 2 running", "1,280 IOPS, 10 MiB/s", "lowest IOPS: sql2 100, sql1 1,180", "no response: sql11 for 40 s"],
            FleetController.DescribeStatus(
                [
                    Create("sql1", FleetHostPhase.Running, 1180, 1),
                    Create("sql2", FleetHostPhase.Running, 100, 0),
                    Create("sql11", FleetHostPhase.Preparing, 1, 40.04),
                ],
                Now
            )
        );
    }
}
