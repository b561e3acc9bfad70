namespace IoBench.Engine.Tests;

/// <summary>Uses a simulated /sys, because few kernels have encryption, LVM, RAID, multipath, and iSCSI.</summary>
public class StorageLevelsTests : TargetTestBase
{
    [LinuxFact]
    public void Stack_lists_each_layer_of_a_server_from_the_top()
    {
        CreateDevice("sdb", "9000:16");
        CreateDevice("sdc", "9000:32");
        Link("devices/sdb/device", CreateFolder("platform/host2/session1/target2:0:0/2:0:0:0"));
        Link("devices/sdc/device", CreateFolder("platform/host3/session2/target3:0:0/3:0:0:0"));
        CreateMapped("dm-0", "9001:0", "mpath-3600508b1001c", "sdb", "sdc");
        CreateDevice("md127", "9002:127");
        Write("devices/md127/md/level", "raid1");
        Link("devices/md127/slaves/dm-0", GetPath("devices/dm-0"));
        CreateMapped("dm-1", "9001:1", "LVM-AbCd1234", "md127");
        var top = CreateMapped("dm-2", "9001:2", "CRYPT-LUKS2-0123456789-data", "dm-1");
        var stack = StorageLevels.Create(top, "xfs");
        Assert.Equal(
            [
                "xfs file system",
                "dm-2 (LUKS encryption)",
                "dm-1 (LVM)",
                "md127 (md RAID (raid1))",
                "dm-0 (multipath)",
                "sdb, sdc (iSCSI disk)",
            ],
            stack.Levels.Select(level => level.ToString())
        );
        Assert.DoesNotContain("3600508b1001c", string.Join(" ", stack.Levels), StringComparison.Ordinal);
        Assert.Equal("/dev/dm-2", stack.DevicePath);
        Assert.All(stack.Levels.Skip(1).Take(4), level => Assert.True(level is { IsCoarse: true, NeedsCpu: true }));
    }

    [LinuxTheory]
    [InlineData("nvme0n1", "device/transport", "pcie", "NVMe disk")]
    [InlineData("nvme1n1", "device/transport", "tcp", "NVMe over TCP")]
    [InlineData("vdb", "size", "1", "virtio disk")]
    [InlineData("zram0", "size", "1", "compressed memory (zram)")]
    [InlineData("xvdf", "size", "1", "Xen disk")]
    [InlineData("nbd0", "size", "1", "network block device (nbd)")]
    [InlineData("drbd0", "size", "1", "DRBD")]
    [InlineData("sdq", "size", "1", "disk")]
    [InlineData("dm-7", "dm/uuid", "CRYPT-PLAIN-x", "dm-crypt encryption")]
    [InlineData("dm-8", "dm/uuid", "part1-mpath-3600", "partition on a multipath device")]
    [InlineData("dm-9", "dm/uuid", "delayed", "device mapper")]
    [InlineData("md0", "md/level", "raid6", "md RAID (raid6)")]
    public void Device_has_the_name_that_administrators_use(string name, string file, string text, string expected)
    {
        var device = CreateDevice(name, "9003:1");
        Write($"devices/{name}/{file}", text);
        Assert.Equal(expected, StorageLevel.DescribeDevice(device));
    }

    [LinuxTheory]
    [InlineData("vmw_pvscsi", "VMware PVSCSI disk")]
    [InlineData("hv_storvsc", "Hyper-V disk")]
    [InlineData("virtio_scsi", "virtio SCSI disk")]
    [InlineData("ahci", "SATA disk")]
    public void Disk_has_the_name_of_its_driver(string driver, string expected)
    {
        var device = CreateDevice("sda", "9000:0");
        Link("devices/sda/device", CreateFolder("bus/host0/target0:0:0/0:0:0:0"));
        Link("bus/driver", CreateFolder("drivers/" + driver));
        Assert.Equal(expected, StorageLevel.DescribeDevice(device));
    }

    [LinuxFact]
    public void Fibre_Channel_disk_is_known_by_its_port()
    {
        var device = CreateDevice("sda", "9000:0");
        Link("devices/sda/device", CreateFolder("pci0/host1/rport-1:0-3/target1:0:0/1:0:0:0"));
        Assert.Equal("Fibre Channel disk", StorageLevel.DescribeDevice(device));
    }

    [Theory]
    [InlineData("nfs4", StorageLevelKind.RemoteFileSystem, "NFS client, network, and server")]
    [InlineData("cifs", StorageLevelKind.RemoteFileSystem, "SMB (CIFS) client, network, and server")]
    [InlineData("fuse.sshfs", StorageLevelKind.RemoteFileSystem, "FUSE server (fuse.sshfs)")]
    [InlineData("overlay", StorageLevelKind.FileSystem, "overlay file system")]
    [InlineData("ext4", StorageLevelKind.FileSystem, "ext4 file system")]
    public void File_system_has_the_name_that_administrators_use(string name, StorageLevelKind kind, string expected)
    {
        var level = StorageLevel.ForFileSystem(name);
        Assert.Equal((kind, expected), (level.Kind, level.ToString()));
    }

    [LinuxFact]
    public void Sample_is_the_difference_of_the_counters_of_all_devices_of_a_level()
    {
        CreateDevice("sdb", "9000:16");
        CreateDevice("sdc", "9000:32");
        var stack = StorageLevels.Create(CreateMapped("dm-0", "9001:0", "mpath-3600", "sdb", "sdc"), "xfs");
        Write("devices/dm-0/stat", "10 0 160 5 20 0 320 7 0 0 0");
        Write("devices/sdb/stat", "4 0 64 2 20 0 320 7 0 0 0");
        Write("devices/sdc/stat", "6 0 96 3 0 0 0 0 0 0 0");
        stack.Begin();
        Write("devices/dm-0/stat", "110 0 1760 205 20 0 320 7 0 0 0");
        Write("devices/sdb/stat", "54 0 864 92 20 0 320 7 0 0 0");
        Write("devices/sdc/stat", "56 0 896 83 0 0 0 0 0 0 0");
        stack.End();
        var loads = stack.Sample!.Loads;
        Assert.Null(loads[0]);
        Assert.Equal((100, 819200, 200.0, 0), (loads[1]!.ReadCount, loads[1]!.ReadBytes, loads[1]!.ReadMs, loads[1]!.WriteCount));
        Assert.Equal((100, 819200, 170.0), (loads[2]!.ReadCount, loads[2]!.ReadBytes, loads[2]!.ReadMs));
    }

    [LinuxFact]
    public void Device_without_statistics_is_not_counted()
    {
        var device = CreateDevice("sdb", "9000:16");
        Write("devices/sdb/queue/iostats", "0");
        var stack = StorageLevels.Create(device, "xfs");
        Assert.False(stack.Levels[1].IsCounted);
        stack.Begin();
        stack.End();
        Assert.Null(stack.Sample!.Loads[1]);
    }

    [LinuxFact]
    public void Device_mapper_that_counts_without_iostats_is_counted()
    {
        CreateDevice("sdb", "9000:16");
        var device = CreateMapped("dm-0", "9001:0", "CRYPT-LUKS2-1", "sdb");
        Write("devices/dm-0/queue/iostats", "0");
        Write("devices/dm-0/stat", "20 0 160 884 0 0 0 0 0 884 884");
        Assert.True(StorageLevels.Create(device, "xfs").Levels[1].IsCounted);
        Directory.CreateDirectory(GetPath("devices/dm-0/mq"));
        Assert.False(StorageLevels.Create(device, "xfs").Levels[1].IsCounted);
    }

    [LinuxFact]
    public void Limits_of_the_control_groups_belong_to_their_device()
    {
        var device = CreateDevice("sdb", "9000:16");
        var files = new Dictionary<string, string[]>
        {
            ["/proc/self/cgroup"] = ["4:blkio:/sql/one", "0::/system.slice/mssql.service"],
            ["/sys/fs/cgroup/blkio/sql/blkio.throttle.read_iops_device"] = ["9000:16 200", "8:0 5"],
            ["/sys/fs/cgroup/system.slice/io.max"] = ["9000:16 rbps=max wbps=1048576 riops=max wiops=max"],
        };
        var stack = StorageLevels.Create(device, "xfs", name => files.GetValueOrDefault(name, []));
        Assert.Equal(
            [
                new StorageLimit(1, false, true, 200, "blkio.throttle.read_iops_device"),
                new StorageLimit(1, true, false, 1048576, "io.max wbps"),
            ],
            stack.Limits
        );
    }

    [Fact]
    public void Memory_stall_is_the_total_of_all_tasks()
    {
        Assert.Equal(
            42,
            StorageLevels.ParseMemoryStall(["some avg10=1.00 avg60=0 avg300=0 total=99", "full avg10=0.00 avg60=0 avg300=0 total=42"])
        );
        Assert.Null(StorageLevels.ParseMemoryStall([]));
        Assert.Null(StorageLevels.ParseMemoryStall(["full total=x"]));
    }

    [LinuxFact]
    public void Run_counts_the_levels_only_during_the_measurement()
    {
        CreateDevice("sdb", "9000:16");
        Write("devices/sdb/stat", "4 0 64 2 20 0 320 7 0 0 0");
        var stack = StorageLevels.Create(LinuxBlockDevice.FindByNumber("9000:16", Folder)!, "xfs");
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("null")],
            FileSize = 1 << 20,
            Backend = BackendCatalog.Null,
            Duration = TimeSpan.FromMilliseconds(50),
            WarmUp = TimeSpan.Zero,
        };
        Assert.Null(stack.Sample);
        TestRun.Run(test, new TestRunOptions { Stack = stack });
        Assert.Equal(0, stack.Sample!.Loads[1]!.ReadCount);
        Assert.True(stack.Sample.Seconds >= 0.05);
    }

    private LinuxBlockDevice CreateDevice(string name, string number)
    {
        Write($"devices/{name}/dev", number);
        Write($"devices/{name}/queue/fua", "1");
        Link("dev/block/" + number, GetPath("devices/" + name));
        return LinuxBlockDevice.FindByNumber(number, Folder)!;
    }

    private LinuxBlockDevice CreateMapped(string name, string number, string uuid, params string[] below)
    {
        var device = CreateDevice(name, number);
        Write($"devices/{name}/dm/uuid", uuid);
        foreach (var part in below)
            Link($"devices/{name}/slaves/{part}", GetPath("devices/" + part));
        return device;
    }

    private string CreateFolder(string name) => Directory.CreateDirectory(GetPath(name)).FullName;

    private void Write(string name, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(GetPath(name))!);
        File.WriteAllText(GetPath(name), text + "\n");
    }

    private void Link(string name, string to)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(GetPath(name))!);
        File.CreateSymbolicLink(GetPath(name), to);
    }
}
