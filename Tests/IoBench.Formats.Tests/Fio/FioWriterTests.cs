using System.Globalization;
using System.Text;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class FioWriterTests
{
    private static string WriteJson(params IoTestResult[] results)
    {
        var writer = new StringWriter();
        ResultWriter.Write(writer, results, ResultFormat.Fio);
        return writer.ToString();
    }

    private static List<IoTestResult> ReadJson(string text) => [.. FioFormat.Read(new MemoryStream(Encoding.UTF8.GetBytes(text)), null)];

    public static TheoryData<string> JsonSamples
    {
        get
        {
            var data = new TheoryData<string>();
            // These outputs have microsecond buckets or no counts.
            foreach (
                var file in Directory
                    .GetFiles(SampleFiles.GetPath("fio"), "*.json")
                    .Where(file => !Path.GetFileName(file).StartsWith("v2", StringComparison.Ordinal))
                    .Order(StringComparer.Ordinal)
            )
                data.Add(Path.GetFileName(file));
            return data;
        }
    }

    private static readonly string[] s_omitted =
    [
        "SourceFile",
        "SourceLine",
        "ToolDetails",
        "Warnings",
        "WarningDetails.*",
        "ErrorDetails.*",
        "Host",
        "RunId",
        "WorkloadRole",
        "Response*",
        "DueNotDone",
        "OldestDueMs",
        "Group*",
        "Member",
        "StartOffsetSeconds",
        "CommonWindowPercent",
        "ProcessorWaitPercent",
        "RateReachedPercent",
        "CpuPercent",
        "GcCount",
        "FileSystem",
        "Repeat",
        "Totals.*.Response*",
        "Specification.*",
        "Targets.*",
        "Threads.*",
        "Timeline.*",
        "Processors.*",
        "ToolVersion",
        "Integrity.*",
        "Stalls.*",
        "HostPauses.*",
        "Devices.*",
        "SlowestIOs.*",
    ];

    private static readonly string[] s_preserved =
    [
        "Source",
        "Status",
        "Label",
        "Workload",
        "ComputerName",
        "StartTime",
        "Path",
        "TargetCount",
        "FileSizeMB",
        "ThreadCount",
        "OutstandingIO",
        "TotalOutstanding",
        "BlockSizeKB",
        "Operation",
        "WritePercent",
        "AccessPattern",
        "IOPattern",
        "Buffering",
        "LoadModel",
        "TargetIops",
        "DurationSeconds",
        "BandwidthMBps",
        "IOPS",
        "ReadMBps",
        "ReadIOPS",
        "WriteMBps",
        "WriteIOPS",
        "AverageLatencyMs",
        "MinLatencyMs",
        "MaxLatencyMs",
        "LatencyStdDevMs",
        "P50Ms",
        "P90Ms",
        "P95Ms",
        "P99Ms",
        "P999Ms",
        "ReadAverageLatencyMs",
        "ReadP99Ms",
        "WriteAverageLatencyMs",
        "WriteP99Ms",
        "LittlesLawLatencyMs",
        "IopsStdDev",
        "CpuUsPerIO",
        "Backend",
        "Device",
        "ErrorId",
        "ErrorMessage",
        "IOCount",
        "ByteCount",
        "Totals.*.IOCount",
        "Totals.*.ByteCount",
        "Totals.*.IOPS",
        "Totals.*.MBps",
        "Totals.*.AverageLatencyMs",
        "Totals.*.MinLatencyMs",
        "Totals.*.MaxLatencyMs",
        "Totals.*.LatencyStdDevMs",
        "Totals.*.IopsStdDev",
        "Histogram.*",
        "Percentiles.*",
    ];

    /// <summary>Tolerances: whole bytes per second, nanoseconds.</summary>
    private static PropertyCoverage CreateCoverage() =>
        new(
            s_preserved,
            s_omitted,
            path =>
                path.EndsWith("MBps", StringComparison.Ordinal) ? 1e-6
                : path.EndsWith("Ms", StringComparison.Ordinal) ? 5.1e-7
                : 0
        );

    [Fact]
    public void Every_property_is_preserved_or_omitted_by_fio_JSON() => CreateCoverage().AssertListsAreComplete();

    [Theory]
    [MemberData(nameof(JsonSamples))]
    public void Fio_samples_survive_a_round_trip(string sample)
    {
        var results = ReadJson(File.ReadAllText(SampleFiles.GetPath("fio", sample)));
        var back = ReadJson(WriteJson([.. results]));

        Assert.Equal(results.Count, back.Count);
        foreach (var (expected, actual) in results.Zip(back))
            CreateCoverage().AssertEqual(expected, actual, sample);
    }

    private static IoTestResult CreateMixedResult()
    {
        var histogram = new IoHistogram();
        foreach (
            var (low, reads, writes) in (ReadOnlySpan<(long, long, long)>)[(100_352, 600, 100), (200_704, 90, 200), (29_884_416, 10, 0)]
        )
        {
            var width =
                low < 131_072 ? 1024
                : low < 262_144 ? 2048
                : 262_144;
            histogram.Buckets.Add(
                new IoHistogramBucket
                {
                    FromMs = low / 1e6,
                    ToMs = (low + width) / 1e6,
                    ReadCount = reads,
                    WriteCount = writes,
                    Percent = (reads + writes) / 10.0,
                }
            );
        }
        // As measured: the average follows from reads and writes, and each maximum latency is in the last bucket.
        return new IoTestResult
        {
            Source = IoTestResult.OwnSource,
            ToolVersion = "1.0",
            Label = "after \"the\" move",
            Workload = "oltp",
            ComputerName = "SQL1",
            StartTime = new DateTimeOffset(2026, 1, 10, 2, 0, 0, 125, TimeSpan.FromHours(1)),
            Path = @"T:\iobench.dat",
            TargetCount = 1,
            FileSizeMB = 64,
            ThreadCount = 2,
            OutstandingIO = 4,
            TotalOutstanding = 8,
            BlockSizeKB = 8,
            Operation = IoOperation.Mixed,
            WritePercent = 30,
            AccessPattern = IoAccessPattern.Random,
            IOPattern = "8KB random 30% write",
            Buffering = IoBuffering.None,
            LoadModel = IoLoadModel.Closed,
            DurationSeconds = 2,
            IOCount = 1000,
            ByteCount = 8_192_000,
            IOPS = 500,
            BandwidthMBps = 3.90625,
            ReadIOPS = 350,
            ReadMBps = 2.734375,
            WriteIOPS = 150,
            WriteMBps = 1.171875,
            AverageLatencyMs = 0.401,
            MinLatencyMs = 0.1,
            MaxLatencyMs = 30.1,
            LatencyStdDevMs = 3,
            P50Ms = 0.100864,
            P99Ms = 0.201728,
            ReadAverageLatencyMs = 0.5,
            WriteAverageLatencyMs = 0.17,
            LittlesLawLatencyMs = 16,
            Backend = "IoUring",
            Device = "sda",
            CpuUsPerIO = 12.5,
            Totals = new IoReadWriteTotals
            {
                Total = new IoTotals
                {
                    IOCount = 1000,
                    ByteCount = 8_192_000,
                    IOPS = 500,
                    MBps = 3.90625,
                    AverageLatencyMs = 0.401,
                    MinLatencyMs = 0.1,
                    MaxLatencyMs = 30.1,
                    LatencyStdDevMs = 3,
                },
                Read = new IoTotals
                {
                    IOCount = 700,
                    ByteCount = 5_734_400,
                    IOPS = 350,
                    MBps = 2.734375,
                    AverageLatencyMs = 0.5,
                    MinLatencyMs = 0.1,
                    MaxLatencyMs = 30.1,
                    LatencyStdDevMs = 3.5,
                },
                Write = new IoTotals
                {
                    IOCount = 300,
                    ByteCount = 2_457_600,
                    IOPS = 150,
                    MBps = 1.171875,
                    AverageLatencyMs = 0.17,
                    MinLatencyMs = 0.1,
                    MaxLatencyMs = 0.202,
                    LatencyStdDevMs = 0.05,
                },
            },
            Histogram = histogram,
            Percentiles =
            [
                new IoPercentile
                {
                    Percent = 50,
                    ReadMs = 0.100864,
                    WriteMs = 0.201728,
                    TotalMs = 0.100864,
                },
                new IoPercentile { Percent = 99, TotalMs = 0.201728 },
            ],
        };
    }

    [Fact]
    public void Measured_result_is_read_back_with_its_histogram()
    {
        var (expected, actual) = (CreateMixedResult(), Assert.Single(ReadJson(WriteJson(CreateMixedResult()))));

        // Percentiles that follow only from the buckets are more than those that were listed.
        Assert.Subset(actual.Percentiles.Select(p => p.Percent).ToHashSet(), expected.Percentiles.Select(p => p.Percent).ToHashSet());
        Assert.True(actual.Percentiles.Count >= 17);
        expected.Source = FioFormat.Source;
        foreach (var result in (IoTestResult[])[expected, actual])
        {
            result.Percentiles = [];
            (result.P90Ms, result.P95Ms, result.P999Ms, result.ReadP99Ms, result.WriteP99Ms) = (null, null, null, null, null);
        }
        CreateCoverage().AssertEqual(expected, actual, "mixed");
    }

    [Theory]
    [InlineData(IoResultStatus.Cancelled)]
    [InlineData(IoResultStatus.Incomplete)]
    [InlineData(IoResultStatus.Failed)]
    public void Status_of_an_unsuccessful_run_is_preserved(IoResultStatus status)
    {
        var result = CreateMixedResult();
        (result.Status, result.ErrorMessage) = (status, status == IoResultStatus.Failed ? "the disk went away" : null);
        var back = Assert.Single(ReadJson(WriteJson(result)));

        Assert.Equal((status, result.ErrorMessage), (back.Status, back.ErrorMessage));
        using var json = JsonDocument.Parse(WriteJson(result));
        Assert.Equal(status == IoResultStatus.Failed, json.RootElement.GetProperty("jobs")[0].GetProperty("error").GetInt32() != 0);
    }

    [Fact]
    public void Unknown_values_are_not_read_back_as_fio_defaults()
    {
        var back = Assert.Single(
            ReadJson(
                WriteJson(
                    new IoTestResult
                    {
                        Source = SqlioFormat.Source,
                        Label = "x",
                        Operation = IoOperation.Read,
                        IOPS = 100,
                        BandwidthMBps = 1,
                        DurationSeconds = 10,
                    }
                )
            )
        );

        Assert.Equal(
            (null, null, null, null, null),
            (back.ThreadCount, back.OutstandingIO, back.Buffering, back.LoadModel, back.BlockSizeKB)
        );
        Assert.Equal((100.0, 1.0, 10.0), (back.IOPS!.Value, back.BandwidthMBps!.Value, back.DurationSeconds!.Value));
    }

    [Fact]
    public void Each_result_is_a_job_in_its_own_group()
    {
        var (a, b) = (CreateMixedResult(), CreateMixedResult());
        b.ThreadCount = 3;
        using var json = JsonDocument.Parse(WriteJson(a, b));

        Assert.Equal([0, 1], json.RootElement.GetProperty("jobs").EnumerateArray().Select(job => job.GetProperty("groupid").GetInt32()));
        Assert.Equal([2, 3], ReadJson(WriteJson(a, b)).Select(result => result.ThreadCount!.Value));
        Assert.Empty(JsonDocument.Parse(WriteJson()).RootElement.GetProperty("jobs").EnumerateArray());
    }

    /// <summary>
    /// fio_jsonplus_clat2csv reads the bins of clat by their middle and count in each direction. It stops at the last bin of fio and would
    /// not end if there were a bin above it.
    /// </summary>
    [Fact]
    public void Written_bins_are_fio_buckets()
    {
        var result = CreateMixedResult();
        result.Histogram!.Buckets.Add(
            new IoHistogramBucket
            {
                FromMs = 60_000,
                ToMs = 61_000,
                ReadCount = 1,
                WriteCount = 0,
            }
        );
        using var json = JsonDocument.Parse(WriteJson(result));
        var job = json.RootElement.GetProperty("jobs")[0];

        Assert.Equal([("100864", 600), ("201728", 90), ("30015488", 10), ("17112760320", 1)], Bins(job, "read"));
        Assert.Equal([("100864", 100), ("201728", 200)], Bins(job, "write"));
        Assert.False(job.GetProperty("trim").GetProperty("clat_ns").TryGetProperty("bins", out _));

        static IEnumerable<(string, int)> Bins(JsonElement job, string side) =>
            job.GetProperty(side)
                .GetProperty("clat_ns")
                .GetProperty("bins")
                .EnumerateObject()
                .Select(bin => (bin.Name, bin.Value.GetInt32()));
    }

    /// <summary>
    /// PerfKitBenchmarker reads, for each direction with bytes, the rates in KiB and all percentiles of fio by name with six decimals, in
    /// nanoseconds.
    /// </summary>
    [Fact]
    public void PerfKitBenchmarker_keys_are_written()
    {
        using var json = JsonDocument.Parse(WriteJson(CreateMixedResult()));
        var job = json.RootElement.GetProperty("jobs")[0];
        foreach (var side in (string[])["read", "write", "trim"])
        {
            var figures = job.GetProperty(side);
            if (figures.GetProperty("io_bytes").GetInt64() == 0)
                continue;
            foreach (var name in (string[])["bw_min", "bw_max", "bw_dev", "bw_agg", "bw_mean", "iops"])
                Assert.Equal(JsonValueKind.Number, figures.GetProperty(name).ValueKind);
            foreach (var name in (string[])["min", "max", "mean", "stddev"])
                Assert.True(figures.GetProperty("clat_ns").GetProperty(name).GetDouble() > 0, name);
            foreach (var name in (string[])["1.000000", "5.000000", "50.000000", "99.000000", "99.500000", "99.990000"])
                Assert.True(figures.GetProperty("clat_ns").GetProperty("percentile").GetProperty(name).GetInt64() >= 100_000, name);
        }
        Assert.Equal(
            (2800, 350.0),
            (job.GetProperty("read").GetProperty("bw").GetInt32(), job.GetProperty("read").GetProperty("iops").GetDouble())
        );
    }

    /// <summary>
    /// fio-plot selects files by rw, iodepth, and numjobs of the options, and reads rates, lat, CPU time, and latency buckets.
    /// </summary>
    [Fact]
    public void Fio_plot_keys_are_written()
    {
        using var json = JsonDocument.Parse(WriteJson(CreateMixedResult()));
        var job = json.RootElement.GetProperty("jobs")[0];
        var options = job.GetProperty("job options");

        Assert.True(
            json.RootElement.TryGetProperty("fio version", out _)
                && json.RootElement.GetProperty("global options").ValueKind == JsonValueKind.Object
        );
        Assert.Equal(
            ("randrw", "4", "2", "8192"),
            (
                options.GetProperty("rw").GetString(),
                options.GetProperty("iodepth").GetString(),
                options.GetProperty("numjobs").GetString(),
                options.GetProperty("bs").GetString()
            )
        );
        Assert.Equal(
            (500_000.0, 3_500_000.0),
            (
                job.GetProperty("read").GetProperty("lat_ns").GetProperty("mean").GetDouble(),
                job.GetProperty("read").GetProperty("lat_ns").GetProperty("stddev").GetDouble()
            )
        );
        Assert.False(job.TryGetProperty("hostname", out _));
        Assert.Equal(0.3125, job.GetProperty("usr_cpu").GetDouble() + job.GetProperty("sys_cpu").GetDouble(), 9);
        Assert.Equal(
            ["latency_ns", "latency_us", "latency_ms"],
            ((string[])["latency_ns", "latency_us", "latency_ms"]).Where(name => job.TryGetProperty(name, out _))
        );
        Assert.Equal(99, job.GetProperty("latency_us").GetProperty("250").GetDouble(), 6);
    }

    /// <summary>
    /// fio-analyzer reads options as whole numbers (seconds, and 1 for a flag), counts that weight the means of clat, and the higher
    /// percentile of both directions.
    /// </summary>
    [Fact]
    public void Fio_analyzer_numbers_are_written()
    {
        var result = CreateMixedResult();
        result.Buffering = IoBuffering.None;
        result.Specification = new IoTestSpecification
        {
            Duration = TimeSpan.FromSeconds(90),
            WarmUp = TimeSpan.FromSeconds(5),
            WritePercent = 30,
        };
        using var json = JsonDocument.Parse(WriteJson(result));
        var job = json.RootElement.GetProperty("jobs")[0];
        var options = job.GetProperty("job options");
        JsonElement[] sides = [job.GetProperty("read"), job.GetProperty("write")];

        Assert.Equal(
            [90, 5, 1, 1, 4, 2],
            ((string[])["runtime", "ramp_time", "direct", "sync", "iodepth", "numjobs"]).Select(name =>
                int.Parse(options.GetProperty(name).GetString()!, CultureInfo.InvariantCulture)
            )
        );
        var count = sides.Sum(side => side.GetProperty("total_ios").GetInt64());
        Assert.Equal(result.IOCount, count);
        var mean =
            sides.Sum(side => side.GetProperty("clat_ns").GetProperty("mean").GetDouble() * side.GetProperty("total_ios").GetInt64())
            / count;
        Assert.Equal(result.AverageLatencyMs!.Value, mean / 1e6, 6);
        Assert.Equal(result.BandwidthMBps!.Value, sides.Sum(side => side.GetProperty("bw_bytes").GetInt64()) / 1048576.0, 5);
        foreach (var name in (string[])["1.000000", "50.000000", "95.000000", "99.500000", "99.950000"])
            Assert.True(sides.Max(side => side.GetProperty("clat_ns").GetProperty("percentile").GetProperty(name).GetInt64()) > 0, name);
        Assert.Equal(
            "1500ms",
            OptionsOf(new IoTestSpecification { Duration = TimeSpan.FromSeconds(1.5) }).GetProperty("runtime").GetString()
        );
        Assert.Equal("0", OptionsOf(new IoTestSpecification(), IoBuffering.Hardware).GetProperty("sync").GetString());

        static JsonElement OptionsOf(IoTestSpecification test, IoBuffering? buffering = null)
        {
            var one = CreateMixedResult();
            (one.Specification, one.Buffering) = (test, buffering);
            return JsonDocument.Parse(WriteJson(one)).RootElement.GetProperty("jobs")[0].GetProperty("job options");
        }
    }

    /// <summary>
    /// fioparser and fiotest read bw_mean of a direction of the first job, and mean, max, and percentiles of clat by name with six
    /// decimals. As in fio's own outputs, a percentile is the middle of its bucket, so it can be above a maximum in the lower half of the
    /// same bucket.
    /// </summary>
    [Fact]
    public void Fioparser_and_fiotest_keys_are_written()
    {
        using var json = JsonDocument.Parse(WriteJson(CreateMixedResult()));
        var job = json.RootElement.GetProperty("jobs")[0];
        foreach (var side in (string[])["read", "write"])
        {
            var figures = job.GetProperty(side);
            var latency = figures.GetProperty("clat_ns");
            Assert.Equal(figures.GetProperty("bw").GetDouble(), figures.GetProperty("bw_mean").GetDouble(), 0);
            double[] rising =
            [
                .. ((string[])["95.000000", "99.000000", "99.900000", "99.990000"]).Select(name =>
                    latency.GetProperty("percentile").GetProperty(name).GetDouble()
                ),
                latency.GetProperty("max").GetDouble(),
            ];
            Assert.Equal(rising.Order(), rising);
            Assert.True(latency.GetProperty("mean").GetDouble() > 0);
        }
    }
}
