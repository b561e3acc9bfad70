using static IoBench.Engine.ContentSignature;

namespace IoBench.Engine;

internal static class PartitionSignatures
{
    private const string Gpt = "a GPT partition table";
    private static readonly int[] s_sectors = [512, 1024, 2048, 4096];

    public static IEnumerable<ContentSignature> Table { get; } =
    [
        .. s_sectors.Select(sector => At(Gpt, sector, "EFI PART")),
        .. s_sectors.Select(sector => FromEnd(Gpt, sector, "EFI PART")),
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
        .. s_sectors.SelectMany(block =>
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
        foreach (var block in s_sectors)
            if (
                start.Length > block + 1 && start[block] == (byte)'P' && start[block + 1] == (byte)'M'
                || start.Length > block + 1 && start[block] == (byte)'T' && start[block + 1] == (byte)'S'
            )
                return true;
        return false;
    }
}
