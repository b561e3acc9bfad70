using static IoBench.Engine.ContentSignature;

namespace IoBench.Engine;

/// <summary>The value is in the last ten bytes of the first page, whose size depends on the CPU.</summary>
internal static class SwapSignatures
{
    private static readonly long[] s_places = [4096 - 10, 8192 - 10, 16384 - 10, 32768 - 10, 65536 - 10];

    public static IEnumerable<ContentSignature> Table { get; } =
    [
        .. AtAny("swap space", s_places, "SWAPSPACE2"),
        .. AtAny("swap space", s_places, "SWAP-SPACE"),
        .. new[] { "S1SUSPEND", "S2SUSPEND", "ULSUSPEND", "LINHIB0001" }.SelectMany(text => AtAny("a hibernated system", s_places, text)),
        At("a hibernated system", 0, 0xED, 0xC3, 0x02, 0xE9, 0x98, 0x56, 0xE5, 0x0C),
    ];
}
