using static IoBench.Engine.ContentSignature;

namespace IoBench.Engine;

internal static class RaidSignatures
{
    private const string LinuxRaid = "a member of a Linux RAID (md)";
    private static readonly byte[] s_md = [0xFC, 0x4E, 0x2B, 0xA9];
    private static readonly byte[] s_mdBig = [0xA9, 0x2B, 0x4E, 0xFC];

    /// <summary>Positions of Promise controllers' metadata in sectors from the end; they depend on the geometry of the disk.</summary>
    private static readonly int[] s_promise = [16, 63, 255, 256, 399, 591, 675, 735, 911, 951, 974, 991, 3087];

    public static IEnumerable<ContentSignature> Table { get; } =
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
}
