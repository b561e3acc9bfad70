using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class ResultTableTests
{
    internal static IoTestResult Result() =>
        new()
        {
            Source = IoTestResult.OwnSource,
            Workload = "page-read",
            IOPattern = "8KB random read",
            Path = "/data/iobench.dat",
            ThreadCount = 4,
            OutstandingIO = 8,
            FileSizeMB = 20480,
            BandwidthMBps = 1512.3,
            IOPS = 193574.4,
            AverageLatencyMs = 0.165,
            P99Ms = 0.4521,
            MaxLatencyMs = 8.114,
            CpuPercent = 41.3,
        };

    [InProcessFact]
    public void A_row_aligned_under_its_header()
    {
        var table = ResultTable.For([Result()]);
        string[] lines = [.. table.Header(), table.Row(Result())];
        Assert.Equal(
            [
                "Workload   IOPattern        Thr   QD     Size     MiB/s       IOPS    Avg ms    P99 ms    Max ms  CPU%",
                "--------   ---------        ---   --     ----     -----       ----    ------    ------    ------  ----",
                "page-read  8KB random read    4    8    20 GB   1,512.3    193,574     0.165     0.452     8.114    41",
            ],
            lines
        );
    }

    [InProcessFact]
    public void What_is_not_known_is_blank_not_zero()
    {
        var result = new IoTestResult { IOPattern = "8KB random read", IOPS = 100 };
        Assert.EndsWith("100", ResultTable.For([result]).Row(result));
        Assert.DoesNotContain("0.0", ResultTable.For([result]).Row(result));
    }

    [InProcessFact]
    public void SQLIOs_whole_milliseconds_stay_whole()
    {
        var result = Result();
        result.Source = SqlioFormat.Source;
        result.AverageLatencyMs = 24;
        result.MaxLatencyMs = 113060;
        var row = ResultTable.For([result]).Row(result);
        Assert.Contains("    24  ", row);
        Assert.Contains(" 113,060", row);
    }

    [InProcessTheory]
    [InlineData(null, 1)]
    [InlineData("OldSanWithAVeryLongLabel", 2)]
    public void It_fits_one_hundred_and_twenty_columns(string? label, int paths)
    {
        var results = Enumerable
            .Range(1, paths)
            .Select(i =>
            {
                var result = Result();
                result.Workload = "sqlio-11-write-256k-sequential-100";
                result.IOPattern = "256KB interlocked write";
                result.Label = label;
                result.Repeat = 1;
                result.Path = $"/mount/with/a/rather/long/name/{i}/iobench.dat";
                result.IOPS = 1234567;
                return result;
            })
            .ToList();
        var table = ResultTable.For(results);
        Assert.All(table.Header().Concat(results.Select(table.Row)), line => Assert.InRange(line.Length, 60, 120));
        Assert.Contains("1,234,567", table.Row(results[0]));
    }

    [InProcessFact]
    public void Several_paths_are_told_apart()
    {
        var first = Result();
        var second = Result();
        second.Path = "/log/iobench.dat";
        var table = ResultTable.For([first, second]);
        Assert.StartsWith("Path", table.Header().First());
        Assert.StartsWith("/log/iobench.dat", table.Row(second));
    }

    [InProcessFact]
    public void A_run_that_did_not_complete_says_so()
    {
        var result = Result();
        result.Status = IoResultStatus.Incomplete;
        Assert.EndsWith("  incomplete", ResultTable.For([result]).Row(result));
    }
}
