namespace IoBench.Engine.Tests;

/// <summary>Uses a simulated /sys, because not every kernel has LVM, RAID, multipath, or storage servers.</summary>
public class BuiltUponTests : TargetFolder
{
    [LinuxFact]
    public void What_is_built_upon_a_device_uses_it()
    {
        var disk = Node("vd", "9000:0");
        Assert.Null(DeviceUsers.Find(disk));
        var part = Node("vd/vd1", "9000:1");
        var volume = Node("dm-7", "9001:7");
        Put("devices/dm-7/dm/name", "vg0-data");
        Link("devices/vd/vd1/holders/dm-7", "devices/dm-7");
        Link("devices/dm-7/slaves/vd1", "devices/vd/vd1");
        Assert.Equal("dm-7 (vg0-data) is built upon it", DeviceUsers.Find(part));
        Assert.Equal("its partition vd1: dm-7 (vg0-data) is built upon it", DeviceUsers.Find(disk));
        // The volume itself is not in use, and neither is the next partition.
        Assert.Null(DeviceUsers.Find(volume));
        Assert.Null(DeviceUsers.Find(Node("vd/vd2", "9000:2")));
    }

    [LinuxFact]
    public void Another_path_to_the_same_storage_is_the_same_device()
    {
        var (one, other) = (Node("sdy", "9000:0"), Node("sdz", "9000:16"));
        Put("devices/sdy/device/wwid", "naa.600508b1001c");
        Put("devices/sdz/device/wwid", "naa.600508b1001c");
        Assert.Null(DeviceUsers.Find(one));
        Node("md0", "9002:0");
        Link("devices/sdz/holders/md0", "devices/md0");
        Assert.Equal("it is the same storage as sdz, of which md0 is built upon it", DeviceUsers.Find(one));
        Put("devices/sdz/device/wwid", "naa.600508b1001d");
        Assert.Null(DeviceUsers.Find(one));
        Assert.NotNull(DeviceUsers.Find(other));
    }

    [RequiresRootFact("losetup")]
    public void What_a_storage_server_of_the_kernel_serves_is_in_use()
    {
        using var disk = new LoopVolume(MB);
        var name = Path.GetFileName(disk.Device);
        var node = Node(name, File.ReadAllText($"/sys/block/{name}/dev").Trim());
        Assert.Null(DeviceUsers.Find(node));
        Put("kernel/config/target/core/fileio_0/disk/udev_path", disk.Device);
        Assert.Equal("an iSCSI target of this computer serves it", DeviceUsers.Find(node));
        Put("kernel/config/target/core/fileio_0/disk/udev_path", "/dev/null");
        Put("kernel/config/nvmet/subsystems/s/namespaces/1/device_path", disk.Device);
        Assert.Equal("an NVMe target of this computer serves it", DeviceUsers.Find(node));
        Put("kernel/config/nvmet/subsystems/s/namespaces/1/device_path", "");
        Node("zram5", "9003:5");
        Put("devices/zram5/backing_dev", disk.Device);
        Assert.Equal("zram5 swaps to it", DeviceUsers.Find(node));
    }

    private LinuxBlockDevice Node(string name, string number)
    {
        var isPartition = name.Contains('/', StringComparison.Ordinal);
        Put($"devices/{name}/dev", number);
        Put($"devices/{name}/{(isPartition ? "partition" : "queue/fua")}", "1");
        Link("dev/block/" + number, "devices/" + name);
        if (!isPartition)
            Link("block/" + name, "devices/" + name);
        return LinuxBlockDevice.ByNumber(number, Folder)!;
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
}
