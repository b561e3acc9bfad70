using System.Runtime.InteropServices;

namespace IoBench.Engine.Tests;

public class VolumeTests : TargetFolder
{
    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void A_volume_that_would_become_too_full_is_refused_and_a_hundredth_is_not()
    {
        using var disk = new LoopVolume(300 * MB).Mount("mkfs.ext4");
        var refusal = Refused("IoBench.VolumeTooFull", () => Prepare(disk.At("a.dat"), 100 * MB));
        Assert.Contains("10 GB must stay free", refusal.Message, StringComparison.Ordinal);
        Refused("IoBench.NotEnoughSpace", () => Prepare(disk.At("a.dat"), 400 * MB, force: true));
        Assert.False(File.Exists(disk.At("a.dat")));
        Assert.Equal(MB, Prepare(disk.At("a.dat"), MB).Size);
        Assert.InRange(Prepare(disk.At("default.dat"), size: null).Size, MB, 3 * MB);
        Assert.Equal(100 * MB, Prepare(disk.At("b.dat"), 100 * MB, force: true).Size);
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void A_volume_that_becomes_full_in_the_making_keeps_nothing_of_ours()
    {
        using var disk = new LoopVolume(64 * MB).Mount("mkfs.ext4");
        var spec = Spec(disk.At("a.dat"), 30 * MB);
        // Another program uses the space between the check and the creation.
        var options = new TestRunOptions
        {
            Force = true,
            Log = _ => Shell($"dd if=/dev/zero of='{disk.At("other")}' bs=1M count=40 status=none"),
        };
        var refusal = Refused("IoBench.DiskFull", () => TestFiles.Prepare(spec, spec.Targets[0], options, null, CancellationToken.None));
        Assert.Equal(1, refusal.ExitCode);
        Assert.Equal(["lost+found", "other"], Directory.GetFileSystemEntries(disk.MountPoint).Select(Path.GetFileName).Order());
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void What_must_stay_free_is_looked_at_again_once_the_room_is_taken()
    {
        using var disk = new LoopVolume(26L << 30).Mount("mkfs.ext4");
        var spec = Spec(disk.At("a.dat"), 8L << 30);
        // Another run reserves as much space between the check and the reservation. Each alone would leave enough.
        var options = new TestRunOptions { Log = _ => Shell($"fallocate -l 8G '{disk.At("other")}'") };
        Refused("IoBench.VolumeTooFull", () => TestFiles.Prepare(spec, spec.Targets[0], options, null, CancellationToken.None));
        Assert.Equal(["lost+found", "other"], Directory.GetFileSystemEntries(disk.MountPoint).Select(Path.GetFileName).Order());
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void An_extension_that_fails_leaves_the_file_as_it_was()
    {
        using var disk = new LoopVolume(64 * MB).Mount("mkfs.ext4");
        Prepare(disk.At("a.dat"), 2 * MB, force: true);
        var content = File.ReadAllBytes(disk.At("a.dat"));
        var spec = Spec(disk.At("a.dat"), 30 * MB);
        var options = new TestRunOptions
        {
            Force = true,
            Log = _ => Shell($"dd if=/dev/zero of='{disk.At("other")}' bs=1M count=40 status=none"),
        };
        Refused("IoBench.DiskFull", () => TestFiles.Prepare(spec, spec.Targets[0], options, null, CancellationToken.None));
        Assert.Equal(content, File.ReadAllBytes(disk.At("a.dat")));
        AssertOurs(disk.At("a.dat"));
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void A_read_only_volume_is_refused_to_writers_and_makers_only()
    {
        using var disk = new LoopVolume(64 * MB).Mount("mkfs.ext4");
        Prepare(disk.At("a.dat"), MB, force: true);
        disk.Remount("ro");
        Refused("IoBench.ReadOnlyVolume", () => Check(disk.At("b.dat")));
        Refused("IoBench.ReadOnlyVolume", () => Check(disk.At("a.dat"), writePercent: 100));
        Assert.Equal(MB, Prepare(disk.At("a.dat")).Size);
    }

    [RequiresRootFact("losetup", "mkfs.vfat")]
    public void Without_attributes_the_mark_stands_beside_the_file()
    {
        using var disk = new LoopVolume(64 * MB).Mount("mkfs.vfat");
        CheckSidecar(disk.MountPoint);
    }

    [RequiresRootFact("mount")]
    public void A_sidecar_binds_as_well()
    {
        var mount = At("ramfs");
        Directory.CreateDirectory(mount);
        LoopVolume.Run("mount", "-t", "ramfs", "none", mount);
        try
        {
            CheckSidecar(mount);
        }
        finally
        {
            LoopVolume.Run("umount", "-l", mount);
        }
    }

    private static void CheckSidecar(string folder)
    {
        var path = Path.Combine(folder, "a.dat");
        PrepareBuffered(path);
        Assert.True(File.Exists(path + ".iobench"));
        AssertOurs(path);
        new WritingRun(Buffered(path)).Dispose();
        AssertOurs(path);
        Assert.Equal([path, path + ".iobench"], Directory.GetFiles(folder).Order());
        Shell($"cp '{path}' '{path}2' && cp '{path}.iobench' '{path}2.iobench'");
        WhyForeign(path + "2");
        Shell($"printf x >> '{path}'");
        WhyForeign(path);
        TestFiles.Remove(path, force: true);
        Assert.False(File.Exists(path + ".iobench"));
    }

    // Not all such file systems support unbuffered I/O.
    private static IoTestSpecification Buffered(string path)
    {
        var spec = Spec(path, writePercent: 100);
        spec.Buffering = IoBuffering.Both;
        return spec;
    }

    private static CheckedTarget PrepareBuffered(string path)
    {
        var spec = Buffered(path);
        return TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions { Force = true }, null, CancellationToken.None);
    }

    [RequiresRootFact("mount")]
    public void A_file_of_others_in_the_place_of_the_sidecar_is_not_touched()
    {
        var mount = At("ramfs");
        Directory.CreateDirectory(mount);
        LoopVolume.Run("mount", "-t", "ramfs", "none", mount);
        try
        {
            var path = Path.Combine(mount, "a.dat");
            File.WriteAllText(path + ".iobench", "mine");
            Refused("IoBench.ForeignFile", () => PrepareBuffered(path));
            Assert.Equal("mine", File.ReadAllText(path + ".iobench"));
            Assert.False(File.Exists(path));
        }
        finally
        {
            LoopVolume.Run("umount", "-l", mount);
        }
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void A_bind_mount_leads_to_the_same_file()
    {
        Prepare(At("a.dat"));
        var mount = At("bound");
        Directory.CreateDirectory(mount);
        Directory.CreateDirectory(At("real"));
        LoopVolume.Run("mount", "--bind", Folder, mount);
        try
        {
            AssertOurs(Path.Combine(mount, "a.dat"));
        }
        finally
        {
            LoopVolume.Run("umount", "-l", mount);
        }
    }

    [LinuxFact]
    public void Memory_is_no_storage_and_the_target_says_so()
    {
        using var memory = new MemoryFolder();
        var target = memory.Make();
        Assert.Equal("tmpfs", target.FileSystem);
        Assert.Contains(target.Warnings, w => w.ToString().Contains("lies in memory (tmpfs)", StringComparison.Ordinal));
        AssertOurs(target.Path);
    }

    [RequiresRootFact]
    public void Without_permission_nothing_is_made_or_written()
    {
        Prepare(At("a.dat"));
        Shell($"chmod 600 '{At("a.dat")}'");
        var foreign = Foreign("read-only.dat");
        Shell($"chmod 444 '{foreign}'");
        AsNobody(() =>
        {
            Refused("IoBench.AccessDenied", () => Check(At("new.dat")));
            Refused("IoBench.AccessDenied", () => Check(At("a.dat")));
            Refused("IoBench.AccessDenied", () => Check(foreign, size: null, writePercent: 100, force: true));
            Assert.Equal(65536, Check(foreign, size: null).Size);
        });
    }

    [Theory]
    [InlineData("/proc/iobench.dat")]
    [InlineData("/sys/iobench.dat")]
    [InlineData("/dev/iobench-no-such-disk")]
    public void The_kernel_s_windows_are_no_place_for_files(string path) => Refused("IoBench.NotAFile", () => Check(path));

    private sealed class MemoryFolder() : TargetFolder("/dev/shm")
    {
        public CheckedTarget Make() => Prepare(At("a.dat"));
    }

    /// <summary>Runs an action with the file permissions of another user. Only this thread changes its user.</summary>
    private static void AsNobody(Action action)
    {
        var failure = default(Exception);
        var thread = new Thread(() =>
        {
            _ = SetFileSystemUser(65534);
            failure = Record.Exception(action);
        });
        thread.Start();
        thread.Join();
        if (failure is not null)
            throw failure;
    }

    [DllImport("libc", EntryPoint = "setfsuid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SetFileSystemUser(uint user);
}
