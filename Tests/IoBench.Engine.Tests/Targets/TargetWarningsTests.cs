namespace IoBench.Engine.Tests;

public class TargetWarningsTests : TargetFolder
{
    private const long GB = 1L << 30;

    private static List<string> Warnings(
        Action<IoTestSpecification>? change = null,
        long size = 20 * GB,
        bool hasHoles = false,
        VolumeFacts? volume = null
    )
    {
        var spec = Spec("/nowhere/a.dat");
        change?.Invoke(spec);
        var target = new CheckedTarget
        {
            Path = "/nowhere/a.dat",
            Kind = TargetKind.Foreign,
            Size = size,
            Volume = volume ?? new VolumeFacts { FileSystem = "ext4" },
            HasHoles = hasHoles,
            Warnings = [],
        };
        return [.. TargetWarnings.Of(spec, spec, null, target).Select(w => w.ToString())];
    }

    [Fact]
    public void Without_a_stated_cache_one_note_that_is_the_same_for_all_tests_of_a_suite()
    {
        var reading = Assert.Single(Warnings());
        Assert.Contains("cache may answer", reading, StringComparison.Ordinal);
        Assert.Contains(
            reading,
            Warnings(s =>
            {
                s.WritePercent = 100;
                s.BlockSize = 65536;
                s.Workload = "oltp";
            })
        );
    }

    [Fact]
    public void A_file_of_four_times_the_stated_cache_is_large_enough()
    {
        Assert.Empty(Warnings(s => s.StorageCacheSize = 5 * GB));
        Assert.Contains("24 GB or more", Assert.Single(Warnings(s => s.StorageCacheSize = 6 * GB)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(IoBuffering.Software)]
    [InlineData(IoBuffering.Both)]
    public void Through_the_file_cache_a_file_needs_twice_the_memory(IoBuffering buffering)
    {
        Assert.Contains(
            "of memory",
            Assert.Single(Warnings(s => s.Buffering = buffering, 2 * HostMemory.TotalBytes - 1)),
            StringComparison.Ordinal
        );
        Assert.Empty(Warnings(s => s.Buffering = buffering, 2 * HostMemory.TotalBytes));
    }

    [Fact]
    public void A_size_of_content_that_no_file_has_is_said_to_have_no_effect()
    {
        static bool Says(Action<IoTestSpecification> change) =>
            Warnings(change).Exists(w => w.StartsWith("The size of the write content (1 MB) has no effect", StringComparison.Ordinal));
        Assert.True(Says(s => (s.WritePercent, s.WriteContentSize) = (100, 1 << 20)));
        Assert.True(Says(s => (s.WritePercent, s.WriteContent, s.WriteContentSize) = (30, IoWriteContentKind.Zero, 1 << 20)));
        Assert.False(Says(s => s.WriteContentSize = 1 << 20));
        Assert.False(
            Says(s =>
                (s.WritePercent, s.WriteContent, s.WriteContentFile, s.WriteContentSize) = (100, IoWriteContentKind.File, "/x", 1 << 20)
            )
        );
    }

    [Fact]
    public void Writes_into_the_device_s_cache_are_not_SQL_Server_s_way()
    {
        static bool Says(List<string> warnings) =>
            warnings.Exists(w => w.Contains("Buffering Hardware may end in a cache", StringComparison.Ordinal));
        Assert.True(
            Says(
                Warnings(s =>
                {
                    s.WritePercent = 100;
                    s.Buffering = IoBuffering.Hardware;
                })
            )
        );
        Assert.False(Says(Warnings(s => s.Buffering = IoBuffering.Hardware)));
        Assert.False(
            Says(
                Warnings(s =>
                {
                    s.WritePercent = 100;
                    s.Buffering = IoBuffering.Hardware;
                    s.Workload = "tempdb";
                })
            )
        );
        Assert.False(
            Says(
                Warnings(s =>
                {
                    s.WritePercent = 100;
                    s.Buffering = IoBuffering.Hardware;
                    s.FlushEvery = 8;
                })
            )
        );
        Assert.False(Says(Warnings(s => s.WritePercent = 100)));
    }

    [Theory]
    [InlineData(false, true, true)]
    [InlineData(true, true, false)]
    [InlineData(false, false, false)]
    [InlineData(null, null, false)]
    public void Without_FUA_a_write_through_write_costs_a_flush(bool? fua, bool? writeBack, bool said)
    {
        var volume = new VolumeFacts { ForcedUnitAccess = fua, WriteBackCache = writeBack };
        Assert.Equal(said, Warnings(s => s.WritePercent = 100, volume: volume).Exists(w => w.Contains("no FUA", StringComparison.Ordinal)));
        Assert.DoesNotContain(Warnings(volume: volume), w => w.Contains("no FUA", StringComparison.Ordinal));
    }

    [Fact]
    public void What_is_special_about_a_volume_is_said()
    {
        static void Says(string part, VolumeFacts volume, int writePercent = 0) =>
            Assert.Contains(Warnings(s => s.WritePercent = writePercent, volume: volume), w => w.Contains(part, StringComparison.Ordinal));
        Says("another machine (nfs4)", new VolumeFacts { FileSystem = "nfs4", IsNetwork = true });
        Says("layered file system (overlay)", new VolumeFacts { FileSystem = "overlay", IsOverlay = true });
        Says("btrfs writes every block to a new place", new VolumeFacts { FileSystem = "btrfs", IsCopyOnWrite = true }, writePercent: 30);
        Says("compressed", new VolumeFacts { IsCompressed = true });
        Says("encrypted", new VolumeFacts { IsEncrypted = true });
        Assert.Contains(Warnings(hasHoles: true), w => w.Contains("never written", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("truncate -s 1M a.dat")]
    [InlineData("fallocate -l 1M a.dat")]
    public void Holes_and_unwritten_extents_of_others_files_are_seen(string make)
    {
        Shell($"cd '{Folder}' && {make}");
        Assert.Contains(Check(At("a.dat"), size: null).Warnings, w => w.ToString().Contains("never written", StringComparison.Ordinal));
        Assert.DoesNotContain(
            Check(Foreign("full.dat"), size: null).Warnings,
            w => w.ToString().Contains("never written", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void SQL_Server_files_in_the_folder_are_seen()
    {
        Assert.Null(SqlServerNearby.Find(At("a.dat")));
        Foreign("master.mdf");
        Assert.Contains(Check(At("a.dat")).Warnings, w => w.ToString().Contains(At("master.mdf"), StringComparison.Ordinal));
    }

    [Fact]
    public void A_small_file_by_default_is_called_a_quick_look()
    {
        var target = Check(At("a.dat"), size: null);
        Assert.Equal(target.Size < SizePlan.DefaultSize, target.Warnings.Exists(w => w.Code == WarningCodes.QuickLook));
    }
}
