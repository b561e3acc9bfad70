namespace IoBench.Engine.Tests;

public class OwnershipTests : TargetTestBase
{
    private string CreateOwnFile(long size = MB)
    {
        PrepareFile(GetPath("ours.dat"), size);
        AssertOwned(GetPath("ours.dat"));
        return GetPath("ours.dat");
    }

    [Fact]
    public void Copy_with_all_attributes_is_not_owned()
    {
        RunShell($"cp --preserve=all '{CreateOwnFile()}' '{GetPath("copy.dat")}'");
        Assert.Contains("copy", AssertNotOwned(GetPath("copy.dat")), StringComparison.Ordinal);
        AssertOwned(GetPath("ours.dat"));
    }

    [Fact]
    public void File_copied_over_an_own_file_is_not_owned()
    {
        var ours = CreateOwnFile();
        RunShell($"cp --preserve=all '{CreateUnownedFile("other.dat", (int)MB)}' '{ours}'");
        AssertNotOwned(ours);
    }

    [Fact]
    public void File_with_a_copied_size_time_and_marker_is_not_owned()
    {
        var ours = CreateOwnFile();
        var other = CreateUnownedFile("other.dat", (int)MB);
        RunShell(
            $"cp --attributes-only --preserve=all '{ours}' '{other}' && touch -r '{ours}' '{other}' && cp --preserve=all '{other}' '{ours}'"
        );
        Assert.Contains("its content changed later", AssertNotOwned(ours), StringComparison.Ordinal);
        AssertRefused("IoBench.ForeignFile", () => CheckTarget(ours, writePercent: 100));
    }

    [Fact]
    public void File_renamed_over_an_own_file_is_not_owned()
    {
        var ours = CreateOwnFile();
        RunShell($"cp --preserve=all '{ours}' '{GetPath("other.dat")}' && mv '{GetPath("other.dat")}' '{ours}'");
        AssertNotOwned(ours);
    }

    [Fact]
    public void Restored_backup_is_not_owned()
    {
        var ours = CreateOwnFile();
        RunShell($"cd '{Folder}' && tar --xattrs -cpf b.tar ours.dat && rm ours.dat && tar --xattrs --xattrs-include='*' -xpf b.tar");
        AssertNotOwned(ours);
    }

    [RequiresRootFact("losetup", "mkfs.btrfs", "btrfs", "cp")]
    public void File_in_a_snapshot_and_a_reflink_copy_are_not_owned()
    {
        using var volume = new LoopVolume(256 * MB).Mount("mkfs.btrfs -q");
        PrepareFile(volume.GetPath("ours.dat"));
        LoopVolume.RunProgram("btrfs", "subvolume", "snapshot", volume.MountPoint, volume.GetPath("snapshot"));
        LoopVolume.RunProgram("cp", "--reflink=always", "--preserve=all", volume.GetPath("ours.dat"), volume.GetPath("copy.dat"));
        AssertOwned(volume.GetPath("ours.dat"));
        Assert.Contains("copy", AssertNotOwned(volume.GetPath("copy.dat")), StringComparison.Ordinal);
        // Older kernels do not report the subvolume.
        Assert.Equal(
            Environment.OSVersion.Version < new Version(6, 10),
            TestFiles.IsOwnTestFile(volume.GetPath("snapshot/ours.dat"), out _)
        );
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void Blocks_written_in_the_second_of_the_close_are_found()
    {
        // Inodes of 128 bytes keep whole seconds. The file takes less than 1% of the volume.
        using var volume = new LoopVolume(2048 * MB).Mount("mkfs.ext4 -q -I 128");
        var path = volume.GetPath("ours.dat");
        var other = CreateUnownedFile("other.dat", 8192);
        const int attempts = 50;
        for (var attempt = 1; ; attempt++)
        {
            PrepareFile(path, 16 * MB);
            StartWriting(path, 16 * MB).Dispose();
            var before = PlatformFiles.Current.TryGetStatus(path)!.Value;
            LoopVolume.RunProgram("dd", $"if={other}", $"of={path}", "bs=4096", "seek=500", "conv=notrunc", "status=none");
            var after = PlatformFiles.Current.TryGetStatus(path)!.Value;
            Assert.True(after.HasCoarseTimes);
            if (after.Modified == before.Modified && after.Changed == before.Changed)
                break;
            Assert.True(attempt < attempts, "the clock moved on in each attempt");
            File.Delete(path);
        }
        Assert.Contains("different data", AssertNotOwned(path), StringComparison.Ordinal);
        AssertRefused("IoBench.ForeignFile", () => PrepareFile(path, 16 * MB, writePercent: 100));
    }

    [Theory]
    [InlineData("printf x >> ours.dat")]
    [InlineData("truncate -s 4096 ours.dat")]
    [InlineData("truncate -s 0 ours.dat")]
    [InlineData("touch ours.dat")]
    [InlineData("printf x | dd of=ours.dat conv=notrunc status=none")]
    public void File_changed_by_another_program_is_not_owned(string change)
    {
        RunShell($"cd '{Path.GetDirectoryName(CreateOwnFile())}' && {change}");
        AssertNotOwned(GetPath("ours.dat"));
    }

    [Theory]
    [InlineData("chmod 600 ours.dat")]
    [InlineData("cat ours.dat > /dev/null")]
    [InlineData("ln ours.dat second.dat")]
    [InlineData("touch -a ours.dat")]
    public void File_that_was_not_written_stays_owned(string command)
    {
        RunShell($"cd '{Path.GetDirectoryName(CreateOwnFile())}' && {command}");
        AssertOwned(GetPath("ours.dat"));
    }

    [Fact]
    public void Renamed_file_stays_owned()
    {
        File.Move(CreateOwnFile(), GetPath("new name.dat"));
        AssertOwned(GetPath("new name.dat"));
    }

    [RequiresFact("setfattr")]
    public void File_with_a_damaged_marker_is_not_owned()
    {
        RunShell($"setfattr -n user.iobench -v 'IoBench test file, mark 1' '{CreateOwnFile()}'");
        Assert.Contains("damaged", AssertNotOwned(GetPath("ours.dat")), StringComparison.Ordinal);
    }

    [Fact]
    public void Writing_run_closes_the_marker_after_its_writes()
    {
        var target = PrepareFile(CreateOwnFile(), writePercent: 100);
        using (StartWriting(target.Path))
            TestWrites.WriteBlock(target.Path, target.ContentSeed, 8192, 8192);
        AssertOwned(target.Path);
        RunShell($"touch '{target.Path}'");
        AssertNotOwned(target.Path);
    }

    [Fact]
    public void Run_without_writes_leaves_the_file_owned()
    {
        var target = PrepareFile(CreateOwnFile(), writePercent: 100);
        StartWriting(target.Path).Dispose();
        AssertOwned(target.Path);
    }

    [Theory]
    [InlineData(8192)]
    [InlineData(512)]
    [InlineData(61440)]
    public void File_of_a_killed_run_is_verified_by_its_blocks(int blockSize)
    {
        var target = PrepareFile(CreateOwnFile(), writePercent: 100);
        SimulateKilledRun(
            target,
            t =>
            {
                for (var offset = 0L; offset + blockSize <= t.Size; offset += blockSize)
                    TestWrites.WriteBlock(t.Path, t.ContentSeed, offset, blockSize);
            }
        );
        AssertOwned(target.Path);
        // The next run continues and closes the marker again.
        StartWriting(target.Path).Dispose();
        AssertOwned(target.Path);
    }

    [Fact]
    public void Block_headers_of_earlier_runs_are_accepted()
    {
        var target = PrepareFile(CreateOwnFile(), writePercent: 100);
        for (ulong seed = 1; seed <= 3; seed++)
            using (StartWriting(target.Path, seed: seed))
                TestWrites.WriteBlock(target.Path, seed, (long)(seed - 1) * MB / 4, (int)MB / 4);
        SimulateKilledRun(target, _ => { });
        AssertOwned(target.Path);
    }

    [Fact]
    public void File_overwritten_after_a_kill_is_not_owned()
    {
        var target = PrepareFile(CreateOwnFile(), writePercent: 100);
        SimulateKilledRun(target, _ => { });
        RunShell($"dd if='{CreateUnownedFile("other.dat", (int)MB)}' of='{target.Path}' conv=notrunc status=none");
        AssertNotOwned(target.Path);
        AssertRefused("IoBench.ForeignFile", () => CheckTarget(target.Path, writePercent: 100));
    }

    [Fact]
    public void Zeros_do_not_prove_ownership_after_a_kill()
    {
        var target = PrepareFile(CreateOwnFile(), writePercent: 100);
        SimulateKilledRun(target, _ => RunShell($"dd if=/dev/zero of='{target.Path}' bs=1M count=1 conv=notrunc status=none"));
        AssertNotOwned(target.Path);
    }

    [Fact]
    public void Headerless_content_is_owned_after_a_finished_run_but_not_a_kill()
    {
        var spec = CreateSpecification(CreateOwnFile(), writePercent: 100);
        spec.WriteContent = IoWriteContentKind.Zero;
        var target = TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), null, CancellationToken.None);
        using (new WritingRun(spec))
            RunShell($"dd if=/dev/zero of='{target.Path}' bs=1M count=1 conv=notrunc status=none");
        AssertOwned(target.Path);
        SimulateKilledRun(target, _ => { });
        Assert.Contains("cannot be verified", AssertNotOwned(target.Path), StringComparison.Ordinal);
    }

    [Fact]
    public void Reading_test_changes_nothing_even_after_a_kill()
    {
        var target = PrepareFile(CreateOwnFile(), writePercent: 100);
        SimulateKilledRun(target, t => TestWrites.WriteBlock(t.Path, t.ContentSeed, 0, 8192));
        var before = DescribeFile(target.Path);
        PrepareFile(target.Path);
        Assert.Equal(before, DescribeFile(target.Path));
    }

    [Fact]
    public void Unfinished_file_is_finished_by_the_next_run()
    {
        var path = CreateUnfinishedFile(filledBlocks: 100);
        AssertOwned(path);
        var target = PrepareFile(path, size: null);
        Assert.Equal(MB, target.Size);
        var expected = new byte[MB];
        TestFileContent.Generate(expected, target.ContentSeed, 0);
        Assert.Equal(expected, File.ReadAllBytes(path));
        AssertOwned(path);
    }

    [Fact]
    public void Unfinished_file_written_by_another_program_is_not_owned()
    {
        var path = CreateUnfinishedFile(filledBlocks: 0);
        RunShell($"dd if='{CreateUnownedFile("other.dat", (int)MB)}' of='{path}' conv=notrunc status=none");
        AssertNotOwned(path);
    }

    [Fact]
    public void File_that_a_run_writes_is_refused_to_other_runs()
    {
        var path = CreateOwnFile();
        using (var first = StartWriting(path))
        {
            // One run can name a file twice.
            using var second = StartWriting(path, others: [first.Target]);
            AssertRefused("IoBench.FileInUse", () => StartWriting(path));
            Assert.Equal(MB, PrepareFile(path).Size);
        }
        StartWriting(path).Dispose();
    }

    [Fact]
    public void File_truncated_during_a_run_is_not_owned()
    {
        var target = PrepareFile(CreateOwnFile(), writePercent: 100);
        using (StartWriting(target.Path))
            RunShell($"truncate -s 8192 '{target.Path}'");
        AssertNotOwned(target.Path);
    }

    private string CreateUnfinishedFile(int filledBlocks)
    {
        var path = GetPath("half.dat");
        OwnershipMarker? mark = null;
        using var handle = PlatformFiles.Current.CreateWithMarker(
            path,
            status => (mark = OwnershipMarker.CreateForNewFile(status.Identity, MB)).ToText()
        );
        PlatformFiles.Current.ReserveSpace(handle, path, MB);
        var content = new byte[filledBlocks * 4096];
        TestFileContent.Generate(content, mark!.Seed, 0);
        RandomAccess.Write(handle, content, 0);
        return path;
    }

    private static void SimulateKilledRun(CheckedTarget target, Action<CheckedTarget> write)
    {
        using var handle = PlatformFiles.Current.OpenToWrite(target.Path);
        var mark = OwnershipMarker.Parse(OwnershipMarker.ReadText(handle, target.Path)!)!;
        OwnershipMarker.WriteText(
            handle,
            target.Path,
            (mark.WithWriteSeed(target.ContentSeed) with { State = OwnershipMarkerState.Open }).ToText()
        );
        write(target);
    }
}
