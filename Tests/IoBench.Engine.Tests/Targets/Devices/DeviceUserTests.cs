using System.Diagnostics;

namespace IoBench.Engine.Tests;

public class DeviceUserTests : TargetFolder
{
    private readonly List<string> _loops = [];
    private readonly List<Process> _processes = [];

    [RequiresRootFact("losetup")]
    public void A_device_under_another_loop_device_is_not_written()
    {
        var bottom = Loop(Image("disk"));
        Allowed(bottom);
        var top = Loop(bottom);
        Assert.Contains($"{Path.GetFileName(top)} stands on it", InUse(bottom), StringComparison.Ordinal);
        // Nothing uses the upper device.
        Allowed(top);
        var middle = top;
        var highest = Loop(top);
        Assert.Contains("stands on it", InUse(middle), StringComparison.Ordinal);
        Allowed(highest);
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void A_device_over_a_mounted_one_is_not_written()
    {
        var bottom = Loop(Image("disk"));
        // The part of the file that the upper device shows is empty, so only the mount is a reason to refuse.
        var top = Loop(bottom, "--offset 16M --sizelimit 8M");
        var highest = Loop(top);
        Allowed(highest);
        Shell($"mkfs.ext4 -q -F {bottom} 8192 && mkdir {At("mnt")} && mount {bottom} {At("mnt")}");
        try
        {
            var mounted = $"it is over {Path.GetFileName(bottom)}, of which it is mounted at {At("mnt")}";
            Assert.Contains(mounted, InUse(highest), StringComparison.Ordinal);
            Assert.Contains("stands on it", InUse(top), StringComparison.Ordinal);
            Shell($"losetup -d {highest}");
            _loops.Remove(highest);
            Assert.Contains(mounted, InUse(top), StringComparison.Ordinal);
            Assert.Contains("mounted", InUse(bottom), StringComparison.Ordinal);
        }
        finally
        {
            Shell($"umount {At("mnt")}");
        }
    }

    [RequiresRootFact("losetup", "mkfs.ext4", "unshare")]
    public void A_mount_that_only_another_namespace_sees_counts()
    {
        var bottom = Loop(Image("disk"));
        var top = Loop(bottom, "--offset 16M --sizelimit 8M");
        Directory.CreateDirectory(At("mnt"));
        Shell($"mkfs.ext4 -q -F {bottom} 8192");
        Hold($"unshare --mount --propagation private sh -c 'mount {bottom} {At("mnt")} && echo ready && read x'");
        Assert.DoesNotContain(At("mnt"), File.ReadAllText("/proc/self/mountinfo"), StringComparison.Ordinal);
        Assert.Contains("claim", InUse(top), StringComparison.Ordinal);
    }

    [RequiresRootFact("losetup")]
    public void A_device_over_a_SQL_Server_file_is_that_file()
    {
        Directory.CreateDirectory(At("sub"));
        foreach (var name in new[] { "db.mdf", "DB.LDF", "sub/x.bak" })
            Assert.Contains(name, Refused("IoBench.SqlServerFile", () => Write(Loop(Image(name)))).Message, StringComparison.Ordinal);
        // The file is recognized by its content, although the part that the device shows is empty.
        var file = Image("disk");
        using (var stream = File.OpenWrite(file))
            stream.Write(SqlServerSamples.DataFile());
        var device = Loop(file, "--offset 16M");
        Refused("IoBench.SqlServerFile", () => Write(device));
        Refused("IoBench.SqlServerFile", () => Write(Loop(device)));
        Refused("IoBench.SqlServerFile", () => DeviceCheck.Claim(device));
        var gone = Image("gone.mdf");
        device = Loop(gone);
        File.Delete(gone);
        Refused("IoBench.SqlServerFile", () => Write(device));
    }

    [RequiresRootFact("losetup")]
    public void A_device_over_a_file_that_others_use_is_not_written()
    {
        var file = Image("disk");
        var device = Loop(file);
        Allowed(device);
        Shell($"ln {file} {At("second")}");
        Assert.Contains("a file of 2 names", InUse(device), StringComparison.Ordinal);
        File.Delete(At("second"));
        Allowed(device);
        var twin = Loop(file);
        Assert.Contains($"as {Path.GetFileName(twin)} is", InUse(device), StringComparison.Ordinal);
        Shell($"losetup -d {twin}");
        _loops.Remove(twin);
        Hold($"sh -c 'exec 3<>{file}; echo ready; read x'");
        Assert.Contains("has it open for writing", InUse(device), StringComparison.Ordinal);
        Let();
        // A renamed file is the same file. The names of a replaced file cannot be counted.
        Shell($"mv {file} {At("moved")}");
        Allowed(device);
        Image("moved2");
        Shell($"mv {At("moved")} {At("away")} && ln {At("away")} {At("away2")} && mv {At("moved2")} {At("moved")}");
        InUse(device);
    }

    [RequiresRootFact("losetup")]
    public void A_file_without_a_name_belongs_to_the_device_alone()
    {
        var file = Image("disk");
        var device = Loop(file);
        File.Delete(file);
        Allowed(device);
    }

    [RequiresRootFact("losetup")]
    public void A_process_that_has_a_device_open_for_writing_keeps_it()
    {
        var device = Loop(Image("disk"));
        Hold($"sh -c 'exec 3<{device}; echo ready; read x'");
        Allowed(device);
        Let();
        Hold($"sh -c 'exec 3<>{device}; echo ready; read x'");
        Assert.Contains($"process {_processes[^1].Id} (sh) has it open for writing", InUse(device), StringComparison.Ordinal);
        Refused("IoBench.DeviceInUse", () => DeviceCheck.Claim(device));
    }

    [RequiresRootFact("losetup", "mkswap", "swapon")]
    public void Swap_is_in_use()
    {
        var device = Loop(Image("disk"));
        Shell($"mkswap {device} && swapon {device}");
        try
        {
            InUse(device);
            Assert.Contains("swap", InUse(Loop(device, "--offset 16M --sizelimit 8M")), StringComparison.Ordinal);
        }
        finally
        {
            Shell($"swapoff {device}");
        }
    }

    [RequiresRootFact("losetup", "parted", "mkfs.ext4")]
    public void A_disk_and_its_partitions_are_one_but_neighbours_are_not()
    {
        var disk = Loop(Image("disk"), "--partscan");
        Shell($"parted -s {disk} mklabel gpt mkpart a 1MiB 12MiB mkpart b 12MiB 20MiB && partprobe {disk}");
        var (first, second) = (disk + "p1", disk + "p2");
        Assert.True(File.Exists(first));
        Assert.Contains("it has partitions", InUse(disk), StringComparison.Ordinal);
        Allowed(first);
        Shell($"mkfs.ext4 -q -F {second} && mkdir {At("mnt")} && mount {second} {At("mnt")}");
        try
        {
            Allowed(first);
            Assert.Contains($"its partition {Path.GetFileName(second)}: it is mounted", InUse(disk), StringComparison.Ordinal);
        }
        finally
        {
            Shell($"umount {At("mnt")}");
        }
        using (DeviceCheck.Claim(first))
            Refused("IoBench.DeviceInUse", () => DeviceCheck.Claim(disk));
        var whole = Loop(disk, "--offset 13M --sizelimit 2M");
        Assert.Contains(
            $"its disk {Path.GetFileName(disk)}: {Path.GetFileName(whole)} stands on it",
            InUse(first),
            StringComparison.Ordinal
        );
    }

    [RequiresRootFact("losetup", "mknod")]
    public void A_node_that_became_another_device_is_not_written()
    {
        var (one, other) = (Loop(Image("one")), Loop(Image("other")));
        var node = At("node");
        Shell($"cp -a {one} {node}");
        var target = CheckDevice(node);
        Claim(target).Dispose();
        Shell($"rm {node} && cp -a {other} {node}");
        Assert.Contains("has become another device", Refused("IoBench.DeviceInUse", () => Claim(target)).Message, StringComparison.Ordinal);
        // The device number is the same, but another disk is attached.
        Shell($"rm {node} && cp -a {one} {node} && losetup -d {one} && losetup {one} {At("one")}");
        if (File.Exists($"/sys/block/{Path.GetFileName(one)}/diskseq"))
            Refused("IoBench.DeviceInUse", () => Claim(target));
    }

    private string Image(string name)
    {
        using (var file = File.Create(At(name)))
            file.SetLength(24 * MB);
        return At(name);
    }

    private string Loop(string under, string options = "")
    {
        var device = Shell($"losetup --find --show {options} {under}");
        _loops.Add(device);
        return device;
    }

    private static void Write(string device) => Check(device, size: null, writePercent: 100, force: true);

    private static void Allowed(string device)
    {
        Write(device);
        DeviceCheck.Claim(device).Dispose();
    }

    private static string InUse(string device) => Refused("IoBench.DeviceInUse", () => Write(device)).Message;

    /// <summary>Starts a command that uses a file or device until StopHolder. The command prints "ready" when it does.</summary>
    private void Hold(string command)
    {
        var process = Process.Start(
            new ProcessStartInfo("/bin/sh", ["-c", "exec " + command]) { RedirectStandardInput = true, RedirectStandardOutput = true }
        )!;
        _processes.Add(process);
        Assert.Equal("ready", process.StandardOutput.ReadLine());
    }

    private void Let()
    {
        _processes[^1].StandardInput.Close();
        _processes[^1].WaitForExit();
    }

    protected override void Clean()
    {
        foreach (var process in _processes)
        {
            process.StandardInput.Close();
            process.WaitForExit();
            process.Dispose();
        }
        foreach (var loop in _loops.AsEnumerable().Reverse())
            Shell($"losetup -d {loop}");
    }
}
