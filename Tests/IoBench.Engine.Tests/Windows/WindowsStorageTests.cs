namespace IoBench.Engine.Tests;

public class WindowsStorageTests : ModeledNtfsTestBase
{
    private const string Volume = @"\\?\Volume{00000000-0000-0000-0000-000000000001}";
    private const string FirstDisk = @"\\.\PhysicalDrive1";

    private string OwnPath => GetPath("ours.dat");

    [Theory]
    [InlineData(1, 0, 0, false)]
    [InlineData(2, 1, 4096, true)]
    // More ranges than one call returns.
    [InlineData(100, -1, 0, false)]
    [InlineData(100, 80, 4096, true)]
    [InlineData(100, 99, 4096, true)]
    public void Unallocated_ranges_are_found_regardless_of_attributes(int ranges, int missing, int length, bool expected)
    {
        UseModel(new ModelNtfs());
        var file = Disk.AddFile(GetPath("others.dat"), TestWrites.CreateContent(1, 0, (int)MB, 1));
        var each = MB / ranges / 4096 * 4096;
        file.AllocatedRanges = [];
        for (var i = 0; i < ranges; i++)
        {
            var end = i == ranges - 1 ? MB : (i + 1) * each;
            file.AllocatedRanges.Add((i * each, end - i * each - (i == missing ? length : 0)));
        }
        Assert.Equal(expected, CheckTarget(GetPath("others.dat")).HasUnallocatedRanges);
    }

    [Fact]
    public void Spanned_volume_has_the_facts_of_its_disks()
    {
        UseModel(new ModelNtfs { SpannedDisks = ([3, 4, 3], 16), VirtualDiskType = 3 });
        Disk.AddFile(Volume);
        Disk.AddFile(@"\\.\PhysicalDrive3");
        Disk.AddFile(@"\\.\PhysicalDrive4");
        var facts = CheckTarget(OwnPath).Facts;
        Assert.Equal(("PhysicalDrive3, PhysicalDrive4", "Storage Spaces", "VHDX"), (facts["Disks"], facts["Bus"], facts["Virtual disk"]));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Thin_provisioning_warns_only_before_the_file_is_created(bool isThin)
    {
        UseModel(new ModelNtfs { IsThin = isThin });
        Disk.AddFile(Volume);
        Assert.Equal(isThin, CheckTarget(OwnPath).Warnings.Any(w => w.Code == WarningCodes.ThinProvisioned));
        PrepareFile(OwnPath);
        // The whole file is allocated.
        Assert.DoesNotContain(CheckTarget(OwnPath).Warnings, w => w.Code == WarningCodes.ThinProvisioned);
        Assert.Equal(isThin ? "yes" : "no", CheckTarget(OwnPath).Facts["Thin provisioned"]);
    }

    [Fact]
    public void Cluster_shared_volume_reports_redirected_IO()
    {
        UseModel(
            new ModelNtfs
            {
                FileSystem = "CSVFS",
                ClusterState = new WindowsCalls.ClusterVolumeState
                {
                    OwnerNode = 1,
                    OwnNode = 2,
                    IsRedirected = 1,
                },
            }
        );
        var target = CheckTarget(OwnPath);
        Assert.Equal("redirected, owned by another node", target.Facts["Cluster shared volume"]);
        Assert.Contains(target.Warnings, w => w.Code == WarningCodes.Redirected);
        UseModel(
            new ModelNtfs
            {
                FileSystem = "CSVFS",
                ClusterState = new WindowsCalls.ClusterVolumeState { OwnerNode = 1, OwnNode = 1 },
            }
        );
        target = CheckTarget(OwnPath);
        Assert.Equal("direct, owned by this node", target.Facts["Cluster shared volume"]);
        Assert.DoesNotContain(target.Warnings, w => w.Code == WarningCodes.Redirected);
    }

    [Theory]
    [InlineData(4, 3, 1, 1, 0x30u, 8u, "3.1.1, continuously available, scale-out, multichannel")]
    [InlineData(4, 3, 0, 2, 0u, 0u, "3.0.2, not continuously available")]
    [InlineData(1, 2, 1, 0, 0xFFu, 0xFFu, "2.1")]
    public void Share_facts_include_the_SMB_version(
        int structure,
        int major,
        int minor,
        int revision,
        uint share,
        uint server,
        string expected
    )
    {
        UseModel(
            new ModelNtfs
            {
                ShareProtocol = new WindowsCalls.RemoteProtocol
                {
                    StructureVersion = (ushort)structure,
                    Protocol = WindowsCalls.WNNC_NET_SMB,
                    Major = (ushort)major,
                    Minor = (ushort)minor,
                    Revision = (ushort)revision,
                    ShareCapabilities = share,
                    ServerCapabilities = server,
                },
            }
        );
        var target = CheckTarget(OwnPath);
        Assert.Equal(expected, target.Facts["SMB"]);
        Assert.Contains(target.Warnings, w => w.Code == WarningCodes.Network);
    }

    [Fact]
    public void Check_warns_that_a_new_file_would_be_compressed_or_encrypted()
    {
        UseModel(new ModelNtfs { FolderAttributes = WindowsCalls.FILE_ATTRIBUTE_COMPRESSED | WindowsCalls.FILE_ATTRIBUTE_ENCRYPTED });
        var codes = CheckTarget(OwnPath).Warnings.Select(w => w.Code).ToArray();
        Assert.Contains(WarningCodes.Compressed, codes);
        Assert.Contains(WarningCodes.Encrypted, codes);
    }

    [Fact]
    public void Disk_is_locked_for_other_runs_until_it_is_closed()
    {
        UseModel(new ModelNtfs());
        Disk.AddFile(FirstDisk, new byte[MB]).DiskAttributes = WindowsCalls.DISK_ATTRIBUTE_OFFLINE;
        var held = RawDevice.OpenExclusively(FirstDisk);
        Assert.Contains(
            "another test",
            AssertRefused("IoBench.DeviceInUse", () => RawDevice.OpenExclusively(@"\\.\physicaldrive1")).Message,
            StringComparison.Ordinal
        );
        PlatformFiles.Current.UnlockAndClose(held);
        PlatformFiles.Current.UnlockAndClose(RawDevice.OpenExclusively(FirstDisk));
        // A disk that cannot be opened is not locked.
        Disk.RemoveFile(FirstDisk);
        Assert.Throws<IoBenchException>(() => RawDevice.OpenExclusively(FirstDisk));
        Disk.AddFile(FirstDisk, new byte[MB]);
        PlatformFiles.Current.UnlockAndClose(RawDevice.OpenExclusively(FirstDisk));
    }

    [Fact]
    public void Disk_that_comes_online_is_detected_within_a_second()
    {
        UseModel(new ModelNtfs());
        var node = Disk.AddFile(FirstDisk, new byte[MB]);
        node.DiskAttributes = WindowsCalls.DISK_ATTRIBUTE_OFFLINE;
        using var target = new OpenTarget(
            new CheckedTarget { Path = FirstDisk, Size = MB },
            OpenFile.FromDevice(FirstDisk, RawDevice.OpenExclusively(FirstDisk), write: true),
            null
        );
        var watch = new DeviceMonitor([target]);
        Assert.Null(watch.FindNewUser(0));
        node.DiskAttributes = 0;
        Assert.Null(watch.FindNewUser(Clock.Second - 1));
        Assert.Contains("online", watch.FindNewUser(Clock.Second)!.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ThreadsBackend.Name, 0u)]
    [InlineData(OverlappedBackend.Name, WindowsCalls.FILE_FLAG_OVERLAPPED)]
    public void Handle_flags_match_the_backend(string backend, uint overlapped)
    {
        UseModel(new ModelNtfs());
        using var run = StartWriting(OwnPath);
        using var worker = run.Target.OpenHandle(
            new IoPattern
            {
                WritePercent = 100,
                TemporaryHint = true,
                Priority = IoPriority.Low,
            },
            BackendCatalog.Get(backend)
        );
        var flags = Disk.OpenCalls[^1].Flags;
        Assert.Equal(
            overlapped | WindowsCalls.FILE_FLAG_NO_BUFFERING | WindowsCalls.FILE_FLAG_WRITE_THROUGH | WindowsCalls.FILE_ATTRIBUTE_TEMPORARY,
            flags & 0xE0000100
        );
        // Each thread that does its own I/O has its own handle.
        using var another = worker.Reopen!();
        Assert.Equal(flags, Disk.OpenCalls[^1].Flags);
        Assert.NotEqual(worker.RawHandle, another.RawHandle);
    }

    /// <summary>One volume has a letter and is also mounted in a folder. Another volume is mounted in a folder of the first.</summary>
    [Fact]
    public void Witness_on_the_volume_of_a_target_is_refused()
    {
        UseModel(new ModelNtfs());
        foreach (var (folder, volume) in new (string, ulong?)[] { ("/t", null), ("/c/mnt/t", null), ("/t/mnt/other", 7) })
            Disk.AddFile(folder, volume: volume);
        var error = Assert.Throws<IoBenchException>(() =>
            WitnessWriter.CheckVolume("/c/mnt/t/witness.log", ["/t/mnt/other/a.dat", "/t/b.dat"])
        );
        Assert.Equal(
            ("IoBench.WitnessOnTarget", true),
            (error.ErrorId, error.Message.Contains("the volume of /t/b.dat", StringComparison.Ordinal))
        );
        WitnessWriter.CheckVolume("/t/mnt/other/witness.log", ["/t/b.dat"]);
    }
}
