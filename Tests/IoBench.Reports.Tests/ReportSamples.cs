using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports.Tests;

/// <summary>Sample results as the readers and the engine create them.</summary>
internal static class ReportSamples
{
    public static IoTestResult CreateSqlio(
        string path,
        int threads,
        int outstanding,
        double iops,
        double mbps,
        double average,
        double? max,
        int[]? histogram = null,
        double blockKB = 8,
        IoAccessPattern access = IoAccessPattern.Random,
        int writePercent = 0,
        string? label = null,
        double sizeMB = 92160,
        double seconds = 7200,
        string file = "reads-8k-random-3-files.txt"
    ) =>
        new()
        {
            Source = SqlioFormat.Source,
            SourceFile = "/old/" + file,
            SourceLine = 1,
            ToolVersion = "1.5.SG",
            Status = IoResultStatus.Complete,
            Path = path,
            TargetCount = 1,
            ThreadCount = threads,
            OutstandingIO = outstanding,
            TotalOutstanding = threads * outstanding,
            FileSizeMB = sizeMB,
            BlockSizeKB = blockKB,
            AccessPattern = access,
            WritePercent = writePercent,
            Operation = writePercent == 0 ? IoOperation.Read : IoOperation.Write,
            IOPattern = PatternText.Describe(blockKB, access, writePercent),
            LoadModel = IoLoadModel.Closed,
            DurationSeconds = seconds,
            IOPS = iops,
            BandwidthMBps = mbps,
            MinLatencyMs = 0,
            AverageLatencyMs = average,
            MaxLatencyMs = max,
            LittlesLawLatencyMs = threads * outstanding / iops * 1000,
            Label = label,
            Histogram = histogram is null
                ? null
                : new IoHistogram
                {
                    Kind = "sqlio",
                    Buckets =
                    [
                        .. histogram.Select(
                            (percent, ms) =>
                                new IoHistogramBucket
                                {
                                    FromMs = ms,
                                    ToMs = ms == 24 ? null : ms + 1,
                                    Percent = percent,
                                }
                        ),
                    ],
                },
        };

    /// <summary>The three runs of documents/reads-8k-random-3-files.txt.</summary>
    public static List<IoTestResult> CreateThreeFiles() =>
        [
            CreateSqlio(
                @"O:\SQLIOMP\Disk1\testfile.dat",
                48,
                8,
                15504.09,
                121.12,
                24,
                4887,
                [13, 21, 7, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 32]
            ),
            CreateSqlio(
                @"P:\SQLIOMP\SQLIO_01\testfile.dat",
                48,
                8,
                18325.52,
                143.16,
                20,
                58819,
                [3, 3, 3, 3, 5, 6, 7, 19, 13, 6, 4, 2, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 13]
            ),
            CreateSqlio(
                @"H:\SQLIOMP\SQLIO_01\testfile.dat",
                40,
                8,
                191786.53,
                1498.33,
                1,
                120,
                [38, 43, 11, 5, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            ),
        ];

    /// <summary>The three rows of documents/expected-result-table.txt, which has no maximum latency.</summary>
    public static List<IoTestResult> CreateThreeArrays() =>
        [
            CreateSqlio(@"O:\SQLIOMP\Disk4\testfile.dat", 48, 8, 6226.01, 48.64, 61, null, label: "HUS150"),
            CreateSqlio(@"P:\SQLIOMP\SQLIO_04\testfile.dat", 48, 8, 58288.99, 455.38, 6, null, label: "Nimble"),
            CreateSqlio(@"H:\SQLIOMP\SQLIO_04\testfile.dat", 40, 8, 188631.44, 1473.68, 1, null, label: "Pure"),
        ];

    public static IoTestResult CreateMeasured(
        string? workload,
        double blockKB,
        IoAccessPattern access,
        int writePercent,
        int threads,
        int outstanding,
        double iops,
        double average,
        double p99,
        double max,
        string path = @"T:\iobench.dat",
        string? label = null,
        double sizeMB = 20480,
        double seconds = 30,
        int? repeat = null,
        string? role = null
    )
    {
        // A fixed seed; HashCode differs between processes.
        var random = new Random((((threads * 31) + outstanding) * 31 + writePercent) * 31 + (int)blockKB);
        var result = new IoTestResult
        {
            Source = IoTestResult.OwnSource,
            ToolVersion = "0.1.0",
            Status = IoResultStatus.Complete,
            RunId = "r1",
            Label = label,
            Workload = workload,
            WorkloadRole = role,
            ComputerName = "SQL01",
            StartTime = new DateTimeOffset(2026, 11, 21, 9, 30, 0, TimeSpan.FromHours(1)),
            Path = path,
            TargetCount = 1,
            FileSizeMB = sizeMB,
            ThreadCount = threads,
            OutstandingIO = outstanding,
            TotalOutstanding = threads * outstanding,
            BlockSizeKB = blockKB,
            Operation = writePercent switch
            {
                0 => IoOperation.Read,
                100 => IoOperation.Write,
                _ => IoOperation.Mixed,
            },
            WritePercent = writePercent,
            AccessPattern = access,
            IOPattern = PatternText.Describe(blockKB, access, writePercent),
            Buffering = IoBuffering.None,
            LoadModel = IoLoadModel.Closed,
            Repeat = repeat,
            DurationSeconds = seconds,
            IOPS = iops,
            BandwidthMBps = iops * blockKB / 1024,
            AverageLatencyMs = average,
            MinLatencyMs = average / 3,
            MaxLatencyMs = max,
            LatencyStdDevMs = average / 2,
            P50Ms = average * 0.92,
            P90Ms = average * 1.45,
            P95Ms = average * 1.7,
            P99Ms = p99,
            P999Ms = (p99 + max) / 3,
            IopsStdDev = iops * 0.03,
            CpuPercent = 22.4,
            CpuUsPerIO = 2.1,
            GcCount = 0,
            Backend = "Overlapped",
            FileSystem = "NTFS",
            Device = "Samsung MZ-WLL",
            IOCount = (long)(iops * seconds),
            ByteCount = (long)(iops * seconds * blockKB * 1024),
            LittlesLawLatencyMs = threads * outstanding / iops * 1000,
            Host = new()
            {
                ["Operating system"] = "Windows Server 2025",
                ["Processors"] = "16",
                ["Memory"] = "128 GB",
                ["Write cache"] = "on",
            },
        };
        result.ReadIOPS = iops * (100 - writePercent) / 100;
        result.WriteIOPS = iops * writePercent / 100;
        result.ReadMBps = result.ReadIOPS * blockKB / 1024;
        result.WriteMBps = result.WriteIOPS * blockKB / 1024;
        for (var second = 1; second <= (int)seconds; second++)
        {
            var factor = 1 + (random.NextDouble() - 0.5) * 0.1;
            result.Timeline.Add(
                new()
                {
                    Seconds = second,
                    IOPS = iops * factor,
                    MBps = iops * factor * blockKB / 1024,
                    AverageLatencyMs = average / factor,
                    MaxLatencyMs = max * random.NextDouble(),
                }
            );
        }
        result.Histogram = CreateHistogram(average, p99, max);
        result.Specification = new IoTestSpecification
        {
            Label = label,
            Workload = workload,
            BlockSize = (long)(blockKB * 1024),
            AccessPattern = access,
            WritePercent = writePercent,
            ThreadCount = threads,
            OutstandingIO = outstanding,
            Duration = TimeSpan.FromSeconds(seconds),
            FileSize = (long)sizeMB << 20,
            Targets = { new IoTargetSpecification(path) },
        };
        return result;
    }

    private static IoHistogram CreateHistogram(double average, double p99, double max)
    {
        // Fine buckets of 1.5%, as in the engine, with a bell around the average and a tail to the maximum.
        var buckets = new List<IoHistogramBucket>();
        var weights = new List<double>();
        for (var from = average / 3; from < max; from *= 1.015)
        {
            buckets.Add(new() { FromMs = from, ToMs = Math.Min(from * 1.015, max) });
            var distance = Math.Log(from / average) / Math.Log(p99 / average) * 2.3;
            weights.Add(Math.Exp(-distance * distance / 2));
        }
        for (var index = 0; index < buckets.Count; index++)
        {
            buckets[index].Percent = weights[index] / weights.Sum() * 100;
            buckets[index].ReadCount = (long)(buckets[index].Percent * 10_000);
        }
        return new IoHistogram { Buckets = buckets };
    }

    /// <summary>The nine tests of the sql-server suite.</summary>
    public static List<IoTestResult> CreateSqlServerSuite(
        string? label = null,
        double faster = 1,
        double sizeMB = 20480,
        double seconds = 30,
        string path = @"T:\iobench.dat",
        int? repeat = null
    )
    {
        IoTestResult Run(
            string workload,
            double blockKB,
            IoAccessPattern access,
            int writes,
            int threads,
            int outstanding,
            double iops,
            double average,
            double p99,
            double max,
            string role
        ) =>
            CreateMeasured(
                workload,
                blockKB,
                access,
                writes,
                threads,
                outstanding,
                iops * faster,
                average / faster,
                p99 / faster,
                max / faster,
                path,
                label,
                sizeMB,
                seconds,
                repeat,
                role
            );
        return
        [
            Run("page-read-qd1", 8, IoAccessPattern.Random, 0, 1, 1, 12_172, 0.082, 0.140, 1.204, "one page read"),
            Run("page-read", 8, IoAccessPattern.Random, 0, 4, 8, 193_574, 0.165, 0.452, 8.114, "seeks"),
            Run("oltp", 8, IoAccessPattern.Random, 30, 4, 8, 112_640, 0.284, 1.912, 20.55, "the mix that vendors quote"),
            Run("extent-read", 64, IoAccessPattern.Random, 0, 4, 8, 65_643, 0.487, 1.31, 11.902, "range reads"),
            Run("read-ahead", 512, IoAccessPattern.Interlocked, 0, 2, 8, 12_440, 1.286, 2.801, 9.24, "scans"),
            Run("checkpoint", 16, IoAccessPattern.Random, 100, 1, 64, 25_760, 2.484, 6.4, 31.007, "checkpoint as it really is"),
            Run("log-commit", 4, IoAccessPattern.Sequential, 100, 1, 1, 4_198, 0.238, 0.655, 4.12, "what a commit waits for"),
            Run("log-stream", 60, IoAccessPattern.Sequential, 100, 1, 32, 20_657, 1.549, 3.655, 9.02, "log throughput"),
            Run("tempdb", 64, IoAccessPattern.Random, 50, 4, 8, 46_402, 0.689, 2.83, 30.114, "since 2019"),
        ];
    }

    public static List<IoTestResult> CreateFileSizeSweep()
    {
        (double SizeGB, double Iops)[] points =
        [
            (0.25, 16_635),
            (0.5, 15_980),
            (2, 11_240),
            (8, 5_630),
            (32, 3_310),
            (64, 2_790),
            (128, 2_681),
        ];
        return
        [
            .. points.Select(point =>
                CreateMeasured(
                    null,
                    8,
                    IoAccessPattern.Random,
                    0,
                    1,
                    32,
                    point.Iops,
                    32 / point.Iops * 1000,
                    90 / point.Iops * 1000,
                    310,
                    @"E:\iobench.dat",
                    sizeMB: point.SizeGB * 1024
                )
            ),
        ];
    }

    public static List<IoTestResult> CreateDepthSweep(bool writesToo = true)
    {
        var results = new List<IoTestResult>();
        foreach (var (writes, limit, service) in new[] { (0, 95_000.0, 0.1), (100, 42_000.0, 0.05) })
        {
            for (var depth = 1; depth <= 128 && (writes == 0 || writesToo); depth *= 2)
            {
                var iops = Math.Min(depth / service * 1000, limit * (1 - Math.Exp(-depth / 12.0)));
                var average = depth / iops * 1000;
                results.Add(CreateMeasured(null, 8, IoAccessPattern.Random, writes, 1, depth, iops, average, average * 3, average * 20));
            }
        }
        return results;
    }

    /// <summary>Three SQLIO outputs with reads and writes of three block sizes.</summary>
    public static List<IoTestResult> CreateSqlioFolder() =>
        [
            .. from file in new[] { "Reads.txt", "Writes.txt", "LUN2 reads.txt" }
            from block in new[] { 8.0, 64, 256 }
            from access in new[] { IoAccessPattern.Random, IoAccessPattern.Sequential }
            let writes = file == "Writes.txt" ? 100 : 0
            let iops = (access == IoAccessPattern.Random ? 9_000 : 14_000) / Math.Sqrt(block / 8) / (writes == 100 ? 2.5 : 1)
            select CreateSqlio(
                file == "LUN2 reads.txt" ? @"F:\testfile.dat" : @"E:\testfile.dat",
                2,
                8,
                iops,
                iops * block / 1024,
                Math.Floor(16_000 / iops),
                311,
                blockKB: block,
                access: access,
                writePercent: writes,
                sizeMB: 25_600,
                seconds: 120,
                file: file
            ),
        ];

    /// <summary>SQLIO runs with different block sizes, queue depths, patterns, and drives.</summary>
    public static List<IoTestResult> CreateMany(int count)
    {
        double[] blocks = [8, 64, 128, 256];
        var results = new List<IoTestResult>(count);
        for (var index = 0; index < count; index++)
        {
            var block = blocks[index % 4];
            var writes = index / 4 % 2 * 100;
            var access = index / 8 % 2 == 0 ? IoAccessPattern.Random : IoAccessPattern.Sequential;
            var outstanding = 1 << (index / 16 % 8);
            var iops = 400 * Math.Pow(outstanding, 0.8) * (writes == 0 ? 3 : 1) / Math.Sqrt(block / 8) * (1 + index * 37 % 11 / 20.0);
            results.Add(
                CreateSqlio(
                    $@"E:\mount\array-{index / 128 + 1}\a rather long folder name for tests\testfile.dat",
                    2,
                    outstanding,
                    iops,
                    iops * block / 1024,
                    Math.Round(2 * outstanding / iops * 1000),
                    900,
                    blockKB: block,
                    access: access,
                    writePercent: writes,
                    seconds: 300
                )
            );
        }
        return results;
    }
}
