using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Cli.Tests;

/// <summary>
/// Checks in a trace of Wine how the program opens its files on Windows: flags, access, and sharing, as the DiskSpd manual documents its
/// options.
/// </summary>
[Collection(WindowsProgramTestGroup.Name)]
public partial class WindowsCallTests(WindowsProgram windows)
{
    // CreateFile flags: FILE_FLAG_WRITE_THROUGH, FILE_FLAG_OVERLAPPED, FILE_FLAG_NO_BUFFERING, FILE_FLAG_RANDOM_ACCESS,
    // FILE_FLAG_SEQUENTIAL_SCAN, FILE_ATTRIBUTE_TEMPORARY.
    private const uint WriteThrough = 0x80000000,
        Overlapped = 0x40000000,
        Unbuffered = 0x20000000,
        Random = 0x10000000,
        Sequential = 0x08000000,
        Temporary = 0x100;

    [RequiresFact("wine")]
    public void DiskSpd_options_set_the_flags_of_CreateFile()
    {
        Assert.Equal(0, windows.Run("diskspd", "-c1M", "-d1", "-W0", @"t:\calls.dat").Code);
        (string Options, uint Flags, int Priority)[] golden =
        [
            ("-Sb", 0, 2),
            ("-Su", Unbuffered, 2),
            ("-Sw", WriteThrough, 2),
            ("-Sh", Unbuffered | WriteThrough, 2),
            ("-Sh -ft -I1", Unbuffered | WriteThrough | Temporary, 0),
            ("-Sb -fs -I2", Sequential, 1),
            ("-Sb -fr -I3", Random, 2),
        ];
        foreach (var (options, flags, priority) in golden)
        {
            var lines = windows.RunWithTrace(["diskspd", "-d1", "-W0", "-b8K", "-t2", "-o2", .. options.Split(' '), @"t:\calls.dat"]);
            var opens = FindWorkerOpens(lines);
            // One handle per thread.
            Assert.Equal((options, 2), (options, opens.Length));
            Assert.All(
                opens,
                open =>
                    Assert.Equal((options, flags), (options, open.Flags & (WriteThrough | Unbuffered | Random | Sequential | Temporary)))
            );
            Assert.All(opens, open => Assert.DoesNotContain("GENERIC_WRITE", open.Line, StringComparison.Ordinal));
            Assert.All(
                opens,
                open => Assert.Contains("FILE_SHARE_READ FILE_SHARE_WRITE FILE_SHARE_DELETE", open.Line, StringComparison.Ordinal)
            );
            Assert.Equal(
                (options, 2),
                (options, lines.Count(line => line.Contains($"FileIoPriorityHintInformation {priority}", StringComparison.Ordinal)))
            );
        }
    }

    /// <summary>Without delete sharing, no other program can replace the file after IoBench has checked it.</summary>
    [RequiresFact("wine")]
    public void Write_test_opens_its_file_without_delete_sharing()
    {
        var open = Assert.Single(
            FindWorkerOpens(windows.RunWithTrace("diskspd", "-c1M", "-d1", "-W0", "-b8K", "-t1", "-o2", "-w100", "-Sh", @"t:\calls-w.dat"))
        );
        Assert.Contains("GENERIC_READ GENERIC_WRITE FILE_SHARE_READ FILE_SHARE_WRITE ", open.Line, StringComparison.Ordinal);
        Assert.DoesNotContain("FILE_SHARE_DELETE", open.Line, StringComparison.Ordinal);
    }

    private static (string Line, uint Flags)[] FindWorkerOpens(IEnumerable<string> lines) =>
        [
            .. from line in lines
            let match = CreateFileRegex().Match(line)
            where match.Success
            let flags = uint.Parse(match.Groups[1].Value, NumberStyles.HexNumber, CultureInfo.InvariantCulture)
            where (flags & Overlapped) != 0
            select (line, flags),
        ];

    [GeneratedRegex(@"CreateFileW L""[tT]:\\\\calls(?:-w)?\.dat"" .*attributes 0x([0-9a-f]+)")]
    private static partial Regex CreateFileRegex();
}
