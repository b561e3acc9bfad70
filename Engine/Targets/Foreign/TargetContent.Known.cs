using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal sealed partial class TargetContent
{
    /// <summary>Usual starts of the first partition (1 MB, and 63 sectors on old disks), for a disk whose partition table is
    /// gone.</summary>
    private static readonly long[] s_firstPartitions = [1 << 20, 63 * 512];

    // Values of fewer bytes would match somewhere by chance.
    private static readonly ContentSignature[] s_anywhere =
    [
        .. ContentSignature.All.Where(s => s.EndUnit == 0 && s.Offset + s.Value.Length <= SampleBytes && (s.Value.Length >= 4 || IsExt(s))),
    ];

    /// <summary>Searches a file, then asks libblkid. Null if nothing is known.</summary>
    /// <param name="sqlServerOnly">Whether to search for SQL Server's content only, which is enough for reading.</param>
    public static FoundContent? FindInFile(SafeFileHandle handle, string path, long size, bool sqlServerOnly)
    {
        if (size == 0)
            return null;
        // A handle of its own where a close drops the cache, so that a test does not read cached pages.
        using var separate = PlatformFiles.Current.OpenSeparateHandle(handle, path, write: false);
        var file = separate ?? handle;
        try
        {
            var content = Open(file, path, size);
            return sqlServerOnly ? content.FindSqlServerContent() : content.Find() ?? AskLibBlkid(file, path);
        }
        finally
        {
            PlatformFiles.Current.DropCache(file);
        }
    }

    public static FoundContent? AskLibBlkid(SafeFileHandle handle, string path) =>
        PlatformFiles.Current is not WindowsFiles && LibBlkid.Find(handle, path) is { } name ? new FoundContent(name, null) : null;

    /// <summary>Finds known content of a file or device: file systems, partition tables, RAID, encryption, disk images, SQL Server
    /// files.</summary>
    /// <remarks>Sources: linux/magic.h, the on-disk headers of md, LVM2, LUKS, ZFS, btrfs, xfs, ext, the UEFI specification, libblkid.
    /// A false positive only causes a refusal. No table is complete, so a target without known content still needs its name.</remarks>
    public FoundContent? Find() => FindAtStart() ?? FindSqlServerPage() ?? FindInParts();

    private FoundContent? FindSqlServerContent() => SqlServerFile.FindContent(ReadAt(0, SqlServerFile.HeadBytes)) ?? FindSqlServerPage();

    private FoundContent? FindAtStart()
    {
        foreach (var signature in ContentSignature.All)
            if (signature.IsPresentIn(this))
                return new FoundContent(signature.Name, signature.GetPosition(Size));
        return FindZfs()
            ?? FindXfsLog()
            ?? FindXfsGroup()
            ?? FindFat(ReadAt(0, 512))
            ?? SqlServerFile.FindContent(ReadAt(0, SqlServerFile.HeadBytes))
            ?? FindPartitions(ReadAt(0, 512));
    }

    private FoundContent? FindSqlServerPage()
    {
        foreach (var offset in SampleOffsets)
            if (SqlServerFile.FindPage(ReadSample(offset), offset) is { } page)
                return page;
        return null;
    }

    private FoundContent? FindInParts()
    {
        foreach (var offset in s_firstPartitions.Concat(SampleOffsets))
        {
            var part = ReadSample(offset);
            if (part.IndexOfAnyExcept((byte)0) < 0)
                continue;
            foreach (var signature in s_anywhere)
                if (signature.IsPresentIn(part))
                    return new FoundContent(signature.Name, offset + signature.Offset);
        }
        return null;
    }

    private static bool IsExt(ContentSignature signature) => signature.Value.AsSpan().SequenceEqual(ContentSignature.Ext);

    // A boot sector is identified only by its last two bytes; the rest (boot code, entries of other systems) cannot be predicted.
    private static FoundContent? FindPartitions(ReadOnlySpan<byte> sector)
    {
        if (sector.Length < 512 || sector[510] != 0x55 || sector[511] != 0xAA)
            return null;
        // Four entries of 16 bytes from offset 446; byte 4 of each is the type, 0 for none.
        for (var entry = 446; entry < 510; entry += 16)
            if (sector[entry + 4] != 0)
                return new FoundContent("a partition table", 0);
        return new FoundContent("a boot sector or an empty partition table", 0);
    }

    // FAT on small media and from old systems contains no text, so check whether its parameters are plausible.
    private static FoundContent? FindFat(ReadOnlySpan<byte> sector)
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
            ? new FoundContent("a FAT file system", 0)
            : null;
    }

    // The labels of a pool hold a ring of uberblocks at multiples of 1 KB.
    private FoundContent? FindZfs()
    {
        return HasUberblock(Start) || HasUberblock(End) ? new FoundContent("a ZFS pool member", null) : null;

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
    private FoundContent? FindXfsLog()
    {
        const uint magic = 0xFEEDBABE;
        var part = ReadAt(0, 256 << 10);
        for (var at = 0; at + 8 <= part.Length; at += 512)
            if (
                BinaryPrimitives.ReadUInt32BigEndian(part[at..]) == magic
                && BinaryPrimitives.ReadUInt32BigEndian(part[(at + 4)..]) < 1 << 16
            )
                return new FoundContent("an XFS log", at);
        return null;
    }

    // Each allocation group begins with a copy of the superblock. mkfs.xfs makes 2 to 32 groups of equal size, of at most 1 TB.
    private FoundContent? FindXfsGroup()
    {
        const long block = 4096;
        const int mostGroups = 32;
        for (var groups = 2L; groups <= mostGroups; groups *= 2)
        {
            var second = Math.Min((Size / block + groups - 1) / groups * block, 1L << 40);
            if (ReadAt(second, 4).SequenceEqual("XFSB"u8))
                return new FoundContent("an XFS file system", second);
        }
        return null;
    }
}
