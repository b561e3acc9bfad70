namespace IoBench.Engine.Tests;

public class ProofTests : TargetTestBase
{
    private static readonly byte[] s_unknownBytes = CreateRandomBytes(4096);

    [Fact]
    public void One_unknown_block_in_64_MB_is_found_after_a_kill()
    {
        var path = GetPath("t.dat");
        var random = new Random(5);
        CreateKilledFile(path, 64 * MB, 8192, writes: 3000);
        AssertOwned(path);
        using var handle = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        var before = new byte[4096];
        for (var i = 0; i < 25; i++)
        {
            var offset = random.Next(64 << 8) * 4096L;
            RandomAccess.Read(handle, before, offset);
            RandomAccess.Write(handle, s_unknownBytes, offset);
            Assert.Contains($"at offset {offset:N0}", AssertNotOwned(path), StringComparison.Ordinal);
            RandomAccess.Write(handle, before, offset);
        }
        AssertOwned(path);
    }

    [Fact]
    public void One_unknown_sector_after_a_header_is_found_after_a_kill()
    {
        var path = GetPath("t.dat");
        CreateKilledFile(path, MB, 65536, writes: 60);
        AssertOwned(path);
        using var handle = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        var before = new byte[512];
        for (var offset = 0L; offset < MB; offset += 512 * 37)
        {
            RandomAccess.Read(handle, before, offset);
            RandomAccess.Write(handle, s_unknownBytes.AsSpan(0, 512), offset);
            Assert.Contains($"at offset {offset:N0}", AssertNotOwned(path), StringComparison.Ordinal);
            RandomAccess.Write(handle, before, offset);
        }
        AssertOwned(path);
    }

    [Theory]
    [InlineData(512, 512)]
    [InlineData(4096, 512)]
    [InlineData(12288, 512)]
    [InlineData(65536, 4096)]
    [InlineData(6144, 2048)]
    public void Partly_overlapping_writes_are_recognized(int length, int alignment)
    {
        var path = GetPath("t.dat");
        CreateKilledFile(path, MB, length, writes: 4000, alignment);
        AssertOwned(path);
    }

    [Fact]
    public void Torn_write_is_recognized()
    {
        var path = GetPath("t.dat");
        CreateKilledFile(path, MB, 8192, writes: 50);
        var mark = OwnershipMarker.Parse(ReadMarker(path))!;
        var write = TestWrites.CreateContent(mark.Seed, 8192, 8192, 7);
        using (var handle = File.OpenHandle(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
            foreach (var sector in (int[])[1, 4, 9, 15])
                RandomAccess.Write(handle, write.AsSpan(sector * 512, 512), 8192 + sector * 512);
        AssertOwned(path);
    }

    [Fact]
    public void File_of_a_killed_run_is_verified_with_progress_before_writing()
    {
        var path = GetPath("t.dat");
        CreateKilledFile(path, 8 * MB, 8192, writes: 100);
        var seen = new List<(PreparationStep Step, long Total)>();
        var spec = CreateSpecification(path, size: null, writePercent: 100);
        TargetPreparation
            .Open(
                TargetCheck.Resolve(spec, spec.Targets[0], new TestRunOptions()),
                [],
                (step, _, total) => seen.Add((step, total)),
                default
            )
            .Dispose();
        Assert.Contains((PreparationStep.Verifying, 8 * MB), seen);
        using (var handle = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite))
            RandomAccess.Write(handle, s_unknownBytes, 5 * MB);
        var before = File.ReadAllBytes(path);
        AssertRefused("IoBench.ForeignFile", () => StartWriting(path, size: null));
        AssertRefused("IoBench.ForeignFile", () => StartWriting(path, size: 16 * MB));
        AssertRefused("IoBench.ForeignFile", () => TestFiles.Remove(path));
        Assert.Equal(before, File.ReadAllBytes(path));
        // Samples do not always find it, and reading does no harm.
        Assert.Equal(8 * MB, PrepareFile(path, size: null).Size);
    }

    [Fact]
    public void Verification_can_be_canceled()
    {
        var path = GetPath("t.dat");
        CreateKilledFile(path, 8 * MB, 8192, writes: 100);
        using var source = new CancellationTokenSource();
        var spec = CreateSpecification(path, size: null, writePercent: 100);
        Assert.Throws<OperationCanceledException>(() =>
            TargetPreparation.Open(
                TargetCheck.Resolve(spec, spec.Targets[0], new TestRunOptions()),
                [],
                (_, _, _) => source.Cancel(),
                source.Token
            )
        );
        StartWriting(path, size: null).Dispose();
    }

    [Theory]
    [InlineData("cp other.dat t.dat")]
    [InlineData("cp --preserve=all other.dat t.dat")]
    [InlineData("dd if=other.dat of=t.dat bs=1M count=1 conv=notrunc status=none")]
    [InlineData("dd if=other.dat of=t.dat bs=1M seek=3 count=1 conv=notrunc status=none")]
    public void File_overwritten_during_a_writing_run_is_not_owned(string command)
    {
        PrepareFile(GetPath("t.dat"), 4 * MB);
        CreateUnownedFile("other.dat", (int)(4 * MB));
        var run = StartWriting(GetPath("t.dat"), size: null);
        TestWrites.WriteBlock(GetPath("t.dat"), run.Target.Target.ContentSeed, 0, 8192);
        RunShell($"cd '{Folder}' && {command}");
        run.Dispose();
        Assert.Contains("Another program changed the file during the test", run.Warning, StringComparison.OrdinalIgnoreCase);
        AssertNotOwned(GetPath("t.dat"));
        AssertRefused("IoBench.ForeignFile", () => StartWriting(GetPath("t.dat"), size: null));
        AssertRefused("IoBench.ForeignFile", () => TestFiles.Remove(GetPath("t.dat")));
    }

    [Theory]
    [InlineData("cp other.dat t.dat", false)]
    [InlineData("cp other.dat t.dat", true)]
    [InlineData("dd if=other.dat of=t.dat bs=4k seek=3 conv=notrunc status=none", false)]
    [InlineData("dd if=other.dat of=t.dat bs=4k seek=3 conv=notrunc status=none", true)]
    [InlineData("cat other.dat >> t.dat", false)]
    [InlineData("cat other.dat >> t.dat", true)]
    public void File_overwritten_during_creation_is_kept_but_not_owned(string command, bool fails)
    {
        CreateUnownedFile("other.dat");
        var after = ChangeDuringCreation(command, fails, size: 2 * MB);
        Assert.Equal(after, File.ReadAllBytes(GetPath("t.dat")));
        AssertNotOwned(GetPath("t.dat"));
        AssertRefused("IoBench.ForeignFile", () => StartWriting(GetPath("t.dat"), size: null));
        AssertRefused("IoBench.ForeignFile", () => TestFiles.Remove(GetPath("t.dat")));
    }

    [Theory]
    [InlineData(IoWriteContentKind.Random, false)]
    [InlineData(IoWriteContentKind.Random, true)]
    [InlineData(IoWriteContentKind.Zero, false)]
    [InlineData(IoWriteContentKind.Zero, true)]
    public void File_changed_during_extension_is_kept_but_not_owned(IoWriteContentKind content, bool fails)
    {
        PrepareFile(GetPath("t.dat"));
        var spec = CreateSpecification(GetPath("t.dat"), writePercent: 100);
        spec.WriteContent = content;
        using (new WritingRun(spec)) { }
        CreateUnownedFile("other.dat");
        var after = ChangeDuringCreation("dd if=other.dat of=t.dat bs=4k seek=3 conv=notrunc status=none", fails, size: 2 * MB);
        Assert.Equal(after, File.ReadAllBytes(GetPath("t.dat")));
        AssertNotOwned(GetPath("t.dat"));
    }

    [Fact]
    public void File_with_unrecognizable_content_can_be_extended()
    {
        PrepareFile(GetPath("t.dat"));
        var spec = CreateSpecification(GetPath("t.dat"), writePercent: 100);
        spec.WriteContent = IoWriteContentKind.Zero;
        using (new WritingRun(spec))
            RunShell($"dd if=/dev/zero of='{GetPath("t.dat")}' bs=64k count=3 seek=2 conv=notrunc status=none");
        PrepareFile(GetPath("t.dat"), 2 * MB);
        AssertOwned(GetPath("t.dat"));
    }

    [Fact]
    public void Unrecognizable_content_is_not_owned_after_a_file_change()
    {
        PrepareFile(GetPath("t.dat"), 64 * MB);
        var spec = CreateSpecification(GetPath("t.dat"), size: null, writePercent: 100);
        spec.WriteContent = IoWriteContentKind.Zero;
        using (new WritingRun(spec)) { }
        AssertOwned(GetPath("t.dat"));
        RunShell(
            $"cd '{Folder}' && cp --preserve=timestamps t.dat times && dd if=/dev/urandom of=t.dat bs=4k count=1 seek=7777 conv=notrunc status=none && touch -r times t.dat"
        );
        Assert.Contains("cannot be verified", AssertNotOwned(GetPath("t.dat")), StringComparison.Ordinal);
        AssertRefused("IoBench.ForeignFile", () => StartWriting(GetPath("t.dat"), size: null));
    }

    [Theory]
    [InlineData(IoWriteContentKind.Random, 0)]
    [InlineData(IoWriteContentKind.Random, 33)]
    [InlineData(IoWriteContentKind.Random, 50)]
    [InlineData(IoWriteContentKind.Random, 99)]
    [InlineData(IoWriteContentKind.Zero, 0)]
    [InlineData(IoWriteContentKind.Pattern, 0)]
    [InlineData(IoWriteContentKind.File, 0)]
    public void Every_kind_of_written_content_stays_owned(IoWriteContentKind kind, int compressible)
    {
        var source = CreateUnownedFile("source.bin", 100_003);
        foreach (var (block, alignment) in new[] { (8192, 0), (65536, 0), (512, 0), (12288, 512) })
        {
            var result = Run(s =>
            {
                (s.WriteContent, s.WriteContentFile, s.CompressiblePercent) = (
                    kind,
                    kind == IoWriteContentKind.File ? source : null,
                    compressible
                );
                (s.BlockSize, s.Alignment) = (block, alignment == 0 ? null : alignment);
            });
            Assert.Equal(IoResultStatus.Complete, result.Status);
            Assert.DoesNotContain(result.Warnings, w => w.Contains("could not complete the ownership marker", StringComparison.Ordinal));
            AssertOwned(GetPath("t.dat"));
        }
        // The next run does not recognize writes without headers, and leaves the file unchanged.
        Assert.DoesNotContain(Run(_ => { }).Warnings, w => w.Contains("could not complete the ownership marker", StringComparison.Ordinal));
        AssertOwned(GetPath("t.dat"));
    }

    [Fact]
    public void Warning_reports_changes_by_another_program()
    {
        PrepareFile(GetPath("t.dat"), 4 * MB);
        CreateUnownedFile("other.dat", (int)(4 * MB));
        var spec = CreateShortTest(GetPath("t.dat"));
        // The run owns what it writes itself, so it writes to the first MB only.
        spec.Targets[0].MaxOffset = MB;
        using var run = new TestRun(spec)
        {
            EventHook = moment =>
            {
                if (moment == TestRunEvent.Opened)
                    RunShell($"dd if='{GetPath("other.dat")}' of='{GetPath("t.dat")}' bs=1M conv=notrunc status=none");
            },
        };
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        Assert.Contains(
            run.GetResult().Warnings,
            w => w.Contains("Another program changed the file during the test", StringComparison.Ordinal)
        );
        AssertNotOwned(GetPath("t.dat"));
    }

    [Fact]
    public void Replaced_block_is_found_even_if_the_time_is_restored()
    {
        PrepareFile(GetPath("t.dat"), 64 * MB);
        var random = new Random(3);
        RunShell($"cp --preserve=timestamps '{GetPath("t.dat")}' '{GetPath("times")}'");
        using var handle = File.OpenHandle(GetPath("t.dat"), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        var before = new byte[4096];
        for (var i = 0; i < 10; i++)
        {
            var offset = random.Next(64 << 8) * 4096L;
            RandomAccess.Read(handle, before, offset);
            RandomAccess.Write(handle, s_unknownBytes, offset);
            RunShell($"touch -r '{GetPath("times")}' '{GetPath("t.dat")}'");
            AssertNotOwned(GetPath("t.dat"));
            AssertRefused("IoBench.ForeignFile", () => StartWriting(GetPath("t.dat"), size: null));
            RandomAccess.Write(handle, before, offset);
            RunShell($"touch -r '{GetPath("times")}' '{GetPath("t.dat")}'");
            AssertOwned(GetPath("t.dat"));
        }
    }

    [Fact]
    public void Permission_change_keeps_ownership_and_updates_the_marker()
    {
        PrepareFile(GetPath("t.dat"), 4 * MB);
        var mark = OwnershipMarker.Parse(ReadMarker(GetPath("t.dat")))!;
        Assert.InRange(mark.ChangedNotAfter, GetChangeTime(GetPath("t.dat")), long.MaxValue);
        RunShell($"chmod 600 '{GetPath("t.dat")}'");
        Assert.InRange(GetChangeTime(GetPath("t.dat")), mark.ChangedNotAfter + 1, long.MaxValue);
        AssertOwned(GetPath("t.dat"));
        StartWriting(GetPath("t.dat"), size: null).Dispose();
        Assert.InRange(
            OwnershipMarker.Parse(ReadMarker(GetPath("t.dat")))!.ChangedNotAfter,
            GetChangeTime(GetPath("t.dat")),
            long.MaxValue
        );
    }

    [Fact]
    public void Marker_stays_open_while_IO_is_outstanding()
    {
        PrepareFile(GetPath("t.dat"), 4 * MB);
        using (var run = new TestRun(CreateShortTest(GetPath("t.dat"))) { BackendFactory = () => new FailingBackend() })
        {
            run.Start();
            run.Wait(Timeout.InfiniteTimeSpan);
            Assert.Equal("IoBench.Broken", run.GetResult().ErrorId);
        }
        Assert.Equal(OwnershipMarkerState.Open, OwnershipMarker.Parse(ReadMarker(GetPath("t.dat")))!.State);
        Assert.Contains(
            "I/Os of an earlier run have not completed",
            AssertRefused("IoBench.FileInUse", () => StartWriting(GetPath("t.dat"), size: null)).Message,
            StringComparison.Ordinal
        );
        AssertRefused("IoBench.FileInUse", () => TestFiles.Remove(GetPath("t.dat")));
    }

    private sealed unsafe class FailingBackend : IoBackend
    {
        public override BackendDescriptor Kind => ThreadsBackend.Descriptor;

        public override void Open(BackendSetup setup) { }

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions) =>
            throw IoBenchException.Failure("IoBench.Broken", "the backend broke off.");

        public override void Close() { }
    }

    private IoTestResult Run(Action<IoTestSpecification> change)
    {
        var spec = CreateShortTest(GetPath("t.dat"));
        change(spec);
        return TestRun.Run(spec);
    }

    private static IoTestSpecification CreateShortTest(string path)
    {
        var spec = CreateSpecification(path, 4 * MB, writePercent: 100);
        (spec.WarmUp, spec.Duration, spec.ThreadCount, spec.OutstandingIO) = (TimeSpan.Zero, TimeSpan.FromMilliseconds(100), 2, 4);
        return spec;
    }

    private static void CreateKilledFile(string path, long size, int length, int writes, int? alignment = null)
    {
        PrepareFile(path, size);
        var mark = OwnershipMarker.Parse(ReadMarker(path))!;
        var random = new Random(4);
        using var handle = PlatformFiles.Current.OpenToWrite(path);
        OwnershipMarker.WriteText(handle, path, (mark.WithWriteSeed(mark.Seed) with { State = OwnershipMarkerState.Open }).ToText());
        for (var i = 0; i < writes; i++)
        {
            var unit = alignment ?? length;
            var offset = random.NextInt64((size - length) / unit + 1) * unit;
            RandomAccess.Write(handle, TestWrites.CreateContent(mark.Seed, offset, length, (ulong)i), offset);
        }
    }

    private static string ReadMarker(string path)
    {
        using var handle = PlatformFiles.Current.OpenToRead(path);
        return OwnershipMarker.ReadText(handle, path)!;
    }

    private static long GetChangeTime(string path) => PlatformFiles.Current.TryGetStatus(path)!.Value.Changed;

    private static byte[] CreateRandomBytes(int length)
    {
        var bytes = new byte[length];
        new Random(99).NextBytes(bytes);
        return bytes;
    }

    /// <summary>
    /// Creates or extends the file while another program writes to it at the last moment. Then the creation fails or ends. Returns the
    /// content at that time.
    /// </summary>
    private byte[] ChangeDuringCreation(string command, bool fails, long size)
    {
        byte[]? after = null;
        void Make()
        {
            var spec = CreateSpecification(GetPath("t.dat"), size);
            TestFiles.Prepare(
                spec,
                spec.Targets[0],
                new TestRunOptions(),
                (done, total) =>
                {
                    if (done < total || after is not null)
                        return;
                    RunShell($"cd '{Folder}' && {command}");
                    after = File.ReadAllBytes(GetPath("t.dat"));
                    if (fails)
                        throw new InvalidOperationException("the listener fails");
                },
                CancellationToken.None
            );
        }
        if (fails)
            Assert.Throws<InvalidOperationException>(Make);
        else
            Assert.Contains(
                "Another program changed the file",
                AssertRefused("IoBench.ForeignFile", Make).Message,
                StringComparison.Ordinal
            );
        return after!;
    }
}
