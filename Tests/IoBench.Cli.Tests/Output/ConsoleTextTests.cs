using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class ConsoleTextTests
{
    [InProcessFact]
    public void Progress_line_is_omitted_without_a_terminal()
    {
        using var error = new StringWriter();
        var line = new ProgressLine(error, isTerminal: false);
        line.Show("1/1 x");
        line.Clear();
        Assert.Empty(error.ToString());
    }

    [InProcessFact]
    public void Progress_line_is_overwritten_and_cleared()
    {
        using var error = new StringWriter();
        var line = new ProgressLine(error, isTerminal: true);
        line.Show("2/3 x   resting   5 s left");
        line.Clear();
        line.Clear();
        Assert.Equal("\r2/3 x   resting   5 s left\u001b[K\r\u001b[K", error.ToString());
    }

    [InProcessFact]
    public void Unexpected_error_has_no_control_characters() =>
        Assert.Contains(
            "InvalidOperationException: a?[2J This is a bug in IoBench",
            Startup.DescribeUnexpected(new InvalidOperationException("a\u001b[2J")),
            StringComparison.Ordinal
        );

    [InProcessFact]
    public void Histogram_has_doubling_buckets_and_IOPS_over_time()
    {
        var result = ResultTableTests.CreateResult();
        result.DurationSeconds = 30;
        result.IOCount = 1000;
        result.MinLatencyMs = 0.061;
        result.P50Ms = 0.151;
        result.IopsStdDev = 5807.2;
        result.Histogram = new IoHistogram
        {
            Buckets =
            [
                new IoHistogramBucket
                {
                    FromMs = 0.1,
                    ToMs = 0.11,
                    Percent = 4,
                },
                new IoHistogramBucket
                {
                    FromMs = 0.13,
                    ToMs = 0.2,
                    Percent = 24,
                },
                new IoHistogramBucket
                {
                    FromMs = 0.2,
                    ToMs = 0.24,
                    Percent = 8,
                },
                new IoHistogramBucket
                {
                    FromMs = 0.25,
                    ToMs = 0.5,
                    Percent = 63.5,
                },
                new IoHistogramBucket
                {
                    FromMs = 2.5,
                    ToMs = 2.6,
                    Percent = 0.4,
                },
                new IoHistogramBucket
                {
                    FromMs = 4,
                    ToMs = 4.1,
                    Percent = 0.1,
                },
            ],
        };
        result.Timeline = [.. new[] { 100d, 50, 100 }.Select(iops => new IoTimelinePoint { IOPS = iops })];
        Assert.Equal(
            [
                "page-read: 8KB random read on /data/iobench.dat (20 GB), 4 threads x 8 outstanding, 30.0 s, 1,000 I/Os",
                "latency (ms)   min 0.061   avg 0.165   p50 0.151   p99 0.452   max 8.114",
                "    0.063 -     0.125 | ##                                  4.0 %",
                "    0.125 -     0.250 | ################                   32.0 %",
                "    0.250 -     0.500 | ################################   63.5 %",
                "    2.000 -     8.114 | .                                   0.5 %",
                "IOPS over time  █▄█   variation 0.03",
            ],
            ResultDetailFormatter.FormatResult(result)
        );
    }
}
