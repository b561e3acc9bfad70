using System.Buffers.Binary;

namespace IoBench.Engine;

internal sealed partial record ContentSignature
{
    private const string LinuxRaid = "a member of a Linux RAID (md)";
    private static readonly byte[] s_md = [0xFC, 0x4E, 0x2B, 0xA9];
    private static readonly byte[] s_mdBig = [0xA9, 0x2B, 0x4E, 0xFC];

    /// <summary>Positions of Promise controllers' metadata in sectors from the end; they depend on the geometry of the disk.</summary>
    private static readonly int[] s_promise = [16, 63, 255, 256, 399, 591, 675, 735, 911, 951, 974, 991, 3087];

    private static readonly ContentSignature[] s_raid =
    [
        .. AtAny(LinuxRaid, [0, 4096], s_md),
        FromEnd(LinuxRaid, 8192, s_md, 4096),
        // Format 0.90 is written in the byte order of the CPU.
        FromEnd(LinuxRaid, 65536, s_md, 65536),
        FromEnd(LinuxRaid, 65536, s_mdBig, 65536),
        .. new[] { 512, 257 * 512, 4096, 257 * 4096 }.Select(bytes => FromEnd(DescribeVendorRaid("DDF"), bytes, [0xDE, 0x11, 0xDE, 0x11])),
        FromEnd(DescribeVendorRaid("Intel"), 1024, "Intel Raid ISM Cfg Sig. "),
        FromEnd(DescribeVendorRaid("Intel"), 8192, "Intel Raid ISM Cfg Sig. "),
        FromEnd(DescribeVendorRaid("LSI MegaRAID"), 512, "$XIDE$"),
        FromEnd(DescribeVendorRaid("VIA"), 512, [0x55, 0xAA], confirm: sector => sector.Length >= 51 && sector[2] <= 2),
        FromEnd(
            DescribeVendorRaid("Silicon Image"),
            512 - 0x60,
            [0x00, 0x00, 0x00, 0x2F],
            confirm: sector => sector.Length >= 512 && sector[0x116] < 8
        ),
        FromEnd(DescribeVendorRaid("NVIDIA"), 1024, "NVIDIA  "),
        .. s_promise.Select(sectors => FromEnd(DescribeVendorRaid("Promise"), sectors * 512, "Promise Technology, Inc.")),
        FromEnd(DescribeVendorRaid("HighPoint"), 11 * 512, [0xF3, 0x16, 0x78, 0x5A]),
        FromEnd(DescribeVendorRaid("HighPoint"), 11 * 512, [0xFD, 0x16, 0x78, 0x5A]),
        At(DescribeVendorRaid("HighPoint"), 9 * 512 + 32, 0xF0, 0x16, 0x78, 0x5A),
        At(DescribeVendorRaid("HighPoint"), 9 * 512 + 32, 0xFD, 0x16, 0x78, 0x5A),
        FromEnd(DescribeVendorRaid("Adaptec"), 512, [0x37, 0xFC, 0x4D, 0x1E]),
        FromEnd(DescribeVendorRaid("JMicron"), 512, [(byte)'J', (byte)'M'], confirm: sector => sector.Length >= 512 && sector[0x30] <= 5),
    ];

    private static string DescribeVendorRaid(string name) => $"a member of a hardware or firmware RAID ({name})";

    private static readonly byte[] s_bcache = Convert.FromHexString("C68573F64E1A45CA8265F57F48BA6D81");
    private static readonly byte[] s_bcachefs = Convert.FromHexString("C68573F666CE90A9D96A60CF803DF7EF");
    private static readonly byte[] s_stratis = [.. "!Stra0tis"u8, 0x86, 0xFF, 0x02, .. "^Arh"u8];

    private static readonly ContentSignature[] s_volumes =
    [
        .. AtAny("an LVM physical volume", [0, 512, 1024, 1536], "LABELONE"),
        .. AtAny("an LVM physical volume", [24, 512 + 24, 1024 + 24, 1536 + 24], "LVM2 001"),
        new("an LVM physical volume", 0, [(byte)'H', (byte)'M'], Confirm: start => start.Length > 4 && start[2] is 1 or 2 && start[3] == 0),
        At("a device-mapper snapshot", 0, "SnAp"),
        At("a dm-verity hash tree", 0, "verity\0\0"),
        At("a dm-integrity volume", 0, "integrt\0"),
        At("a VDO volume", 0, "dmvdo001"),
        .. AtAny("a Stratis pool member", [512 + 4, 9 * 512 + 4], s_stratis),
        At("a LUKS encrypted volume", 0, [.. "LUKS"u8, 0xBA, 0xBE]),
        .. AtAny(
            "a LUKS encrypted volume",
            [0x4000, 0x8000, 0x10000, 0x20000, 0x40000, 0x80000, 0x100000, 0x200000, 0x400000],
            [.. "SKUL"u8, 0xBA, 0xBE]
        ),
        At("a BitLocker volume", 3, "-FVE-FS-"),
        new(
            "a FileVault volume",
            88,
            [(byte)'C', (byte)'S'],
            Confirm: start => start.Length >= 88 && BinaryPrimitives.ReadUInt16LittleEndian(start[8..]) == 1
        ),
        At("a bcache or bcachefs device", 4096 + 24, s_bcache),
        .. AtAny("a bcachefs file system", [4096 + 24, (2 << 20) + 24], s_bcachefs),
        FromEnd("a bcachefs file system", (1 << 20) - 24, s_bcachefs),
        At("a Storage Spaces disk", 4096, "SPACEDB "),
        At("a Windows dynamic disk", 6 * 512, "PRIVHEAD"),
        FromEnd("a Windows dynamic disk", 512, "PRIVHEAD"),
        At("a Ceph disk", 0, "bluestore block device"),
        FromEnd("a DRBD volume", 4096 - 60, [0x83, 0x74, 0x02, 0x6B], 4096),
        FromEnd("a DRBD volume", 4096 - 60, [0x83, 0x74, 0x02, 0x6C], 4096),
        FromEnd("a DRBD volume", 4096 - 60, [0x83, 0x74, 0x02, 0x6D], 4096),
        At("a DRBD control volume", 0, "$DRBDmgr=q"),
        At("a DRBD proxy log", 0, "DRBDdlh*"),
        At("an Oracle ASM disk", 32, "ORCLDISK"),
    ];

    private static readonly string[] s_udf = ["BEA01", "BOOT2", "CDW02", "NSR02", "NSR03", "TEA01"];
    private static readonly uint[] s_ufs = [0x00011954, 0x19540119, 0x00195612, 0x00095014, 0x00612195, 0x05231994];
    private static readonly long[] s_ufsPlaces = [1372, 8192 + 1372, 65536 + 1372, 262144 + 1372];
    private static readonly byte[] s_ext = [0x53, 0xEF];

    /// <summary>Groups that hold a copy of the superblock (sparse_super): 1 and the powers of 3, 5, and 7.</summary>
    private static readonly int[] s_extGroups = [1, 3, 5, 7, 9, 25, 27, 49];
    private static readonly int[] s_extBlockSizes = [1024, 2048, 4096];
    private static readonly long[] s_systemVPlaces = [1016, 9 * 1024 + 1016, 15 * 1024 + 1016, 18 * 1024 + 1016];

    public static ReadOnlySpan<byte> Ext => s_ext;

    private static readonly ContentSignature[] s_fileSystems =
    [
        .. GetWindowsFileSystems(),
        .. GetLinuxFileSystems(),
        .. GetReadOnlyFileSystems(),
        .. GetUnixFileSystems(),
        .. GetFlashFileSystems(),
        .. GetAppleFileSystems(),
        .. GetClusterFileSystems(),
    ];

    private static IEnumerable<ContentSignature> GetWindowsFileSystems() =>
        [
            At("an NTFS file system", 3, "NTFS    "),
            // The copy of the boot sector is the last sector of the partition.
            FromEnd("an NTFS file system", 512 - 3, "NTFS    "),
            At("a ReFS file system", 3, "ReFS"),
            .. AtAny("an exFAT file system", [3, 12 * 512 + 3], "EXFAT   "),
            At("a FAT file system", 54, "FAT1"),
            At("a FAT file system", 54, "FAT     "),
            At("a FAT file system", 54, "MSDOS"),
            .. AtAny("a FAT file system", [82, 6 * 512 + 82], "FAT32"),
            At("a FAT file system", 82, "MSWIN"),
            At("an HPFS file system", 8192, 0x49, 0xE8, 0x95, 0xF9),
        ];

    private static IEnumerable<ContentSignature> GetLinuxFileSystems() =>
        [
            new("an ext file system", 1024 + 56, s_ext, Confirm: IsExt),
            .. GetExtCopies(),
            At("an XFS file system", 0, "XFSB"),
            At("an EXFS file system", 0, "EXFS"),
            // The copies exist only if the device is large enough for them.
            .. AtAny("a btrfs file system", [65536 + 64, (64L << 20) + 64, (256L << 30) + 64], "_BHRfS_M"),
            .. AtAny("an F2FS file system", [1024, 1024 + 4096], 0x10, 0x20, 0xF5, 0xF2),
            At("a ReiserFS file system", 65536 + 52, "ReIsEr"),
            .. AtAny("a ReiserFS file system", [8192 + 52, 8192 + 20], "ReIsErFs"),
            At("a Reiser4 file system", 65536, "ReIsEr4"),
            At("a JFS file system", 32768, "JFS1"),
            new("a NILFS2 file system", 1024 + 6, [0x34, 0x34], Confirm: IsNilfs),
            new("a NILFS2 file system", 4096 - 6, [0x34, 0x34], 512, IsNilfs),
            new("a NILFS2 file system", 4096 - 6, [0x34, 0x34], 4096, IsNilfs),
            .. GetMinixFileSystems(),
            At("a zonefs file system", 0, "SFOZ"),
            At("an mpool file system", 0, "mpoolDev"),
            At("a scoutfs file system", 65536 + 4, 0x8B, 0x42, 0x3C, 0x10),
        ];

    private static IEnumerable<ContentSignature> GetReadOnlyFileSystems() =>
        [
            At("a squashfs file system", 0, "hsqs"),
            At("a squashfs file system", 0, "sqsh"),
            At("an EROFS file system", 1024, 0xE2, 0xE1, 0xF5, 0xE0),
            At("a cramfs file system", 0, 0x45, 0x3D, 0xCD, 0x28),
            At("a cramfs file system", 0, 0x28, 0xCD, 0x3D, 0x45),
            At("a romfs file system", 0, "-rom1fs-"),
            At("an ISO 9660 file system", 32769, "CD001"),
            At("a High Sierra file system", 32768 + 9, "CDROM"),
            .. s_udf.Select(text => At("a UDF file system", 32769, text)),
        ];

    private static IEnumerable<ContentSignature> GetUnixFileSystems() =>
        [
            .. s_ufs.SelectMany(value => AtAnyInBothByteOrders("a UFS file system", s_ufsPlaces, value)),
            .. AtAnyInBothByteOrders("a System V file system", s_systemVPlaces, 0xFD187E20),
            At("a VxFS file system", 1024, 0xF5, 0xFC, 0x01, 0xA5),
            At("a VxFS file system", 8192, 0xA5, 0x01, 0xFC, 0xF5),
            At("an SCO BFS file system", 0, 0xCE, 0xFA, 0xAD, 0x1B),
            .. AtAny("a BeOS file system", [32, 512 + 32], "BFS1"),
            .. AtAny("a BeOS file system", [32, 512 + 32], "1SFB"),
            At("a Xenix file system", 2048, 0x2B, 0x55, 0x44),
            At("a Xenix file system", 2048, 0x44, 0x55, 0x2B),
            At("a Novell NSS pool", 4096, "SPB5"),
        ];

    private static IEnumerable<ContentSignature> GetFlashFileSystems() =>
        [At("a UBI volume", 0, "UBI#"), At("a UBIFS file system", 0, 0x31, 0x18, 0x10, 0x06)];

    private static IEnumerable<ContentSignature> GetAppleFileSystems() =>
        [
            At("an APFS container", 32, "NXSB"),
            At("an HFS+ file system", 1024, (byte)'H', (byte)'+', 0, 4),
            At("an HFS+ file system", 1024, (byte)'H', (byte)'+', 0, 5),
            At("an HFS+ file system", 1024, (byte)'H', (byte)'X', 0, 5),
            new("an HFS file system", 1024, [(byte)'B', (byte)'D'], Confirm: IsHfs),
        ];

    private static IEnumerable<ContentSignature> GetClusterFileSystems() =>
        [
            At("a GFS file system", 65536, 0x01, 0x16, 0x19, 0x70),
            At("an OCFS file system", 8192, "OracleCFS"),
            .. AtAny("an OCFS2 file system", [1024, 2048, 4096, 8192], "OCFSV2"),
            At("a VMFS volume", 1 << 20, 0x0D, 0xD0, 0x01, 0xC0),
            // At 2 MB on a device, or after the volume's header at 18 or 19 MB.
            .. new byte[] { 0x5E, 0x5F, 0x60, 0x61 }.SelectMany(kind =>
                AtAny("a VMFS file system", [2 << 20, 18 << 20, 19 << 20], kind, 0xF1, 0xAB, 0x2F)
            ),
        ];

    // A group has as many blocks as one block has bits. With blocks of 1 KB, block 0 is not part of a group.
    private static IEnumerable<ContentSignature> GetExtCopies() =>
        from blockSize in s_extBlockSizes
        from number in s_extGroups
        let start = 8L * blockSize * blockSize * number
        select new ContentSignature("an ext file system", start + (blockSize == 1024 ? 1024 : 0) + 56, s_ext, Confirm: IsExt);

    // Versions 1 and 2 with names of 14 and 30 characters, then version 3; each in both byte orders.
    private static IEnumerable<ContentSignature> GetMinixFileSystems()
    {
        ushort[] values = [0x137F, 0x138F, 0x2468, 0x2478];
        foreach (var value in values)
        {
            yield return new("a Minix file system", 1024 + 16, [(byte)value, (byte)(value >> 8)], Confirm: IsMinix);
            yield return new("a Minix file system", 1024 + 16, [(byte)(value >> 8), (byte)value], Confirm: IsMinix);
        }
        yield return new("a Minix file system", 1024 + 24, [0x5A, 0x4D], Confirm: IsMinix3);
        yield return new("a Minix file system", 1024 + 24, [0x4D, 0x5A], Confirm: IsMinix3);
    }

    // Offset 10: logarithm of the blocks per zone, always 0 so far. Offset 0: number of inodes.
    private static bool IsMinix(ReadOnlySpan<byte> superblock) =>
        superblock.Length >= 20 && superblock[10] == 0 && superblock[11] == 0 && (superblock[0] | superblock[1]) != 0;

    private static bool IsMinix3(ReadOnlySpan<byte> superblock) =>
        superblock.Length >= 32 && superblock[12] == 0 && superblock[13] == 0 && BinaryPrimitives.ReadUInt32LittleEndian(superblock) != 0;

    private static bool IsExt(ReadOnlySpan<byte> superblock) =>
        superblock.Length >= 80
        && BinaryPrimitives.ReadUInt32LittleEndian(superblock[24..]) <= 6
        && BinaryPrimitives.ReadUInt32LittleEndian(superblock[76..]) <= 1;

    // Offset 0: revision, 2 since the format was released. Offset 8: size of the superblock in bytes.
    private static bool IsNilfs(ReadOnlySpan<byte> superblock) =>
        superblock.Length >= 10
        && BinaryPrimitives.ReadUInt32LittleEndian(superblock) <= 2
        && BinaryPrimitives.ReadUInt16LittleEndian(superblock[8..]) is > 0 and <= 1024;

    // Offset 20: size of an allocation block, a multiple of the sector size.
    private static bool IsHfs(ReadOnlySpan<byte> block) =>
        block.Length >= 24 && BinaryPrimitives.ReadUInt32BigEndian(block[20..]) is > 0 and var size && size % 512 == 0;

    private static IEnumerable<ContentSignature> AtAnyInBothByteOrders(string name, long[] places, uint value)
    {
        byte[] little = [(byte)value, (byte)(value >> 8), (byte)(value >> 16), (byte)(value >> 24)];
        return AtAny(name, places, little).Concat(AtAny(name, places, [.. little.AsEnumerable().Reverse()]));
    }

    private static readonly long[] s_swapPlaces = [4096 - 10, 8192 - 10, 16384 - 10, 32768 - 10, 65536 - 10];

    /// <summary>The value is in the last ten bytes of the first page, whose size depends on the CPU.</summary>
    private static readonly ContentSignature[] s_swap =
    [
        .. AtAny("swap space", s_swapPlaces, "SWAPSPACE2"),
        .. AtAny("swap space", s_swapPlaces, "SWAP-SPACE"),
        .. new[] { "S1SUSPEND", "S2SUSPEND", "ULSUSPEND", "LINHIB0001" }.SelectMany(text =>
            AtAny("a hibernated system", s_swapPlaces, text)
        ),
        At("a hibernated system", 0, 0xED, 0xC3, 0x02, 0xE9, 0x98, 0x56, 0xE5, 0x0C),
    ];

    private const string Vhd = "a virtual disk (VHD)";
    private const string Vmdk = "a virtual disk (VMDK)";

    /// <summary>Disks of virtual machines. A disk without a header (raw, -flat.vmdk) is found by what is on it.</summary>
    /// <remarks>Sources: [MS-VHDX], the VHD image format specification, VMware's Virtual Disk Format 5.0, and QEMU's block
    /// drivers.</remarks>
    private static readonly ContentSignature[] s_diskImages =
    [
        At("a virtual disk (VHDX)", 0, "vhdxfile"),
        // The footer is at the end; a dynamic disk has a copy at the start. Old versions wrote 511 bytes.
        At(Vhd, 0, "conectix"),
        FromEnd(Vhd, 512, "conectix"),
        new(Vhd, 511, [.. "conectix"u8], 1),
        At(Vmdk, 0, "KDMV"),
        At(Vmdk, 0, "COWD"),
        At(Vmdk, 0, 0xBE, 0xBA, 0xFE, 0xCA, 0, 0, 0, 0),
        At(Vmdk, 0, "# Disk DescriptorFile"),
        At("a virtual disk (QCOW)", 0, [.. "QFI"u8, 0xFB]),
        At("a virtual disk (QED)", 0, [.. "QED"u8, 0]),
        At("a virtual disk (VDI)", 64, 0x7F, 0x10, 0xDA, 0xBE),
        At("a virtual disk (Parallels)", 0, "WithoutFreeSpace"),
        At("a virtual disk (Parallels)", 0, "WithouFreSpacExt"),
        At("a virtual disk (Bochs)", 0, "Bochs Virtual HD Image"),
        FromEnd("a disk image (DMG)", 512, "koly"),
    ];

    private const string Gpt = "a GPT partition table";
    private static readonly int[] s_sectorSizes = [512, 1024, 2048, 4096];

    private static readonly ContentSignature[] s_partitions =
    [
        .. s_sectorSizes.Select(sector => At(Gpt, sector, "EFI PART")),
        .. s_sectorSizes.Select(sector => FromEnd(Gpt, sector, "EFI PART")),
        At("an SGI disk label", 0, 0x0B, 0xE5, 0xA9, 0x41),
        At("a Sun disk label", 508, 0xDA, 0xBE),
        new("a Mac partition map", 0, [(byte)'E', (byte)'R'], Confirm: HasMacMap),
        At("a Mac partition map", 512, (byte)'P', (byte)'M', 0, 0),
        .. AtAny("a BSD disk label", [64, 128, 512], 0x57, 0x45, 0x56, 0x82),
        .. AtAny("a BSD disk label", [64, 128, 512], 0x82, 0x56, 0x45, 0x57),
        At("a Solaris disk label", 512 + 12, 0xEE, 0xDE, 0x0D, 0x60),
        At("a UnixWare disk label", 29 * 512 + 4, 0x0D, 0x60, 0x5E, 0xCA),
        At("a UnixWare disk label", 29 * 512 + 4, 0x0D, 0x60, 0xE5, 0xCA),
        At("an Ultrix disk label", 16384 - 72, 0x57, 0x29, 0x03, 0x00),
        At("an AIX disk", 0, 0xC9, 0xC2, 0xD4, 0xC1),
        At("a System V/68 disk", 248, "MOTOROLA"),
        .. AtAny("an Amiga disk", Enumerable.Range(0, 16).Select(sector => sector * 512L), "RDSK"),
        // VOL1, LNX1 and CMS1 in EBCDIC, in the third block.
        .. s_sectorSizes.SelectMany(block =>
            new[]
            {
                At("a mainframe disk (DASD)", 2 * block + 4, 0xE5, 0xD6, 0xD3, 0xF1),
                At("a mainframe disk (DASD)", 2 * block, 0xD3, 0xD5, 0xE7, 0xF1),
                At("a mainframe disk (DASD)", 2 * block, 0xC3, 0xD4, 0xE2, 0xF1),
            }
        ),
    ];

    private static bool HasMacMap(ReadOnlySpan<byte> start)
    {
        foreach (var block in s_sectorSizes)
            if (
                start.Length > block + 1 && start[block] == (byte)'P' && start[block + 1] == (byte)'M'
                || start.Length > block + 1 && start[block] == (byte)'T' && start[block + 1] == (byte)'S'
            )
                return true;
        return false;
    }

    /// <summary>All known values. If several match, the first one determines the name.</summary>
    public static IReadOnlyList<ContentSignature> All { get; } =
    [.. s_raid, .. s_volumes, .. s_fileSystems, .. s_swap, .. s_diskImages, .. s_partitions];
}
