using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>Numbers that no measurement returns must have a warning or must not be read, in every tool's format.</summary>
public sealed class ImpossibleToolValueTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    private IoTestResult ReadText(string text)
    {
        File.WriteAllText(_file, text);
        return ResultReader.ReadFile(_file).First();
    }

    private static string ReadSample(string folder, string name) => File.ReadAllText(SampleFiles.GetPath(folder, name));

    private static void AssertNoImpossibleValue(IoTestResult result)
    {
        double?[] values =
        [
            result.IOPS,
            result.BandwidthMBps,
            result.AverageLatencyMs,
            result.MaxLatencyMs,
            result.P99Ms,
            result.DurationSeconds,
            result.CpuPercent,
            result.BlockSizeKB,
            result.IOCount,
            result.ByteCount,
        ];
        Assert.All(values.OfType<double>(), value => Assert.InRange(value, 0, 1e18));
    }

    private static void AssertRemoved(IoTestResult result)
    {
        AssertNoImpossibleValue(result);
        Assert.True(
            result.HasWarning(WarningCodes.ImpossibleValue)
                || result.Status == IoResultStatus.Incomplete
                || result.Warnings.Exists(warning =>
                    warning.Contains("not a valid number", StringComparison.Ordinal)
                    || warning.Contains("could not be read", StringComparison.Ordinal)
                ),
            string.Join('\n', result.Warnings)
        );
    }

    private static string ReplaceFirst(string text, string pattern, string value)
    {
        var regex = new Regex(pattern);
        Assert.Matches(regex, text);
        return regex.Replace(text, match => match.Groups["before"].Value + value, 1);
    }

    [Theory]
    [InlineData("-0.500")]
    [InlineData("1e300")]
    [InlineData("-1.#IND")]
    [InlineData("NaN")]
    public void DiskSpd_text(string number)
    {
        var text = ReadSample("diskspd-runs", "v22-mix-r-L.out");

        AssertRemoved(ReadText(ReplaceFirst(text, @"(?<before>total: +[0-9]+ \| +[0-9]+ \| +)[0-9.]+", number)));
        AssertRemoved(ReadText(ReplaceFirst(text, @"(?<before>total: +)[0-9]+", "-5")));
        AssertRemoved(ReadText(ReplaceFirst(text, @"(?<before>99th \|[^|]*\|[^|]*\| +)[0-9.]+", number)));
    }

    [Theory]
    [InlineData("-5")]
    [InlineData("-0.25")]
    [InlineData("1e300")]
    [InlineData("99999999999999999999999")]
    public void DiskSpd_XML(string number)
    {
        var text = ReadSample("diskspd-runs", "v21-plain-xml.out");

        AssertRemoved(ReadText(ReplaceFirst(text, "(?<before><TestTimeSeconds>)[0-9.]+", number)));
        AssertRemoved(ReadText(ReplaceFirst(text, "(?<before><IOCount>)[0-9.]+", number)));
        AssertNoImpossibleValue(ReadText(ReplaceFirst(text, "(?<before><UsagePercent>)[0-9.]+", number)));
    }

    [Theory]
    [InlineData("-3.5")]
    [InlineData("1e300")]
    public void Fio_JSON(string number)
    {
        var text = ReadSample("fio", "v3.42-mix.json");

        AssertRemoved(ReadText(ReplaceFirst(text, "(?<before>\"iops\" : )[0-9.]+", number)));
        AssertRemoved(
            ReadText(
                ReplaceFirst(text, "(?<before>\"lat_ns\" : \\{\\s*\"min\" : [0-9]+,\\s*\"max\" : [0-9]+,\\s*\"mean\" : )[0-9.]+", number)
            )
        );
        AssertNoImpossibleValue(ReadText(ReplaceFirst(text, "(?<before>\"io_bytes\" : )[0-9.]+", number)));
    }

    [Theory]
    [InlineData("-3.5")]
    [InlineData("99999999999999999999")]
    public void SQLIO_text(string number)
    {
        AssertRemoved(ReadText(ReplaceFirst(SqlioTestText.Run, @"(?<before>IOs/sec: +)[0-9.]+", number)));
        AssertRemoved(ReadText(ReplaceFirst(SqlioTestText.Run, @"(?<before>MBs/sec: +)[0-9.]+", number)));
        AssertRemoved(ReadText(ReplaceFirst(SqlioTestText.Run, @"(?<before>Avg_Latency\(ms\): +)[0-9.]+", number)));
    }

    [Theory]
    [InlineData("99999999999999999999.000")]
    [InlineData("0.0000000000001")]
    public void CrystalDiskMark_text(string number)
    {
        var text = ReadSample("crystaldiskmark", "v8.txt");
        var result = ReadText(ReplaceFirst(text, @"(?<before>MB/s \[ +)[0-9.]+", number));

        AssertNoImpossibleValue(result);
    }

    [Fact]
    public void Negative_rows_of_CrystalDiskMark_are_not_read()
    {
        var text = ReadSample("crystaldiskmark", "v8.txt");
        var expected = ReadText(text);

        Assert.NotEqual(expected.IOPS, ReadText(ReplaceFirst(text, @"(?<before>\): +)[0-9.]+", "-5.000")).IOPS);
        AssertNoImpossibleValue(ReadText(ReplaceFirst(text, @"(?<before>IOPS\] < *)[0-9.]+", "-1.00")));
    }
}
