namespace IoBench.Engine.Tests;

/// <summary>Content that changes between two tests: damage by the storage fails, everything else is not verified, nothing passes.</summary>
public sealed class AtRestTests : CreatedFolderTestBase
{
    private const int Block = 4096;
    private const int FileSize = 2 << 20;

    // The test file is at most 1% of the free space, so that the free-space rule allows it.
    private const long DiskSize = 320 << 20;

    public static readonly string[] Kinds = ["zeros", "flip", "swap", "stale", "random"];

    public static TheoryData<string, int> Cases
    {
        get
        {
            var cases = new TheoryData<string, int>();
            foreach (var kind in Kinds)
            foreach (var writePercent in (int[])[0, 50])
                cases.Add(kind, writePercent);
            return cases;
        }
    }

    private string FilePath => Path.Combine(Folder, "t.dat");

    [Theory]
    [MemberData(nameof(Cases))]
    public void Content_changed_through_the_file_system_never_passes(string kind, int writePercent)
    {
        var damage = CreateDamage(FilePath, kind);
        ChangeContent(FilePath, damage);
        AssertNotVerifiedOrDamaged(FilePath, writePercent);
    }

    [RequiresRootTheory("losetup", "mkfs.ext4")]
    [MemberData(nameof(Cases))]
    public void Damage_below_the_file_system_fails_with_its_range(string kind, int writePercent)
    {
        using var disk = new LoopVolume(DiskSize).Mount("mkfs.ext4 -q");
        var path = disk.GetPath("t.dat");
        var damage = CreateDamage(path, kind);
        disk.ReplaceBlocks([.. damage.Select(d => (d.Present, d.Damaged))]);
        var damaged = File.ReadAllBytes(path);

        var result = TestRun.Run(CreateSpecification(path, writePercent));

        Assert.Equal((IoResultStatus.Failed, ErrorIds.IntegrityErrors), (result.Status, result.ErrorId));
        Assert.Equal(IoIntegrityOutcome.Damaged, result.Integrity!.Outcome);
        AssertRange(kind, damage, result.Integrity.Errors.FindAll(e => e.Phase == IoIntegrityPhase.FirstPass));
        Assert.Equal(damaged, File.ReadAllBytes(path));
        Assert.Equal([path], result.Integrity.Evidence);
        Assert.Equal(
            ErrorIds.Evidence,
            Assert.Throws<IoBenchException>(() => TestRun.Run(CreateSpecification(path, 50, verify: false))).ErrorId
        );
    }

    [RequiresRootTheory("losetup", "mkfs.ext4")]
    [InlineData(0, 32)]
    [InlineData(480, 32)]
    [InlineData(100, 1)]
    [InlineData(150, 256)]
    public void Lost_blocks_of_any_number_are_found(int first, int count)
    {
        using var disk = new LoopVolume(DiskSize).Mount("mkfs.ext4 -q");
        var path = disk.GetPath("t.dat");
        Assert.Equal(IoResultStatus.Complete, TestRun.Run(CreateSpecification(path, 0, verify: false)).Status);
        disk.ReplaceBlocks([.. Enumerable.Range(first, count).Select(i => (ReadBlock(path, i), new byte[Block]))]);

        var result = TestRun.Run(CreateSpecification(path, 0));

        var error = Assert.Single(result.Integrity!.Errors, e => e.Phase == IoIntegrityPhase.FirstPass);
        Assert.Equal((IoIntegrityErrorKind.Zeros, (long)first * Block, (long)count * Block), (error.Kind, error.Offset, error.Length));
    }

    [Fact]
    public void Unchanged_content_passes_again_after_a_verification()
    {
        for (var i = 0; i < 3; i++)
        {
            var result = TestRun.Run(CreateSpecification(FilePath, i == 1 ? 0 : 50));
            Assert.Equal(IoIntegrityOutcome.Verified, result.Integrity!.Outcome);
            Assert.Equal(IoInitialContent.Proved, result.Integrity.FirstPass!.InitialContent);
            Assert.Equal((FileSize, 0L), (result.Integrity.VerifiedBytes, result.Integrity.UnverifiedBytes));
        }
    }

    [Fact]
    public void Writes_without_verification_are_not_verified_until_a_verification_records_them()
    {
        TestRun.Run(CreateSpecification(FilePath, 100, verify: false));
        var result = TestRun.Run(CreateSpecification(FilePath, 0));
        AssertUnverified(result, IoUnverifiedReason.UnverifiedWrites, FileSize);
        Assert.Equal(IoInitialContent.Learned, result.Integrity!.FirstPass!.InitialContent);
        TestRun.Run(CreateSpecification(FilePath, 50));
        Assert.Equal(IoIntegrityOutcome.Verified, TestRun.Run(CreateSpecification(FilePath, 0)).Integrity!.Outcome);
    }

    [Fact]
    public void Lost_blocks_of_a_killed_run_are_found()
    {
        TestRun.Run(CreateSpecification(FilePath, 100, verify: false));
        OpenMarker();
        ChangeContent(FilePath, [new Damage(20, ReadBlock(FilePath, 20), new byte[Block])]);
        var result = TestRun.Run(CreateSpecification(FilePath, 0));
        Assert.Equal(IoIntegrityOutcome.Damaged, result.Integrity!.Outcome);
        var error = Assert.Single(result.Integrity.Errors, e => e.Phase == IoIntegrityPhase.FirstPass);
        Assert.Equal((20L * Block, (long)Block), (error.Offset, error.Length));
    }

    [Fact]
    public void Two_damaged_sectors_of_a_block_are_two_errors()
    {
        TestRun.Run(CreateSpecification(FilePath, 100, verify: false));
        OpenMarker();
        var present = ReadBlock(FilePath, 7);
        var damaged = (byte[])present.Clone();
        damaged.AsSpan(0, 512).Clear();
        damaged.AsSpan(3 * 512, 512).Clear();
        ChangeContent(FilePath, [new Damage(7, present, damaged)]);
        var errors = TestRun.Run(CreateSpecification(FilePath, 0)).Integrity!.Errors.FindAll(e => e.Phase == IoIntegrityPhase.FirstPass);
        Assert.Equal([(7L * Block, 512L), (7L * Block + 3 * 512, 512L)], errors.Select(e => (e.Offset, e.Length)));
    }

    [Fact]
    public void Copy_with_its_marker_is_verified_by_its_content()
    {
        TestRun.Run(CreateSpecification(FilePath, 50));
        var copy = Path.Combine(Folder, "copy.dat");
        CopyWithMarker(FilePath, copy);
        Assert.Equal(IoIntegrityOutcome.Verified, TestRun.Run(CreateSpecification(copy, 0)).Integrity!.Outcome);
        ChangeContent(copy, [new Damage(5, ReadBlock(copy, 5), new byte[Block])]);
        var result = TestRun.Run(CreateSpecification(copy, 0));
        Assert.Equal(IoIntegrityOutcome.NotVerified, result.Integrity!.Outcome);
        Assert.Contains(result.Integrity.Unverified, u => u is { Reason: IoUnverifiedReason.Copy, ByteCount: Block, Offset: 5L * Block });
        Assert.Empty(result.Integrity.Evidence);
    }

    [Fact]
    public void File_without_a_marker_is_not_verified()
    {
        File.WriteAllBytes(FilePath, new byte[FileSize]);
        var result = TestRun.Run(CreateSpecification(FilePath, 0));
        AssertUnverified(result, IoUnverifiedReason.NoMarker, FileSize);
        Assert.Equal(0, result.Integrity!.VerifiedBytes);
    }

    [Theory]
    [InlineData(IoWriteContentKind.Zero)]
    [InlineData(IoWriteContentKind.Pattern)]
    public void Content_that_cannot_be_recomputed_is_not_verified(IoWriteContentKind kind)
    {
        TestRun.Run(
            CreateSpecification(
                FilePath,
                100,
                s =>
                {
                    s.Verify = false;
                    s.WriteContent = kind;
                }
            )
        );
        var result = TestRun.Run(CreateSpecification(FilePath, 0));
        Assert.Equal(IoIntegrityOutcome.NotVerified, result.Integrity!.Outcome);
        Assert.Contains(result.Integrity.Unverified, u => u.Reason == IoUnverifiedReason.Unrecognizable);
    }

    [Theory]
    [InlineData(50, 0)]
    [InlineData(0, 50)]
    public void Dedupable_and_compressible_content_is_not_verified(int dedupable, int compressible)
    {
        TestRun.Run(
            CreateSpecification(
                FilePath,
                100,
                s =>
                {
                    s.Verify = false;
                    s.DedupablePercent = dedupable;
                    s.CompressiblePercent = compressible;
                }
            )
        );
        Assert.Equal(IoIntegrityOutcome.NotVerified, TestRun.Run(CreateSpecification(FilePath, 0)).Integrity!.Outcome);
    }

    [Fact]
    public void Damaged_marker_is_not_verified()
    {
        TestRun.Run(CreateSpecification(FilePath, 0, verify: false));
        WriteMarker("IoBench test file, mark 1\nid=1\n");
        AssertUnverified(TestRun.Run(CreateSpecification(FilePath, 0)), IoUnverifiedReason.DamagedMarker, FileSize);
    }

    [Fact]
    public void Verification_and_a_writer_exclude_each_other()
    {
        TestRun.Run(CreateSpecification(FilePath, 0, verify: false));
        foreach (var (first, second, reason) in new[] { (0, 50, "is being verified"), (50, 0, "is being written") })
        {
            IoBenchException? refused = null;
            using var run = new TestRun(CreateSpecification(FilePath, first), new TestRunOptions())
            {
                EventHook = moment =>
                {
                    if (moment == TestRunEvent.Opened)
                        refused = Assert.Throws<IoBenchException>(() => TestRun.Run(CreateSpecification(FilePath, second)));
                },
            };
            run.Start();
            Assert.True(run.Wait(TimeSpan.FromMinutes(1)));
            Assert.Equal(IoIntegrityOutcome.Verified, run.GetResult().Integrity!.Outcome);
            Assert.Equal(ErrorIds.FileInUse, refused?.ErrorId);
            Assert.Contains(reason, refused!.Message, StringComparison.Ordinal);
        }
        Assert.Equal(IoResultStatus.Complete, TestRun.Run(CreateSpecification(FilePath, 0, verify: false)).Status);
    }

    [Fact]
    public void Another_program_that_writes_during_a_read_test_is_not_damage()
    {
        TestRun.Run(CreateSpecification(FilePath, 0, verify: false));
        var result = RunWithEvent(
            CreateSpecification(FilePath, 0),
            () => ChangeContent(FilePath, [new Damage(9, ReadBlock(FilePath, 9), new byte[Block])], keepsTime: false)
        );
        Assert.Equal((IoResultStatus.Complete, IoIntegrityOutcome.NotVerified), (result.Status, result.Integrity!.Outcome));
        Assert.All(result.Integrity.Unverified, u => Assert.Equal(IoUnverifiedReason.WrittenDuringTest, u.Reason));
        Assert.Empty(result.Integrity.Evidence);
        Assert.False(File.GetAttributes(FilePath).HasFlag(FileAttributes.ReadOnly));
    }

    [LinuxFact]
    public void Second_name_during_a_verification_is_reported()
    {
        TestRun.Run(CreateSpecification(FilePath, 0, verify: false));
        var result = RunWithEvent(CreateSpecification(FilePath, 0), () => LoopVolume.RunProgram("ln", FilePath, FilePath + "2"));
        Assert.True(result.HasWarning(WarningCodes.ChangedFile));
    }

    [Fact]
    public void Removed_marker_during_a_verification_is_reported()
    {
        TestRun.Run(CreateSpecification(FilePath, 0, verify: false));
        var result = RunWithEvent(CreateSpecification(FilePath, 0), () => WriteMarker("IoBench test file, mark 1\nid=1\n"));
        Assert.True(result.HasWarning(WarningCodes.ChangedFile));
    }

    [Fact]
    public void Read_test_of_a_changed_file_has_a_warning()
    {
        TestRun.Run(CreateSpecification(FilePath, 0, verify: false));
        Assert.False(TestRun.Run(CreateSpecification(FilePath, 0, verify: false)).HasWarning(WarningCodes.ChangedFile));
        ChangeContent(FilePath, [new Damage(9, ReadBlock(FilePath, 9), new byte[Block])], keepsTime: false);
        var result = TestRun.Run(CreateSpecification(FilePath, 0, verify: false));
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.True(result.HasWarning(WarningCodes.ChangedFile));
    }

    private static IoTestSpecification CreateSpecification(string path, int writePercent, bool verify) =>
        CreateSpecification(path, writePercent, s => s.Verify = verify);

    private static IoTestSpecification CreateSpecification(string path, int writePercent, Action<IoTestSpecification>? change = null)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(path)],
            FileSize = FileSize,
            Duration = TimeSpan.FromMilliseconds(100),
            WarmUp = TimeSpan.Zero,
            ThreadCount = 1,
            OutstandingIO = 4,
            WritePercent = writePercent,
            Buffering = IoBuffering.Both,
            Verify = true,
        };
        change?.Invoke(specification);
        return specification;
    }

    private static IoTestResult RunWithEvent(IoTestSpecification specification, Action act)
    {
        using var run = new TestRun(specification, new TestRunOptions())
        {
            EventHook = moment =>
            {
                if (moment == TestRunEvent.Opened)
                    act();
            },
        };
        run.Start();
        Assert.True(run.Wait(TimeSpan.FromMinutes(1)));
        return run.GetResult();
    }

    /// <summary>Creates a verified file with two generations of content, and damage of one of its newer blocks.</summary>
    private static List<Damage> CreateDamage(string path, string kind)
    {
        TestRun.Run(CreateSpecification(path, 0));
        var old = File.ReadAllBytes(path);
        var result = TestRun.Run(CreateSpecification(path, 100));
        Assert.Equal(IoIntegrityOutcome.Verified, result.Integrity!.Outcome);
        var written = Enumerable
            .Range(0, FileSize / Block)
            .Where(i => !ReadBlock(path, i).AsSpan().SequenceEqual(old.AsSpan(i * Block, Block)))
            .Take(4)
            .ToArray();
        var index = written[0];
        var present = ReadBlock(path, index);
        var damaged = (byte[])present.Clone();
        switch (kind)
        {
            case "zeros":
                damaged = new byte[Block];
                break;
            case "flip":
                damaged[2000] ^= 4;
                break;
            case "swap":
                var other = ReadBlock(path, written[3]);
                return [new Damage(index, present, other), new Damage(written[3], other, present)];
            case "stale":
                damaged = old[(index * Block)..((index + 1) * Block)];
                break;
            default:
                new Random(1).NextBytes(damaged);
                break;
        }
        return [new Damage(index, present, damaged)];
    }

    private static void ChangeContent(string path, IEnumerable<Damage> damage, bool keepsTime = true)
    {
        var reference = path + ".time";
        if (keepsTime && !OperatingSystem.IsWindows())
        {
            File.WriteAllText(reference, "");
            LoopVolume.RunProgram("touch", "-r", path, reference);
        }
        using (var file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
            foreach (var block in damage)
            {
                file.Position = block.Index * (long)Block;
                file.Write(block.Damaged);
            }
        if (!File.Exists(reference))
            return;
        LoopVolume.RunProgram("touch", "-r", reference, path);
        File.Delete(reference);
    }

    private static void AssertNotVerifiedOrDamaged(string path, int writePercent)
    {
        try
        {
            Assert.NotEqual(IoIntegrityOutcome.Verified, TestRun.Run(CreateSpecification(path, writePercent)).Integrity!.Outcome);
        }
        catch (IoBenchException e) when (writePercent > 0)
        {
            Assert.Equal(ErrorIds.ForeignFile, e.ErrorId);
        }
    }

    private static void AssertRange(string kind, List<Damage> damage, List<IoIntegrityError> errors)
    {
        foreach (var block in damage)
            Assert.Contains(errors, e => e.Offset < (block.Index + 1L) * Block && e.Offset + e.Length > block.Index * (long)Block);
        if (kind == "flip")
            Assert.Equal((damage[0].Index * (long)Block + 1536, 512L), (errors[0].Offset, errors[0].Length));
        else if (kind != "stale")
            Assert.Equal(damage.Count * (long)Block, errors.Sum(e => e.Length));
    }

    private static void AssertUnverified(IoTestResult result, IoUnverifiedReason reason, long bytes)
    {
        Assert.Equal((IoResultStatus.Complete, IoIntegrityOutcome.NotVerified), (result.Status, result.Integrity!.Outcome));
        var content = Assert.Single(result.Integrity.Unverified);
        Assert.Equal((reason, bytes), (content.Reason, content.ByteCount));
        Assert.Equal(bytes, result.Integrity.UnverifiedBytes);
    }

    private static byte[] ReadBlock(string path, int index)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        file.Position = index * (long)Block;
        var block = new byte[Block];
        file.ReadExactly(block);
        return block;
    }

    private void OpenMarker()
    {
        using var handle = PlatformFiles.Current.OpenToRead(FilePath);
        var marker = OwnershipMarker.Parse(OwnershipMarker.ReadText(handle, FilePath)!)!;
        OwnershipMarker.WriteText(handle, FilePath, (marker with { State = OwnershipMarkerState.Open }).ToText());
    }

    private void WriteMarker(string text)
    {
        using var handle = PlatformFiles.Current.OpenToRead(FilePath);
        OwnershipMarker.WriteText(handle, FilePath, text);
    }

    private static void CopyWithMarker(string from, string to)
    {
        File.Copy(from, to);
        using var source = PlatformFiles.Current.OpenToRead(from);
        using var copy = PlatformFiles.Current.OpenToWrite(to);
        OwnershipMarker.WriteText(copy, to, OwnershipMarker.ReadText(source, from)!);
    }

    private sealed record Damage(int Index, byte[] Present, byte[] Damaged);
}
