using System.Text;
using IoBench.Engine;

namespace IoBench.Engine.Tests;

public class RawDeviceTests : TargetFolder
{
    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void An_empty_device_is_written_by_force_only()
    {
        using var disk = new LoopVolume(8 * MB);
        Assert.Equal(8 * MB, Check(disk.Device, size: null).Size);
        Refused("IoBench.DeviceNeedsForce", () => Check(disk.Device, size: null, writePercent: 1));
        var target = Prepare(disk.Device, size: 4 * MB, writePercent: 100, force: true);
        Assert.True(target.IsDevice);
        Assert.Equal(4 * MB, target.Size);
        using (TestFiles.BeginWriting(target, 1))
            Refused("IoBench.DeviceInUse", () => TestFiles.BeginWriting(target, 1));
        Refused("IoBench.InvalidSize", () => Check(disk.Device, size: 9 * MB));
        Refused("IoBench.NotAFile", () => TestFiles.Remove(disk.Device, force: true));
    }

    [RequiresRootFact("losetup", "mkfs.ext4")]
    public void A_mounted_device_and_one_with_a_file_system_are_never_written()
    {
        using var disk = new LoopVolume(16 * MB).Mount("mkfs.ext4");
        var mounted = Assert.Throws<IoBenchException>(() => Check(disk.Device, size: null, writePercent: 100, force: true));
        Assert.Contains(mounted.ErrorId, new[] { "IoBench.DeviceInUse", "IoBench.DeviceHasData" });
        LoopVolume.Run("umount", disk.MountPoint);
        var refusal = Refused("IoBench.DeviceHasData", () => Check(disk.Device, size: null, writePercent: 100, force: true));
        Assert.Contains("an ext file system", refusal.Message, StringComparison.Ordinal);
        LoopVolume.Run("mount", disk.Device, disk.MountPoint);
    }

    [RequiresRootFact("losetup", "mkswap")]
    public void Swap_space_is_never_written()
    {
        using var disk = new LoopVolume(8 * MB);
        LoopVolume.Run("mkswap", disk.Device);
        Assert.Contains("swap", Refused("IoBench.DeviceHasData", () => Check(disk.Device, size: null, writePercent: 100, force: true)).Message, StringComparison.Ordinal);
    }

    public static TheoryData<string, long, string> Signatures => new()
    {
        { "an XFS file system", 0, "XFSB" },
        { "a btrfs file system", 65600, "_BHRfS_M" },
        { "an NTFS file system", 3, "NTFS    " },
        { "a ReFS file system", 3, "ReFS" },
        { "an exFAT file system", 3, "EXFAT   " },
        { "a FAT file system", 82, "FAT32   " },
        { "an LVM physical volume", 512, "LABELONE" },
        { "a LUKS encrypted volume", 0, "LUKS\u00ba\u00be" },
        { "a member of a Linux RAID (md)", 4096, "\u00fc\u004e\u002b\u00a9" },
        { "a member of a Linux RAID (md)", 8 * MB - 8192, "\u00fc\u004e\u002b\u00a9" },
        { "a member of a Linux RAID (md)", 8 * MB - 65536, "\u00fc\u004e\u002b\u00a9" },
        { "swap space", 4086, "SWAPSPACE2" },
        { "a GPT partition table", 512, "EFI PART" },
        { "a GPT partition table", 8 * MB - 512, "EFI PART" },
        { "a ZFS pool member", 131072 + 4096, "\u000c\u00b1\u00ba\u0000\u0000\u0000\u0000\u0000" },
        { "an Oracle ASM disk", 32, "ORCLDISK" },
        { "a VMFS volume", MB, "\u000d\u00d0\u0001\u00c0" },
        { "a SQL Server backup", 0, "MSSQLBAK" },
    };

    [Theory]
    [MemberData(nameof(Signatures))]
    public void What_is_on_a_device_is_named(string name, long offset, string value)
    {
        var disk = new byte[8 * MB];
        Assert.Null(Find(disk));
        Encoding.Latin1.GetBytes(value).CopyTo(disk, offset);
        Assert.Equal(name, Find(disk));
    }

    [Fact]
    public void A_partition_table_needs_a_partition()
    {
        var disk = new byte[MB];
        disk[510] = 0x55;
        disk[511] = 0xAA;
        Assert.Null(Find(disk));
        disk[446] = 0x80;
        disk[450] = 0x83;
        Assert.Equal("a partition table", Find(disk));
        disk[446] = 0x17; // no status that exists: the two bytes came by chance
        Assert.Null(Find(disk));
    }

    [Fact]
    public void A_database_on_a_raw_device_is_seen()
    {
        var disk = new byte[MB];
        SqlServerSamples.DataFile().CopyTo(disk, 0);
        Assert.Equal("a SQL Server database", Find(disk));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(512)]
    [InlineData(100_000)]
    public void Small_devices_and_our_own_content_hold_nothing(int size)
    {
        var disk = new byte[size];
        FillContent.Fill(disk, 3, 0);
        Assert.Null(Find(disk));
    }

    private static string? Find(byte[] disk)
        => DeviceSignatures.Find(disk.Length, (offset, buffer) => disk.AsSpan((int)offset, buffer.Length).CopyTo(buffer));
}
