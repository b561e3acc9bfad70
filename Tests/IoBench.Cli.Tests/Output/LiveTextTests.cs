using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class LiveTextTests
{
    [InProcessFact]
    public void Progress_of_a_run() => Assert.Equal(
        "6/9 checkpoint   12 s left   25,380 IOPS   397 MiB/s   p99 6.4 ms",
        ProgressLine.Text(6, 9, "checkpoint", default, new RunProgress(RunPhase.Measuring, 18, 11.8, 25380.4, 396.6, 6.4, null, 0, 0)));

    [InProcessFact]
    public void Progress_of_a_file() => Assert.Equal(
        "making T:\\iobench.dat   11.2 GB of 20 GB   1.9 GB/s   5 s left",
        ProgressLine.Text(1, 9, "page-read", default, new RunProgress(RunPhase.Preparing, 6, 4.6, 0, 1945.6, null, @"T:\iobench.dat", 12025908429, 20L << 30)));

    [InProcessFact]
    public void No_terminal_no_line()
    {
        using var error = new StringWriter();
        var line = new ProgressLine(error, isTerminal: false);
        line.Show(1, 1, "x", default, new RunProgress(RunPhase.Measuring, 1, 1, 1, 1, null, null, 0, 0));
        line.Clear();
        Assert.Empty(error.ToString());
    }

    [InProcessFact]
    public void The_line_is_written_over_and_taken_away()
    {
        using var error = new StringWriter();
        var line = new ProgressLine(error, isTerminal: true);
        line.Show(2, 3, "x", TimeSpan.FromSeconds(60), new RunProgress(RunPhase.Preparing, 55.8, null, 0, 0, null, null, 0, 0));
        line.Clear();
        line.Clear();
        Assert.Equal("\r2/3 x   resting   5 s left\u001b[K\r\u001b[K", error.ToString());
    }

    [InProcessFact]
    public void The_histogram_has_bands_that_double_and_a_rate_over_time()
    {
        var result = ResultTableTests.Result();
        result.DurationSeconds = 30;
        result.IOCount = 1000;
        result.MinLatencyMs = 0.061;
        result.P50Ms = 0.151;
        result.IopsStdDev = 5807.2;
        result.Histogram = new IoHistogram
        {
            Buckets =
            [
                new IoHistogramBucket { FromMs = 0.1, ToMs = 0.11, Percent = 4 },
                new IoHistogramBucket { FromMs = 0.13, ToMs = 0.2, Percent = 24 },
                new IoHistogramBucket { FromMs = 0.2, ToMs = 0.24, Percent = 8 },
                new IoHistogramBucket { FromMs = 0.25, ToMs = 0.5, Percent = 63.5 },
                new IoHistogramBucket { FromMs = 2.5, ToMs = 2.6, Percent = 0.4 },
                new IoHistogramBucket { FromMs = 4, ToMs = 4.1, Percent = 0.1 },
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
        ], ResultText.Of(result));
    }
}
