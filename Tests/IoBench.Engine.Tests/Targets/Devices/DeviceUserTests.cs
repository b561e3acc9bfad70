using System.Diagnostics;

namespace IoBench.Engine.Tests;

public class DeviceUserTests : TargetTestBase
{
    private readonly List<string> _loops = [];
    private readonly List<Process> _processes = [];

    [RequiresRootFact("losetup")]
    public void Device_under_another_loop_device_is_refused()
    {
        var bottom = CreateLoopDevice(CreateImage("disk"));
        AssertAllowed(bottom);
        var top = CreateLoopDevice(bottom);
        Assert.Contains($"it backs {Path.GetFileName(top)}", AssertInUse(bottom), StringComparison.Ordinal);
        // Nothing uses the upper device.
        AssertAllowed(top);
        var middle = top;
        var highest = CreateLoopDevice(top);
        Assert.Contains("it backs ", AssertInUse(middle), StringComparison.Ordinal);
        AssertAllowed(highest);
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Device_over_a_mounted_device_is_refused()
    {
        var bottom = CreateLoopDevice(CreateImage("disk"));
        // The part of the file that the upper device shows is empty, so only the mount is a reason to refuse.
        var top = CreateLoopDevice(bottom, "--offset 16M --sizelimit 8M");
        var highest = CreateLoopDevice(top);
        AssertAllowed(highest);
        RunShell($"mkfs.ext4 -q -F {bottom} 8192 && mkdir {GetPath("mnt")} && mount {bottom} {GetPath("mnt")}");
        try
        {
            var mounted = $"it is backed by {Path.GetFileName(bottom)} (it is mounted at {GetPath("mnt")})";
            Assert.Contains(mounted, AssertInUse(highest), StringComparison.Ordinal);
            Assert.Contains("it backs ", AssertInUse(top), StringComparison.Ordinal);
            RunShell($"losetup -d {highest}");
            _loops.Remove(highest);
            Assert.Contains(mounted, AssertInUse(top), StringComparison.Ordinal);
            Assert.Contains("mounted", AssertInUse(bottom), StringComparison.Ordinal);
        }
        finally
        {
            RunShell($"umount {GetPath("mnt")}");
        }
    }

    [RequiresRootFact("losetup", "mkfs.ext4", "unshare")]
    public void Mount_in_another_namespace_counts_as_use()
    {
        var bottom = CreateLoopDevice(CreateImage("disk"));
        var top = CreateLoopDevice(bottom, "--offset 16M --sizelimit 8M");
        Directory.CreateDirectory(GetPath("mnt"));
        RunShell($"mkfs.ext4 -q -F {bottom} 8192");
        StartHolder($"unshare --mount --propagation private sh -c 'mount {bottom} {GetPath("mnt")} && echo ready && read x'");
        Assert.DoesNotContain(GetPath("mnt"), File.ReadAllText("/proc/self/mountinfo"), StringComparison.Ordinal);
        Assert.Contains("in use", AssertInUse(top), StringComparison.Ordinal);
    }

    [RequiresRootFact("losetup")]
    public void Device_over_a_SQL_Server_file_is_refused()
    {
        Directory.CreateDirectory(GetPath("sub"));
        foreach (var name in new[] { "db.mdf", "DB.LDF", "sub/x.bak" })
            Assert.Contains(
                name,
                AssertRefused("IoBench.SqlServerFile", () => CheckForWriting(CreateLoopDevice(CreateImage(name)))).Message,
                StringComparison.Ordinal
            );
        // The file is recognized by its content, although the part that the device shows is empty.
        var file = CreateImage("disk");
        using (var stream = File.OpenWrite(file))
            stream.Write(SqlServerSampleFiles.CreateDataFile());
        var device = CreateLoopDevice(file, "--offset 16M");
        AssertRefused("IoBench.SqlServerFile", () => CheckForWriting(device));
        AssertRefused("IoBench.SqlServerFile", () => CheckForWriting(CreateLoopDevice(device)));
        AssertRefused("IoBench.SqlServerFile", () => RawDevice.OpenForWriting(device));
        var gone = CreateImage("gone.mdf");
        device = CreateLoopDevice(gone);
        File.Delete(gone);
        AssertRefused("IoBench.SqlServerFile", () => CheckForWriting(device));
    }

    [RequiresRootFact("losetup")]
    public void Device_over_a_file_in_use_is_refused()
    {
        var file = CreateImage("disk");
        var device = CreateLoopDevice(file);
        AssertAllowed(device);
        RunShell($"ln {file} {GetPath("second")}");
        Assert.Contains("which has 2 names (hard links)", AssertInUse(device), StringComparison.Ordinal);
        File.Delete(GetPath("second"));
        AssertAllowed(device);
        var twin = CreateLoopDevice(file);
        Assert.Contains($"which also backs {Path.GetFileName(twin)}", AssertInUse(device), StringComparison.Ordinal);
        RunShell($"losetup -d {twin}");
        _loops.Remove(twin);
        StartHolder($"sh -c 'exec 3<>{file}; echo ready; read x'");
        Assert.Contains("has it open for writing", AssertInUse(device), StringComparison.Ordinal);
        StopHolder();
        // A renamed file is the same file. The names of a replaced file cannot be counted.
        RunShell($"mv {file} {GetPath("moved")}");
        AssertAllowed(device);
        CreateImage("moved2");
        RunShell(
            $"mv {GetPath("moved")} {GetPath("away")} && ln {GetPath("away")} {GetPath("away2")} && mv {GetPath("moved2")} {GetPath("moved")}"
        );
        AssertInUse(device);
    }

    [RequiresRootFact("losetup")]
    public void Device_over_a_deleted_file_is_allowed()
    {
        var file = CreateImage("disk");
        var device = CreateLoopDevice(file);
        File.Delete(file);
        AssertAllowed(device);
    }

    [RequiresRootFact("losetup")]
    public void Device_open_for_writing_by_a_process_is_refused()
    {
        var device = CreateLoopDevice(CreateImage("disk"));
        StartHolder($"sh -c 'exec 3<{device}; echo ready; read x'");
        AssertAllowed(device);
        StopHolder();
        StartHolder($"sh -c 'exec 3<>{device}; echo ready; read x'");
        Assert.Contains($"process {_processes[^1].Id} (sh) has it open for writing", AssertInUse(device), StringComparison.Ordinal);
        AssertRefused("IoBench.DeviceInUse", () => RawDevice.OpenForWriting(device));
    }

    [RequiresRootFact("losetup", "mkswap", "swapon")]
    public void Active_swap_device_is_refused()
    {
        var device = CreateLoopDevice(CreateImage("disk"));
        RunShell($"mkswap {device} && swapon {device}");
        try
        {
            AssertInUse(device);
            Assert.Contains("swap", AssertInUse(CreateLoopDevice(device, "--offset 16M --sizelimit 8M")), StringComparison.Ordinal);
        }
        finally
        {
            RunShell($"swapoff {device}");
        }
    }

    [RequiresRootFact("losetup", "parted", "mkfs.ext4")]
    public void Disk_and_its_partitions_share_their_use_but_neighbors_do_not()
    {
        var disk = CreateLoopDevice(CreateImage("disk"), "--partscan");
        RunShell($"parted -s {disk} mklabel gpt mkpart a 1MiB 12MiB mkpart b 12MiB 20MiB && partprobe {disk}");
        var (first, second) = (disk + "p1", disk + "p2");
        Assert.True(File.Exists(first));
        Assert.Contains("it has partitions", AssertInUse(disk), StringComparison.Ordinal);
        AssertAllowed(first);
        RunShell($"mkfs.ext4 -q -F {second} && mkdir {GetPath("mnt")} && mount {second} {GetPath("mnt")}");
        try
        {
            AssertAllowed(first);
            Assert.Contains($"its partition {Path.GetFileName(second)}: it is mounted", AssertInUse(disk), StringComparison.Ordinal);
        }
        finally
        {
            RunShell($"umount {GetPath("mnt")}");
        }
        using (RawDevice.OpenForWriting(first))
            AssertRefused("IoBench.DeviceInUse", () => RawDevice.OpenForWriting(disk));
        var whole = CreateLoopDevice(disk, "--offset 13M --sizelimit 2M");
        Assert.Contains(
            $"its disk {Path.GetFileName(disk)}: it backs {Path.GetFileName(whole)}",
            AssertInUse(first),
            StringComparison.Ordinal
        );
    }

    [RequiresRootFact("losetup", "mknod")]
    public void Device_node_that_now_names_another_device_is_refused()
    {
        var (one, other) = (CreateLoopDevice(CreateImage("one")), CreateLoopDevice(CreateImage("other")));
        var node = GetPath("node");
        RunShell($"cp -a {one} {node}");
        var target = CheckDevice(node);
        OpenDeviceForWriting(target).Dispose();
        RunShell($"rm {node} && cp -a {other} {node}");
        Assert.Contains(
            "is not the device that IoBench checked",
            AssertRefused("IoBench.DeviceInUse", () => OpenDeviceForWriting(target)).Message,
            StringComparison.Ordinal
        );
        // The device number is the same, but another disk is attached.
        RunShell($"rm {node} && cp -a {one} {node} && losetup -d {one} && losetup {one} {GetPath("one")}");
        if (File.Exists($"/sys/block/{Path.GetFileName(one)}/diskseq"))
            AssertRefused("IoBench.DeviceInUse", () => OpenDeviceForWriting(target));
    }

    private string CreateImage(string name)
    {
        using (var file = File.Create(GetPath(name)))
            file.SetLength(24 * MB);
        return GetPath(name);
    }

    private string CreateLoopDevice(string under, string options = "")
    {
        var device = RunShell($"losetup --find --show {options} {under}");
        _loops.Add(device);
        return device;
    }

    private static void CheckForWriting(string device) => CheckTarget(device, size: null, writePercent: 100, allowAll: true);

    private static void AssertAllowed(string device)
    {
        CheckForWriting(device);
        RawDevice.OpenForWriting(device).Dispose();
    }

    private static string AssertInUse(string device) => AssertRefused("IoBench.DeviceInUse", () => CheckForWriting(device)).Message;

    /// <summary>Starts a command that uses a file or device until StopHolder. The command prints "ready" when it does.</summary>
    private void StartHolder(string command)
    {
        var process = Process.Start(
            new ProcessStartInfo("/bin/sh", ["-c", "exec " + command]) { RedirectStandardInput = true, RedirectStandardOutput = true }
        )!;
        _processes.Add(process);
        Assert.Equal("ready", process.StandardOutput.ReadLine());
    }

    private void StopHolder()
    {
        _processes[^1].StandardInput.Close();
        _processes[^1].WaitForExit();
    }

    protected override void ReleaseResources()
    {
        foreach (var process in _processes)
        {
            process.StandardInput.Close();
            process.WaitForExit();
            process.Dispose();
        }
        foreach (var loop in _loops.AsEnumerable().Reverse())
            RunShell($"losetup -d {loop}");
    }
}
