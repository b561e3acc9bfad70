using System.Buffers.Binary;

namespace IoBench.Engine;

/// <summary>Finds known content of a raw device: file systems, partition tables, volume managers, RAID, encryption, swap.</summary>
/// <remarks>Sources: linux/magic.h, the on-disk headers of md, LVM2, LUKS, ZFS, btrfs, xfs, ext, the UEFI specification, libblkid.
/// A false positive only causes a refusal. No table is complete, so <see cref="DeviceContent.FindFirstNonZeroByte"/> runs too.</remarks>
internal static class DeviceSignatures
{
    /// <summary>All known values. If several match, the first one determines the name.</summary>
    public static IReadOnlyList<DeviceSignature> Table { get; } =
    [
        .. RaidSignatures.Table,
        .. VolumeSignatures.Table,
        .. FileSystemSignatures.Table,
        .. SwapSignatures.Table,
        .. PartitionSignatures.Table,
    ];

    public static string? Find(DeviceContent content)
    {
        foreach (var signature in Table)
            if (signature.IsPresentIn(content))
                return signature.Name;
        return FindZfs(content)
            ?? FindXfsLog(content)
            ?? FindFat(content.ReadAt(0, 512))
            ?? (SqlServerFile.IsSqlServerContent(content.ReadAt(0, SqlServerFile.HeadBytes)) ? "a SQL Server database" : null)
            ?? FindPartitions(content.ReadAt(0, 512));
    }

    // A boot sector is identified only by its last two bytes; the rest (boot code, entries of other systems) cannot be predicted.
    private static string? FindPartitions(ReadOnlySpan<byte> sector)
    {
        if (sector.Length < 512 || sector[510] != 0x55 || sector[511] != 0xAA)
            return null;
        // Four entries of 16 bytes from offset 446; byte 4 of each is the type, 0 for none.
        for (var entry = 446; entry < 510; entry += 16)
            if (sector[entry + 4] != 0)
                return "a partition table";
        return "a boot sector or an empty partition table";
    }

    // FAT on small media and from old systems contains no text, so check whether its parameters are plausible.
    private static string? FindFat(ReadOnlySpan<byte> sector)
    {
        if (sector.Length < 512 || sector[0] is not (0xEB or 0xE9))
            return null;
        var bytesPerSector = BinaryPrimitives.ReadUInt16LittleEndian(sector[11..]);
        var reserved = BinaryPrimitives.ReadUInt16LittleEndian(sector[14..]);
        var perCluster = sector[13];
        var tables = sector[16];
        var media = sector[21];
        return
            bytesPerSector is 512 or 1024 or 2048 or 4096
            && perCluster > 0
            && (perCluster & (perCluster - 1)) == 0
            && reserved > 0
            && tables is > 0 and <= 4
            && media is 0xF0 or >= 0xF8
            ? "a FAT file system"
            : null;
    }

    // The labels of a pool hold a ring of uberblocks at multiples of 1 KB.
    private static string? FindZfs(DeviceContent content)
    {
        return HasUberblock(content.Start) || HasUberblock(content.End) ? "a ZFS pool member" : null;

        static bool HasUberblock(ReadOnlySpan<byte> part)
        {
            const ulong magic = 0x00BAB10C;
            for (var at = 0; at + 8 <= part.Length; at += 1024)
            {
                var value = BinaryPrimitives.ReadUInt64LittleEndian(part[at..]);
                if (value == magic || value == BinaryPrimitives.ReverseEndianness(magic))
                    return true;
            }
            return false;
        }
    }

    // A log on its own device is a ring as well: a record can start at any sector.
    private static string? FindXfsLog(DeviceContent content)
    {
        const uint magic = 0xFEEDBABE;
        var part = content.ReadAt(0, 256 << 10);
        for (var at = 0; at + 8 <= part.Length; at += 512)
            if (
                BinaryPrimitives.ReadUInt32BigEndian(part[at..]) == magic
                && BinaryPrimitives.ReadUInt32BigEndian(part[(at + 4)..]) < 1 << 16
            )
                return "an XFS log";
        return null;
    }
}
