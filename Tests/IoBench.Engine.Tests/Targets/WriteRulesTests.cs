namespace IoBench.Engine.Tests;

public class WriteRulesTests : TargetFolder
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_file_with_two_names_is_never_written_nor_made_longer(bool force)
    {
        Prepare(At("ours.dat"));
        Shell($"ln '{At("ours.dat")}' '{At("prod.mdf")}'");
        var before = Everything(At("ours.dat"));
        Refused("IoBench.ManyNames", () => Check(At("ours.dat"), writePercent: 100, force: force));
        Refused("IoBench.ManyNames", () => Prepare(At("ours.dat"), writePercent: 100, force: force));
        Refused("IoBench.ManyNames", () => Prepare(At("ours.dat"), size: 2 * MB, force: force));
        Assert.Equal(MB, Prepare(At("ours.dat")).Size);
        Assert.Equal(before, Everything(At("ours.dat")));
        Shell($"rm '{At("prod.mdf")}'");
        BeginWriting(At("ours.dat")).Dispose();
        AssertOurs(At("ours.dat"));
    }

    [Fact]
    public void A_foreign_file_with_two_names_is_not_written_by_force()
    {
        var path = Foreign("big.dat");
        Shell($"ln '{path}' '{At("second.dat")}'");
        Refused("IoBench.ForeignFile", () => Check(path, size: null, writePercent: 100));
        Refused("IoBench.ManyNames", () => Check(path, size: null, writePercent: 100, force: true));
        Assert.Equal(65536, Check(At("second.dat"), size: null).Size);
    }

    [RequiresRootFact("losetup")]
    public void A_file_that_a_loop_device_stands_on_is_never_written()
    {
        Prepare(At("ours.dat"));
        var foreign = Foreign("disk image.img", (int)MB);
        foreach (var path in (string[])[At("ours.dat"), foreign])
        {
            var device = LoopVolume.Run("losetup", "--find", "--show", path);
            try
            {
                Assert.Contains(
                    device,
                    Refused("IoBench.FileBacksDevice", () => Check(path, writePercent: 100, force: true)).Message,
                    StringComparison.Ordinal
                );
                Refused("IoBench.FileBacksDevice", () => Prepare(path, writePercent: 100, force: true));
                Assert.Equal(MB, Prepare(path).Size);
            }
            finally
            {
                LoopVolume.Run("losetup", "-d", device);
            }
            Assert.Equal(MB, Check(path, writePercent: 100, force: true).Size);
        }
    }

    [RequiresRootFact("mkswap", "swapon")]
    public void A_swap_file_is_never_written()
    {
        var path = Foreign("swap file", (int)(2 * MB));
        Shell($"chmod 600 '{path}' && mkswap '{path}'");
        Shell($"swapon '{path}'");
        try
        {
            Assert.Contains(
                "swap space",
                Refused("IoBench.FileBacksDevice", () => Check(path, size: null, writePercent: 100, force: true)).Message,
                StringComparison.Ordinal
            );
        }
        finally
        {
            Shell($"swapoff '{path}'");
        }
    }

    [Fact]
    public void A_SQL_Server_name_anywhere_in_a_chain_of_links_counts()
    {
        File.CreateSymbolicLink(At("middle.mdf"), Foreign("x.dat"));
        File.CreateSymbolicLink(At("first.dat"), At("middle.mdf"));
        Refused("IoBench.SqlServerFile", () => Check(At("first.dat"), size: null, writePercent: 100, force: true));
        Refused("IoBench.SqlServerFile", () => Check(At("first.dat"), size: null));
        Refused("IoBench.SqlServerFile", () => TestFiles.Remove(At("first.dat"), force: true));
    }

    [Theory]
    [InlineData("/proc/version", 0)]
    [InlineData("/proc/version", 100)]
    [InlineData("/sys/kernel/mm/transparent_hugepage/enabled", 100)]
    public void The_kernel_s_own_files_are_no_targets_even_by_force(string path, int writePercent)
    {
        if (File.Exists(path))
            Refused("IoBench.NotAFile", () => Prepare(path, size: 65536, writePercent, force: true));
    }

    [Fact]
    public void A_name_that_is_no_text_is_refused()
    {
        Shell($"touch '{Folder}/'\"$(printf '\\377').dat\"");
        Refused("IoBench.InvalidPath", () => Check(Directory.GetFiles(Folder).Single()));
        File.CreateSymbolicLink(At("link.dat"), Directory.GetFiles(Folder).Single());
        Assert.Contains(
            Assert.Throws<IoBenchException>(() => Check(At("link.dat"))).ErrorId,
            new[] { "IoBench.InvalidPath", "IoBench.BadLink" }
        );
        // .NET cannot delete a name that is not valid UTF-8.
        Shell($"rm '{Folder}'/*.dat");
    }

    [Fact]
    public void A_name_of_the_greatest_length_works_where_the_file_system_keeps_the_mark()
    {
        var path = At(new string('n', 255));
        Prepare(path);
        AssertOurs(path);
        Shell($"cp '{path}' '{At(new string('m', 255))}'");
        Assert.Contains("was not made by IoBench", WhyForeign(At(new string('m', 255))), StringComparison.Ordinal);
        TestFiles.Remove(path, force: false);
    }

    [RequiresRootFact("mount")]
    public void A_name_that_leaves_no_room_for_the_mark_beside_it_is_refused_with_its_greatest_length()
    {
        using var memory = new MemoryDisk(At("ramfs"));
        var spec = Spec(memory.At(new string('n', 230)));
        spec.Buffering = IoBuffering.Both;
        var refusal = Refused(
            "IoBench.PathTooLong",
            () => TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions { Force = true }, null, default)
        );
        Assert.Contains("at most 214 bytes", refusal.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(memory.MountPoint));
        spec.Targets[0].Path = memory.At(new string('n', 214));
        TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions { Force = true }, null, default);
        AssertOurs(spec.Targets[0].Path);
    }
}

/// <summary>A ramfs, a file system without extended attributes.</summary>
internal sealed class MemoryDisk : IDisposable
{
    public MemoryDisk(string mountPoint)
    {
        MountPoint = mountPoint;
        Directory.CreateDirectory(mountPoint);
        LoopVolume.Run("mount", "-t", "ramfs", "none", mountPoint);
    }

    public string MountPoint { get; }

    public string At(string name) => Path.Combine(MountPoint, name);

    public void Dispose() => LoopVolume.Run("umount", "-l", MountPoint);
}
