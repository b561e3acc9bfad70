namespace IoBench.Engine.Tests;

public class WindowsFilesTests : ModelledFolder
{
    private string Ours => At("ours.dat");

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_privilege_is_enabled_before_the_open_and_its_refusal_is_reported(bool isHeld)
    {
        // The first file of a process: the privilege was not enabled before.
        Use(new ModelNtfs { HoldsPrivilege = isHeld });
        var target = Prepare(Ours, size: 8 * MB);
        Assert.Equal(!isHeld, target.Warnings.Any(w => w.Code == WarningCodes.SlowFill));
        if (isHeld)
            Assert.Equal(0, Disk.Find(Ours)!.Main.Zeroed);
        else
            Assert.Contains("volume maintenance", string.Join(' ', target.Warnings.Select(w => w.ToString())), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(512)]
    [InlineData(4096)]
    public void No_handle_that_used_the_file_cache_is_open_while_a_run_does_its_IO(int sector)
    {
        Use(new ModelNtfs { Sector = sector });
        using var run = BeginWriting(Ours, size: MB + 512 * 3);
        var workers = OpenWorkers(run.Target, 2);
        Assert.Equal(0, Disk.CachedHandles(Ours));
        foreach (var worker in workers)
            worker.Dispose();
    }

    [Fact]
    public void No_server_of_a_pipe_may_act_for_whoever_opens_a_path()
    {
        Use(new ModelNtfs());
        using (BeginWriting(Ours)) { }
        TestFiles.Remove(Ours, force: false);
        Assert.NotEmpty(Disk.Opens);
        Assert.All(
            Disk.Opens,
            o =>
                Assert.Equal(
                    WindowsCalls.SECURITY_SQOS_PRESENT | WindowsCalls.SECURITY_IDENTIFICATION,
                    o.Flags & (WindowsCalls.SECURITY_SQOS_PRESENT | 0x30000)
                )
        );
    }

    [Fact]
    public void Names_of_300_characters_are_opened_everywhere_in_their_long_form()
    {
        Use(new ModelNtfs());
        var path = @"T:\" + new string('d', 150) + @"\" + new string('n', 150);
        using (var handle = PlatformFiles.Current.CreateMarked(path, status => FileMark.New(status.Identity, MB).ToText()))
        {
            Assert.NotNull(MarkStore.Read(handle, path));
            using var worker = PlatformFiles.Current.OpenForWorker(
                handle,
                path,
                write: true,
                new IoPattern(),
                OverlappedBackend.Descriptor
            );
            Assert.Equal(PlatformFiles.Current.GetStatus(handle, path), PlatformFiles.Current.GetStatus(worker, path));
        }
        Assert.True(PlatformFiles.Current.DeleteIfSame(path, PlatformFiles.Current.TryGetStatus(path)!.Value));
        Assert.Null(PlatformFiles.Current.TryGetStatus(path));
        Assert.All(Disk.Opens, o => Assert.StartsWith(@"\\?\", o.Path, StringComparison.Ordinal));
    }

    [Fact]
    public void A_file_in_the_care_of_a_filter_is_read_through_it_named_and_never_made_longer()
    {
        Use(new ModelNtfs());
        Prepare(Ours);
        Disk.Find(Ours)!.ReparseTag = WindowsCalls.IO_REPARSE_TAG_DEDUP;
        AssertOurs(Ours);
        var target = Check(Ours);
        Assert.Contains(
            target.Warnings,
            w => w.Code == WarningCodes.Filtered && w.ToString().Contains("Data Deduplication", StringComparison.Ordinal)
        );
        Refused("IoBench.FilteredFile", () => Prepare(Ours, size: 2 * MB));
        using (BeginWriting(Ours)) { }
        AssertOurs(Ours);
    }

    [Fact]
    public void A_link_is_told_by_the_kind_of_its_reparse_point()
    {
        Use(new ModelNtfs());
        Prepare(Ours);
        var link = Disk.Add(At("link.dat"));
        (link.ReparseTag, link.LinkTarget) = (0xA000000C, Ours);
        Assert.Equal(FileKind.Link, PlatformFiles.Current.TryGetStatus(At("link.dat"))!.Value.Kind);
        Refused("IoBench.BadLink", () => Prepare(At("link.dat"), writePercent: 100));
    }

    [Fact]
    public void A_stream_is_told_by_its_handle_whatever_its_name_looked_like()
    {
        Use(new ModelNtfs());
        Disk.Add(@"T:\prod.mdf", new byte[8192]).Streams["s"] = new ModelStream();
        Refused("IoBench.InvalidPath", () => PlatformFiles.Current.OpenToWrite(@"T:\prod.mdf:s").Dispose());
    }

    [Fact]
    public void A_disk_that_came_online_is_not_written_and_its_removal_is_not_shared()
    {
        Use(new ModelNtfs());
        const string disk = @"\\.\PhysicalDrive1";
        var node = Disk.Add(disk, new byte[MB]);
        node.DiskAttributes = WindowsCalls.DISK_ATTRIBUTE_OFFLINE;
        using var handle = PlatformFiles.Current.OpenToWrite(disk);
        PlatformFiles.Current.OpenForWorker(handle, disk, write: true, new IoPattern(), OverlappedBackend.Descriptor).Dispose();
        Assert.Equal(MB, RawDevice.Describe(handle, disk).Size);
        node.DiskAttributes = 0;
        Assert.Contains(
            "online",
            Refused(
                "IoBench.DeviceInUse",
                () => PlatformFiles.Current.OpenForWorker(handle, disk, write: true, new IoPattern(), OverlappedBackend.Descriptor)
            ).Message,
            StringComparison.Ordinal
        );
        Assert.All(
            Disk.Opens.Where(o => (o.Access & WindowsCalls.GENERIC_WRITE) != 0),
            o => Assert.Equal(0u, o.Share & WindowsCalls.FILE_SHARE_DELETE)
        );
    }

    [Theory]
    [InlineData(unchecked((int)0x80070020), 3, true)]
    [InlineData(unchecked((int)0x80070020), 100, false)]
    [InlineData(unchecked((int)0x80070070), 1, false)]
    public void A_name_that_a_scanner_holds_for_a_moment_is_tried_again(int error, int refusals, bool isDone)
    {
        var (calls, pauses) = (0, 0);
        var failure = Record.Exception(() =>
            PatientMove.Try(
                () =>
                {
                    if (calls++ < refusals)
                        throw new IOException("refused", error);
                },
                () => pauses++
            )
        );
        Assert.Equal(isDone, failure is null);
        Assert.Equal(
            isDone ? refusals
                : refusals == 1 ? 0
                : 9,
            pauses
        );
    }

    [Theory]
    [InlineData(5)]
    [InlineData(1314)]
    public void Whoever_may_not_open_a_disk_is_advised_to_start_elevated(int error) =>
        Assert.Contains("elevated", FileErrors.FromWindows(error, "opening", @"\\.\PhysicalDrive1").Message, StringComparison.Ordinal);

    [Fact]
    public void Facts_come_by_handle_so_that_volumes_without_a_letter_have_them()
    {
        Use(
            new ModelNtfs
            {
                Root = @"C:\mnt\log\",
                Sectors = (512, 4096),
                FileSystem = "ReFS",
                WriteCache = (2, 1, 1),
            }
        );
        Disk.Add(@"\\?\Volume{00000000-0000-0000-0000-000000000001}");
        Prepare(Ours);
        var target = Check(Ours, writePercent: 100);
        Assert.Equal((512, 4096), (target.LogicalSectorSize, target.Volume.PhysicalSectorSize));
        Assert.Equal(
            ("on", "not supported", "declared by the user"),
            (target.Facts["Write cache"], target.Facts["Write-through"], target.Facts["Power protection"])
        );
        // ReFS writes in place unless it keeps checksums of file data.
        Assert.False(target.Volume.IsCopyOnWrite);
        var spec = Spec(Ours, writePercent: 100);
        var warnings = TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()).Warnings;
        Assert.Contains(warnings, w => w.Code == WarningCodes.PowerProtectionDeclared);
        Assert.DoesNotContain(warnings, w => w.Code == WarningCodes.CopyOnWrite);
        Disk.Find(Ours)!.Attributes |= WindowsCalls.FILE_ATTRIBUTE_INTEGRITY_STREAM;
        Assert.Contains(TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()).Warnings, w => w.Code == WarningCodes.CopyOnWrite);
    }
}
