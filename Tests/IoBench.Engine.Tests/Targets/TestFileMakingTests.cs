namespace IoBench.Engine.Tests;

public class TestFileMakingTests : TargetFolder
{
    [Fact]
    public void A_file_is_written_in_full_with_the_content_of_its_seed()
    {
        var target = Prepare(At("a.dat"), 5 * MB + 512);
        Assert.Equal(5 * MB + 512, target.Size);
        var content = File.ReadAllBytes(At("a.dat"));
        var expected = new byte[5 * MB + 512];
        FillContent.Fill(expected, target.ContentSeed, 0);
        Assert.Equal(expected, content);
        AssertOurs(At("a.dat"));
    }

    [Fact]
    public void A_folder_means_iobench_dat_in_it()
    {
        Assert.Equal(At("iobench.dat"), Prepare(Folder).Path);
        Assert.True(File.Exists(At("iobench.dat")));
    }

    [Fact]
    public void Two_files_share_no_content()
    {
        Assert.NotEqual(Prepare(At("a.dat")).ContentSeed, Prepare(At("b.dat")).ContentSeed);
        Assert.NotEqual(File.ReadAllBytes(At("a.dat"))[..4096], File.ReadAllBytes(At("b.dat"))[..4096]);
    }

    [Fact]
    public void Check_changes_nothing_and_says_what_would_be()
    {
        var before = Directory.GetLastWriteTimeUtc(Folder);
        var target = Check(At("a.dat"), 3 * MB, writePercent: 100);
        Assert.True(target.NeedsFill);
        Assert.Equal(3 * MB, target.Size);
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
        Assert.Equal(before, Directory.GetLastWriteTimeUtc(Folder));
    }

    [Fact]
    public void An_own_file_is_used_again_as_it_is()
    {
        Prepare(At("a.dat"), 2 * MB);
        var before = Everything(At("a.dat"));
        Prepare(At("a.dat"), 2 * MB, writePercent: 100);
        Assert.Equal(before, Everything(At("a.dat")));
        Assert.Equal(2 * MB, Prepare(At("a.dat"), size: null).Size);
        Assert.Equal(before, Everything(At("a.dat")));
    }

    [Fact]
    public void A_larger_own_file_is_used_in_part_and_stays_as_large()
    {
        Prepare(At("a.dat"), 4 * MB);
        var part = Prepare(At("a.dat"), 2 * MB);
        Assert.Equal(2 * MB, part.Size);
        Assert.Equal(4 * MB, new FileInfo(At("a.dat")).Length);
    }

    [Fact]
    public void A_smaller_own_file_is_made_longer_and_keeps_what_it_holds()
    {
        var first = Prepare(At("a.dat"), MB + 512);
        var longer = Prepare(At("a.dat"), 3 * MB);
        Assert.Equal(first.ContentSeed, longer.ContentSeed);
        var expected = new byte[3 * MB];
        FillContent.Fill(expected, first.ContentSeed, 0);
        Assert.Equal(expected, File.ReadAllBytes(At("a.dat")));
        AssertOurs(At("a.dat"));
    }

    [Fact]
    public void Progress_rises_to_the_size()
    {
        var seen = new List<(long Done, long Total)>();
        var spec = Spec(At("a.dat"), 8 * MB);
        TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), (done, total) => seen.Add((done, total)), CancellationToken.None);
        Assert.Equal((8 * MB, 8 * MB), seen[^1]);
        Assert.All(seen, s => Assert.Equal(8 * MB, s.Total));
        Assert.Equal(seen.Select(s => s.Done).Order(), seen.Select(s => s.Done));
    }

    [Fact]
    public void Cancelling_leaves_nothing_behind()
    {
        using var source = new CancellationTokenSource();
        var spec = Spec(At("a.dat"), 64 * MB);
        Assert.ThrowsAny<OperationCanceledException>(() =>
            TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), (_, _) => source.Cancel(), source.Token)
        );
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
    }

    // A file system can take long to free the space of a large file. It does so when the last handle is closed.
    [LinuxFact]
    public void Cancelling_does_not_wait_until_the_room_is_given_back()
    {
        var files = new SlowToClose();
        PlatformFiles.Replace(files);
        try
        {
            using var source = new CancellationTokenSource();
            var spec = Spec(At("a.dat"), 64 * MB);
            Assert.ThrowsAny<OperationCanceledException>(() =>
                TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), (_, _) => source.Cancel(), source.Token)
            );
            Assert.Empty(Directory.GetFileSystemEntries(Folder));
            Assert.False(files.IsClosed);
        }
        finally
        {
            files.GoOn.Set();
            PlatformFiles.Replace(null);
        }
        Patience.WaitFor(() => files.IsClosed, "the file to be closed");
    }

    private sealed class SlowToClose : LinuxFiles
    {
        private volatile bool _isClosed;

        public ManualResetEventSlim GoOn { get; } = new();

        public bool IsClosed => _isClosed;

        public override void UnlockAndClose(Microsoft.Win32.SafeHandles.SafeFileHandle handle)
        {
            _ = GoOn.Wait(TimeSpan.FromSeconds(30));
            base.UnlockAndClose(handle);
            _isClosed = true;
        }
    }

    [Fact]
    public void Cancelling_an_extension_leaves_the_file_as_it_was()
    {
        Prepare(At("a.dat"), 2 * MB);
        var content = File.ReadAllBytes(At("a.dat"));
        using var source = new CancellationTokenSource();
        var spec = Spec(At("a.dat"), 64 * MB);
        Assert.ThrowsAny<OperationCanceledException>(() =>
            TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), (_, _) => source.Cancel(), source.Token)
        );
        Assert.Equal(content, File.ReadAllBytes(At("a.dat")));
        AssertOurs(At("a.dat"));
    }

    [Fact]
    public void A_listener_that_throws_ends_the_making_cleanly()
    {
        var spec = Spec(At("a.dat"), 8 * MB);
        Assert.Throws<InvalidTimeZoneException>(() =>
            TestFiles.Prepare(
                spec,
                spec.Targets[0],
                new TestRunOptions(),
                (_, _) => throw new InvalidTimeZoneException(),
                CancellationToken.None
            )
        );
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
    }

    [Fact]
    public void Sizes_are_whole_sectors_and_hold_two_blocks()
    {
        var target = Check(At("a.dat"), 1_000_000);
        Assert.Equal(1_000_000 / target.LogicalSectorSize * target.LogicalSectorSize, target.Size);
        Assert.Contains(target.Warnings, w => w.ToString().Contains("1000000 bytes", StringComparison.Ordinal));
        Assert.Equal(16384, Check(At("a.dat"), 16384).Size);
        Refused("IoBench.InvalidSize", () => Check(At("a.dat"), 16383));
        Refused("IoBench.InvalidSize", () => Check(At("a.dat"), 8192));
        var zero = Refused("IoBench.InvalidSize", () => Check(At("a.dat"), 0));
        Assert.Equal(IoErrorKind.Usage, zero.Kind);
        Assert.Contains("FileSize 0", zero.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Offsets_must_lie_within_the_file()
    {
        var spec = Spec(At("a.dat"), MB);
        spec.Targets[0].MaxOffset = 2 * MB;
        Refused("IoBench.InvalidOffset", () => TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()));
        spec.Targets[0].MaxOffset = null;
        spec.Targets[0].BaseOffset = MB - 8192;
        Refused("IoBench.InvalidSize", () => TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()));
    }

    [Fact]
    public void The_target_s_own_size_wins()
    {
        var spec = Spec(At("a.dat"), 4 * MB);
        spec.Targets[0].FileSize = 2 * MB;
        Assert.Equal(2 * MB, TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()).Size);
    }
}
