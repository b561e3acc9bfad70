using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class CrystalDiskMarkTests
{
    private static readonly string s_text = File.ReadAllText(SampleFiles.GetPath("crystaldiskmark", "v8.txt"));

    private static List<IoTestResult> ReadText(string text) => [.. CrystalDiskMarkFormat.Read(new StringReader(text), "x")];

    [Theory]
    [InlineData("> ")]
    [InlineData("// ")]
    [InlineData("    ")]
    public void Quoted_output_is_read(string before)
    {
        var quoted = string.Concat(s_text.Split("\r\n").Select(line => before + line + "\n"));

        Assert.True(CrystalDiskMarkFormat.LooksLike(quoted));
        Assert.Equal(
            ReadText(s_text).Select(r => (r.IOPS, r.WritePercent, r.FileSizeMB, r.Label)),
            ReadText(quoted).Select(r => (r.IOPS, r.WritePercent, r.FileSizeMB, r.Label))
        );
    }

    [Fact]
    public void Throughput_in_MB_is_converted_to_MiB()
    {
        var result = ReadText(
                "CrystalDiskMark 8.0.1 x64 (C) 2007-2021 hiyohiyo\n[Write]\n  SEQ    1MiB (Q=  8, T= 2):   104.858 MB/s [    100.0 IOPS] <159000.00 us>\nTest: 1 GiB (x5) [E: 96% (894/932GiB)]\n"
            )
            .Single();

        Assert.Equal(100.0, result.BandwidthMBps!.Value, 3);
        Assert.Equal(
            (100.0, 159.0, 2, 8, 16),
            (result.IOPS, result.WriteAverageLatencyMs, result.ThreadCount, result.OutstandingIO, result.TotalOutstanding)
        );
        Assert.Equal((1024.0, IoOperation.Write, "E:", 1024.0), (result.BlockSizeKB, result.Operation, result.Path, result.FileSizeMB));
    }

    [Fact]
    public void Partially_copied_text_has_a_warning() =>
        Assert.Contains(
            "the size of the test file is missing. The text is incomplete.",
            ReadText(s_text[..s_text.IndexOf("Profile", StringComparison.Ordinal)])[^1].Warnings.Single()
        );

    [Fact]
    public void Output_without_a_completed_test_throws() =>
        Assert.Equal(
            "IoBench.NoResults",
            Assert
                .Throws<IoBenchException>(() =>
                    ReadText("CrystalDiskMark 8.0.1 x64\n  RND    4KiB (Q=  1, T= 1):     0.000 MB/s [      0.0 IOPS] <     0.00 us>\n")
                )
                .ErrorId
        );

    [Theory]
    [InlineData("I like CrystalDiskMark: my disk has 500 MB/s.")]
    [InlineData("  RND    4KiB (Q=  1, T= 1):     1.000 MB/s [      0.0 IOPS] <     0.00 us>\n")]
    public void Other_text_is_not_recognized_as_CrystalDiskMark(string text) => Assert.False(CrystalDiskMarkFormat.LooksLike(text));
}
