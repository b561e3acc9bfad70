namespace IoBench.Engine.Tests;

public class CommitDeviceCounterTests
{
    [Fact]
    public void Counters_are_read_from_the_fields_of_sysfs()
    {
        var all = CommitDeviceCounter.DeviceRequests.Parse("11 12 13 14 21 22 23 24 31 32 33 41 42 43 44 51 52");
        Assert.Equal(new CommitDeviceCounter.DeviceRequests(11, 21, 23 * 512, 51), all);
        // Kernels before 5.5 do not count flushes.
        Assert.Equal(
            new CommitDeviceCounter.DeviceRequests(11, 21, 23 * 512, null),
            CommitDeviceCounter.DeviceRequests.Parse("11 12 13 14 21 22 23 24 31 32 33")
        );
        Assert.Null(CommitDeviceCounter.DeviceRequests.Parse("no numbers"));
        Assert.Null(CommitDeviceCounter.DeviceRequests.Parse(null));
    }

    [Fact]
    public void Filter_selects_requests_of_the_devices_by_their_flags() =>
        Assert.Equal(
            "(dev == 8388608 || dev == 7340033) && (rwbs ~ \"WF*\" || rwbs ~ \"FWF*\")",
            BlockTracepoint.CreateFilter(["8:0", "7:1"], ["WF*", "FWF*"])
        );
}
