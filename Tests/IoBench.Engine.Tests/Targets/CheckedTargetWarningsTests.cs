namespace IoBench.Engine.Tests;

public class CheckedTargetWarningsTests : TargetTestBase
{
    private const long GB = 1L << 30;

    private static List<string> GetWarnings(
        Action<IoTestSpecification>? change = null,
        long size = 20 * GB,
        bool hasHoles = false,
        VolumeFacts? volume = null
    )
    {
        var spec = CreateSpecification("/nowhere/a.dat");
        change?.Invoke(spec);
        var target = new CheckedTarget
        {
            Path = "/nowhere/a.dat",
            Kind = TargetKind.Foreign,
            Size = size,
            Volume = volume ?? new VolumeFacts { FileSystem = "ext4" },
            HasUnallocatedRanges = hasHoles,
            Warnings = [],
        };
        return [.. target.CreateWarnings(spec, spec, null).Select(w => w.ToString())];
    }

    [Fact]
    public void Cache_warning_is_identical_for_all_tests_of_a_suite()
    {
        var reading = Assert.Single(GetWarnings());
        Assert.Contains("might fit into a cache", reading, StringComparison.Ordinal);
        Assert.Contains(
            reading,
            GetWarnings(s =>
            {
                s.WritePercent = 100;
                s.BlockSize = 65536;
                s.Workload = "oltp";
            })
        );
    }

    [Fact]
    public void File_of_four_times_the_cache_size_is_large_enough()
    {
        Assert.Empty(GetWarnings(s => s.StorageCacheSize = 5 * GB));
        Assert.Contains("24 GB or more", Assert.Single(GetWarnings(s => s.StorageCacheSize = 6 * GB)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(IoBuffering.Software)]
    [InlineData(IoBuffering.Both)]
    public void Buffered_test_needs_a_file_of_twice_the_memory(IoBuffering buffering)
    {
        Assert.Contains(
            "of memory",
            Assert.Single(GetWarnings(s => s.Buffering = buffering, 2 * HostFacts.MemoryBytes - 1)),
            StringComparison.Ordinal
        );
        Assert.Empty(GetWarnings(s => s.Buffering = buffering, 2 * HostFacts.MemoryBytes));
    }

    [Fact]
    public void Warning_reports_a_content_size_without_effect()
    {
        static bool Says(Action<IoTestSpecification> change) =>
            GetWarnings(change).Exists(w => w.StartsWith("The size of the write content (1 MB) has no effect", StringComparison.Ordinal));
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
    public void Warning_reports_writes_that_can_end_in_the_device_cache()
    {
        static bool Says(List<string> warnings) =>
            warnings.Exists(w => w.Contains("Buffering Hardware can stay in a cache", StringComparison.Ordinal));
        Assert.True(
            Says(
                GetWarnings(s =>
                {
                    s.WritePercent = 100;
                    s.Buffering = IoBuffering.Hardware;
                })
            )
        );
        Assert.False(Says(GetWarnings(s => s.Buffering = IoBuffering.Hardware)));
        Assert.False(
            Says(
                GetWarnings(s =>
                {
                    s.WritePercent = 100;
                    s.Buffering = IoBuffering.Hardware;
                    s.Workload = "tempdb";
                })
            )
        );
        Assert.False(
            Says(
                GetWarnings(s =>
                {
                    s.WritePercent = 100;
                    s.Buffering = IoBuffering.Hardware;
                    s.FlushEvery = 8;
                })
            )
        );
        Assert.False(Says(GetWarnings(s => s.WritePercent = 100)));
    }

    [Theory]
    [InlineData(false, true, true)]
    [InlineData(true, true, false)]
    [InlineData(false, false, false)]
    [InlineData(null, null, false)]
    public void Warning_reports_write_through_without_FUA(bool? fua, bool? writeBack, bool said)
    {
        var volume = new VolumeFacts { SupportsForcedUnitAccess = fua, HasVolatileWriteCache = writeBack };
        Assert.Equal(
            said,
            GetWarnings(s => s.WritePercent = 100, volume: volume).Exists(w => w.Contains("no FUA", StringComparison.Ordinal))
        );
        Assert.DoesNotContain(GetWarnings(volume: volume), w => w.Contains("no FUA", StringComparison.Ordinal));
    }

    [Fact]
    public void Warnings_report_special_volume_properties()
    {
        static void Says(string part, VolumeFacts volume, int writePercent = 0) =>
            Assert.Contains(
                GetWarnings(s => s.WritePercent = writePercent, volume: volume),
                w => w.Contains(part, StringComparison.Ordinal)
            );
        Says("another computer (nfs4)", new VolumeFacts { FileSystem = "nfs4", IsNetwork = true });
        Says("layered file system of a container (overlay)", new VolumeFacts { FileSystem = "overlay", IsOverlay = true });
        Says("btrfs writes each block to a new location", new VolumeFacts { FileSystem = "btrfs", IsCopyOnWrite = true }, writePercent: 30);
        Says("compressed", new VolumeFacts { IsCompressed = true });
        Says("encrypts", new VolumeFacts { IsEncrypted = true });
        Assert.Contains(GetWarnings(hasHoles: true), w => w.Contains("never written", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("truncate -s 1M a.dat")]
    [InlineData("fallocate -l 1M a.dat")]
    public void Warning_reports_unallocated_and_unwritten_ranges(string make)
    {
        RunShell($"cd '{Folder}' && {make}");
        Assert.Contains(
            CheckTarget(GetPath("a.dat"), size: null).Warnings,
            w => w.ToString().Contains("never written", StringComparison.Ordinal)
        );
        Assert.DoesNotContain(
            CheckTarget(CreateUnownedFile("full.dat"), size: null).Warnings,
            w => w.ToString().Contains("never written", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Warning_names_SQL_Server_files_in_the_folder()
    {
        Assert.Null(SqlServerFile.FindOnSameVolume(GetPath("a.dat")));
        CreateUnownedFile("master.mdf");
        Assert.Contains(
            CheckTarget(GetPath("a.dat")).Warnings,
            w => w.ToString().Contains(GetPath("master.mdf"), StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Warning_reports_a_small_default_file()
    {
        var target = CheckTarget(GetPath("a.dat"), size: null);
        Assert.Equal(target.Size < TestFiles.DefaultSize, target.Warnings.Exists(w => w.Code == WarningCodes.QuickLook));
    }
}
