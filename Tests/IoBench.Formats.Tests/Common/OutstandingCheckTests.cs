using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class OutstandingCheckTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    private IoTestResult ReadText(string text)
    {
        File.WriteAllText(_file, text);
        return Assert.Single(ResultReader.ReadFile(_file));
    }

    private static string? GetWarning(IoTestResult result) =>
        result.GetWarnings().FirstOrDefault(warning => warning.Code == WarningCodes.OutstandingDiffers)?.ToString();

    private static string CreateSqlio(int latencyMs) =>
        SqlioTestText.Run.ReplaceLineEndings("\n") is var text
        && text.IndexOf("Avg_Latency(ms):", StringComparison.Ordinal) is > 0 and var at
            ? text[..at] + $"Avg_Latency(ms): {latencyMs}" + text[text.IndexOf('\n', at)..]
            : throw new InvalidOperationException();

    [Theory]
    [InlineData(60, "fewer than the 128 requested")]
    [InlineData(95, null)]
    [InlineData(160, null)]
    [InlineData(170, "more than the 128 requested")]
    public void In_flight_IOs_are_compared_with_the_request(double microseconds, string? expected)
    {
        var warning = GetWarning(
            ReadText(
                $"KDiskMark (3.3.0): https://github.com/JonMagon/KDiskMark\n[Read]\nRandom 4 KiB (Q= 32, T= 4): 4096.000 MB/s [ 1000000.0 IOPS] < {microseconds}.00 us>\n"
            )
        );

        if (expected is null)
            Assert.Null(warning);
        else
            Assert.Contains(expected, warning, StringComparison.Ordinal);
    }

    [Fact]
    public void Whole_milliseconds_of_SQLIO_are_considered()
    {
        var result = ReadText(SqlioTestText.Run);
        var expected = result.LittlesLawLatencyMs!.Value;

        Assert.Null(GetWarning(ReadText(CreateSqlio((int)Math.Max(0, expected - 2)))));
        Assert.Contains("more than", GetWarning(ReadText(CreateSqlio((int)(expected * 1.4) + 1))), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\"rw\":\"randread\",\"iodepth\":\"32\",\"ioengine\":\"libaio\"", true)]
    [InlineData("\"rw\":\"randread\",\"iodepth\":\"32\",\"ioengine\":\"libaio\",\"rate_iops\":\"1000\"", false)]
    [InlineData("\"rw\":\"randread\",\"iodepth\":\"32\",\"ioengine\":\"libaio\",\"thinktime\":\"1000\"", false)]
    [InlineData("\"rw\":\"randread\",\"iodepth\":\"1\",\"ioengine\":\"libaio\"", false)]
    public void Paced_loads_have_no_warning(string options, bool expected)
    {
        var result = ReadText(
            $$$$"""
            {"fio version":"fio-3.33","jobs":[{"jobname":"a","error":0,"job options":{ {{{{options}}}} },
            "read":{"iops":1000,"bw_bytes":4096000,"io_bytes":40960000,"total_ios":10000,"runtime":10000,
            "lat_ns":{"min":1,"max":9000000,"mean":1000000.0,"stddev":1,"N":10000}},"write":{"iops":0,"bw_bytes":0,"io_bytes":0,"total_ios":0,"runtime":0}}]}
            """
        );

        Assert.Equal(expected, GetWarning(result) is not null);
    }

    [Fact]
    public void Warning_is_added_once()
    {
        var result = ReadText(
            "KDiskMark (3.3.0): x\n[Read]\nRandom 4 KiB (Q= 32, T= 4): 4096.000 MB/s [ 1000000.0 IOPS] < 10.00 us>\nTest: 1 GiB (x1)\n"
        );
        using var writer = new StringWriter();
        JsonFormat.Write(writer, [result]);

        Assert.Single(ReadText(writer.ToString()).Warnings, warning => warning.Contains("outstanding (IOPS", StringComparison.Ordinal));
    }
}
