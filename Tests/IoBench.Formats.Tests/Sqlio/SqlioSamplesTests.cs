using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class SqlioSamplesTests
{
    private static List<IoTestResult> ReadDocument(string name) => ResultReader.ReadFile(SampleFiles.GetPath("documents", name)).ToList();

    [Fact]
    public void Document_with_8_KB_random_reads_is_read()
    {
        var results = ReadDocument("reads-8k-random-3-files.txt");

        Assert.Equal(3, results.Count);
        Assert.Equal([15504.09, 18325.52, 191786.53], results.Select(r => r.IOPS!.Value));
        Assert.Equal([121.12, 143.16, 1498.33], results.Select(r => r.BandwidthMBps!.Value));
        Assert.Equal([24.0, 20, 1], results.Select(r => r.AverageLatencyMs!.Value));
        Assert.Equal([0.0, 0, 0], results.Select(r => r.MinLatencyMs!.Value));
        Assert.Equal([4887.0, 58819, 113060], results.Select(r => r.MaxLatencyMs!.Value));
        Assert.Equal([48, 48, 40], results.Select(r => r.ThreadCount!.Value));
        Assert.Equal([384, 384, 320], results.Select(r => r.TotalOutstanding!.Value));
        Assert.Equal([1, 26, 51], results.Select(r => r.SourceLine!.Value));
        Assert.Equal(
            [@"O:\SQLIOMP\Disk1\testfile.dat", @"P:\SQLIOMP\SQLIO_01\testfile.dat", @"H:\SQLIOMP\SQLIO_01\testfile.dat"],
            results.Select(r => r.Path)
        );
        Assert.Equal(["2539062", "2539062", "1948244"], results.Select(r => r.ToolDetails["Latency timer counts per second"]));
        Assert.All(
            results,
            r =>
            {
                Assert.Equal(SqlioFormat.Source, r.Source);
                Assert.Equal(IoResultStatus.Complete, r.Status);
                Assert.Equal("1.5.SG", r.ToolVersion);
                Assert.Equal(8, r.OutstandingIO);
                Assert.Equal(92160, r.FileSizeMB);
                Assert.Equal(7200, r.DurationSeconds);
                Assert.Equal("8KB random read", r.IOPattern);
                Assert.Equal(IoOperation.Read, r.Operation);
                Assert.Equal(0, r.WritePercent);
                Assert.Equal(IoAccessPattern.Random, r.AccessPattern);
                Assert.Equal(8, r.BlockSizeKB);
                Assert.Equal(IoLoadModel.Closed, r.LoadModel);
                Assert.Null(r.Buffering);
                Assert.Null(r.StartTime);
                Assert.Null(r.ComputerName);
                Assert.Equal(1, r.TargetCount);
                Assert.Equal(r.Path, Assert.Single(r.Targets).Path);
                Assert.Equal("paramMT.txt", r.ToolDetails["Parameter file"]);
                Assert.Equal(r.IOPS, r.ReadIOPS);
                Assert.Null(r.WriteIOPS);
                Assert.Empty(r.Warnings);
                Assert.EndsWith("reads-8k-random-3-files.txt", r.SourceFile, StringComparison.Ordinal);
            }
        );
    }

    [Fact]
    public void Littles_law_latency_is_computed()
    {
        var result = ReadDocument("reads-8k-random-3-files.txt")[0];

        Assert.Equal(384 / 15504.09 * 1000, result.LittlesLawLatencyMs!.Value, 9);
    }

    [Fact]
    public void Histogram_and_unambiguous_percentiles_are_read()
    {
        var results = ReadDocument("reads-8k-random-3-files.txt");

        var histogram = results[0].Histogram!;
        Assert.Equal("sqlio", histogram.Kind);
        Assert.Equal(
            [13.0, 21, 7, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 32],
            histogram.Buckets.Select(b => b.Percent)
        );
        Assert.Equal((0.0, 1.0), (histogram.Buckets[0].FromMs, histogram.Buckets[0].ToMs!.Value));
        Assert.Equal((24.0, null), (histogram.Buckets[24].FromMs, histogram.Buckets[24].ToMs));
        // 13+21+7+4+3 = 48, and 51 with the next: rounding makes the median ambiguous. 32% are in "24 and more".
        Assert.Null(results[0].P50Ms);
        Assert.Null(results[0].P90Ms);
        // 60% are within the first millisecond; 60+12+4+6 = 82, and 94 with the next.
        Assert.Equal(1, results[2].P50Ms);
        Assert.Equal(5, results[2].P90Ms);
        Assert.Null(results[2].P999Ms);
    }

    [Theory]
    [InlineData("write-8k-sequential-BH.txt", IoBuffering.Hardware, 28807.29, 225.05, 1)]
    [InlineData("write-8k-sequential-BN.txt", IoBuffering.None, 28794.08, 224.95, 0)]
    public void Buffering_is_read_from_the_output(string file, IoBuffering buffering, double iops, double bandwidth, double average)
    {
        var result = Assert.Single(ReadDocument(file));

        Assert.Equal(buffering, result.Buffering);
        Assert.Equal("8KB sequential write", result.IOPattern);
        Assert.Equal(IoAccessPattern.Interlocked, result.AccessPattern);
        Assert.Equal((iops, bandwidth, average), (result.IOPS, result.BandwidthMBps, result.AverageLatencyMs));
        Assert.Equal(
            (4, 8, 32, 5.0, 100.0),
            (result.ThreadCount, result.OutstandingIO, result.TotalOutstanding, result.DurationSeconds, result.FileSizeMB)
        );
        Assert.Equal(IoOperation.Write, result.Operation);
        Assert.Equal(100, result.WritePercent);
        Assert.Equal(@"d:\testfile.dat", result.Path);
        Assert.Equal(iops, result.WriteIOPS);
        Assert.Equal(2, result.P50Ms);
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Empty(result.Warnings);
    }

    [Fact]
    public void Fragments_of_an_article_are_read()
    {
        var results = ReadDocument("size-matters-fragments.txt");

        Assert.Equal(2, results.Count);
        Assert.Equal([2681.0, 19871], results.Select(r => r.IOPS!.Value));
        Assert.Equal([21.0, 155], results.Select(r => r.BandwidthMBps!.Value));
        Assert.Equal([11.0, 1], results.Select(r => r.AverageLatencyMs!.Value));
        Assert.Equal([310.0, 16], results.Select(r => r.MaxLatencyMs!.Value));
        Assert.Equal([3, 12], results.Select(r => r.SourceLine!.Value));
        Assert.All(
            results,
            r =>
            {
                Assert.Equal(IoResultStatus.Incomplete, r.Status);
                Assert.Null(r.ThreadCount);
                Assert.Null(r.Path);
                Assert.Null(r.LittlesLawLatencyMs);
                Assert.Null(r.Specification);
            }
        );
        Assert.Equal("line 1: IoBench cannot read this line: E drive:", results[0].Warnings[0]);
        Assert.Equal("line 10: IoBench cannot read this line: F drive:", results[1].Warnings[0]);
    }

    [PublishedTheory("sqlio-published")]
    [InlineData("01-randread-4k-expand-file.txt", "4KB random read", 64, 1, 26263.98, 102.59, 0, 1, 138, 50000, 15, @"G:\testfile.dat")]
    [InlineData("02-randread-8k-no-o.txt", "8KB random read", 64, 1, 30217.76, 236.07, 0, 1, 91, 50000, 15, @"G:\testfile.dat")]
    [InlineData("03-randwrite-64k-o8.txt", "64KB random write", 64, 8, 26189.99, 1636.87, 0, 18, 999, 50000, 15, @"G:\testfile.dat")]
    [InlineData("04-seqread-64k-o8.txt", "64KB sequential read", 64, 8, 6166.62, 385.41, 0, 82, 2187, 50000, 15, @"G:\testfile.dat")]
    [InlineData("05-seqwrite-4k-no-o.txt", "4KB sequential write", 64, 1, 44490.61, 173.79, 0, 0, 42, 50000, 15, @"G:\testfile.dat")]
    [InlineData("06-seqread-8k-o2.txt", "8KB sequential read", 64, 2, 39281.06, 306.88, 0, 2, 144, 50000, 15, @"G:\testfile.dat")]
    [InlineData("07-seqwrite-8k-o8-tail.txt", "8KB sequential write", 64, 8, 26667.48, 208.33, 0, 18, 103, 50000, 15, @"G:\testfile.dat")]
    [InlineData("08-randwrite-8k-BH-teleopti.txt", "8KB random write", 4, 1, 421.88, 3.29, 0, 9, 1586, 2000, 30, "testfile.dat")]
    [InlineData(
        "09-seqwrite-8k-current-size-d-option.txt",
        "8KB sequential write",
        32,
        1,
        7851.80,
        61.34,
        0,
        3,
        18,
        20000,
        30,
        "E:Testfile.dat"
    )]
    [InlineData(
        "10-seqwrite-8k-sharepoint-no-histogram.txt",
        "8KB sequential write",
        2,
        8,
        3434.19,
        26.82,
        0,
        4,
        282,
        100,
        360,
        "c:testfile.dat"
    )]
    public void Published_runs_are_read(
        string file,
        string pattern,
        int threads,
        int outstanding,
        double iops,
        double bandwidth,
        double min,
        double average,
        double max,
        double size,
        double seconds,
        string path
    )
    {
        var sample = SampleFiles.FindPublished("sqlio-published", file)!;
        var result = Assert.Single(ResultReader.ReadFile(sample));

        Assert.Equal(pattern, result.IOPattern);
        Assert.Equal((threads, outstanding, threads * outstanding), (result.ThreadCount, result.OutstandingIO, result.TotalOutstanding));
        Assert.Equal((iops, bandwidth), (result.IOPS, result.BandwidthMBps));
        Assert.Equal((min, average, max), (result.MinLatencyMs, result.AverageLatencyMs, result.MaxLatencyMs));
        Assert.Equal((size, seconds, path), (result.FileSizeMB, result.DurationSeconds, result.Path));
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal("1.5.SG", result.ToolVersion);
        Assert.Equal(file.StartsWith("10", StringComparison.Ordinal), result.Histogram is null);
        Assert.Equal(
            file.StartsWith("10", StringComparison.Ordinal)
                ? ["line 17: no histogram follows the latency lines, so percentiles are not available."]
                : [],
            result.Warnings
        );
    }

    [PublishedFact("sqlio-published", "08-randwrite-8k-BH-teleopti.txt")]
    public void Echoed_command_line_is_kept()
    {
        var sample = SampleFiles.FindPublished("sqlio-published", "08-randwrite-8k-BH-teleopti.txt")!;
        var result = Assert.Single(ResultReader.ReadFile(sample));

        Assert.Equal("sqlio -kW -t2 -s30 -o1 -frandom -b8 -BH -LS -Fparam.txt", result.Specification!.GetOrAddOrigin().CommandLine);
        Assert.Equal(1, result.Specification!.GetOrAddOrigin().SourceLine);
        Assert.Equal("param.txt", result.Specification!.GetOrAddOrigin().Sqlio!.ParameterFile);
        Assert.Equal(2000L << 20, Assert.Single(result.Specification!.Targets).FileSize);
    }

    [PublishedFact("sqlio-published")]
    public void Published_fragments_are_read()
    {
        var folder = SampleFiles.FindPublished("sqlio-published")!;
        IoTestResult Read(string file) => Assert.Single(ResultReader.ReadFile(System.IO.Path.Combine(folder, file)));

        var initiation = Read("11-fragment-init-latency-LSi-readme.txt");
        Assert.Equal(
            ("51", "296", "20169"),
            (
                initiation.ToolDetails["Min_Init_Latency(us)"],
                initiation.ToolDetails["Avg_Init_Latency(us)"],
                initiation.ToolDetails["Max_Init_Latency(us)"]
            )
        );
        Assert.Equal(IoResultStatus.Incomplete, initiation.Status);
        Assert.Equal(["line 3: these lines belong to a run that has no results."], initiation.Warnings);

        var processors = Read("12-fragment-Up-utilization-readme.txt");
        Assert.Equal(98.99, processors.CpuPercent);
        Assert.Equal([0, 1, 2, 3], processors.Processors.Select(p => p.Processor));
        Assert.Equal(
            (98.64, 94.94, 3.69, null),
            (
                processors.Processors[1].UsagePercent,
                processors.Processors[1].KernelPercent,
                processors.Processors[1].UserPercent,
                processors.Processors[1].IdlePercent
            )
        );
        Assert.Equal("22.30 24.06 21.87 19.79 23.48", processors.ToolDetails["DPCTime(%)"]);
        Assert.Equal("11608.76 2898.03 2917.36 2917.26 2876.10", processors.ToolDetails["Interrupts/sec"]);

        var latency = Read("13-fragment-latency-histogram-readme.txt");
        Assert.Equal((2.0, 8.0, 47.0), (latency.MinLatencyMs, latency.AverageLatencyMs, latency.MaxLatencyMs));
        Assert.Equal(35, latency.Histogram!.Buckets[11].Percent);
        Assert.Null(latency.IOPS);
        Assert.Equal(IoResultStatus.Incomplete, latency.Status);

        var rates = Read("14-fragment-no-latency-readme.txt");
        Assert.Equal((183.16, 0.35, 1), (rates.IOPS, rates.BandwidthMBps, rates.SourceLine));
        Assert.Equal(IoResultStatus.Incomplete, rates.Status);
        Assert.Equal(
            ["line 3: the output of the run is incomplete, because the threads, the file, and the pattern are missing."],
            rates.Warnings
        );
    }

    [PublishedFact("sqlio-published", "15-concatenated-9-runs.txt")]
    public void Nine_runs_in_one_file_are_read()
    {
        var sample = SampleFiles.FindPublished("sqlio-published", "15-concatenated-9-runs.txt")!;
        var results = ResultReader.ReadFile(sample).ToList();

        Assert.Equal(
            [26263.98, 30217.76, 15399.33, 27700.00, 29250.08, 13975.82, 25519.97, 22893.54, 14122.49],
            results.Select(r => r.IOPS!.Value)
        );
        Assert.Equal([1, 1, 1, 2, 2, 2, 8, 8, 8], results.Select(r => r.OutstandingIO!.Value));
        Assert.Equal([4.0, 8, 64, 4, 8, 64, 4, 8, 64], results.Select(r => r.BlockSizeKB!.Value));
        Assert.Equal([1, 24, 43, 62, 82, 102, 122, 142, 162], results.Select(r => r.SourceLine!.Value));
        Assert.All(results, r => Assert.Equal(IoResultStatus.Complete, r.Status));
        Assert.All(results, r => Assert.Empty(r.Warnings));
    }
}
