namespace IoBench.Engine.Tests;

public class RemoveTests : TargetTestBase
{
    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    public void File_in_use_by_a_run_is_not_removed(int writePercent)
    {
        PrepareFile(GetPath("t.dat"));
        using (
            TargetPreparation.Open(
                TargetCheck.Resolve(
                    CreateSpecification(GetPath("t.dat"), null, writePercent),
                    new IoTargetSpecification(GetPath("t.dat")),
                    new TestRunOptions()
                ),
                [],
                null,
                default
            )
        )
        {
            AssertRefused("IoBench.FileInUse", () => TestFiles.Remove(GetPath("t.dat")));
            Assert.True(File.Exists(GetPath("t.dat")));
        }
        TestFiles.Remove(GetPath("t.dat"));
        Assert.False(File.Exists(GetPath("t.dat")));
    }

    [Fact]
    public void File_that_another_run_reads_can_be_read_and_written()
    {
        PrepareFile(GetPath("t.dat"));
        var spec = CreateSpecification(GetPath("t.dat"), null);
        using var first = TargetPreparation.Open(TargetCheck.Resolve(spec, spec.Targets[0], new TestRunOptions()), [], null, default);
        using var second = TargetPreparation.Open(TargetCheck.Resolve(spec, spec.Targets[0], new TestRunOptions()), [], null, default);
        StartWriting(GetPath("t.dat"), size: null).Dispose();
    }

    [Fact]
    public void DeleteIfSame_removes_only_the_same_file()
    {
        var status = PlatformFiles.Current.TryGetStatus(CreateUnownedFile("first.dat"))!.Value;
        var other = CreateUnownedFile("other.dat");
        Assert.False(PlatformFiles.Current.DeleteIfSame(other, status));
        Assert.False(PlatformFiles.Current.DeleteIfSame(GetPath("nothing.dat"), status));
        Assert.True(PlatformFiles.Current.DeleteIfSame(GetPath("first.dat"), status));
        Assert.Equal([other], Directory.GetFileSystemEntries(Folder));
    }

    [Theory]
    [InlineData("mine")]
    [InlineData("IoBench test file, mark 1\nmine\n")]
    [InlineData("of another file")]
    public void User_file_with_the_sidecar_name_is_not_removed(string content)
    {
        if (content == "of another file")
        {
            PrepareFile(GetPath("another.dat"));
            using var handle = PlatformFiles.Current.OpenToRead(GetPath("another.dat"));
            content = OwnershipMarker.ReadText(handle, GetPath("another.dat"))!;
            TestFiles.Remove(GetPath("another.dat"));
        }
        PrepareFile(GetPath("own.dat"));
        File.WriteAllText(GetPath("own.dat.iobench"), content);
        TestFiles.Remove(GetPath("own.dat"));
        Assert.Equal([GetPath("own.dat.iobench")], Directory.GetFiles(Folder));
        Assert.Equal(content, File.ReadAllText(GetPath("own.dat.iobench")));
    }

    [RequiresRootFact("mount")]
    public void Next_run_removes_only_its_own_leftover_sidecars()
    {
        using var memory = new RamfsMount(GetPath("ramfs"));
        var path = memory.GetPath("t.dat");
        var spec = CreateSpecification(path, writePercent: 100);
        spec.Buffering = IoBuffering.Both;
        var options = AllPermissions.For(spec);
        TestFiles.Prepare(spec, spec.Targets[0], options, null, default);
        var mark = File.ReadAllText(path + ".iobench");
        var another = mark.Replace("identity=inode", "identity=inode 1", StringComparison.Ordinal);
        File.WriteAllText($"{path}.iobench.{Guid.NewGuid():N}", mark);
        File.WriteAllText($"{path}.iobench.{Guid.NewGuid():N}", mark[..^20]);
        string[] kept =
        [
            $"{path}.iobench.{Guid.NewGuid():N}",
            $"{path}.iobench.{Guid.NewGuid():N}",
            $"{path}.iobench.backup",
            memory.GetPath($"u.dat.iobench.{Guid.NewGuid():N}"),
            $"{path}.iobench.{Guid.NewGuid():N}",
        ];
        File.WriteAllText(kept[0], "mine");
        File.WriteAllText(kept[1], another);
        File.WriteAllText(kept[2], mark);
        File.WriteAllText(kept[3], mark);
        File.WriteAllText(kept[4], mark);
        using (var used = PlatformFiles.Current.OpenToRead(kept[4]))
        {
            PlatformFiles.Current.TryLockForUse(used);
            new WritingRun(spec, options).Dispose();
        }
        Assert.Equal(
            [.. kept.Append(path).Append(path + ".iobench").Order(StringComparer.Ordinal)],
            Directory.GetFiles(memory.MountPoint).Order(StringComparer.Ordinal)
        );
    }
}
