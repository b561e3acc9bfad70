using System.Text;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class FioVerificationTests
{
    private static List<IoTestResult> ReadText(string text) => [.. FioFormat.Read(new MemoryStream(Encoding.UTF8.GetBytes(text)), "x")];

    [Theory]
    [InlineData("\n")]
    [InlineData("\r\n")]
    public void Reads_of_a_write_job_in_text_are_not_part_of_the_result(string lineEnd)
    {
        var text = File.ReadAllText(SampleFiles.GetPath("cases", "fio-write-then-verify.txt"));

        AssertWritesOnly(ReadText(text.ReplaceLineEndings(lineEnd)).Single());
    }

    [Theory]
    [InlineData("\"verify\" : \"crc32c\",", "")]
    [InlineData("", "\"verify\" : \"crc32c\",")]
    public void Reads_of_a_write_job_in_JSON_are_not_part_of_the_result(string global, string own)
    {
        var result = ReadText(
                $$"""
                {
                  "fio version" : "fio-3.33", "timestamp" : 1700000000, "timestamp_ms" : 1700000000100, "time" : "Tue Nov 14 22:13:20 2023",
                  "global options" : { {{global}} "bs" : "64k" },
                  "jobs" : [ {
                    "jobname" : "w", "groupid" : 0, "error" : 0, "elapsed" : 1,
                    "job options" : { {{own}} "rw" : "write", "iodepth" : "4", "ioengine" : "libaio" },
                    "read" : { "io_bytes" : 33554432, "bw_bytes" : 1198372571, "iops" : 18285.7, "runtime" : 28, "total_ios" : 512,
                      "lat_ns" : { "min" : 81000, "max" : 2329000, "mean" : 206130.0, "stddev" : 219460.0, "N" : 512 } },
                    "write" : { "io_bytes" : 33554432, "bw_bytes" : 958698057, "iops" : 14628.571429, "runtime" : 35, "total_ios" : 512,
                      "lat_ns" : { "min" : 98000, "max" : 3576000, "mean" : 266640.0, "stddev" : 370010.0, "N" : 512 } },
                    "job_runtime" : 63, "usr_cpu" : 8.2, "sys_cpu" : 27.9
                  } ]
                }
                """
            )
            .Single();

        AssertWritesOnly(result);
        Assert.Null(result.CpuUsPerIO);
    }

    private static void AssertWritesOnly(IoTestResult result)
    {
        Assert.Equal((IoOperation.Write, 100, IoAccessPattern.Sequential), (result.Operation, result.WritePercent, result.AccessPattern));
        Assert.Equal((64.0, 4, 1, 512L), (result.BlockSizeKB, result.OutstandingIO, result.ThreadCount, result.IOCount));
        Assert.Equal(512 / 0.035, result.IOPS!.Value, 1);
        Assert.Equal((0.26664, 3.576, 0.035), (result.AverageLatencyMs, result.MaxLatencyMs, result.DurationSeconds));
        Assert.Equal(0, result.ReadIOPS);
        Assert.Null(result.ReadAverageLatencyMs);
        Assert.Equal("512", result.ToolDetails["verify total_ios"]);
        Assert.Contains(result.Warnings, warning => warning.ToString().Contains("512 reads", StringComparison.Ordinal));
    }

    [Fact]
    public void Reads_of_a_mixed_job_have_a_warning_when_verified()
    {
        var text = """
            {"fio version":"fio-3.33","jobs":[{"jobname":"m","error":0,"job options":{"rw":"randrw","verify":"md5","bs":"8k"},
            "read":{"iops":100,"bw_bytes":819200,"io_bytes":819200,"total_ios":100,"runtime":1000},
            "write":{"iops":50,"bw_bytes":409600,"io_bytes":409600,"total_ios":50,"runtime":1000}}]}
            """;
        var result = ReadText(text).Single();

        Assert.Equal(150, result.IOPS);
        Assert.Contains(result.Warnings, warning => warning.ToString().Contains("(option verify)", StringComparison.Ordinal));
    }
}
