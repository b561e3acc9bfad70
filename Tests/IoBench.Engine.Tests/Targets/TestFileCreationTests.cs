namespace IoBench.Engine.Tests;

public class TestFileCreationTests : TargetTestBase
{
    [Fact]
    public void New_file_is_filled_with_the_content_of_its_seed()
    {
        var target = PrepareFile(GetPath("a.dat"), 5 * MB + 512);
        Assert.Equal(5 * MB + 512, target.Size);
        var content = File.ReadAllBytes(GetPath("a.dat"));
        var expected = new byte[5 * MB + 512];
        TestFileContent.Generate(expected, target.ContentSeed, 0);
        Assert.Equal(expected, content);
        AssertOwned(GetPath("a.dat"));
    }

    [Fact]
    public void Folder_as_target_means_its_iobench_dat()
    {
        Assert.Equal(GetPath("iobench.dat"), PrepareFile(Folder).Path);
        Assert.True(File.Exists(GetPath("iobench.dat")));
    }

    [Fact]
    public void Two_files_have_different_content()
    {
        Assert.NotEqual(PrepareFile(GetPath("a.dat")).ContentSeed, PrepareFile(GetPath("b.dat")).ContentSeed);
        Assert.NotEqual(File.ReadAllBytes(GetPath("a.dat"))[..4096], File.ReadAllBytes(GetPath("b.dat"))[..4096]);
    }

    [Fact]
    public void Check_changes_nothing_and_reports_the_planned_file()
    {
        var before = Directory.GetLastWriteTimeUtc(Folder);
        var target = CheckTarget(GetPath("a.dat"), 3 * MB, writePercent: 100);
        Assert.True(target.NeedsFill);
        Assert.Equal(3 * MB, target.Size);
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
        Assert.Equal(before, Directory.GetLastWriteTimeUtc(Folder));
    }

    [Fact]
    public void Own_file_is_reused_unchanged()
    {
        PrepareFile(GetPath("a.dat"), 2 * MB);
        var before = DescribeFile(GetPath("a.dat"));
        PrepareFile(GetPath("a.dat"), 2 * MB, writePercent: 100);
        Assert.Equal(before, DescribeFile(GetPath("a.dat")));
        Assert.Equal(2 * MB, PrepareFile(GetPath("a.dat"), size: null).Size);
        Assert.Equal(before, DescribeFile(GetPath("a.dat")));
    }

    [Fact]
    public void Larger_own_file_is_used_in_part_and_keeps_its_size()
    {
        PrepareFile(GetPath("a.dat"), 4 * MB);
        var part = PrepareFile(GetPath("a.dat"), 2 * MB);
        Assert.Equal(2 * MB, part.Size);
        Assert.Equal(4 * MB, new FileInfo(GetPath("a.dat")).Length);
    }

    [Fact]
    public void Smaller_own_file_is_extended_and_keeps_its_content()
    {
        var first = PrepareFile(GetPath("a.dat"), MB + 512);
        var longer = PrepareFile(GetPath("a.dat"), 3 * MB);
        Assert.Equal(first.ContentSeed, longer.ContentSeed);
        var expected = new byte[3 * MB];
        TestFileContent.Generate(expected, first.ContentSeed, 0);
        Assert.Equal(expected, File.ReadAllBytes(GetPath("a.dat")));
        AssertOwned(GetPath("a.dat"));
    }

    [Fact]
    public void Progress_increases_to_the_file_size()
    {
        var seen = new List<(long Done, long Total)>();
        var spec = CreateSpecification(GetPath("a.dat"), 8 * MB);
        TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), (done, total) => seen.Add((done, total)), CancellationToken.None);
        Assert.Equal((8 * MB, 8 * MB), seen[^1]);
        Assert.All(seen, s => Assert.Equal(8 * MB, s.Total));
        Assert.Equal(seen.Select(s => s.Done).Order(), seen.Select(s => s.Done));
    }

    [Fact]
    public void Canceled_creation_leaves_no_file()
    {
        using var source = new CancellationTokenSource();
        var spec = CreateSpecification(GetPath("a.dat"), 64 * MB);
        Assert.ThrowsAny<OperationCanceledException>(() =>
            TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), (_, _) => source.Cancel(), source.Token)
        );
        Assert.Empty(Directory.GetFileSystemEntries(Folder));
    }

    // A file system can take long to free the space of a large file. It does so when the last handle is closed.
    [LinuxFact]
    public void Canceled_creation_does_not_wait_for_the_space_to_be_freed()
    {
        var files = new SlowClosingFiles();
        PlatformFiles.OverrideCurrent(files);
        try
        {
            using var source = new CancellationTokenSource();
            var spec = CreateSpecification(GetPath("a.dat"), 64 * MB);
            Assert.ThrowsAny<OperationCanceledException>(() =>
                TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), (_, _) => source.Cancel(), source.Token)
            );
            Assert.Empty(Directory.GetFileSystemEntries(Folder));
            Assert.False(files.IsClosed);
        }
        finally
        {
            files.CanClose.Set();
            PlatformFiles.OverrideCurrent(null);
        }
        TestTimeouts.WaitUntil(() => files.IsClosed, "the file to be closed");
    }

    private sealed class SlowClosingFiles : LinuxFiles
    {
        private volatile bool _isClosed;

        public ManualResetEventSlim CanClose { get; } = new();

        public bool IsClosed => _isClosed;

        internal override void UnlockAndClose(Microsoft.Win32.SafeHandles.SafeFileHandle handle)
        {
            _ = CanClose.Wait(TimeSpan.FromSeconds(30));
            base.UnlockAndClose(handle);
            _isClosed = true;
        }
    }

    [Fact]
    public void Canceled_extension_leaves_the_file_unchanged()
    {
        PrepareFile(GetPath("a.dat"), 2 * MB);
        var content = File.ReadAllBytes(GetPath("a.dat"));
        using var source = new CancellationTokenSource();
        var spec = CreateSpecification(GetPath("a.dat"), 64 * MB);
        Assert.ThrowsAny<OperationCanceledException>(() =>
            TestFiles.Prepare(spec, spec.Targets[0], new TestRunOptions(), (_, _) => source.Cancel(), source.Token)
        );
        Assert.Equal(content, File.ReadAllBytes(GetPath("a.dat")));
        AssertOwned(GetPath("a.dat"));
    }

    [Fact]
    public void Exception_in_a_progress_callback_leaves_no_file()
    {
        var spec = CreateSpecification(GetPath("a.dat"), 8 * MB);
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
    public void Sizes_are_whole_sectors_and_fit_two_blocks()
    {
        var target = CheckTarget(GetPath("a.dat"), 1_000_000);
        Assert.Equal(1_000_000 / target.LogicalSectorSize * target.LogicalSectorSize, target.Size);
        Assert.Contains(target.Warnings, w => w.ToString().Contains("1000000 bytes", StringComparison.Ordinal));
        Assert.Equal(16384, CheckTarget(GetPath("a.dat"), 16384).Size);
        AssertRefused("IoBench.InvalidSize", () => CheckTarget(GetPath("a.dat"), 16383));
        AssertRefused("IoBench.InvalidSize", () => CheckTarget(GetPath("a.dat"), 8192));
        var zero = AssertRefused("IoBench.InvalidSize", () => CheckTarget(GetPath("a.dat"), 0));
        Assert.Equal(IoErrorKind.Usage, zero.Kind);
        Assert.Contains("FileSize 0", zero.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Offsets_must_be_within_the_file()
    {
        var spec = CreateSpecification(GetPath("a.dat"), MB);
        spec.Targets[0].MaxOffset = 2 * MB;
        AssertRefused("IoBench.InvalidOffset", () => TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()));
        spec.Targets[0].MaxOffset = null;
        spec.Targets[0].BaseOffset = MB - 8192;
        AssertRefused("IoBench.InvalidSize", () => TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()));
    }

    [Fact]
    public void File_size_of_the_target_has_priority()
    {
        var spec = CreateSpecification(GetPath("a.dat"), 4 * MB);
        spec.Targets[0].FileSize = 2 * MB;
        Assert.Equal(2 * MB, TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()).Size);
    }
}
