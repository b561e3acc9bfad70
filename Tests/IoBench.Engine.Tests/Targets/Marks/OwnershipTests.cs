namespace IoBench.Engine.Tests;

public class OwnershipTests : TargetFolder
{
    private string Ours(long size = MB)
    {
        Prepare(At("ours.dat"), size);
        AssertOurs(At("ours.dat"));
        return At("ours.dat");
    }

    [Fact]
    public void A_copy_with_all_attributes_is_foreign()
    {
        Shell($"cp --preserve=all '{Ours()}' '{At("copy.dat")}'");
        Assert.Contains("copy", WhyForeign(At("copy.dat")), StringComparison.Ordinal);
        AssertOurs(At("ours.dat"));
    }

    [Fact]
    public void A_file_copied_over_ours_is_foreign()
    {
        var ours = Ours();
        Shell($"cp --preserve=all '{Foreign("other.dat", (int)MB)}' '{ours}'");
        WhyForeign(ours);
    }

    [Fact]
    public void A_file_copied_over_ours_with_the_same_size_times_and_mark_is_foreign()
    {
        var ours = Ours();
        var other = Foreign("other.dat", (int)MB);
        Shell(
            $"cp --attributes-only --preserve=all '{ours}' '{other}' && touch -r '{ours}' '{other}' && cp --preserve=all '{other}' '{ours}'"
        );
        Assert.Contains("other content", WhyForeign(ours), StringComparison.Ordinal);
        Refused("IoBench.ForeignFile", () => Check(ours, writePercent: 100));
    }

    [Fact]
    public void A_file_renamed_over_ours_is_foreign()
    {
        var ours = Ours();
        Shell($"cp --preserve=all '{ours}' '{At("other.dat")}' && mv '{At("other.dat")}' '{ours}'");
        WhyForeign(ours);
    }

    [Fact]
    public void A_restored_backup_is_foreign()
    {
        var ours = Ours();
        Shell($"cd '{Folder}' && tar --xattrs -cpf b.tar ours.dat && rm ours.dat && tar --xattrs --xattrs-include='*' -xpf b.tar");
        WhyForeign(ours);
    }

    [Theory]
    [InlineData("printf x >> ours.dat")]
    [InlineData("truncate -s 4096 ours.dat")]
    [InlineData("truncate -s 0 ours.dat")]
    [InlineData("touch ours.dat")]
    [InlineData("printf x | dd of=ours.dat conv=notrunc status=none")]
    public void A_file_that_others_changed_is_foreign(string change)
    {
        Shell($"cd '{Path.GetDirectoryName(Ours())}' && {change}");
        WhyForeign(At("ours.dat"));
    }

    [Theory]
    [InlineData("chmod 600 ours.dat")]
    [InlineData("cat ours.dat > /dev/null")]
    [InlineData("ln ours.dat second.dat")]
    [InlineData("touch -a ours.dat")]
    public void A_file_that_was_not_written_stays_ours(string command)
    {
        Shell($"cd '{Path.GetDirectoryName(Ours())}' && {command}");
        AssertOurs(At("ours.dat"));
    }

    [Fact]
    public void A_renamed_file_stays_ours()
    {
        File.Move(Ours(), At("new name.dat"));
        AssertOurs(At("new name.dat"));
    }

    [RequiresFact("setfattr")]
    public void A_damaged_mark_makes_it_foreign()
    {
        Shell($"setfattr -n user.iobench -v 'IoBench test file, mark 1' '{Ours()}'");
        Assert.Contains("damaged", WhyForeign(At("ours.dat")), StringComparison.Ordinal);
    }

    [Fact]
    public void A_writing_run_closes_the_mark_over_what_it_wrote()
    {
        var target = Prepare(Ours(), writePercent: 100);
        using (BeginWriting(target.Path))
            TestWrites.Write(target.Path, target.ContentSeed, 8192, 8192);
        AssertOurs(target.Path);
        Shell($"touch '{target.Path}'");
        WhyForeign(target.Path);
    }

    [Fact]
    public void A_run_that_writes_nothing_leaves_it_ours()
    {
        var target = Prepare(Ours(), writePercent: 100);
        BeginWriting(target.Path).Dispose();
        AssertOurs(target.Path);
    }

    [Theory]
    [InlineData(8192)]
    [InlineData(512)]
    [InlineData(61440)]
    public void A_killed_run_s_file_is_proved_by_its_blocks(int blockSize)
    {
        var target = Prepare(Ours(), writePercent: 100);
        KilledRun(
            target,
            t =>
            {
                for (var offset = 0L; offset + blockSize <= t.Size; offset += blockSize)
                    TestWrites.Write(t.Path, t.ContentSeed, offset, blockSize);
            }
        );
        AssertOurs(target.Path);
        // The next run continues and closes the marker again.
        BeginWriting(target.Path).Dispose();
        AssertOurs(target.Path);
    }

    [Fact]
    public void Stamps_of_earlier_runs_prove_too()
    {
        var target = Prepare(Ours(), writePercent: 100);
        for (ulong seed = 1; seed <= 3; seed++)
            using (BeginWriting(target.Path, seed: seed))
                TestWrites.Write(target.Path, seed, (long)(seed - 1) * MB / 4, (int)MB / 4);
        KilledRun(target, _ => { });
        AssertOurs(target.Path);
    }

    [Fact]
    public void A_file_overwritten_after_a_kill_is_foreign()
    {
        var target = Prepare(Ours(), writePercent: 100);
        KilledRun(target, _ => { });
        Shell($"dd if='{Foreign("other.dat", (int)MB)}' of='{target.Path}' conv=notrunc status=none");
        WhyForeign(target.Path);
        Refused("IoBench.ForeignFile", () => Check(target.Path, writePercent: 100));
    }

    [Fact]
    public void After_a_kill_zeros_prove_nothing()
    {
        var target = Prepare(Ours(), writePercent: 100);
        KilledRun(target, _ => Shell($"dd if=/dev/zero of='{target.Path}' bs=1M count=1 conv=notrunc status=none"));
        WhyForeign(target.Path);
    }

    [Fact]
    public void A_killed_run_of_unmarked_content_makes_it_foreign_but_a_finished_one_does_not()
    {
        var spec = Spec(Ours(), writePercent: 100);
        spec.WriteContent = IoWriteContentKind.Zero;
        var target = TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), null, CancellationToken.None);
        using (new WritingRun(spec))
            Shell($"dd if=/dev/zero of='{target.Path}' bs=1M count=1 conv=notrunc status=none");
        AssertOurs(target.Path);
        KilledRun(target, _ => { });
        Assert.Contains("cannot be recognised", WhyForeign(target.Path), StringComparison.Ordinal);
    }

    [Fact]
    public void A_reading_test_changes_nothing_even_after_a_kill()
    {
        var target = Prepare(Ours(), writePercent: 100);
        KilledRun(target, t => TestWrites.Write(t.Path, t.ContentSeed, 0, 8192));
        var before = Everything(target.Path);
        Prepare(target.Path);
        Assert.Equal(before, Everything(target.Path));
    }

    [Fact]
    public void A_half_made_file_is_finished_by_the_next_run()
    {
        var path = HalfMade(filledBlocks: 100);
        AssertOurs(path);
        var target = Prepare(path, size: null);
        Assert.Equal(MB, target.Size);
        var expected = new byte[MB];
        FillContent.Fill(expected, target.ContentSeed, 0);
        Assert.Equal(expected, File.ReadAllBytes(path));
        AssertOurs(path);
    }

    [Fact]
    public void A_half_made_file_into_which_others_wrote_is_foreign()
    {
        var path = HalfMade(filledBlocks: 0);
        Shell($"dd if='{Foreign("other.dat", (int)MB)}' of='{path}' conv=notrunc status=none");
        WhyForeign(path);
    }

    [Fact]
    public void A_file_that_is_being_written_is_refused_to_another_run()
    {
        var path = Ours();
        using (var first = BeginWriting(path))
        {
            // One run can name a file twice.
            using var second = BeginWriting(path, others: [first.Target]);
            Refused("IoBench.FileInUse", () => BeginWriting(path));
            Assert.Equal(MB, Prepare(path).Size);
        }
        BeginWriting(path).Dispose();
    }

    [Fact]
    public void A_file_that_is_cut_in_mid_run_is_not_marked_as_whole()
    {
        var target = Prepare(Ours(), writePercent: 100);
        using (BeginWriting(target.Path))
            Shell($"truncate -s 8192 '{target.Path}'");
        WhyForeign(target.Path);
    }

    private string HalfMade(int filledBlocks)
    {
        var path = At("half.dat");
        FileMark? mark = null;
        using var handle = PlatformFiles.Current.CreateMarked(path, status => (mark = FileMark.New(status.Identity, MB)).ToText());
        PlatformFiles.Current.Reserve(handle, path, MB);
        var content = new byte[filledBlocks * 4096];
        FillContent.Fill(content, mark!.Seed, 0);
        RandomAccess.Write(handle, content, 0);
        return path;
    }

    private static void KilledRun(CheckedTarget target, Action<CheckedTarget> write)
    {
        using var handle = PlatformFiles.Current.OpenToWrite(target.Path);
        var mark = FileMark.Parse(MarkStore.Read(handle, target.Path)!)!;
        MarkStore.Write(handle, target.Path, (mark.WithWriteSeed(target.ContentSeed) with { State = MarkState.Open }).ToText());
        write(target);
    }
}
