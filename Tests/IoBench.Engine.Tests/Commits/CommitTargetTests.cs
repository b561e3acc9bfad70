namespace IoBench.Engine.Tests;

public class CommitTargetTests : CreatedFolderTestBase
{
    private const int FileSize = 4 << 20;
    private static readonly TimeSpan s_short = TimeSpan.FromMilliseconds(300);

    public static TheoryData<CommitMethod> Methods() => [.. Enum.GetValues<CommitMethod>()];

    [Theory]
    [MemberData(nameof(Methods))]
    public void Commits_and_flushes_are_counted_and_the_file_stays_own(CommitMethod method)
    {
        var path = Path.Combine(Folder, "c.dat");
        CommitSample alone;
        CommitSample together;
        using (var target = Open(path, extends: false))
        {
            alone = target.Run(new CommitCase(method, 1, 4096), s_short, null, CancellationToken.None);
            together = target.Run(new CommitCase(method, 8, 512), s_short, null, CancellationToken.None);
            Assert.Null(target.Close());
        }
        foreach (var sample in new[] { alone, together })
        {
            Assert.InRange(sample.Latencies.Count, 1, sample.Writes);
            Assert.True(sample.CommitsPerSecond > 0);
        }
        Assert.Equal(method == CommitMethod.WriteThrough ? 0 : alone.Writes, alone.FlushCalls);
        if (method == CommitMethod.GroupedFlush)
            Assert.InRange(together.FlushCalls, 1, together.Writes);
        else
            Assert.Equal(method == CommitMethod.WriteThrough ? 0 : together.Writes, together.FlushCalls);
        Assert.True(TestFiles.IsOwnTestFile(path, out var reason), reason);
        Assert.Equal(FileSize, new FileInfo(path).Length);
    }

    [Fact]
    public void Extended_file_ends_with_half_its_size_and_stays_own()
    {
        var path = Path.Combine(Folder, "e.dat");
        using (var target = Open(path, extends: true))
        {
            // 60 KB reach the end of the second half several times.
            target.Run(new CommitCase(CommitMethod.BufferedFlush, 4, 60 << 10, Extends: true), s_short, null, CancellationToken.None);
            target.Run(new CommitCase(CommitMethod.WriteThrough, 2, 4096, Extends: true), s_short, null, CancellationToken.None);
            target.Run(new CommitCase(CommitMethod.WriteThrough, 2, 4096), s_short, null, CancellationToken.None);
            Assert.Null(target.Close());
        }
        Assert.Equal(FileSize / 2, new FileInfo(path).Length);
        Assert.True(TestFiles.IsOwnTestFile(path, out var reason), reason);
        using var again = Open(path, extends: false);
        Assert.Null(again.Close());
        Assert.Equal(FileSize, new FileInfo(path).Length);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void File_of_a_killed_test_is_recognized_and_used_again(bool extends)
    {
        var path = Path.Combine(Folder, "k.dat");
        using (var target = Open(path, extends))
            // Without Close, the marker stays as a killed process leaves it.
            target.Run(new CommitCase(CommitMethod.WriteThrough, 4, 4096, extends), s_short, null, CancellationToken.None);
        Assert.True(TestFiles.IsOwnTestFile(path, out var reason), reason);
        using var again = Open(path, extends);
        again.Run(new CommitCase(CommitMethod.WriteThrough, 1, 4096), s_short, null, CancellationToken.None);
        Assert.Null(again.Close());
    }

    [Fact]
    public void Canceled_round_ends_and_the_marker_can_be_closed()
    {
        var path = Path.Combine(Folder, "x.dat");
        using var target = Open(path, extends: true);
        using var cancel = new CancellationTokenSource(100);
        Assert.ThrowsAny<OperationCanceledException>(() =>
            target.Run(new CommitCase(CommitMethod.GroupedFlush, 8, 4096, Extends: true), TimeSpan.FromMinutes(5), null, cancel.Token)
        );
        Assert.Null(target.Close());
        target.Dispose();
        Assert.True(TestFiles.IsOwnTestFile(path, out var reason), reason);
    }

    [Fact]
    public void File_that_IoBench_did_not_create_is_refused_and_unchanged()
    {
        var path = Path.Combine(Folder, "theirs.dat");
        File.WriteAllText(path, new string('x', FileSize));
        Assert.Equal(ErrorIds.ForeignFile, Assert.Throws<IoBenchException>(() => Open(path, extends: false)).ErrorId);
        Assert.Equal(new string('x', FileSize), File.ReadAllText(path));
    }

    private static CommitTarget Open(string path, bool extends) =>
        CommitTarget.Open(
            new IoTestSpecification
            {
                Targets = [new IoTargetSpecification(path)],
                FileSize = FileSize,
                WritePercent = 100,
                BlockSize = 4096,
            },
            new TestRunOptions(),
            extends,
            report: null,
            CancellationToken.None
        );
}
