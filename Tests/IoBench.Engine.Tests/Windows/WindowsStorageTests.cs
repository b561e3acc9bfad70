namespace IoBench.Engine.Tests;

public class WindowsStorageTests : ModelledFolder
{
    private const string Volume = @"\\?\Volume{00000000-0000-0000-0000-000000000001}";
    private const string FirstDisk = @"\\.\PhysicalDrive1";

    private string Ours => At("ours.dat");

    [Theory]
    [InlineData(1, 0, 0, false)]
    [InlineData(2, 1, 4096, true)]
    // More ranges than one call returns.
    [InlineData(100, -1, 0, false)]
    [InlineData(100, 80, 4096, true)]
    [InlineData(100, 99, 4096, true)]
    public void Parts_without_room_are_seen_whatever_the_attributes_say(int ranges, int missing, int length, bool expected)
    {
        Use(new ModelNtfs());
        var file = Disk.Add(At("others.dat"), TestWrites.Content(1, 0, (int)MB, 1));
        var each = MB / ranges / 4096 * 4096;
        file.Ranges = [];
        for (var i = 0; i < ranges; i++)
        {
            var end = i == ranges - 1 ? MB : (i + 1) * each;
            file.Ranges.Add((i * each, end - i * each - (i == missing ? length : 0)));
        }
        Assert.Equal(expected, Check(At("others.dat")).HasHoles);
    }

    [Fact]
    public void A_span_has_the_facts_of_its_disks()
    {
        Use(new ModelNtfs { Span = ([3, 4, 3], 16), VirtualDisk = 3 });
        Disk.Add(Volume);
        Disk.Add(@"\\.\PhysicalDrive3");
        Disk.Add(@"\\.\PhysicalDrive4");
        var facts = Check(Ours).Facts;
        Assert.Equal(("PhysicalDrive3, PhysicalDrive4", "Storage Spaces", "VHDX"), (facts["Disks"], facts["Bus"], facts["Virtual disk"]));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Thin_storage_is_a_warning_where_room_is_taken(bool isThin)
    {
        Use(new ModelNtfs { IsThin = isThin });
        Disk.Add(Volume);
        Assert.Equal(isThin, Check(Ours).Warnings.Any(w => w.Code == WarningCodes.ThinProvisioned));
        Prepare(Ours);
        // The whole file is allocated.
        Assert.DoesNotContain(Check(Ours).Warnings, w => w.Code == WarningCodes.ThinProvisioned);
        Assert.Equal(isThin ? "yes" : "no", Check(Ours).Facts["Thin provisioned"]);
    }

    [Fact]
    public void A_clusters_volume_says_whether_its_IO_goes_by_the_network()
    {
        Use(
            new ModelNtfs
            {
                FileSystem = "CSVFS",
                Cluster = new WindowsCalls.CsvRedirectState
                {
                    OwnerNode = 1,
                    OwnNode = 2,
                    IsRedirected = 1,
                },
            }
        );
        var target = Check(Ours);
        Assert.Equal("redirected, owned by another node", target.Facts["Cluster shared volume"]);
        Assert.Contains(target.Warnings, w => w.Code == WarningCodes.Redirected);
        Use(
            new ModelNtfs
            {
                FileSystem = "CSVFS",
                Cluster = new WindowsCalls.CsvRedirectState { OwnerNode = 1, OwnNode = 1 },
            }
        );
        target = Check(Ours);
        Assert.Equal("direct, owned by this node", target.Facts["Cluster shared volume"]);
        Assert.DoesNotContain(target.Warnings, w => w.Code == WarningCodes.Redirected);
    }

    [Theory]
    [InlineData(4, 3, 1, 1, 0x30u, 8u, "3.1.1, continuously available, scale-out, multichannel")]
    [InlineData(4, 3, 0, 2, 0u, 0u, "3.0.2, not continuously available")]
    [InlineData(1, 2, 1, 0, 0xFFu, 0xFFu, "2.1")]
    public void A_share_says_which_protocol_it_speaks(
        int structure,
        int major,
        int minor,
        int revision,
        uint share,
        uint server,
        string expected
    )
    {
        Use(
            new ModelNtfs
            {
                Share = new WindowsCalls.RemoteProtocol
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
        var target = Check(Ours);
        Assert.Equal(expected, target.Facts["SMB"]);
        Assert.Contains(target.Warnings, w => w.Code == WarningCodes.Network);
    }

    [Fact]
    public void A_folder_says_before_the_file_is_made_that_it_would_be_compressed()
    {
        Use(new ModelNtfs { FolderAttributes = WindowsCalls.FILE_ATTRIBUTE_COMPRESSED | WindowsCalls.FILE_ATTRIBUTE_ENCRYPTED });
        var codes = Check(Ours).Warnings.Select(w => w.Code).ToArray();
        Assert.Contains(WarningCodes.Compressed, codes);
        Assert.Contains(WarningCodes.Encrypted, codes);
    }

    [Fact]
    public void A_disk_is_held_against_other_runs_until_it_is_given_back()
    {
        Use(new ModelNtfs());
        Disk.Add(FirstDisk, new byte[MB]).DiskAttributes = WindowsCalls.DISK_ATTRIBUTE_OFFLINE;
        var held = RawDevice.OpenExclusively(FirstDisk);
        Assert.Contains(
            "another test",
            Refused("IoBench.DeviceInUse", () => RawDevice.OpenExclusively(@"\\.\physicaldrive1")).Message,
            StringComparison.Ordinal
        );
        PlatformFiles.Current.UnlockAndClose(held);
        PlatformFiles.Current.UnlockAndClose(RawDevice.OpenExclusively(FirstDisk));
        // A disk that cannot be opened is not locked.
        Disk.Remove(FirstDisk);
        Assert.Throws<IoBenchException>(() => RawDevice.OpenExclusively(FirstDisk));
        Disk.Add(FirstDisk, new byte[MB]);
        PlatformFiles.Current.UnlockAndClose(RawDevice.OpenExclusively(FirstDisk));
    }

    [Fact]
    public void A_disk_that_comes_online_ends_the_run_within_a_second()
    {
        Use(new ModelNtfs());
        var node = Disk.Add(FirstDisk, new byte[MB]);
        node.DiskAttributes = WindowsCalls.DISK_ATTRIBUTE_OFFLINE;
        using var target = new OpenTarget(
            new CheckedTarget { Path = FirstDisk, Size = MB },
            OpenFile.OfDevice(FirstDisk, RawDevice.OpenExclusively(FirstDisk), write: true),
            null
        );
        var watch = new DeviceWatch([target]);
        Assert.Null(watch.Look(0));
        node.DiskAttributes = 0;
        Assert.Null(watch.Look(Clock.Second - 1));
        Assert.Contains("online", watch.Look(Clock.Second)!.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ThreadsBackend.Name, 0u)]
    [InlineData(OverlappedBackend.Name, WindowsCalls.FILE_FLAG_OVERLAPPED)]
    public void Handles_are_as_their_backend_does_its_IO(string backend, uint overlapped)
    {
        Use(new ModelNtfs());
        using var run = BeginWriting(Ours);
        using var worker = run.Target.Open(
            new IoPattern
            {
                WritePercent = 100,
                TemporaryHint = true,
                Priority = IoPriority.Low,
            },
            BackendCatalog.Of(backend)
        );
        var flags = Disk.Opens[^1].Flags;
        Assert.Equal(
            overlapped | WindowsCalls.FILE_FLAG_NO_BUFFERING | WindowsCalls.FILE_FLAG_WRITE_THROUGH | WindowsCalls.FILE_ATTRIBUTE_TEMPORARY,
            flags & 0xE0000100
        );
        // Each thread that does its own I/O has its own handle.
        using var another = worker.Another!();
        Assert.Equal(flags, Disk.Opens[^1].Flags);
        Assert.NotEqual(worker.Raw, another.Raw);
    }

    /// <summary>One volume has a letter and is also mounted in a folder. Another volume is mounted in a folder of the first.</summary>
    [Fact]
    public void A_witness_is_refused_on_the_volume_that_it_watches_whatever_its_name()
    {
        Use(new ModelNtfs());
        foreach (var (folder, volume) in new (string, ulong?)[] { ("/t", null), ("/c/mnt/t", null), ("/t/mnt/other", 7) })
            Disk.Add(folder, volume: volume);
        var error = Assert.Throws<IoBenchException>(() => Witness.CheckVolume("/c/mnt/t/witness.log", ["/t/mnt/other/a.dat", "/t/b.dat"]));
        Assert.Equal(
            ("IoBench.WitnessOnTarget", true),
            (error.ErrorId, error.Message.Contains("the volume of /t/b.dat", StringComparison.Ordinal))
        );
        Witness.CheckVolume("/t/mnt/other/witness.log", ["/t/b.dat"]);
    }
}
