namespace IoBench.Engine.Tests;

public class ProofTests : TargetFolder
{
    private static readonly byte[] s_foreign = Random(4096);

    [Fact]
    public void After_a_kill_one_foreign_block_among_64_MB_is_found_wherever_it_is()
    {
        var path = At("t.dat");
        var random = new Random(5);
        Killed(path, 64 * MB, 8192, writes: 3000);
        AssertOurs(path);
        using var handle = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        var before = new byte[4096];
        for (var i = 0; i < 25; i++)
        {
            var offset = random.Next(64 << 8) * 4096L;
            RandomAccess.Read(handle, before, offset);
            RandomAccess.Write(handle, s_foreign, offset);
            Assert.Contains($"at offset {offset:N0}", WhyForeign(path), StringComparison.Ordinal);
            RandomAccess.Write(handle, before, offset);
        }
        AssertOurs(path);
    }

    [Fact]
    public void After_a_kill_one_foreign_sector_is_found_behind_a_stamp_too()
    {
        var path = At("t.dat");
        Killed(path, MB, 65536, writes: 60);
        AssertOurs(path);
        using var handle = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        var before = new byte[512];
        for (var offset = 0L; offset < MB; offset += 512 * 37)
        {
            RandomAccess.Read(handle, before, offset);
            RandomAccess.Write(handle, s_foreign.AsSpan(0, 512), offset);
            Assert.Contains($"at offset {offset:N0}", WhyForeign(path), StringComparison.Ordinal);
            RandomAccess.Write(handle, before, offset);
        }
        AssertOurs(path);
    }

    [Theory]
    [InlineData(512, 512)]
    [InlineData(4096, 512)]
    [InlineData(12288, 512)]
    [InlineData(65536, 4096)]
    [InlineData(6144, 2048)]
    public void Writes_that_cover_each_other_in_part_are_all_known(int length, int alignment)
    {
        var path = At("t.dat");
        Killed(path, MB, length, writes: 4000, alignment);
        AssertOurs(path);
    }

    [Fact]
    public void A_write_that_was_torn_into_sectors_is_known()
    {
        var path = At("t.dat");
        Killed(path, MB, 8192, writes: 50);
        var mark = FileMark.Parse(Mark(path))!;
        var write = TestWrites.Content(mark.Seed, 8192, 8192, 7);
        using (var handle = File.OpenHandle(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
            foreach (var sector in (int[])[1, 4, 9, 15])
                RandomAccess.Write(handle, write.AsSpan(sector * 512, 512), 8192 + sector * 512);
        AssertOurs(path);
    }

    [Fact]
    public void Before_it_is_written_a_killed_run_s_file_is_proved_and_the_progress_says_so()
    {
        var path = At("t.dat");
        Killed(path, 8 * MB, 8192, writes: 100);
        var seen = new List<(PreparationStep Step, long Total)>();
        var spec = Spec(path, size: null, writePercent: 100);
        TargetOpening
            .Open(
                TargetCheck.Resolve(spec, spec.Targets[0], new TestRunOptions()),
                [],
                (step, _, total) => seen.Add((step, total)),
                default
            )
            .Dispose();
        Assert.Contains((PreparationStep.Proving, 8 * MB), seen);
        using (var handle = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite))
            RandomAccess.Write(handle, s_foreign, 5 * MB);
        var before = File.ReadAllBytes(path);
        Refused("IoBench.ForeignFile", () => BeginWriting(path, size: null));
        Refused("IoBench.ForeignFile", () => BeginWriting(path, size: 16 * MB));
        Refused("IoBench.ForeignFile", () => TestFiles.Remove(path, force: false));
        Assert.Equal(before, File.ReadAllBytes(path));
        // Samples do not always find it, and reading does no harm.
        Assert.Equal(8 * MB, Prepare(path, size: null).Size);
    }

    [Fact]
    public void A_proof_is_cancelled()
    {
        var path = At("t.dat");
        Killed(path, 8 * MB, 8192, writes: 100);
        using var source = new CancellationTokenSource();
        var spec = Spec(path, size: null, writePercent: 100);
        Assert.Throws<OperationCanceledException>(() =>
            TargetOpening.Open(
                TargetCheck.Resolve(spec, spec.Targets[0], new TestRunOptions()),
                [],
                (_, _, _) => source.Cancel(),
                source.Token
            )
        );
        BeginWriting(path, size: null).Dispose();
    }

    [Theory]
    [InlineData("cp other.dat t.dat")]
    [InlineData("cp --preserve=all other.dat t.dat")]
    [InlineData("dd if=other.dat of=t.dat bs=1M count=1 conv=notrunc status=none")]
    [InlineData("dd if=other.dat of=t.dat bs=1M seek=3 count=1 conv=notrunc status=none")]
    public void A_file_that_is_copied_over_ours_while_a_run_writes_never_becomes_ours(string command)
    {
        Prepare(At("t.dat"), 4 * MB);
        Foreign("other.dat", (int)(4 * MB));
        var run = BeginWriting(At("t.dat"), size: null);
        TestWrites.Write(At("t.dat"), run.Target.Target.ContentSeed, 0, 8192);
        Shell($"cd '{Folder}' && {command}");
        run.Dispose();
        Assert.Contains("its mark stays open", run.Warning, StringComparison.OrdinalIgnoreCase);
        WhyForeign(At("t.dat"));
        Refused("IoBench.ForeignFile", () => BeginWriting(At("t.dat"), size: null));
        Refused("IoBench.ForeignFile", () => TestFiles.Remove(At("t.dat"), force: false));
    }

    [Theory]
    [InlineData("cp other.dat t.dat", false)]
    [InlineData("cp other.dat t.dat", true)]
    [InlineData("dd if=other.dat of=t.dat bs=4k seek=3 conv=notrunc status=none", false)]
    [InlineData("dd if=other.dat of=t.dat bs=4k seek=3 conv=notrunc status=none", true)]
    [InlineData("cat other.dat >> t.dat", false)]
    [InlineData("cat other.dat >> t.dat", true)]
    public void A_file_that_is_copied_over_ours_while_it_is_made_never_becomes_ours_and_stays(string command, bool fails)
    {
        Foreign("other.dat");
        var after = MakeWhile(command, fails, size: 2 * MB);
        Assert.Equal(after, File.ReadAllBytes(At("t.dat")));
        WhyForeign(At("t.dat"));
        Refused("IoBench.ForeignFile", () => BeginWriting(At("t.dat"), size: null));
        Refused("IoBench.ForeignFile", () => TestFiles.Remove(At("t.dat"), force: false));
    }

    [Theory]
    [InlineData(IoWriteContentKind.Random, false)]
    [InlineData(IoWriteContentKind.Random, true)]
    [InlineData(IoWriteContentKind.Zero, false)]
    [InlineData(IoWriteContentKind.Zero, true)]
    public void A_file_that_others_wrote_to_while_it_was_made_longer_is_left_as_it_is(IoWriteContentKind content, bool fails)
    {
        Prepare(At("t.dat"));
        var spec = Spec(At("t.dat"), writePercent: 100);
        spec.WriteContent = content;
        using (new WritingRun(spec)) { }
        Foreign("other.dat");
        var after = MakeWhile("dd if=other.dat of=t.dat bs=4k seek=3 conv=notrunc status=none", fails, size: 2 * MB);
        Assert.Equal(after, File.ReadAllBytes(At("t.dat")));
        WhyForeign(At("t.dat"));
    }

    [Fact]
    public void A_file_whose_content_cannot_be_recognised_is_made_longer_all_the_same()
    {
        Prepare(At("t.dat"));
        var spec = Spec(At("t.dat"), writePercent: 100);
        spec.WriteContent = IoWriteContentKind.Zero;
        using (new WritingRun(spec))
            Shell($"dd if=/dev/zero of='{At("t.dat")}' bs=64k count=3 seek=2 conv=notrunc status=none");
        Prepare(At("t.dat"), 2 * MB);
        AssertOurs(At("t.dat"));
    }

    [Fact]
    public void Content_that_cannot_be_recognised_is_foreign_once_the_file_was_touched()
    {
        Prepare(At("t.dat"), 64 * MB);
        var spec = Spec(At("t.dat"), size: null, writePercent: 100);
        spec.WriteContent = IoWriteContentKind.Zero;
        using (new WritingRun(spec)) { }
        AssertOurs(At("t.dat"));
        Shell(
            $"cd '{Folder}' && cp --preserve=timestamps t.dat times && dd if=/dev/urandom of=t.dat bs=4k count=1 seek=7777 conv=notrunc status=none && touch -r times t.dat"
        );
        Assert.Contains("cannot be recognised", WhyForeign(At("t.dat")), StringComparison.Ordinal);
        Refused("IoBench.ForeignFile", () => BeginWriting(At("t.dat"), size: null));
    }

    [Theory]
    [InlineData(IoWriteContentKind.Random, 0)]
    [InlineData(IoWriteContentKind.Random, 33)]
    [InlineData(IoWriteContentKind.Random, 50)]
    [InlineData(IoWriteContentKind.Random, 99)]
    [InlineData(IoWriteContentKind.Zero, 0)]
    [InlineData(IoWriteContentKind.Pattern, 0)]
    [InlineData(IoWriteContentKind.File, 0)]
    public void Whatever_a_run_writes_it_knows_again(IoWriteContentKind kind, int compressible)
    {
        var source = Foreign("source.bin", 100_003);
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
            Assert.DoesNotContain(result.Warnings, w => w.Contains("stays open", StringComparison.Ordinal));
            AssertOurs(At("t.dat"));
        }
        // The next run does not recognize writes without headers, and leaves the file unchanged.
        Assert.DoesNotContain(Run(_ => { }).Warnings, w => w.Contains("stays open", StringComparison.Ordinal));
        AssertOurs(At("t.dat"));
    }

    [Fact]
    public void A_result_says_that_something_else_changed_the_file()
    {
        Prepare(At("t.dat"), 4 * MB);
        Foreign("other.dat", (int)(4 * MB));
        var spec = Short(At("t.dat"));
        // The run owns what it writes itself, so it writes to the first MB only.
        spec.Targets[0].MaxOffset = MB;
        using var run = new TestRun(spec)
        {
            At = moment =>
            {
                if (moment == RunMoment.Opened)
                    Shell($"dd if='{At("other.dat")}' of='{At("t.dat")}' bs=1M conv=notrunc status=none");
            },
        };
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        Assert.Contains(
            run.GetResult().Warnings,
            w => w.Contains("something else changed it while the test ran", StringComparison.Ordinal)
        );
        WhyForeign(At("t.dat"));
    }

    [Fact]
    public void One_block_that_was_replaced_and_the_time_set_back_is_found()
    {
        Prepare(At("t.dat"), 64 * MB);
        var random = new Random(3);
        Shell($"cp --preserve=timestamps '{At("t.dat")}' '{At("times")}'");
        using var handle = File.OpenHandle(At("t.dat"), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        var before = new byte[4096];
        for (var i = 0; i < 10; i++)
        {
            var offset = random.Next(64 << 8) * 4096L;
            RandomAccess.Read(handle, before, offset);
            RandomAccess.Write(handle, s_foreign, offset);
            Shell($"touch -r '{At("times")}' '{At("t.dat")}'");
            WhyForeign(At("t.dat"));
            Refused("IoBench.ForeignFile", () => BeginWriting(At("t.dat"), size: null));
            RandomAccess.Write(handle, before, offset);
            Shell($"touch -r '{At("times")}' '{At("t.dat")}'");
            AssertOurs(At("t.dat"));
        }
    }

    [Fact]
    public void Rights_names_and_attributes_may_change_and_the_next_run_notes_it()
    {
        Prepare(At("t.dat"), 4 * MB);
        var mark = FileMark.Parse(Mark(At("t.dat")))!;
        Assert.InRange(mark.ChangedBy, Changed(At("t.dat")), long.MaxValue);
        Shell($"chmod 600 '{At("t.dat")}'");
        Assert.InRange(Changed(At("t.dat")), mark.ChangedBy + 1, long.MaxValue);
        AssertOurs(At("t.dat"));
        BeginWriting(At("t.dat"), size: null).Dispose();
        Assert.InRange(FileMark.Parse(Mark(At("t.dat")))!.ChangedBy, Changed(At("t.dat")), long.MaxValue);
    }

    [Fact]
    public void A_mark_stays_open_while_IO_is_in_flight_and_the_next_run_is_refused()
    {
        Prepare(At("t.dat"), 4 * MB);
        using (var run = new TestRun(Short(At("t.dat"))) { BackendFactory = () => new Breaking() })
        {
            run.Start();
            run.Wait(Timeout.InfiniteTimeSpan);
            Assert.Equal("IoBench.Broken", run.GetResult().ErrorId);
        }
        Assert.Equal(MarkState.Open, FileMark.Parse(Mark(At("t.dat")))!.State);
        Assert.Contains(
            "still has I/O in flight",
            Refused("IoBench.FileInUse", () => BeginWriting(At("t.dat"), size: null)).Message,
            StringComparison.Ordinal
        );
        Refused("IoBench.FileInUse", () => TestFiles.Remove(At("t.dat"), force: true));
    }

    private sealed unsafe class Breaking : IoBackend
    {
        public override BackendDescriptor Kind => ThreadsBackend.Descriptor;

        public override void Open(BackendSetup setup) { }

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions) =>
            throw IoBenchException.Failure("IoBench.Broken", "the backend broke off.");

        public override void Close() { }
    }

    private IoTestResult Run(Action<IoTestSpecification> change)
    {
        var spec = Short(At("t.dat"));
        change(spec);
        return TestRun.Run(spec);
    }

    private static IoTestSpecification Short(string path)
    {
        var spec = Spec(path, 4 * MB, writePercent: 100);
        (spec.WarmUp, spec.Duration, spec.ThreadCount, spec.OutstandingIO) = (TimeSpan.Zero, TimeSpan.FromMilliseconds(100), 2, 4);
        return spec;
    }

    private static void Killed(string path, long size, int length, int writes, int? alignment = null)
    {
        Prepare(path, size);
        var mark = FileMark.Parse(Mark(path))!;
        var random = new Random(4);
        using var handle = PlatformFiles.Current.OpenToWrite(path);
        MarkStore.Write(handle, path, (mark.WithWriteSeed(mark.Seed) with { State = MarkState.Open }).ToText());
        for (var i = 0; i < writes; i++)
        {
            var unit = alignment ?? length;
            var offset = random.NextInt64((size - length) / unit + 1) * unit;
            RandomAccess.Write(handle, TestWrites.Content(mark.Seed, offset, length, (ulong)i), offset);
        }
    }

    private static string Mark(string path)
    {
        using var handle = PlatformFiles.Current.OpenToRead(path);
        return MarkStore.Read(handle, path)!;
    }

    private static long Changed(string path) => PlatformFiles.Current.TryGetStatus(path)!.Value.Changed;

    private static byte[] Random(int length)
    {
        var bytes = new byte[length];
        new Random(99).NextBytes(bytes);
        return bytes;
    }

    /// <summary>
    /// Creates or extends the file while another program writes to it at the last moment. Then the creation fails or ends. Returns the
    /// content at that time.
    /// </summary>
    private byte[] MakeWhile(string command, bool fails, long size)
    {
        byte[]? after = null;
        void Make()
        {
            var spec = Spec(At("t.dat"), size);
            TestFiles.Prepare(
                spec,
                spec.Targets[0],
                new TestRunOptions(),
                (done, total) =>
                {
                    if (done < total || after is not null)
                        return;
                    Shell($"cd '{Folder}' && {command}");
                    after = File.ReadAllBytes(At("t.dat"));
                    if (fails)
                        throw new InvalidOperationException("the listener fails");
                },
                CancellationToken.None
            );
        }
        if (fails)
            Assert.Throws<InvalidOperationException>(Make);
        else
            Assert.Contains("while it was being made", Refused("IoBench.ForeignFile", Make).Message, StringComparison.Ordinal);
        return after!;
    }
}
