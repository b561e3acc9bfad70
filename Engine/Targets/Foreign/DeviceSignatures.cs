using System.Buffers.Binary;
using System.Text;

namespace IoBench.Engine;

/// <summary>Finds what is on a raw device: file systems, partition tables, volume managers, RAID, encryption, swap.</summary>
/// <remarks>
/// Places and values are those of each format's own description (linux/magic.h, the on-disk headers of md, LVM2, LUKS, ZFS, btrfs, xfs, ext; the UEFI
/// specification for GPT). A false alarm only costs a refusal, so that short values stand where a format has no longer ones.
/// </remarks>
internal static class DeviceSignatures
{
    private const int HeadBytes = (1 << 20) + 4096;
    private const int TailBytes = 1 << 20;

    private static readonly (string Name, long Offset, byte[] Value)[] s_atStart =
    [
        ("an NTFS file system", 3, Ascii("NTFS    ")),
        ("a ReFS file system", 3, Ascii("ReFS")),
        ("an exFAT file system", 3, Ascii("EXFAT   ")),
        ("a BitLocker volume", 3, Ascii("-FVE-FS-")),
        ("a FAT file system", 54, Ascii("FAT1")),
        ("a FAT file system", 82, Ascii("FAT32")),
        ("an XFS file system", 0, Ascii("XFSB")),
        ("a btrfs file system", 65536 + 64, Ascii("_BHRfS_M")),
        ("an F2FS file system", 1024, [0x10, 0x20, 0xF5, 0xF2]),
        ("a ReiserFS file system", 65536 + 52, Ascii("ReIsEr")),
        ("a JFS file system", 32768, Ascii("JFS1")),
        ("a GFS2 file system", 65536, [0x01, 0x16, 0x19, 0x70]),
        ("an ISO 9660 file system", 32769, Ascii("CD001")),
        ("a squashfs file system", 0, Ascii("hsqs")),
        ("a bcache or bcachefs device", 4096 + 24, [0xC6, 0x85, 0x73, 0xF6, 0x4E, 0x1A, 0x45, 0xCA, 0x82, 0x65, 0xF5, 0x7F, 0x48, 0xBA, 0x6D, 0x81]),
        ("a bcachefs file system", 4096 + 24, [0xC6, 0x85, 0x73, 0xF6, 0x66, 0xCE, 0x90, 0xA9, 0xD9, 0x6A, 0x60, 0xCF, 0x80, 0x3D, 0xF7, 0xEF]),
        ("a LUKS encrypted volume", 0, [(byte)'L', (byte)'U', (byte)'K', (byte)'S', 0xBA, 0xBE]),
        ("a LUKS encrypted volume", 0x4000, [(byte)'S', (byte)'K', (byte)'U', (byte)'L', 0xBA, 0xBE]),
        ("a member of a Linux RAID (md)", 0, [0xFC, 0x4E, 0x2B, 0xA9]),
        ("a member of a Linux RAID (md)", 4096, [0xFC, 0x4E, 0x2B, 0xA9]),
        ("swap space", 4096 - 10, Ascii("SWAPSPACE2")),
        ("swap space", 8192 - 10, Ascii("SWAPSPACE2")),
        ("swap space", 16384 - 10, Ascii("SWAPSPACE2")),
        ("swap space", 65536 - 10, Ascii("SWAPSPACE2")),
        ("a hibernated system", 4096 - 10, Ascii("S1SUSPEND")),
        ("a GPT partition table", 512, Ascii("EFI PART")),
        ("a GPT partition table", 4096, Ascii("EFI PART")),
        ("an Oracle ASM disk", 32, Ascii("ORCLDISK")),
        ("a Storage Spaces disk", 4096, Ascii("SPACEDB ")),
        ("a Ceph disk", 0, Ascii("bluestore block device")),
        ("a VMFS volume", 1 << 20, [0x0D, 0xD0, 0x01, 0xC0]),
        ("a SQL Server backup", 0, Ascii("TAPE")),
        ("a SQL Server backup", 0, Ascii("MSSQLBAK")),
    ];

    /// <summary>Names what is on a device; null when nothing known is.</summary>
    /// <param name="size">Bytes of the device.</param>
    /// <param name="read">Reads a part of it: offset and buffer.</param>
    public static string? Find(long size, ReadPart read)
    {
        var head = Part(size, 0, HeadBytes, read);
        foreach (var (name, offset, value) in s_atStart)
            if (Has(head, offset, value))
                return name;
        var tailStart = Math.Max(0, size - TailBytes) / 4096 * 4096;
        var tail = Part(size, tailStart, (int)(size - tailStart), read);
        return FindExt(head) ?? FindLvm(head) ?? FindPartitions(head) ?? FindZfs(head, tail) ?? FindAtEnd(tail, tailStart, size)
            ?? (SqlServerFile.IsContent(head) ? "a SQL Server database" : null);
    }

    /// <summary>Reads bytes of a device at an offset.</summary>
    public delegate void ReadPart(long offset, Span<byte> buffer);

    private static string? FindExt(ReadOnlySpan<byte> head)
    {
        const int superblock = 1024;
        return head.Length >= 2048 && BinaryPrimitives.ReadUInt16LittleEndian(head[(superblock + 56)..]) == 0xEF53
            && BinaryPrimitives.ReadUInt32LittleEndian(head[(superblock + 24)..]) <= 6
            && BinaryPrimitives.ReadUInt32LittleEndian(head[(superblock + 76)..]) <= 1 ? "an ext file system" : null;
    }

    private static string? FindLvm(ReadOnlySpan<byte> head)
    {
        for (var sector = 0; sector < 4; sector++)
            if (Has(head, sector * 512, Ascii("LABELONE")))
                return "an LVM physical volume";
        return null;
    }

    private static string? FindPartitions(ReadOnlySpan<byte> head)
    {
        if (head.Length < 512 || head[510] != 0x55 || head[511] != 0xAA)
            return null;
        // Four entries of 16 bytes from 446: status (0 or 0x80), then at 4 the type, 0 for none.
        var used = 0;
        for (var entry = 446; entry < 510; entry += 16)
        {
            if (head[entry] is not (0 or 0x80))
                return null;
            used += head[entry + 4] == 0 ? 0 : 1;
        }
        return used > 0 ? "a partition table" : null;
    }

    private static string? FindZfs(ReadOnlySpan<byte> head, ReadOnlySpan<byte> tail)
    {
        return HasUberblock(head) || HasUberblock(tail) ? "a ZFS pool member" : null;

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

    private static string? FindAtEnd(ReadOnlySpan<byte> tail, long tailStart, long size)
    {
        byte[] md = [0xFC, 0x4E, 0x2B, 0xA9];
        var format10 = (size / 512 - 16) / 8 * 8 * 512;
        var format090 = size / 65536 * 65536 - 65536;
        if (Has(tail, format10 - tailStart, md) || Has(tail, format090 - tailStart, md))
            return "a member of a Linux RAID (md)";
        if (Has(tail, size - 512 - tailStart, Ascii("EFI PART")) || Has(tail, size - 4096 - tailStart, Ascii("EFI PART")))
            return "a GPT partition table";
        if (Has(tail, size - 512 - tailStart, [0xDE, 0x11, 0xDE, 0x11]) || Has(tail, size - 1024 - tailStart, Ascii("Intel Raid ISM")))
            return "a member of a hardware or firmware RAID";
        return null;
    }

    private static byte[] Part(long size, long offset, int length, ReadPart read)
    {
        var part = new byte[Math.Max(0, Math.Min(length, size - offset))];
        read(offset, part);
        return part;
    }

    private static bool Has(ReadOnlySpan<byte> part, long offset, ReadOnlySpan<byte> value)
        => offset >= 0 && offset + value.Length <= part.Length && part.Slice((int)offset, value.Length).SequenceEqual(value);

    private static byte[] Ascii(string text) => Encoding.ASCII.GetBytes(text);
}
