namespace IoBench.Application.Tests;

public class FleetStatusTests
{
    [Fact]
    public void Status_lines_show_phases_sum_slowest_and_silent_hosts()
    {
        var status = new FleetStatus(
            3,
            new Dictionary<FleetHostPhase, int> { [FleetHostPhase.Running] = 2, [FleetHostPhase.Preparing] = 1 },
            1280,
            10,
            [new FleetHostStatus("sql2", 100, 0)],
            [new FleetHostStatus("sql11", null, 40.04)]
        );
        Assert.Equal(
            ["3 hosts: 1 preparing, 2 running", "1,280 IOPS, 10 MiB/s", "lowest IOPS: sql2 100", "no response: sql11 for 40 s"],
            status.Lines
        );
    }
}
