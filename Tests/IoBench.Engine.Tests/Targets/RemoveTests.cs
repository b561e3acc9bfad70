namespace IoBench.Engine.Tests;

public class RemoveTests : TargetFolder
{
    [Theory]
    [InlineData(0, false)]
    [InlineData(100, false)]
    [InlineData(100, true)]
    public void A_file_that_a_run_uses_is_not_removed(int writePercent, bool force)
    {
        Prepare(At("t.dat"));
        using (
            TargetOpening.Open(
                TargetCheck.Resolve(Spec(At("t.dat"), null, writePercent), new IoTargetSpecification(At("t.dat")), new TestRunOptions()),
                [],
                null,
                default
            )
        )
        {
            Refused("IoBench.FileInUse", () => TestFiles.Remove(At("t.dat"), force));
            Assert.True(File.Exists(At("t.dat")));
        }
        TestFiles.Remove(At("t.dat"), force);
        Assert.False(File.Exists(At("t.dat")));
    }

    [Fact]
    public void A_file_that_another_run_reads_may_be_written_and_read()
    {
        Prepare(At("t.dat"));
        var spec = Spec(At("t.dat"), null);
        using var first = TargetOpening.Open(TargetCheck.Resolve(spec, spec.Targets[0], new TestRunOptions()), [], null, default);
        using var second = TargetOpening.Open(TargetCheck.Resolve(spec, spec.Targets[0], new TestRunOptions()), [], null, default);
        BeginWriting(At("t.dat"), size: null).Dispose();
    }

    [Fact]
    public void Only_the_very_file_is_removed_and_another_one_comes_back()
    {
        var status = PlatformFiles.Current.TryGetStatus(Foreign("first.dat"))!.Value;
        var other = Foreign("other.dat");
        Assert.False(PlatformFiles.Current.DeleteIfSame(other, status));
        Assert.False(PlatformFiles.Current.DeleteIfSame(At("nothing.dat"), status));
        Assert.True(PlatformFiles.Current.DeleteIfSame(At("first.dat"), status));
        Assert.Equal([other], Directory.GetFileSystemEntries(Folder));
    }

    [Theory]
    [InlineData("mine")]
    [InlineData("IoBench test file, mark 1\nmine\n")]
    [InlineData("of another file")]
    public void A_user_s_own_file_beside_it_stays(string content)
    {
        if (content == "of another file")
        {
            Prepare(At("another.dat"));
            using var handle = PlatformFiles.Current.OpenToRead(At("another.dat"));
            content = MarkStore.Read(handle, At("another.dat"))!;
            TestFiles.Remove(At("another.dat"), force: false);
        }
        Prepare(At("own.dat"));
        File.WriteAllText(At("own.dat.iobench"), content);
        TestFiles.Remove(At("own.dat"), force: false);
        Assert.Equal([At("own.dat.iobench")], Directory.GetFiles(Folder));
        Assert.Equal(content, File.ReadAllText(At("own.dat.iobench")));
    }

    [RequiresRootFact("mount")]
    public void The_next_run_clears_its_own_leftovers_and_nothing_else()
    {
        using var memory = new MemoryDisk(At("ramfs"));
        var path = memory.At("t.dat");
        var spec = Spec(path, writePercent: 100);
        spec.Buffering = IoBuffering.Both;
        var options = new TestRunOptions { Force = true };
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
            memory.At($"u.dat.iobench.{Guid.NewGuid():N}"),
            $"{path}.iobench.{Guid.NewGuid():N}",
        ];
        File.WriteAllText(kept[0], "mine");
        File.WriteAllText(kept[1], another);
        File.WriteAllText(kept[2], mark);
        File.WriteAllText(kept[3], mark);
        File.WriteAllText(kept[4], mark);
        using (var used = PlatformFiles.Current.OpenToRead(kept[4]))
        {
            PlatformFiles.Current.TryUse(used);
            new WritingRun(spec, options).Dispose();
        }
        Assert.Equal(
            [.. kept.Append(path).Append(path + ".iobench").Order(StringComparer.Ordinal)],
            Directory.GetFiles(memory.MountPoint).Order(StringComparer.Ordinal)
        );
    }
}
