using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class SqlioTruncationTests
{
    private static void AssertTruncated(IoTestResult cut, string upTo)
    {
        // The run is either marked as incomplete or has all important values.
        if (cut.Status == IoResultStatus.Complete)
            Assert.True(cut.IOPS == 15504.09 && cut.BandwidthMBps == 121.12 && cut.AverageLatencyMs == 24, upTo);
        else
            Assert.NotEmpty(cut.Warnings);
        // The values that are present are correct. A truncated value is omitted.
        Assert.True(cut.IOPS is null or 15504.09, upTo);
        Assert.True(cut.BandwidthMBps is null or 121.12, upTo);
        Assert.True(cut.AverageLatencyMs is null or 24, upTo);
        Assert.True(cut.ThreadCount is null or 4, upTo);
    }

    [Fact]
    public void Runs_around_a_run_truncated_after_a_line_are_read()
    {
        var run = SqlioTestText.Run;
        for (var end = run.IndexOf('\n', StringComparison.Ordinal) + 1; end < run.Length && end > 0; end = run.IndexOf('\n', end) + 1)
        {
            var results = SqlioTestText.ReadAll(run + run[..end] + run);

            Assert.Equal(3, results.Count);
            Assert.Equal([15504.09, 15504.09], [results[0].IOPS!.Value, results[2].IOPS!.Value]);
            Assert.Equal((IoResultStatus.Complete, IoResultStatus.Complete), (results[0].Status, results[2].Status));
            Assert.Empty(results[0].Warnings);
            Assert.Empty(results[2].Warnings);
            AssertTruncated(results[1], run[..end]);
            Assert.Equal(22, results[1].SourceLine);
        }
    }

    [Fact]
    public void Runs_around_a_run_truncated_within_a_line_are_read()
    {
        var run = SqlioTestText.Run;
        for (var end = "sqlio v1.5.SG".Length; end < run.Length; end++)
        {
            if (run[end - 1] == '\n')
                continue;
            var results = SqlioTestText.ReadAll(run + run[..end] + run);

            Assert.Equal(15504.09, results[0].IOPS);
            Assert.Empty(results[0].Warnings);
            Assert.Equal(3, results.Count);
            Assert.Equal((15504.09, IoResultStatus.Complete), (results[2].IOPS, results[2].Status));
            AssertTruncated(results[1], run[..end]);
        }
    }

    [Fact]
    public void Text_truncated_anywhere_is_read()
    {
        var run = SqlioTestText.Run;
        for (var end = 1; end < run.Length; end++)
            foreach (var result in SqlioTestText.ReadAll(run[..end]))
                AssertTruncated(result, run[..end]);
    }

    [Fact]
    public void Run_without_its_first_line_is_read()
    {
        var result = SqlioTestText.ReadSingle(SqlioTestText.Run["sqlio v1.5.SG\n".Length..]);

        Assert.Null(result.ToolVersion);
        Assert.Equal((15504.09, 4, IoResultStatus.Complete), (result.IOPS, result.ThreadCount, result.Status));
    }

    [Fact]
    public void Run_without_its_latency_lines_is_incomplete()
    {
        var result = SqlioTestText.ReadSingle(SqlioTestText.Run[..SqlioTestText.Run.IndexOf("latency metrics", StringComparison.Ordinal)]);

        Assert.Equal(IoResultStatus.Incomplete, result.Status);
        Assert.Equal(["line 14: the output of the run ends before its latency lines."], result.Warnings);
        Assert.Equal(15504.09, result.IOPS);
    }

    [Fact]
    public void Run_without_latency_is_complete_if_latency_was_not_requested()
    {
        var text = SqlioTestText.ReplaceLine("using system counter for latency timings, 2539062 counts per second\n", "");
        var result = SqlioTestText.ReadSingle(text[..text.IndexOf("latency metrics", StringComparison.Ordinal)]);

        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Empty(result.Warnings);
        Assert.Null(result.AverageLatencyMs);
    }
}
