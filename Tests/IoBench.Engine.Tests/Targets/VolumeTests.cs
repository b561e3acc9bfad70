using System.Runtime.InteropServices;

namespace IoBench.Engine.Tests;

public class VolumeTests : TargetTestBase
{
    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void File_that_leaves_too_little_space_is_refused_unless_it_is_small()
    {
        using var disk = new LoopVolume(300 * MB).Mount("mkfs.ext4");
        var free = new DriveInfo(disk.MountPoint).AvailableFreeSpace / MB * MB;
        var refusal = AssertRefused("IoBench.VolumeTooFull", () => PrepareFile(disk.GetPath("a.dat"), free - 4 * MB));
        Assert.Contains("must remain free", refusal.Message, StringComparison.Ordinal);
        AssertRefused("IoBench.NotEnoughSpace", () => PrepareFile(disk.GetPath("a.dat"), 400 * MB, allowAll: true));
        Assert.False(File.Exists(disk.GetPath("a.dat")));
        Assert.Equal(MB, PrepareFile(disk.GetPath("a.dat"), MB).Size);
        Assert.InRange(PrepareFile(disk.GetPath("default.dat"), size: null).Size, 10 * MB, 40 * MB);
        Assert.Equal(100 * MB, PrepareFile(disk.GetPath("b.dat"), 100 * MB, allowAll: true).Size);
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Volume_that_becomes_full_during_creation_keeps_no_test_file()
    {
        using var disk = new LoopVolume(64 * MB).Mount("mkfs.ext4");
        var spec = CreateSpecification(disk.GetPath("a.dat"), 30 * MB);
        // Another program uses the space between the check and the creation.
        var options = new TestRunOptions
        {
            Permissions = new TargetPermissions { FillVolume = true },
            Log = _ => RunShell($"dd if=/dev/zero of='{disk.GetPath("other")}' bs=1M count=40 status=none"),
        };
        var refusal = AssertRefused(
            "IoBench.DiskFull",
            () => TestFiles.Prepare(spec, spec.Targets[0], options, null, CancellationToken.None)
        );
        Assert.Equal(1, refusal.ExitCode);
        Assert.Equal(["lost+found", "other"], Directory.GetFileSystemEntries(disk.MountPoint).Select(Path.GetFileName).Order());
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Free_space_is_checked_again_after_reserving_the_space()
    {
        using var disk = new LoopVolume(26L << 30).Mount("mkfs.ext4");
        var spec = CreateSpecification(disk.GetPath("a.dat"), 11L << 30);
        // Another run reserves as much space between the check and the reservation. Each alone would leave enough.
        var options = new TestRunOptions { Log = _ => RunShell($"fallocate -l 11G '{disk.GetPath("other")}'") };
        AssertRefused("IoBench.VolumeTooFull", () => TestFiles.Prepare(spec, spec.Targets[0], options, null, CancellationToken.None));
        Assert.Equal(["lost+found", "other"], Directory.GetFileSystemEntries(disk.MountPoint).Select(Path.GetFileName).Order());
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Failed_extension_leaves_the_file_unchanged()
    {
        using var disk = new LoopVolume(64 * MB).Mount("mkfs.ext4");
        PrepareFile(disk.GetPath("a.dat"), 2 * MB, allowAll: true);
        var content = File.ReadAllBytes(disk.GetPath("a.dat"));
        var spec = CreateSpecification(disk.GetPath("a.dat"), 30 * MB);
        var options = new TestRunOptions
        {
            Permissions = new TargetPermissions { FillVolume = true },
            Log = _ => RunShell($"dd if=/dev/zero of='{disk.GetPath("other")}' bs=1M count=40 status=none"),
        };
        AssertRefused("IoBench.DiskFull", () => TestFiles.Prepare(spec, spec.Targets[0], options, null, CancellationToken.None));
        Assert.Equal(content, File.ReadAllBytes(disk.GetPath("a.dat")));
        AssertOwned(disk.GetPath("a.dat"));
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Read_only_volume_allows_only_reading()
    {
        using var disk = new LoopVolume(64 * MB).Mount("mkfs.ext4");
        PrepareFile(disk.GetPath("a.dat"), MB, allowAll: true);
        disk.Remount("ro");
        AssertRefused("IoBench.ReadOnlyVolume", () => CheckTarget(disk.GetPath("b.dat")));
        AssertRefused("IoBench.ReadOnlyVolume", () => CheckTarget(disk.GetPath("a.dat"), writePercent: 100));
        Assert.Equal(MB, PrepareFile(disk.GetPath("a.dat")).Size);
    }

    [RequiresRootFact("losetup", "mkfs.vfat")]
    public void Sidecar_protects_the_file_on_FAT()
    {
        using var disk = new LoopVolume(64 * MB).Mount("mkfs.vfat");
        AssertSidecarProtects(disk.MountPoint);
    }

    [RequiresRootFact("mount")]
    public void Sidecar_protects_the_file_on_ramfs()
    {
        var mount = GetPath("ramfs");
        Directory.CreateDirectory(mount);
        LoopVolume.RunProgram("mount", "-t", "ramfs", "none", mount);
        try
        {
            AssertSidecarProtects(mount);
        }
        finally
        {
            LoopVolume.RunProgram("umount", "-l", mount);
        }
    }

    private static void AssertSidecarProtects(string folder)
    {
        var path = Path.Combine(folder, "a.dat");
        PrepareBufferedFile(path);
        Assert.True(File.Exists(path + ".iobench"));
        AssertOwned(path);
        new WritingRun(CreateBufferedSpecification(path)).Dispose();
        AssertOwned(path);
        Assert.Equal([path, path + ".iobench"], Directory.GetFiles(folder).Order());
        RunShell($"cp '{path}' '{path}2' && cp '{path}.iobench' '{path}2.iobench'");
        AssertNotOwned(path + "2");
        RunShell($"printf x >> '{path}'");
        AssertNotOwned(path);
        AssertRefused("IoBench.ForeignFile", () => TestFiles.Remove(path));
    }

    // Not all such file systems support unbuffered I/O.
    private static IoTestSpecification CreateBufferedSpecification(string path)
    {
        var spec = CreateSpecification(path, writePercent: 100);
        spec.Buffering = IoBuffering.Both;
        return spec;
    }

    private static CheckedTarget PrepareBufferedFile(string path)
    {
        var spec = CreateBufferedSpecification(path);
        return TestFiles.Prepare(spec, spec.Targets[0], AllPermissions.For(path), null, CancellationToken.None);
    }

    [RequiresRootFact("mount")]
    public void Unowned_file_with_the_sidecar_name_is_not_changed()
    {
        var mount = GetPath("ramfs");
        Directory.CreateDirectory(mount);
        LoopVolume.RunProgram("mount", "-t", "ramfs", "none", mount);
        try
        {
            var path = Path.Combine(mount, "a.dat");
            File.WriteAllText(path + ".iobench", "mine");
            AssertRefused("IoBench.ForeignFile", () => PrepareBufferedFile(path));
            Assert.Equal("mine", File.ReadAllText(path + ".iobench"));
            Assert.False(File.Exists(path));
        }
        finally
        {
            LoopVolume.RunProgram("umount", "-l", mount);
        }
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Bind_mount_leads_to_the_same_own_file()
    {
        PrepareFile(GetPath("a.dat"));
        var mount = GetPath("bound");
        Directory.CreateDirectory(mount);
        Directory.CreateDirectory(GetPath("real"));
        LoopVolume.RunProgram("mount", "--bind", Folder, mount);
        try
        {
            AssertOwned(Path.Combine(mount, "a.dat"));
        }
        finally
        {
            LoopVolume.RunProgram("umount", "-l", mount);
        }
    }

    [LinuxFact]
    public void Warning_reports_a_target_in_memory()
    {
        using var memory = new TmpfsFolder();
        var target = memory.CreateFile();
        Assert.Equal("tmpfs", target.FileSystem);
        Assert.Contains(target.Warnings, w => w.ToString().Contains("is in memory (tmpfs)", StringComparison.Ordinal));
        AssertOwned(target.Path);
    }

    [RequiresRootFact]
    public void Access_without_permission_is_refused()
    {
        PrepareFile(GetPath("a.dat"));
        RunShell($"chmod 600 '{GetPath("a.dat")}'");
        var foreign = CreateUnownedFile("read-only.dat");
        RunShell($"chmod 444 '{foreign}'");
        RunAsNobody(() =>
        {
            AssertRefused("IoBench.AccessDenied", () => CheckTarget(GetPath("new.dat")));
            AssertRefused("IoBench.AccessDenied", () => CheckTarget(GetPath("a.dat")));
            AssertRefused("IoBench.WriteProtected", () => CheckTarget(foreign, size: null, writePercent: 100, allowAll: true));
            Assert.Equal(65536, CheckTarget(foreign, size: null).Size);
        });
    }

    [Theory]
    [InlineData("/proc/iobench.dat")]
    [InlineData("/sys/iobench.dat")]
    [InlineData("/dev/iobench-no-such-disk")]
    public void Paths_in_kernel_file_systems_are_refused(string path) => AssertRefused("IoBench.NotAFile", () => CheckTarget(path));

    private sealed class TmpfsFolder() : TargetTestBase("/dev/shm")
    {
        public CheckedTarget CreateFile() => PrepareFile(GetPath("a.dat"));
    }

    /// <summary>Runs an action with the file permissions of another user. Only this thread changes its user.</summary>
    private static void RunAsNobody(Action action)
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
