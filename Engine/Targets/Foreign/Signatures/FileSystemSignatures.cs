using System.Buffers.Binary;
using static IoBench.Engine.ContentSignature;

namespace IoBench.Engine;

internal static class FileSystemSignatures
{
    private static readonly string[] s_udf = ["BEA01", "BOOT2", "CDW02", "NSR02", "NSR03", "TEA01"];
    private static readonly uint[] s_ufs = [0x00011954, 0x19540119, 0x00195612, 0x00095014, 0x00612195, 0x05231994];
    private static readonly long[] s_ufsPlaces = [1372, 8192 + 1372, 65536 + 1372, 262144 + 1372];
    private static readonly byte[] s_ext = [0x53, 0xEF];

    /// <summary>Groups that hold a copy of the superblock (sparse_super): 1 and the powers of 3, 5, and 7.</summary>
    private static readonly int[] s_extGroups = [1, 3, 5, 7, 9, 25, 27, 49];
    private static readonly int[] s_extBlockSizes = [1024, 2048, 4096];
    private static readonly long[] s_systemVPlaces = [1016, 9 * 1024 + 1016, 15 * 1024 + 1016, 18 * 1024 + 1016];

    public static ReadOnlySpan<byte> Ext => s_ext;

    public static IEnumerable<ContentSignature> Table { get; } =
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
}
