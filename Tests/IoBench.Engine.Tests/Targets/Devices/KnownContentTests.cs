using System.Buffers.Binary;

namespace IoBench.Engine.Tests;

public class KnownContentTests
{
    private const long MB = 1 << 20;

    /// <summary>Bytes that must also match for signatures of two bytes: offset in the sector of the signature, and value.</summary>
    private static readonly Dictionary<string, (int Offset, byte Value)[]> s_confirmationBytes = new()
    {
        ["an ext file system"] = [],
        ["a NILFS2 file system"] = [(0, 2), (8, 0x18), (9, 1)],
        ["a Minix file system"] = [(0, 64), (1, 1)],
        ["an HFS file system"] = [(22, 2)],
        ["an LVM physical volume"] = [(2, 1)],
        ["a FileVault volume"] = [(8, 1)],
        ["a Mac partition map"] = [(512, (byte)'P'), (513, (byte)'M')],
        ["a member of a hardware or firmware RAID (VIA)"] = [(2, 1)],
        ["a member of a hardware or firmware RAID (Silicon Image)"] = [(0x116, 1)],
        ["a member of a hardware or firmware RAID (JMicron)"] = [(0x30, 1)],
    };

    public static TheoryData<int> Rows => new(Enumerable.Range(0, ContentSignature.All.Count));

    [Theory]
    [MemberData(nameof(Rows))]
    public void Every_signature_is_found_at_its_offset_only(int row)
    {
        var signature = ContentSignature.All[row];
        // An unaligned size, so that the last sector, 4 KB, and 64 KB start at different offsets.
        var size = (signature.EndUnit == 0 ? Math.Max(32 * MB, signature.Offset + MB) : 32 * MB) + 9 * 4096 + 3 * 512;
        var at = signature.GetPosition(size);
        var disk = new SparseDisk(size);
        Assert.Null(disk.FindSignature());
        disk.SetBytes(at, signature.Value);
        if (signature.Confirm is not null)
            foreach (var (offset, value) in s_confirmationBytes[signature.Name])
                disk.SetBytes(at / 512 * 512 + offset, value);
        Assert.Equal(signature.Name, disk.FindSignature());
        Assert.NotEqual(signature.Name, new SparseDisk(size).SetBytes(at + 3, signature.Value).FindSignature());
        Assert.Null(new SparseDisk(at).FindSignature());
    }

    [Fact]
    public void End_signatures_are_found_where_each_format_puts_them()
    {
        const long size = 8 * MB + 3 * 4096 + 512;
        Assert.Equal(
            "a member of a Linux RAID (md)",
            new SparseDisk(size).SetBytes(8 * MB - 65536, 0xFC, 0x4E, 0x2B, 0xA9).FindSignature()
        );
        Assert.Equal("a member of a Linux RAID (md)", new SparseDisk(size).SetBytes(8 * MB + 4096, 0xFC, 0x4E, 0x2B, 0xA9).FindSignature());
        Assert.Equal("a GPT partition table", new SparseDisk(size).SetBytes(size - 512, "EFI PART").FindSignature());
        Assert.Equal("a DRBD volume", new SparseDisk(size).SetBytes(8 * MB + 2 * 4096 + 60, 0x83, 0x74, 0x02, 0x6B).FindSignature());
    }

    [Fact]
    public void Two_matching_bytes_are_not_a_file_system()
    {
        var disk = new SparseDisk(8 * MB).SetBytes(1024 + 16, 0x7F, 0x13, 0xFF, 0xFF).SetBytes(1024 + 10, 0x77, 0x77);
        Assert.Null(disk.FindSignature());
        Assert.Null(new SparseDisk(8 * MB).SetBytes(0, "HM\u0077\u0077").FindSignature());
        Assert.Null(new SparseDisk(8 * MB).SetBytes(0, "ER").FindSignature());
    }

    [Theory]
    [InlineData(0x00, 0x00, "a boot sector or an empty partition table")]
    [InlineData(0x80, 0x83, "a partition table")]
    [InlineData(0x17, 0x83, "a partition table")]
    public void Partition_table_is_found_regardless_of_its_entries(byte status, byte type, string name) =>
        Assert.Equal(name, new SparseDisk(MB).SetBytes(510, 0x55, 0xAA).SetBytes(446, status, 0, 0, 0, type).FindSignature());

    [Fact]
    public void FAT_is_recognized_without_a_text_signature()
    {
        // A DOS 3 floppy: a jump, 512 bytes per sector, two sectors per cluster, one reserved sector, two tables, media F9.
        var sector = new byte[64];
        sector[0] = 0xEB;
        BinaryPrimitives.WriteUInt16LittleEndian(sector.AsSpan(11), 512);
        sector[13] = 2;
        BinaryPrimitives.WriteUInt16LittleEndian(sector.AsSpan(14), 1);
        sector[16] = 2;
        sector[21] = 0xF9;
        Assert.Equal("a FAT file system", new SparseDisk(MB).SetBytes(0, sector).FindSignature());
        sector[21] = 0x12;
        Assert.Null(new SparseDisk(MB).SetBytes(0, sector).FindSignature());
    }

    [Theory]
    [InlineData(131072 + 4096)]
    [InlineData(64 * MB - 131072)]
    public void ZFS_pool_is_recognized_by_any_uberblock(long offset)
    {
        Assert.Equal("a ZFS pool member", new SparseDisk(64 * MB).SetBytes(offset, 0x0C, 0xB1, 0xBA, 0, 0, 0, 0, 0).FindSignature());
        Assert.Equal("a ZFS pool member", new SparseDisk(64 * MB).SetBytes(offset, 0, 0, 0, 0, 0, 0xBA, 0xB1, 0x0C).FindSignature());
    }

    [Fact]
    public void XFS_log_is_recognized_wherever_its_ring_starts() =>
        Assert.Equal("an XFS log", new SparseDisk(64 * MB).SetBytes(77 * 512, 0xFE, 0xED, 0xBA, 0xBE, 0, 0, 0, 9).FindSignature());

    [Theory]
    [InlineData(8 * MB, 0, 0L)]
    [InlineData(8 * MB, 777, 777L)]
    [InlineData(8 * MB, MB - 1, MB - 1)]
    [InlineData(8 * MB, 8 * MB - 1, 8 * MB - 1)]
    [InlineData(8 * MB, 7 * MB, 7 * MB)]
    [InlineData(8 * MB + 512, 8 * MB + 511, 8 * MB + 511)]
    [InlineData(8 * MB + 512, 7 * MB + 513, 7 * MB + 513)]
    [InlineData(512, 511, 511L)]
    [InlineData(MB + 512, MB + 7, MB + 7)]
    [InlineData(8 * MB, 4 * MB, 4 * MB)]
    [InlineData(256 * MB, 32 * MB + 777, 32 * MB + 777)]
    [InlineData(8 * MB, MB + 100_000, null)]
    public void First_nonzero_byte_is_found_at_both_ends_and_in_samples(long size, long at, long? found)
    {
        Assert.Null(new SparseDisk(size).Content.FindFirstNonZeroByte());
        Assert.Equal(found, new SparseDisk(size).SetBytes(at, 1).Content.FindFirstNonZeroByte());
    }

    [Theory]
    // The file system of the first partition, of old disks, and of a volume at any MB.
    [InlineData(MB, 1024 + 56, "an ext file system")]
    [InlineData(63 * 512, 3, "an NTFS file system")]
    [InlineData(40 * MB, 0, "an XFS file system")]
    [InlineData(40 * MB, 65536 + 64, "a btrfs file system")]
    [InlineData(40 * MB, 512, "an LVM physical volume")]
    public void File_system_of_a_partition_is_found_without_the_table(long partition, long offset, string name)
    {
        var value = ContentSignature.All.First(s => s.Name == name && s.Offset == offset && s.EndUnit == 0).Value;
        Assert.Equal(
            new FoundContent(name, partition + offset),
            new SparseDisk(256 * MB).SetBytes(partition + offset, value).Content.Find()
        );
    }

    [Theory]
    [InlineData(1024, 3, 3 * 8 * MB + 1024)]
    [InlineData(2048, 5, 5 * 32 * MB)]
    [InlineData(4096, 49, 49 * 128 * MB)]
    public void Copy_of_an_ext_superblock_is_found_in_its_group(int blockSize, int group, long superblock)
    {
        var disk = new SparseDisk(8L << 30).SetBytes(superblock + 56, 0x53, 0xEF);
        Assert.Equal(new FoundContent("an ext file system", superblock + 56), disk.Content.Find());
        Assert.Equal(superblock / (8L * blockSize * blockSize), group);
    }

    [Fact]
    public void SQL_Server_pages_are_found_at_sampled_offsets()
    {
        var pages = SqlServerSampleFiles.CreateDataFile()[8192..];
        const long sample = 64 * MB;
        // Pages of a file within a container do not have the number of their place, but their numbers follow each other.
        Assert.Equal("a SQL Server database", new SparseDisk(256 * MB).SetBytes(sample + 4096, pages).FindSignature());
        var page = SqlServerSampleFiles.CreatePage(type: 1, number: (int)(sample / 8192));
        Assert.Equal(
            "a SQL Server database (at offset 67,108,864)",
            new SparseDisk(256 * MB).SetBytes(sample, page).Content.Find().ToString()
        );
        Assert.Null(new SparseDisk(256 * MB).SetBytes(sample + 8192, page).FindSignature());
    }

    /// <summary>Names of formats in libblkid (util-linux up to 2.42), and a part of the name that IoBench uses.</summary>
    private static readonly Dictionary<string, string> s_blkidNames = new()
    {
        ["adaptec_raid_member"] = "(Adaptec)",
        ["apfs"] = "APFS",
        ["bcache"] = "bcache",
        ["bcachefs"] = "bcachefs",
        ["befs"] = "BeOS",
        ["bfs"] = "BFS",
        ["BitLocker"] = "BitLocker",
        ["btrfs"] = "btrfs",
        ["ceph_bluestore"] = "Ceph",
        ["cramfs"] = "cramfs",
        ["crypto_LUKS"] = "LUKS",
        ["cs_fvault2"] = "FileVault",
        ["ddf_raid_member"] = "(DDF)",
        ["DM_integrity"] = "dm-integrity",
        ["DM_snapshot_cow"] = "device-mapper snapshot",
        ["DM_verity_hash"] = "dm-verity",
        ["drbd"] = "DRBD volume",
        ["drbdmanage_control_volume"] = "DRBD control",
        ["drbdproxy_datalog"] = "DRBD proxy",
        ["erofs"] = "EROFS",
        ["exfat"] = "exFAT",
        ["exfs"] = "EXFS",
        ["ext2"] = "ext file",
        ["ext3"] = "ext file",
        ["ext4"] = "ext file",
        ["ext4dev"] = "ext file",
        ["jbd"] = "ext file",
        ["f2fs"] = "F2FS",
        ["gfs"] = "GFS",
        ["gfs2"] = "GFS",
        ["hfs"] = "HFS file",
        ["hfsplus"] = "HFS+",
        ["hpfs"] = "HPFS",
        ["hpt37x_raid_member"] = "(HighPoint)",
        ["hpt45x_raid_member"] = "(HighPoint)",
        ["iso9660"] = "ISO 9660",
        ["isw_raid_member"] = "(Intel)",
        ["jfs"] = "JFS",
        ["jmicron_raid_member"] = "(JMicron)",
        ["linux_raid_member"] = "(md)",
        ["lsi_mega_raid_member"] = "(LSI",
        ["LVM1_member"] = "LVM",
        ["LVM2_member"] = "LVM",
        ["minix"] = "Minix",
        ["mpool"] = "mpool",
        ["nilfs2"] = "NILFS2",
        ["nss"] = "NSS",
        ["ntfs"] = "NTFS",
        ["nvidia_raid_member"] = "(NVIDIA)",
        ["ocfs"] = "OCFS file",
        ["ocfs2"] = "OCFS2",
        ["oracleasm"] = "Oracle ASM",
        ["promise_fasttrack_raid_member"] = "(Promise)",
        ["ReFS"] = "ReFS",
        ["reiser4"] = "Reiser4",
        ["reiserfs"] = "ReiserFS",
        ["romfs"] = "romfs",
        ["scoutfs_data"] = "scoutfs",
        ["scoutfs_meta"] = "scoutfs",
        ["silicon_medley_raid_member"] = "(Silicon Image)",
        ["squashfs"] = "squashfs",
        ["squashfs3"] = "squashfs",
        ["stratis"] = "Stratis",
        ["swap"] = "swap space",
        ["swsuspend"] = "hibernated",
        ["sysv"] = "System V file",
        ["ubi"] = "UBI volume",
        ["ubifs"] = "UBIFS",
        ["udf"] = "UDF",
        ["ufs"] = "UFS",
        ["vdo"] = "VDO",
        ["vfat"] = "FAT",
        ["via_raid_member"] = "(VIA)",
        ["VMFS"] = "VMFS file",
        ["VMFS_volume_member"] = "VMFS volume",
        ["vxfs"] = "VxFS",
        ["xenix"] = "Xenix",
        ["xfs"] = "XFS file",
        ["zonefs"] = "zonefs",
    };

    /// <summary>Formats that a scan of many offsets finds instead of the table.</summary>
    private static readonly string[] s_scannedFormats = ["zfs_member", "xfs_external_log"];

    [RequiresFact("blkid")]
    public void Table_contains_every_format_of_the_local_blkid()
    {
        var names = LoopVolume
            .RunProgram("blkid", "-k")
            .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        Assert.Contains("xfs", names);
        var unknown = names
            .Except(s_scannedFormats)
            .Where(name =>
                !s_blkidNames.TryGetValue(name, out var ours)
                || !ContentSignature.All.Any(s => s.Name.Contains(ours, StringComparison.Ordinal))
            );
        Assert.Empty(unknown);
    }
}
