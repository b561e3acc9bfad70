namespace IoBench.Engine.Tests;

public sealed class VerifiedRunTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-checked-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private IoTestSpecification CreateSpecification(Action<IoTestSpecification>? change = null)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(Path.Combine(_folder, "t.dat"))],
            FileSize = 4 << 20,
            Duration = TimeSpan.FromMilliseconds(150),
            WarmUp = TimeSpan.Zero,
            ThreadCount = 2,
            OutstandingIO = 4,
            WritePercent = 40,
            Buffering = IoBuffering.Both,
            Verify = true,
        };
        change?.Invoke(specification);
        return specification;
    }

    private static readonly Dictionary<string, Action<IoTestSpecification>> s_patterns = new()
    {
        ["mixed"] = _ => { },
        ["reads"] = s => s.WritePercent = 0,
        ["writes"] = s => s.WritePercent = 100,
        ["threads"] = s => s.Backend = ThreadsBackend.Name,
        ["sequential"] = s => s.AccessPattern = IoAccessPattern.Sequential,
        ["interlocked"] = s => (s.AccessPattern, s.BlockSize) = (IoAccessPattern.Interlocked, 64 << 10),
        ["within 4 KB"] = s => (s.BlockSize, s.Alignment) = (1536, 512),
        ["hot blocks"] = s => s.ZipfTheta = 1.2,
        ["sizes"] = s => s.SetBlockMix(IoBlockMix.Parse("8KB:60,64KB:40")),
        ["compressible"] = s => s.CompressiblePercent = 60,
        ["flushes"] = s => s.FlushEvery = 3,
        ["a rate"] = s => s.TargetIops = 2000,
        ["depths"] = s => s.SetDepths(new IoDepths(3, 2)),
    };

    public static TheoryData<string> Patterns => [.. s_patterns.Keys];

    [Theory]
    [MemberData(nameof(Patterns))]
    public void Verified_run_reports_no_errors_on_intact_storage(string name)
    {
        var change = s_patterns[name];
        // The second run finds the writes of the first.
        for (var i = 0; i < 2; i++)
        {
            var specification = CreateSpecification(change);
            var result = TestRun.Run(specification);
            Assert.True(
                result.Status == IoResultStatus.Complete,
                result.ErrorMessage + string.Join("; ", result.Integrity?.Errors.Select(e => $"{e}: {e.Expected} / {e.Found}") ?? [])
            );
            Assert.Equal(0, result.Integrity!.ErrorCount);
            Assert.Equal(4L << 20, result.Integrity.FinalPass!.ByteCount);
            // WriteIOPS can be 0 on a busy computer, because all writes of a short run can complete outside the measured time.
            Assert.Equal(specification.WritePercent > 0, result.Integrity.WriteCount > 0);
            Assert.False(specification.WritePercent == 0 && result.WriteIOPS > 0);
            Assert.DoesNotContain(result.Warnings, w => w.Contains("mark", StringComparison.Ordinal));
        }
        Assert.True(TestFiles.IsOwnTestFile(Path.Combine(_folder, "t.dat"), out var reason), reason);
        Assert.Equal(IoResultStatus.Complete, TestRun.Run(CreateSpecification(s => s.Verify = false)).Status);
    }

    [Fact]
    public void Damage_before_the_run_is_detected()
    {
        var path = Path.Combine(_folder, "t.dat");
        Assert.Equal(IoResultStatus.Complete, TestRun.Run(CreateSpecification(s => s.WritePercent = 0)).Status);
        using (
            var run = new TestRun(CreateSpecification(), new TestRunOptions())
            {
                EventHook = moment =>
                {
                    if (moment == TestRunEvent.Checked)
                        FlipBits(path);
                },
            }
        )
        {
            run.Start();
            Assert.True(run.Wait(TimeSpan.FromMinutes(1)));
            // Either the ownership check refuses the file, or the first pass of the run finds the damage.
            try
            {
                var result = run.GetResult();
                Assert.Equal(ErrorIds.IntegrityErrors, result.ErrorId);
            }
            catch (IoBenchException e)
            {
                Assert.Equal(ErrorIds.ForeignFile, e.ErrorId);
            }
        }
    }

    [Fact]
    public void Evidence_file_is_never_written_but_can_be_removed()
    {
        var path = Path.Combine(_folder, "t.dat");
        using (
            var run = new TestRun(CreateSpecification(s => s.Duration = TimeSpan.FromMilliseconds(400)), new TestRunOptions())
            {
                EventHook = moment =>
                {
                    if (moment == TestRunEvent.Opened)
                        FlipBits(path);
                },
            }
        )
        {
            run.Start();
            Assert.True(run.Wait(TimeSpan.FromMinutes(1)));
            var result = run.GetResult();
            Assert.Equal((IoResultStatus.Failed, ErrorIds.IntegrityErrors), (result.Status, result.ErrorId));
            Assert.Equal([path], result.Integrity!.Evidence);
            Assert.True(File.GetAttributes(path).HasFlag(FileAttributes.ReadOnly));
        }
        Assert.NotNull(TestFiles.ReadEvidence(path));
        var error = Assert.Throws<IoBenchException>(() => TestRun.Run(CreateSpecification(s => s.Verify = false)));
        Assert.Equal(ErrorIds.Evidence, error.ErrorId);
        Assert.Contains("returned wrong data", error.Message, StringComparison.Ordinal);
        TestFiles.Remove(path);
        Assert.False(File.Exists(path));
    }

    [Fact]
    public void Specification_that_cannot_be_verified_is_refused()
    {
        foreach (
            var change in (Action<IoTestSpecification>[])
                [
                    s => s.WriteContent = IoWriteContentKind.Zero,
                    s => s.DedupablePercent = 20,
                    s => s.BlockSize = 1000,
                    s => s.Backend = NullBackend.Name,
                    s => (s.AccessPattern, s.ParallelSameOffset) = (IoAccessPattern.Sequential, true),
                ]
        )
            Assert.Equal(
                "IoBench.ConflictingOptions",
                Assert.Throws<IoBenchException>(() => TestRun.Run(CreateSpecification(change))).ErrorId
            );
        Assert.Equal(
            "IoBench.TargetTooSmall",
            Assert
                .Throws<IoBenchException>(() =>
                    TestRun.Run(CreateSpecification(s => (s.FileSize, s.BlockSize, s.OutstandingIO) = (4 << 20, 1 << 20, 8)))
                )
                .ErrorId
        );
        Assert.Equal(
            "IoBench.NothingToWitness",
            Assert.Throws<IoBenchException>(() => TestRun.Run(CreateSpecification(), new TestRunOptions { Witness = "w.log" })).ErrorId
        );
        Assert.Empty(Directory.GetFiles(_folder));
    }

    // Flips a bit in each 64 KB through a separate handle.
    private static void FlipBits(string path)
    {
        using var file = File.Open(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        for (long at = 700; at < file.Length; at += 65536)
        {
            file.Position = at;
            var value = file.ReadByte();
            file.Position = at;
            file.WriteByte((byte)(value ^ 4));
        }
    }
}
