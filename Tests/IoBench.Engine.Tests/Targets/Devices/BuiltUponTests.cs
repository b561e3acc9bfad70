namespace IoBench.Engine.Tests;

/// <summary>Uses a simulated /sys, because not every kernel has LVM, RAID, multipath, or storage servers.</summary>
public class BuiltUponTests : TargetTestBase
{
    [LinuxFact]
    public void Device_is_in_use_by_a_volume_built_on_it()
    {
        var disk = CreateDevice("vd", "9000:0");
        Assert.Null(LinuxDeviceUsers.Find(disk));
        var part = CreateDevice("vd/vd1", "9000:1");
        var volume = CreateDevice("dm-7", "9001:7");
        WriteSysfsFile("devices/dm-7/dm/name", "vg0-data");
        CreateSysfsLink("devices/vd/vd1/holders/dm-7", "devices/dm-7");
        CreateSysfsLink("devices/dm-7/slaves/vd1", "devices/vd/vd1");
        Assert.Equal("dm-7 (vg0-data) uses it", LinuxDeviceUsers.Find(part));
        Assert.Equal("its partition vd1: dm-7 (vg0-data) uses it", LinuxDeviceUsers.Find(disk));
        // The volume itself is not in use, and neither is the next partition.
        Assert.Null(LinuxDeviceUsers.Find(volume));
        Assert.Null(LinuxDeviceUsers.Find(CreateDevice("vd/vd2", "9000:2")));
    }

    [LinuxFact]
    public void Other_path_to_the_same_storage_counts_as_the_same_device()
    {
        var (one, other) = (CreateDevice("sdy", "9000:0"), CreateDevice("sdz", "9000:16"));
        WriteSysfsFile("devices/sdy/device/wwid", "naa.600508b1001c");
        WriteSysfsFile("devices/sdz/device/wwid", "naa.600508b1001c");
        Assert.Null(LinuxDeviceUsers.Find(one));
        CreateDevice("md0", "9002:0");
        CreateSysfsLink("devices/sdz/holders/md0", "devices/md0");
        Assert.Equal("it is the same storage as sdz (md0 uses it)", LinuxDeviceUsers.Find(one));
        WriteSysfsFile("devices/sdz/device/wwid", "naa.600508b1001d");
        Assert.Null(LinuxDeviceUsers.Find(one));
        Assert.NotNull(LinuxDeviceUsers.Find(other));
    }

    [RequiresRootFact("losetup")]
    public void Device_served_by_a_kernel_storage_server_is_in_use()
    {
        using var disk = new LoopVolume(MB);
        var name = Path.GetFileName(disk.Device);
        var node = CreateDevice(name, File.ReadAllText($"/sys/block/{name}/dev").Trim());
        Assert.Null(LinuxDeviceUsers.Find(node));
        WriteSysfsFile("kernel/config/target/core/fileio_0/disk/udev_path", disk.Device);
        Assert.Equal("an iSCSI target on this computer exports it", LinuxDeviceUsers.Find(node));
        WriteSysfsFile("kernel/config/target/core/fileio_0/disk/udev_path", "/dev/null");
        WriteSysfsFile("kernel/config/nvmet/subsystems/s/namespaces/1/device_path", disk.Device);
        Assert.Equal("an NVMe target on this computer exports it", LinuxDeviceUsers.Find(node));
        WriteSysfsFile("kernel/config/nvmet/subsystems/s/namespaces/1/device_path", "");
        CreateDevice("zram5", "9003:5");
        WriteSysfsFile("devices/zram5/backing_dev", disk.Device);
        Assert.Equal("zram5 swaps to it", LinuxDeviceUsers.Find(node));
    }

    private LinuxBlockDevice CreateDevice(string name, string number)
    {
        var isPartition = name.Contains('/', StringComparison.Ordinal);
        WriteSysfsFile($"devices/{name}/dev", number);
        WriteSysfsFile($"devices/{name}/{(isPartition ? "partition" : "queue/fua")}", "1");
        CreateSysfsLink("dev/block/" + number, "devices/" + name);
        if (!isPartition)
            CreateSysfsLink("block/" + name, "devices/" + name);
        return LinuxBlockDevice.FindByNumber(number, Folder)!;
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
}
