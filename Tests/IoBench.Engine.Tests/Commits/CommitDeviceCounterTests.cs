namespace IoBench.Engine.Tests;

public class CommitDeviceCounterTests
{
    [Fact]
    public void Counters_are_read_from_the_fields_of_sysfs()
    {
        var all = CommitDeviceCounter.Parse("sda", "11 12 13 14 21 22 23 24 31 32 33 41 42 43 44 51 52")!;
        Assert.Equal((11, 21L, 23 * 512, 51L), (all.Reads, all.Writes, all.WriteBytes, all.Flushes));
        // Kernels before 5.5 do not count flushes.
        var old = CommitDeviceCounter.Parse("sda", "11 12 13 14 21 22 23 24 31 32 33")!;
        Assert.Equal((11, 21L, 23 * 512, null), (old.Reads, old.Writes, old.WriteBytes, old.Flushes));
        Assert.Null(CommitDeviceCounter.Parse("sda", "no numbers"));
        Assert.Null(CommitDeviceCounter.Parse("sda", null));
    }

    [Fact]
    public void Filter_selects_requests_of_the_devices_by_their_flags() =>
        Assert.Equal(
            "(dev == 8388608 || dev == 7340033) && (rwbs ~ \"WF*\" || rwbs ~ \"FWF*\")",
            BlockTracepoint.CreateFilter(["8:0", "7:1"], ["WF*", "FWF*"])
        );
}
