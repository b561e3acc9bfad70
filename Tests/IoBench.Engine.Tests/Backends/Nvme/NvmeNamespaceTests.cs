namespace IoBench.Engine.Tests;

public sealed class NvmeNamespaceTests : TargetTestBase
{
    [LinuxFact]
    public void Whole_namespace_is_found_with_its_character_device()
    {
        var drive = CreateDrive("controller/nvme3", "nvme3n2", sector: 512, largestKb: 128);
        var found = NvmeNamespace.Find(drive, "/dev/nvme3n2", out var why);
        Assert.Equal("", why);
        Assert.Equal(new NvmeNamespace("ng3n2", "237:5", 2, 512, 8 * MB, 128 << 10, found!.LimitedBy), found);
        Assert.Equal("/dev/ng3n2", found.Path);
        Assert.Contains("max_hw_sectors_kb", found.LimitedBy, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Partition_is_refused()
    {
        CreateDrive("controller/nvme3", "nvme3n2");
        WriteSysfsFile("devices/controller/nvme3/nvme3n2/nvme3n2p1/dev", "259:7");
        WriteSysfsFile("devices/controller/nvme3/nvme3n2/nvme3n2p1/partition", "1");
        CreateSysfsLink("dev/block/259:7", "devices/controller/nvme3/nvme3n2/nvme3n2p1");
        Assert.Null(NvmeNamespace.Find(LinuxBlockDevice.FindByNumber("259:7", Folder), "/dev/nvme3n2p1", out var why));
        Assert.StartsWith("/dev/nvme3n2p1 is a partition", why, StringComparison.Ordinal);
        Assert.Contains("/dev/nvme3n2)", why, StringComparison.Ordinal);
    }

    [LinuxTheory]
    [InlineData("sda")]
    [InlineData("dm-0")]
    [InlineData("nvme0c0n1")]
    [InlineData("xnvme0n1")]
    public void Other_block_device_is_refused(string name)
    {
        WriteSysfsFile($"devices/{name}/queue/logical_block_size", "512");
        CreateSysfsLink("dev/block/8:0", $"devices/{name}");
        Assert.Null(NvmeNamespace.Find(LinuxBlockDevice.FindByNumber("8:0", Folder), "/dev/" + name, out var why));
        Assert.Contains("is not an NVMe drive", why, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Unknown_device_is_refused()
    {
        Assert.Null(NvmeNamespace.Find(null, "/dev/what", out var why));
        Assert.Contains("is not an NVMe drive", why, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Character_device_of_another_controller_is_not_used()
    {
        var drive = CreateDrive("controller/nvme3", "nvme3n2", hasCharacterDevice: false);
        Assert.Null(NvmeNamespace.Find(drive, "/dev/nvme3n2", out var why));
        Assert.Contains("no character device ng3n2", why, StringComparison.Ordinal);
        WriteSysfsFile("devices/other/nvme3/ng3n2/dev", "237:9");
        CreateSysfsLink("class/nvme-generic/ng3n2", "devices/other/nvme3/ng3n2");
        Assert.Null(NvmeNamespace.Find(drive, "/dev/nvme3n2", out why));
        Assert.Contains("no character device ng3n2", why, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Zoned_device_or_missing_namespace_number_is_refused()
    {
        var drive = CreateDrive("controller/nvme3", "nvme3n2");
        WriteSysfsFile("devices/controller/nvme3/nvme3n2/queue/zoned", "host-managed");
        Assert.Null(NvmeNamespace.Find(drive, "/dev/nvme3n2", out var why));
        Assert.Contains("zones (host-managed)", why, StringComparison.Ordinal);
        WriteSysfsFile("devices/controller/nvme3/nvme3n2/queue/zoned", "none");
        Assert.NotNull(NvmeNamespace.Find(drive, "/dev/nvme3n2", out _));
        File.Delete(GetPath("devices/controller/nvme3/nvme3n2/nsid"));
        Assert.Null(NvmeNamespace.Find(drive, "/dev/nvme3n2", out why));
        Assert.Contains("the namespace's number", why, StringComparison.Ordinal);
    }

    [SmallPagesTheory]
    [InlineData(512, 512, 127, 127 * 4096L, "max_segments")]
    [InlineData(4096, 2048, 1000, 2048 << 10, "max_hw_sectors_kb")]
    [InlineData(512, 65536, 65535, 32 << 20, "16 bits")]
    public void Smallest_transfer_limit_applies_and_is_named(int sector, int largestKb, int segments, long expected, string by)
    {
        var found = NvmeNamespace.Find(
            CreateDrive("controller/nvme3", "nvme3n2", sector, largestKb, segments: segments),
            "/dev/nvme3n2",
            out _
        )!;
        Assert.Equal(expected, found.LargestTransfer);
        Assert.Contains(by, found.LimitedBy, StringComparison.Ordinal);
        Assert.Null(NvmePassthroughBackend.GetTooLargeReason(found, new IoPattern { BlockSize = expected }));
        var why = NvmePassthroughBackend.GetTooLargeReason(found, new IoPattern { BlockSize = expected + sector })!;
        Assert.Contains(found.LimitedBy, why, StringComparison.Ordinal);
        Assert.Contains(new IoSize(expected).ToDisplayString(), why, StringComparison.Ordinal);
    }

    [BackendFact(NvmePassthroughBackend.Name)]
    public void File_target_is_refused_before_it_is_created()
    {
        var path = GetPath("iotest.dat");
        var specification = CreateSpecification(path);
        (specification.Backend, specification.Buffering) = (NvmePassthroughBackend.Name, IoBuffering.Hardware);
        var error = Assert.Throws<IoBenchException>(() => TestRun.Run(specification));
        Assert.Equal("IoBench.BackendNotAvailable", error.ErrorId);
        Assert.Contains($"{path} is a file", error.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(path));
    }

    [LoopAndNvmeFact]
    public void Other_device_is_refused_before_it_is_written()
    {
        using var disk = new LoopVolume(8 * MB);
        var specification = CreateSpecification(disk.Device, size: null, writePercent: 100);
        specification.Backend = NvmePassthroughBackend.Name;
        var error = Assert.Throws<IoBenchException>(() => TestRun.Run(specification, AllPermissions.For(disk.Device)));
        Assert.Equal("IoBench.BackendNotAvailable", error.ErrorId);
        Assert.Contains("is not an NVMe drive", error.Message, StringComparison.Ordinal);
        Assert.All(File.ReadAllBytes(disk.Image), value => Assert.Equal(0, value));
    }

    private LinuxBlockDevice CreateDrive(
        string controller,
        string name,
        int sector = 512,
        int largestKb = 256,
        bool hasCharacterDevice = true,
        int? segments = null
    )
    {
        var node = $"devices/{controller}/{name}";
        WriteSysfsFile(node + "/dev", "259:1");
        WriteSysfsFile(node + "/nsid", "2");
        WriteSysfsFile(node + "/size", "16384");
        WriteSysfsFile(node + "/queue/logical_block_size", $"{sector}");
        WriteSysfsFile(node + "/queue/max_hw_sectors_kb", $"{largestKb}");
        if (segments is { } count)
            WriteSysfsFile(node + "/queue/max_segments", $"{count}");
        CreateSysfsLink("dev/block/259:1", node);
        if (hasCharacterDevice)
        {
            var other = "ng" + name["nvme".Length..];
            WriteSysfsFile($"devices/{controller}/{other}/dev", "237:5");
            CreateSysfsLink("class/nvme-generic/" + other, $"devices/{controller}/{other}");
        }
        return LinuxBlockDevice.FindByNumber("259:1", Folder)!;
    }

    private void WriteSysfsFile(string name, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(GetPath(name))!);
        File.WriteAllText(GetPath(name), text + "\n");
    }

    private void CreateSysfsLink(string name, string to)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(GetPath(name))!);
        File.CreateSymbolicLink(GetPath(name), GetPath(to));
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
