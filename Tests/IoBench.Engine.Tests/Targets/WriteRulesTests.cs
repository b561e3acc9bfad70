namespace IoBench.Engine.Tests;

public class WriteRulesTests : TargetTestBase
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void File_with_a_hard_link_is_never_written_or_extended(bool allowAll)
    {
        PrepareFile(GetPath("ours.dat"));
        RunShell($"ln '{GetPath("ours.dat")}' '{GetPath("prod.mdf")}'");
        var before = DescribeFile(GetPath("ours.dat"));
        AssertRefused("IoBench.ManyNames", () => CheckTarget(GetPath("ours.dat"), writePercent: 100, allowAll: allowAll));
        AssertRefused("IoBench.ManyNames", () => PrepareFile(GetPath("ours.dat"), writePercent: 100, allowAll: allowAll));
        AssertRefused("IoBench.ManyNames", () => PrepareFile(GetPath("ours.dat"), size: 2 * MB, allowAll: allowAll));
        Assert.Equal(MB, PrepareFile(GetPath("ours.dat")).Size);
        Assert.Equal(before, DescribeFile(GetPath("ours.dat")));
        RunShell($"rm '{GetPath("prod.mdf")}'");
        StartWriting(GetPath("ours.dat")).Dispose();
        AssertOwned(GetPath("ours.dat"));
    }

    [Fact]
    public void Unowned_file_with_a_hard_link_is_refused_with_any_permission()
    {
        var path = CreateUnownedFile("big.dat");
        RunShell($"ln '{path}' '{GetPath("second.dat")}'");
        AssertRefused("IoBench.ManyNames", () => CheckTarget(path, size: null, writePercent: 100));
        AssertRefused("IoBench.ManyNames", () => CheckTarget(path, size: null, writePercent: 100, allowAll: true));
        Assert.Equal(65536, CheckTarget(GetPath("second.dat"), size: null).Size);
    }

    [RequiresRootFact("losetup")]
    public void File_that_backs_a_loop_device_is_never_written()
    {
        PrepareFile(GetPath("ours.dat"));
        var foreign = CreateUnownedFile("disk image.img", (int)MB);
        foreach (var path in (string[])[GetPath("ours.dat"), foreign])
        {
            var device = LoopVolume.RunProgram("losetup", "--find", "--show", path);
            try
            {
                Assert.Contains(
                    device,
                    AssertRefused("IoBench.FileBacksDevice", () => CheckTarget(path, writePercent: 100, allowAll: true)).Message,
                    StringComparison.Ordinal
                );
                AssertRefused("IoBench.FileBacksDevice", () => PrepareFile(path, writePercent: 100, allowAll: true));
                Assert.Equal(MB, PrepareFile(path).Size);
            }
            finally
            {
                LoopVolume.RunProgram("losetup", "-d", device);
            }
            Assert.Equal(MB, CheckTarget(path, writePercent: 100, allowAll: true).Size);
        }
    }

    [RequiresRootFact("losetup", "mount")]
    public void File_behind_an_overlay_that_backs_a_loop_device_is_refused()
    {
        RunShell($"cd '{Folder}' && mkdir lower upper work ov");
        CreateUnownedFile("upper/f", (int)MB);
        CreateUnownedFile("upper/other", (int)MB);
        RunShell($"cd '{Folder}' && mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work ov");
        try
        {
            var device = LoopVolume.RunProgram("losetup", "--find", "--show", GetPath("ov/f"));
            try
            {
                foreach (var path in new[] { GetPath("upper/f"), GetPath("ov/f") })
                    Assert.Contains(
                        device,
                        AssertRefused("IoBench.FileBacksDevice", () => CheckTarget(path, writePercent: 100, allowAll: true)).Message,
                        StringComparison.Ordinal
                    );
                Assert.Equal(MB, CheckTarget(GetPath("upper/other"), writePercent: 100, allowAll: true).Size);
            }
            finally
            {
                LoopVolume.RunProgram("losetup", "-d", device);
            }
        }
        finally
        {
            RunShell($"umount '{GetPath("ov")}'");
        }
    }

    [RequiresRootFact("mount")]
    public void SQL_Server_file_mounted_over_another_name_is_refused()
    {
        var log = CreateUnownedFile("prod.ldf", (int)MB);
        var path = CreateUnownedFile("bm.dat", (int)MB);
        RunShell($"mount --bind '{log}' '{path}'");
        try
        {
            AssertRefused("IoBench.SqlServerFile", () => CheckTarget(path, writePercent: 100, allowAll: true));
            AssertRefused("IoBench.SqlServerFile", () => TestFiles.Remove(path));
        }
        finally
        {
            RunShell($"umount '{path}'");
        }
        Assert.Equal(MB, CheckTarget(path, writePercent: 100, allowAll: true).Size);
    }

    [RequiresRootFact("mkswap", "swapon")]
    public void Swap_file_is_never_written()
    {
        var path = CreateUnownedFile("swap file", (int)(2 * MB));
        RunShell($"chmod 600 '{path}' && mkswap '{path}'");
        RunShell($"swapon '{path}'");
        try
        {
            AssertRefused("IoBench.FileHasData", () => CheckTarget(path, size: null, writePercent: 100, allowAll: true));
            // Also if it did not look like swap space.
            Assert.Contains(
                "swap space",
                AssertRefused(
                    "IoBench.FileBacksDevice",
                    () => TargetCheck.CheckMayWrite(path, PlatformFiles.Current.TryGetStatus(path)!.Value)
                ).Message,
                StringComparison.Ordinal
            );
        }
        finally
        {
            RunShell($"swapoff '{path}'");
        }
    }

    [Fact]
    public void SQL_Server_name_anywhere_in_a_chain_of_links_is_refused()
    {
        File.CreateSymbolicLink(GetPath("middle.mdf"), CreateUnownedFile("x.dat"));
        File.CreateSymbolicLink(GetPath("first.dat"), GetPath("middle.mdf"));
        AssertRefused("IoBench.SqlServerFile", () => CheckTarget(GetPath("first.dat"), size: null, writePercent: 100, allowAll: true));
        AssertRefused("IoBench.SqlServerFile", () => CheckTarget(GetPath("first.dat"), size: null));
        AssertRefused("IoBench.SqlServerFile", () => TestFiles.Remove(GetPath("first.dat")));
    }

    [Theory]
    [InlineData("/proc/version", 0)]
    [InlineData("/proc/version", 100)]
    [InlineData("/sys/kernel/mm/transparent_hugepage/enabled", 100)]
    public void Kernel_files_are_refused_with_any_permission(string path, int writePercent)
    {
        if (File.Exists(path))
            AssertRefused("IoBench.NotAFile", () => PrepareFile(path, size: 65536, writePercent, allowAll: true));
    }

    [Fact]
    public void File_name_that_is_not_valid_UTF8_is_refused()
    {
        RunShell($"touch '{Folder}/'\"$(printf '\\377').dat\"");
        AssertRefused("IoBench.InvalidPath", () => CheckTarget(Directory.GetFiles(Folder).Single()));
        File.CreateSymbolicLink(GetPath("link.dat"), Directory.GetFiles(Folder).Single());
        Assert.Contains(
            Assert.Throws<IoBenchException>(() => CheckTarget(GetPath("link.dat"))).ErrorId,
            new[] { "IoBench.InvalidPath", "IoBench.BadLink" }
        );
        // .NET cannot delete a name that is not valid UTF-8.
        RunShell($"rm '{Folder}'/*.dat");
    }

    [Fact]
    public void Longest_file_name_works_if_the_marker_is_an_attribute()
    {
        var path = GetPath(new string('n', 255));
        PrepareFile(path);
        AssertOwned(path);
        RunShell($"cp '{path}' '{GetPath(new string('m', 255))}'");
        Assert.Contains("was not created by IoBench", AssertNotOwned(GetPath(new string('m', 255))), StringComparison.Ordinal);
        TestFiles.Remove(path);
    }

    [RequiresRootFact("mount")]
    public void Name_too_long_for_a_sidecar_is_refused_with_the_maximum_length()
    {
        using var memory = new RamfsMount(GetPath("ramfs"));
        var spec = CreateSpecification(memory.GetPath(new string('n', 230)));
        spec.Buffering = IoBuffering.Both;
        var refusal = AssertRefused(
            "IoBench.PathTooLong",
            () => TestFiles.Prepare(spec, spec.Targets[0], AllPermissions.For(spec), null, default)
        );
        Assert.Contains("at most 214 bytes", refusal.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(memory.MountPoint));
        spec.Targets[0].Path = memory.GetPath(new string('n', 214));
        TestFiles.Prepare(spec, spec.Targets[0], AllPermissions.For(spec), null, default);
        AssertOwned(spec.Targets[0].Path);
    }
}

/// <summary>A ramfs, a file system without extended attributes.</summary>
internal sealed class RamfsMount : IDisposable
{
    public RamfsMount(string mountPoint)
    {
        MountPoint = mountPoint;
        Directory.CreateDirectory(mountPoint);
        LoopVolume.RunProgram("mount", "-t", "ramfs", "none", mountPoint);
    }

    public string MountPoint { get; }

    public string GetPath(string name) => Path.Combine(MountPoint, name);

    public void Dispose() => LoopVolume.RunProgram("umount", "-l", MountPoint);
}
