namespace IoBench.Engine.Tests;

public class HostAndVolumeFactsTests : TargetTestBase
{
    [Fact]
    public void Mount_line_is_parsed_with_escapes()
    {
        var mount = LinuxMount.Parse(
            @"36 35 98:0 /mnt1 /mnt/my\040disk\011x rw,noatime master:1 shared:2 - ext3 /dev/root\134x rw,errors=continue"
        )!;
        Assert.Equal(
            (36, "98:0", "/mnt/my disk\tx", "rw,noatime", "ext3", @"/dev/root\x", "rw,errors=continue"),
            (mount.Id, mount.DeviceNumber, mount.MountPoint, mount.Options, mount.FileSystem, mount.Source, mount.SuperOptions)
        );
        Assert.Null(LinuxMount.Parse("36 35 98:0 /"));
        Assert.Null(LinuxMount.Parse(""));
    }

    [Fact]
    public void Mount_without_an_id_is_found_by_the_longest_and_last_path()
    {
        LinuxMount[] mounts =
        [
            new(1, "8:1", "/", "/", "rw", "ext4", "/dev/sda1", ""),
            new(2, "8:2", "/", "/data", "rw", "xfs", "/dev/sda2", ""),
            new(3, "8:3", "/", "/data", "rw", "btrfs", "/dev/sda3", ""),
        ];
        Assert.Equal(3, LinuxMount.Find(mounts, "/data/sql/a.dat", null)?.Id);
        Assert.Equal(1, LinuxMount.Find(mounts, "/database/a.dat", null)?.Id);
        Assert.Equal(2, LinuxMount.Find(mounts, "/data/sql/a.dat", 2)?.Id);
    }

    [Fact]
    public void Target_facts_include_file_system_and_sectors()
    {
        var target = PrepareFile(GetPath("a.dat"));
        Assert.False(string.IsNullOrEmpty(target.FileSystem));
        Assert.True(target.LogicalSectorSize >= 512);
        Assert.Equal(target.FileSystem, target.Facts["File system"]);
        Assert.All(target.Facts.Values, v => Assert.False(string.IsNullOrWhiteSpace(v)));
        Assert.All(
            ["Mount point", "Mount options", "Volume size", "Volume free", "Unbuffered I/O"],
            name => Assert.Contains(name, (IDictionary<string, string>)target.Facts)
        );
    }

    [Fact]
    public void Host_facts_include_system_CPUs_and_memory()
    {
        var facts = HostFacts.Collect();
        Assert.All(
            ["Operating system", "Runtime", "Processors", "Memory"],
            name => Assert.Contains(name, (IDictionary<string, string>)facts)
        );
        Assert.All(facts.Values, v => Assert.False(string.IsNullOrWhiteSpace(v)));
        Assert.True(HostFacts.MemoryBytes > 1 << 26);
    }

    [Theory]
    [InlineData("Microsoft Corporation", "Virtual Machine", "7783-7084-3265-9085-8269-3286-77", "Microsoft Azure")]
    [InlineData("Microsoft Corporation", "Virtual Machine", null, "Hyper-V")]
    [InlineData("Amazon EC2", "m5.large", "Amazon EC2", "Amazon EC2")]
    [InlineData("VMware, Inc.", "VMware7,1", "No Asset Tag", "VMware")]
    [InlineData("QEMU", "Standard PC (Q35 + ICH9, 2009)", null, "KVM")]
    [InlineData("Dell Inc.", "PowerEdge R750", null, null)]
    [InlineData(null, null, null, null)]
    public void Clouds_and_hypervisors_are_detected_by_firmware(string? vendor, string? product, string? tag, string? expected) =>
        Assert.Equal(expected, HostFacts.DetectCloud(vendor, product, tag));

    [Theory]
    [InlineData("Dell Inc.", "2.19.1", "06/04/2024", "Dell Inc. 2.19.1 (06/04/2024)")]
    [InlineData(" SeaBIOS ", "1.16", null, "SeaBIOS 1.16")]
    [InlineData(null, "", null, null)]
    public void Firmware_text_has_vendor_version_and_date(string? vendor, string? version, string? date, string? expected) =>
        Assert.Equal(expected, HostFacts.FormatBios(vendor, version, date));

    // As in /sys: the node of the disk is far below the node of the adapter, and drivers are links on the path.
    [LinuxFact]
    public void Disk_facts_include_firmware_and_drivers_but_no_serial_number()
    {
        var system = Path.Combine(Folder, "sys");
        string Make(params string[] parts) => Directory.CreateDirectory(Path.Combine([system, .. parts])).FullName;
        var adapter = Make("devices", "pci0000:00", "0000:00:01.0", "0000:03:00.0");
        var target = Directory.CreateDirectory(Path.Combine(adapter, "host0", "target0:0:0", "0:0:0:0")).FullName;
        var disk = Directory.CreateDirectory(Path.Combine(target, "block", "sda")).FullName;
        Directory.CreateDirectory(Path.Combine(disk, "queue"));
        foreach (var (folder, driver) in new[] { (Path.GetDirectoryName(adapter)!, "pcieport"), (adapter, "megaraid_sas"), (target, "sd") })
            Directory.CreateSymbolicLink(Path.Combine(folder, "driver"), Make("bus", "any", "drivers", driver));
        File.WriteAllText(Path.Combine(Make("module", "megaraid_sas"), "version"), "07.727.03.00-rc1\n");
        Directory.CreateSymbolicLink(Path.Combine(disk, "device"), target);
        File.WriteAllText(Path.Combine(target, "rev"), "5.27\n");
        File.WriteAllText(Path.Combine(target, "serial"), "S3CR37");
        Directory.CreateSymbolicLink(Path.Combine(Make("dev", "block"), "8:0"), disk);

        var device = LinuxBlockDevice.FindByNumber("8:0", system)!;
        Assert.Equal(("5.27", "sd, megaraid_sas 07.727.03.00-rc1"), (device.Firmware, device.Driver));
        Assert.DoesNotContain("S3CR37", device.Describe(), StringComparison.Ordinal);
        File.WriteAllText(Path.Combine(target, "firmware_rev"), "2.0");
        Assert.Equal("2.0", device.Firmware);
    }

    [Fact]
    public void Unaligned_unbuffered_block_is_refused_before_creating_a_file()
    {
        var spec = CreateSpecification(GetPath("a.dat"));
        spec.BlockSize = 7000;
        AssertRefused(
            "IoBench.InvalidBlockSize",
            () => TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), null, CancellationToken.None)
        );
        Assert.False(File.Exists(GetPath("a.dat")));
        spec.Buffering = IoBuffering.Both;
        Assert.Equal(MB, TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()).Size);
    }
}
