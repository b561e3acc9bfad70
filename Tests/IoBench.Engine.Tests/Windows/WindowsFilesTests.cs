namespace IoBench.Engine.Tests;

public class WindowsFilesTests : ModeledNtfsTestBase
{
    private string OwnPath => GetPath("ours.dat");

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Privilege_is_enabled_before_the_open_or_reported_as_missing(bool isHeld)
    {
        // The first file of a process: the privilege was not enabled before.
        UseModel(new ModelNtfs { HoldsPrivilege = isHeld });
        var target = PrepareFile(OwnPath, size: 8 * MB);
        Assert.Equal(!isHeld, target.Warnings.Any(w => w.Code == WarningCodes.SlowFill));
        if (isHeld)
            Assert.Equal(0, Disk.FindFile(OwnPath)!.MainStream.ZeroedBytes);
        else
            Assert.Contains("volume maintenance", string.Join(' ', target.Warnings.Select(w => w.ToString())), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(512)]
    [InlineData(4096)]
    public void No_handle_that_used_the_file_cache_is_open_during_a_run(int sector)
    {
        UseModel(new ModelNtfs { SectorSize = sector });
        using var run = StartWriting(OwnPath, size: MB + 512 * 3);
        var workers = OpenWorkers(run.Target, 2);
        Assert.Equal(0, Disk.CountCachedHandles(OwnPath));
        foreach (var worker in workers)
            worker.Dispose();
    }

    [Fact]
    public void Every_open_limits_impersonation_by_pipe_servers()
    {
        UseModel(new ModelNtfs());
        using (StartWriting(OwnPath)) { }
        TestFiles.Remove(OwnPath);
        Assert.NotEmpty(Disk.OpenCalls);
        Assert.All(
            Disk.OpenCalls,
            o =>
                Assert.Equal(
                    WindowsCalls.SECURITY_SQOS_PRESENT | WindowsCalls.SECURITY_IDENTIFICATION,
                    o.Flags & (WindowsCalls.SECURITY_SQOS_PRESENT | 0x30000)
                )
        );
    }

    [Fact]
    public void Paths_of_300_characters_are_opened_in_long_form()
    {
        UseModel(new ModelNtfs());
        var path = @"T:\" + new string('d', 150) + @"\" + new string('n', 150);
        using (
            var handle = PlatformFiles.Current.CreateWithMarker(
                path,
                status => OwnershipMarker.CreateForNewFile(status.Identity, MB).ToText()
            )
        )
        {
            Assert.NotNull(OwnershipMarker.ReadText(handle, path));
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
        Assert.All(Disk.OpenCalls, o => Assert.StartsWith(@"\\?\", o.Path, StringComparison.Ordinal));
    }

    [Fact]
    public void File_managed_by_a_filter_driver_is_reported_and_never_extended()
    {
        UseModel(new ModelNtfs());
        PrepareFile(OwnPath);
        Disk.FindFile(OwnPath)!.ReparseTag = WindowsCalls.IO_REPARSE_TAG_DEDUP;
        AssertOwned(OwnPath);
        var target = CheckTarget(OwnPath);
        Assert.Contains(
            target.Warnings,
            w => w.Code == WarningCodes.Filtered && w.ToString().Contains("Data Deduplication", StringComparison.Ordinal)
        );
        AssertRefused("IoBench.FilteredFile", () => PrepareFile(OwnPath, size: 2 * MB));
        using (StartWriting(OwnPath)) { }
        AssertOwned(OwnPath);
    }

    [Fact]
    public void Link_is_recognized_by_its_reparse_tag()
    {
        UseModel(new ModelNtfs());
        PrepareFile(OwnPath);
        var link = Disk.AddFile(GetPath("link.dat"));
        (link.ReparseTag, link.LinkTarget) = (0xA000000C, OwnPath);
        Assert.Equal(FileKind.Link, PlatformFiles.Current.TryGetStatus(GetPath("link.dat"))!.Value.Kind);
        AssertRefused("IoBench.BadLink", () => PrepareFile(GetPath("link.dat"), writePercent: 100));
    }

    [Fact]
    public void Stream_is_refused_by_the_final_name_of_its_handle()
    {
        UseModel(new ModelNtfs());
        Disk.AddFile(@"T:\prod.mdf", new byte[8192]).Streams["s"] = new ModelStream();
        AssertRefused("IoBench.InvalidPath", () => PlatformFiles.Current.OpenToWrite(@"T:\prod.mdf:s").Dispose());
    }

    [Fact]
    public void Online_disk_is_not_written_and_delete_access_is_not_shared()
    {
        UseModel(new ModelNtfs());
        const string disk = @"\\.\PhysicalDrive1";
        var node = Disk.AddFile(disk, new byte[MB]);
        node.DiskAttributes = WindowsCalls.DISK_ATTRIBUTE_OFFLINE;
        using var handle = PlatformFiles.Current.OpenToWrite(disk);
        PlatformFiles.Current.OpenForWorker(handle, disk, write: true, new IoPattern(), OverlappedBackend.Descriptor).Dispose();
        Assert.Equal(MB, RawDevice.Describe(handle, disk).Size);
        node.DiskAttributes = 0;
        Assert.Contains(
            "online",
            AssertRefused(
                "IoBench.DeviceInUse",
                () => PlatformFiles.Current.OpenForWorker(handle, disk, write: true, new IoPattern(), OverlappedBackend.Descriptor)
            ).Message,
            StringComparison.Ordinal
        );
        Assert.All(
            Disk.OpenCalls.Where(o => (o.Access & WindowsCalls.GENERIC_WRITE) != 0),
            o => Assert.Equal(0u, o.Share & WindowsCalls.FILE_SHARE_DELETE)
        );
    }

    [Theory]
    [InlineData(unchecked((int)0x80070020), 3, true)]
    [InlineData(unchecked((int)0x80070020), 100, false)]
    [InlineData(unchecked((int)0x80070070), 1, false)]
    public void Move_is_retried_on_a_sharing_violation_only(int error, int refusals, bool isDone)
    {
        var (calls, pauses) = (0, 0);
        var failure = Record.Exception(() =>
            PlatformFiles.RunWithRetries(
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
    public void Access_error_of_a_disk_advises_an_elevated_start(int error) =>
        Assert.Contains(
            "Run as administrator",
            FileErrors.FromWindows(error, "opening", @"\\.\PhysicalDrive1").Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void Volume_without_a_drive_letter_has_facts()
    {
        UseModel(
            new ModelNtfs
            {
                Root = @"C:\mnt\log\",
                ReportedSectorSizes = (512, 4096),
                FileSystem = "ReFS",
                WriteCache = (2, 1, 1),
            }
        );
        Disk.AddFile(@"\\?\Volume{00000000-0000-0000-0000-000000000001}");
        PrepareFile(OwnPath);
        var target = CheckTarget(OwnPath, writePercent: 100);
        Assert.Equal((512, 4096), (target.LogicalSectorSize, target.Volume.PhysicalSectorSize));
        Assert.Equal(
            ("on", "not supported", "declared by the user"),
            (target.Facts["Write cache"], target.Facts["Write-through"], target.Facts["Power protection"])
        );
        // ReFS writes in place unless it keeps checksums of file data.
        Assert.False(target.Volume.IsCopyOnWrite);
        var spec = CreateSpecification(OwnPath, writePercent: 100);
        var warnings = TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()).Warnings;
        Assert.Contains(warnings, w => w.Code == WarningCodes.PowerProtectionDeclared);
        Assert.DoesNotContain(warnings, w => w.Code == WarningCodes.CopyOnWrite);
        Disk.FindFile(OwnPath)!.Attributes |= WindowsCalls.FILE_ATTRIBUTE_INTEGRITY_STREAM;
        Assert.Contains(TestFiles.Check(spec, spec.Targets[0], new TestRunOptions()).Warnings, w => w.Code == WarningCodes.CopyOnWrite);
    }
}
