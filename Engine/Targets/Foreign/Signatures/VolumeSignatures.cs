using System.Buffers.Binary;
using static IoBench.Engine.ContentSignature;

namespace IoBench.Engine;

internal static class VolumeSignatures
{
    private static readonly byte[] s_bcache =
    [
        0xC6,
        0x85,
        0x73,
        0xF6,
        0x4E,
        0x1A,
        0x45,
        0xCA,
        0x82,
        0x65,
        0xF5,
        0x7F,
        0x48,
        0xBA,
        0x6D,
        0x81,
    ];
    private static readonly byte[] s_bcachefs =
    [
        0xC6,
        0x85,
        0x73,
        0xF6,
        0x66,
        0xCE,
        0x90,
        0xA9,
        0xD9,
        0x6A,
        0x60,
        0xCF,
        0x80,
        0x3D,
        0xF7,
        0xEF,
    ];
    private static readonly byte[] s_stratis = [.. "!Stra0tis"u8, 0x86, 0xFF, 0x02, .. "^Arh"u8];

    public static IEnumerable<ContentSignature> Table { get; } =
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
}
