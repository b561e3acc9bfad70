using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class KDiskMarkTests
{
    private const string Sample = "kdiskmark-3.1.txt";
    private static readonly string s_text = File.ReadAllText(SampleFiles.GetPath("cases", Sample));

    private static List<IoTestResult> ReadText(string text) => [.. CrystalDiskMarkFormat.Read(new StringReader(text), "x")];

    [Fact]
    public void Rows_are_read_except_rows_of_zeros()
    {
        List<IoTestResult> results = [.. ResultReader.ReadFile(SampleFiles.GetPath("cases", Sample))];

        Assert.Equal(7, results.Count);
        Assert.All(
            results,
            r =>
                Assert.Equal(
                    (CrystalDiskMarkFormat.KDiskMarkSource, "3.1.4", 1024.0, 5.0),
                    (r.Source, r.ToolVersion, r.FileSizeMB, r.DurationSeconds)
                )
        );
        Assert.All(results, r => Assert.Equal(("/mnt/data", "debian 13 [linux 6.12.38]"), (r.Path, r.Host[HostFacts.OperatingSystemFact])));
        Assert.All(results, r => Assert.Equal(new DateTimeOffset(2026, 9, 12, 21, 4, 55, TimeSpan.Zero), r.StartTime));
        Assert.All(results, r => Assert.Equal("fio-3.35", r.ToolDetails["fio"]));
        Assert.Equal(2099.2, results[0].BandwidthMBps!.Value, 1);
        Assert.Equal((2099.2, 1024.0, 8, 1), (results[0].IOPS, results[0].BlockSizeKB, results[0].OutstandingIO, results[0].ThreadCount));
        Assert.Equal(3.80715, results[0].ReadAverageLatencyMs!.Value, 9);
        Assert.Equal(
            (220_000.0, 4, 128, 0),
            (results[2].IOPS, results[2].ThreadCount, results[2].TotalOutstanding, results[2].WritePercent)
        );
        Assert.Equal(0.5811, results[2].AverageLatencyMs!.Value, 9);
        Assert.Equal((20_000.0, 100, IoAccessPattern.Random), (results[6].IOPS, results[6].WritePercent, results[6].AccessPattern));
        Assert.Equal(0.0495, results[6].WriteAverageLatencyMs!.Value, 9);
    }

    [Theory]
    [InlineData("3.1.4", 2)]
    [InlineData("1.6.0", 2)]
    [InlineData("3.2.0", 2)]
    [InlineData("3.3.0", 0)]
    [InlineData("4.0", 0)]
    public void Several_threads_have_a_warning_before_3_3(string version, int expected) =>
        Assert.Equal(
            expected,
            ReadText(s_text.Replace("3.1.4", version, StringComparison.Ordinal))
                .Count(r => r.Warnings.Exists(warning => warning.ToString().Contains("KDiskMark 3.3 or later", StringComparison.Ordinal)))
        );

    [Fact]
    public void Left_aligned_text_is_read()
    {
        var text = string.Join("\r\n", s_text.Split('\n').Select(line => line.Trim()));

        Assert.Equal(ReadText(s_text).Select(r => (r.IOPS, r.Path)), ReadText(text).Select(r => (r.IOPS, r.Path)));
    }

    /// <summary>KDiskMark divides fio's KiB per second by 1,000.</summary>
    [Fact]
    public void MB_that_are_1024000_bytes_are_converted()
    {
        var result = ReadText(
                """
                KDiskMark (1.6.0): https://github.com/JonMagon/KDiskMark
                Flexible I/O Tester (fio-3.16): https://github.com/axboe/fio
                [Mix] Read 70%/Write 30%
                Sequential 1 MiB (Q= 8, T= 1):   500.000 MB/s [    488.3 IOPS] < 16360.00 us>

                Profile: Default [+Mix]
                   Test: 512 MiB (x5) [Interval: 5 sec]
                   Date: 2026/05/17 10:00:00
                     OS: ubuntu 20.04 [linux 5.4.0-42-generic]
                """
            )
            .Single();

        Assert.Equal(488.28125, result.BandwidthMBps!.Value, 6);
        Assert.Equal((30, 512.0, 17), (result.WritePercent, result.FileSizeMB, result.StartTime?.Day));
        Assert.Null(result.DurationSeconds);
        Assert.Contains(result.Warnings, warning => warning.ToString().Contains("1,024,000 bytes", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("/mnt/data", "/mnt/data", null)]
    [InlineData("/ 4% (31.72/748.08 GiB)", "/", null)]
    [InlineData("/home/my data 4% (31.72/748.08 GiB) [Samsung SSD 860]", "/home/my data", "Samsung SSD 860")]
    public void Target_has_a_path_and_a_device(string target, string path, string? device)
    {
        var result = ReadText(s_text.Replace("/mnt/data", target, StringComparison.Ordinal))[0];

        Assert.Equal((path, device), (result.Path, result.Device));
    }
}
