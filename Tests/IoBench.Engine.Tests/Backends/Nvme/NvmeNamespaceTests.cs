namespace IoBench.Engine.Tests;

public sealed class NvmeNamespaceTests : TargetFolder
{
    [LinuxFact]
    public void A_whole_namespace_has_its_character_device_beside_it()
    {
        var drive = Drive("controller/nvme3", "nvme3n2", sector: 512, largestKb: 128);
        var found = NvmeNamespace.Find(drive, "/dev/nvme3n2", out var why);
        Assert.Equal("", why);
        Assert.Equal(new NvmeNamespace("ng3n2", "237:5", 2, 512, 8 * MB, 128 << 10, found!.LimitedBy), found);
        Assert.Equal("/dev/ng3n2", found.Path);
        Assert.Contains("max_hw_sectors_kb", found.LimitedBy, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void A_partition_is_refused_since_commands_know_none()
    {
        Drive("controller/nvme3", "nvme3n2");
        Put("devices/controller/nvme3/nvme3n2/nvme3n2p1/dev", "259:7");
        Put("devices/controller/nvme3/nvme3n2/nvme3n2p1/partition", "1");
        Link("dev/block/259:7", "devices/controller/nvme3/nvme3n2/nvme3n2p1");
        Assert.Null(NvmeNamespace.Find(LinuxBlockDevice.ByNumber("259:7", Folder), "/dev/nvme3n2p1", out var why));
        Assert.StartsWith("/dev/nvme3n2p1 is a partition", why, StringComparison.Ordinal);
        Assert.Contains("/dev/nvme3n2)", why, StringComparison.Ordinal);
    }

    [LinuxTheory]
    [InlineData("sda")]
    [InlineData("dm-0")]
    [InlineData("nvme0c0n1")]
    [InlineData("xnvme0n1")]
    public void Another_kind_of_device_is_refused(string name)
    {
        Put($"devices/{name}/queue/logical_block_size", "512");
        Link("dev/block/8:0", $"devices/{name}");
        Assert.Null(NvmeNamespace.Find(LinuxBlockDevice.ByNumber("8:0", Folder), "/dev/" + name, out var why));
        Assert.Contains("is not an NVMe drive", why, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void A_device_that_the_system_does_not_know_is_refused()
    {
        Assert.Null(NvmeNamespace.Find(null, "/dev/what", out var why));
        Assert.Contains("is not an NVMe drive", why, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void A_character_device_of_another_controller_is_not_taken_for_it()
    {
        var drive = Drive("controller/nvme3", "nvme3n2", hasCharacterDevice: false);
        Assert.Null(NvmeNamespace.Find(drive, "/dev/nvme3n2", out var why));
        Assert.Contains("no character device ng3n2", why, StringComparison.Ordinal);
        Put("devices/other/nvme3/ng3n2/dev", "237:9");
        Link("class/nvme-generic/ng3n2", "devices/other/nvme3/ng3n2");
        Assert.Null(NvmeNamespace.Find(drive, "/dev/nvme3n2", out why));
        Assert.Contains("no character device ng3n2", why, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Zones_and_what_is_not_said_are_refused()
    {
        var drive = Drive("controller/nvme3", "nvme3n2");
        Put("devices/controller/nvme3/nvme3n2/queue/zoned", "host-managed");
        Assert.Null(NvmeNamespace.Find(drive, "/dev/nvme3n2", out var why));
        Assert.Contains("zones (host-managed)", why, StringComparison.Ordinal);
        Put("devices/controller/nvme3/nvme3n2/queue/zoned", "none");
        Assert.NotNull(NvmeNamespace.Find(drive, "/dev/nvme3n2", out _));
        File.Delete(At("devices/controller/nvme3/nvme3n2/nsid"));
        Assert.Null(NvmeNamespace.Find(drive, "/dev/nvme3n2", out why));
        Assert.Contains("the namespace's number", why, StringComparison.Ordinal);
    }

    [SmallPagesTheory]
    [InlineData(512, 512, 127, 127 * 4096L, "max_segments")]
    [InlineData(4096, 2048, 1000, 2048 << 10, "max_hw_sectors_kb")]
    [InlineData(512, 65536, 65535, 32 << 20, "16 bits")]
    public void The_smallest_limit_of_a_command_counts_and_is_named(int sector, int largestKb, int segments, long expected, string by)
    {
        var found = NvmeNamespace.Find(Drive("controller/nvme3", "nvme3n2", sector, largestKb, segments: segments), "/dev/nvme3n2", out _)!;
        Assert.Equal(expected, found.LargestTransfer);
        Assert.Contains(by, found.LimitedBy, StringComparison.Ordinal);
        Assert.Null(NvmePassthroughBackend.WhyTooLarge(found, new IoPattern { BlockSize = expected }));
        var why = NvmePassthroughBackend.WhyTooLarge(found, new IoPattern { BlockSize = expected + sector })!;
        Assert.Contains(found.LimitedBy, why, StringComparison.Ordinal);
        Assert.Contains(new IoSize(expected).ToDisplayString(), why, StringComparison.Ordinal);
    }

    [BackendFact(NvmePassthroughBackend.Name)]
    public void A_file_is_refused_before_it_is_made()
    {
        var path = At("iotest.dat");
        var specification = Spec(path);
        (specification.Backend, specification.Buffering) = (NvmePassthroughBackend.Name, IoBuffering.Hardware);
        var error = Assert.Throws<IoBenchException>(() => TestRun.Run(specification));
        Assert.Equal("IoBench.BackendNotAvailable", error.ErrorId);
        Assert.Contains($"{path} is a file", error.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(path));
    }

    [LoopAndNvmeFact]
    public void A_device_that_is_no_NVMe_drive_is_refused_before_it_is_written()
    {
        using var disk = new LoopVolume(8 * MB);
        var specification = Spec(disk.Device, size: null, writePercent: 100);
        specification.Backend = NvmePassthroughBackend.Name;
        var error = Assert.Throws<IoBenchException>(() => TestRun.Run(specification, new TestRunOptions { Force = true }));
        Assert.Equal("IoBench.BackendNotAvailable", error.ErrorId);
        Assert.Contains("is not an NVMe drive", error.Message, StringComparison.Ordinal);
        Assert.All(File.ReadAllBytes(disk.Image), value => Assert.Equal(0, value));
    }

    private LinuxBlockDevice Drive(
        string controller,
        string name,
        int sector = 512,
        int largestKb = 256,
        bool hasCharacterDevice = true,
        int? segments = null
    )
    {
        var node = $"devices/{controller}/{name}";
        Put(node + "/dev", "259:1");
        Put(node + "/nsid", "2");
        Put(node + "/size", "16384");
        Put(node + "/queue/logical_block_size", $"{sector}");
        Put(node + "/queue/max_hw_sectors_kb", $"{largestKb}");
        if (segments is { } count)
            Put(node + "/queue/max_segments", $"{count}");
        Link("dev/block/259:1", node);
        if (hasCharacterDevice)
        {
            var other = "ng" + name["nvme".Length..];
            Put($"devices/{controller}/{other}/dev", "237:5");
            Link("class/nvme-generic/" + other, $"devices/{controller}/{other}");
        }
        return LinuxBlockDevice.ByNumber("259:1", Folder)!;
    }

    private void Put(string name, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(At(name))!);
        File.WriteAllText(At(name), text + "\n");
    }

    private void Link(string name, string to)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(At(name))!);
        File.CreateSymbolicLink(At(name), At(to));
    }

    private sealed class SmallPagesTheoryAttribute : TheoryAttribute
    {
        public SmallPagesTheoryAttribute() =>
            Skip = LinuxFactAttribute.Reason ?? (Environment.SystemPageSize == 4096 ? null : "needs memory pages of 4 KB");
    }

    private sealed class LoopAndNvmeFactAttribute : FactAttribute
    {
        public LoopAndNvmeFactAttribute() =>
            Skip = new RequiresRootFactAttribute("losetup").Skip ?? BackendFactAttribute.Reason(NvmePassthroughBackend.Name);
    }
}
