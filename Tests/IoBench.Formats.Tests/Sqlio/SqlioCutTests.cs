using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class SqlioCutTests
{
    private static void CheckCut(IoTestResult cut, string upTo)
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
    public void The_runs_around_a_cut_one_are_read_when_it_ends_with_a_line()
    {
        var run = SqlioText.Run;
        for (var end = run.IndexOf('\n', StringComparison.Ordinal) + 1; end < run.Length && end > 0; end = run.IndexOf('\n', end) + 1)
        {
            var results = SqlioText.Read(run + run[..end] + run);

            Assert.Equal(3, results.Count);
            Assert.Equal([15504.09, 15504.09], [results[0].IOPS!.Value, results[2].IOPS!.Value]);
            Assert.Equal((IoResultStatus.Complete, IoResultStatus.Complete), (results[0].Status, results[2].Status));
            Assert.Empty(results[0].Warnings);
            Assert.Empty(results[2].Warnings);
            CheckCut(results[1], run[..end]);
            Assert.Equal(22, results[1].SourceLine);
        }
    }

    [Fact]
    public void The_runs_around_a_cut_one_are_read_when_it_ends_within_a_line()
    {
        var run = SqlioText.Run;
        for (var end = "sqlio v1.5.SG".Length; end < run.Length; end++)
        {
            if (run[end - 1] == '\n')
                continue;
            var results = SqlioText.Read(run + run[..end] + run);

            Assert.Equal(15504.09, results[0].IOPS);
            Assert.Empty(results[0].Warnings);
            Assert.Equal(3, results.Count);
            Assert.Equal((15504.09, IoResultStatus.Complete), (results[2].IOPS, results[2].Status));
            CheckCut(results[1], run[..end]);
        }
    }

    [Fact]
    public void A_text_may_end_anywhere()
    {
        var run = SqlioText.Run;
        for (var end = 1; end < run.Length; end++)
            foreach (var result in SqlioText.Read(run[..end]))
                CheckCut(result, run[..end]);
    }

    [Fact]
    public void A_run_without_its_first_line_is_read()
    {
        var result = SqlioText.One(SqlioText.Run["sqlio v1.5.SG\n".Length..]);

        Assert.Null(result.ToolVersion);
        Assert.Equal((15504.09, 4, IoResultStatus.Complete), (result.IOPS, result.ThreadCount, result.Status));
    }

    [Fact]
    public void A_run_that_never_got_to_its_latencies_is_incomplete()
    {
        var result = SqlioText.One(SqlioText.Run[..SqlioText.Run.IndexOf("latency metrics", StringComparison.Ordinal)]);

        Assert.Equal(IoResultStatus.Incomplete, result.Status);
        Assert.Equal(["line 14: the run ends before its latency lines."], result.Warnings);
        Assert.Equal(15504.09, result.IOPS);
    }

    [Fact]
    public void A_run_without_latency_is_complete_when_none_was_asked_for()
    {
        var text = SqlioText.With("using system counter for latency timings, 2539062 counts per second\n", "");
        var result = SqlioText.One(text[..text.IndexOf("latency metrics", StringComparison.Ordinal)]);

        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Empty(result.Warnings);
        Assert.Null(result.AverageLatencyMs);
    }
}
