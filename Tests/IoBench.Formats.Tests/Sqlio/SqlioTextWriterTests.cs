using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class SqlioTextWriterTests
{
    private static string WriteText(params IoTestResult[] results)
    {
        var writer = new StringWriter();
        SqlioFormat.Write(writer, results);
        return writer.ToString();
    }

    private static IoTestResult CreateMeasuredResult(Action<IoTestResult>? change = null)
    {
        var result = new IoTestResult
        {
            Source = IoTestResult.OwnSource,
            Status = IoResultStatus.Complete,
            ToolVersion = "0.1.0",
            Path = "/t/iobench.dat",
            TargetCount = 1,
            FileSizeMB = 1024,
            ThreadCount = 4,
            OutstandingIO = 8,
            TotalOutstanding = 32,
            BlockSizeKB = 8,
            Operation = IoOperation.Read,
            WritePercent = 0,
            AccessPattern = IoAccessPattern.Interlocked,
            IOPattern = "8KB interlocked read",
            Buffering = IoBuffering.None,
            DurationSeconds = 29.998,
            IOPS = 28794.0812,
            BandwidthMBps = 224.9537,
            MinLatencyMs = 0.061,
            AverageLatencyMs = 1.111,
            MaxLatencyMs = 33.97,
            CpuPercent = 41.5,
            Processors =
            [
                new()
                {
                    Processor = 0,
                    UsagePercent = 41.5,
                    UserPercent = 11.25,
                    KernelPercent = 30.25,
                },
            ],
            Histogram = new IoHistogram
            {
                Buckets =
                [
                    new()
                    {
                        FromMs = 0.0625,
                        ToMs = 0.125,
                        Percent = 30,
                    },
                    new()
                    {
                        FromMs = 0.5,
                        ToMs = 0.75,
                        Percent = 10.4,
                    },
                    new()
                    {
                        FromMs = 1.5,
                        ToMs = 1.75,
                        Percent = 59.2,
                    },
                    new()
                    {
                        FromMs = 33.5,
                        ToMs = 34,
                        Percent = 0.4,
                    },
                ],
            },
        };
        result.Targets.Add(
            new IoTargetResult
            {
                Path = result.Path,
                FileSizeMB = 1024,
                ThreadCount = 4,
            }
        );
        change?.Invoke(result);
        return result;
    }

    [Fact]
    public void Measured_result_is_written_like_SQLIO()
    {
        var text = WriteText(CreateMeasuredResult());

        Assert.Equal(
            $"""
            sqlio v1.5.SG
            using system counter for latency timings, {System.Diagnostics.Stopwatch.Frequency} counts per second
            4 threads reading for 30 secs from file /t/iobench.dat
            	using 8KB sequential IOs
            	enabling multiple I/Os per thread with 8 outstanding
            	buffering set to not use file nor disk caches (as is SQL Server)
            using specified size: 1024 MB for file: /t/iobench.dat
            initialization done
            CUMULATIVE DATA:
            throughput metrics:
            IOs/sec: 28794.08
            MBs/sec:   224.95
            ProcessorNumber:         ALL        0
            PrivilegedTime(%):     30.25    30.25
            ProcessorTime(%):      41.50    41.50
            UserTime(%):           11.25    11.25
            latency metrics:
            Min_Latency(ms): 0
            Avg_Latency(ms): 1
            Max_Latency(ms): 33
            histogram:
            ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+
            %: 40 59  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0

            """.ReplaceLineEndings("\r\n"),
            text
        );
    }

    [Fact]
    public void Written_text_is_read_back()
    {
        var result = SqlioTestText.ReadSingle(WriteText(CreateMeasuredResult()));

        Assert.Empty(result.Warnings);
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal(
            (28794.08, 224.95, 0.0, 1.0, 33.0),
            (result.IOPS, result.BandwidthMBps, result.MinLatencyMs, result.AverageLatencyMs, result.MaxLatencyMs)
        );
        Assert.Equal(
            ("8KB sequential read", 4, 8, 1024.0, 30.0),
            (result.IOPattern, result.ThreadCount, result.OutstandingIO, result.FileSizeMB, result.DurationSeconds)
        );
        Assert.Equal(IoBuffering.None, result.Buffering);
        Assert.Equal(41.5, result.CpuPercent);
    }

    [Fact]
    public void SQLIOResult2Excel_reads_rewritten_outputs_the_same()
    {
        foreach (var file in (string[])["reads-8k-random-3-files.txt", "write-8k-sequential-BH.txt", "write-8k-sequential-BN.txt"])
        {
            var path = SampleFiles.GetPath("documents", file);
            var original = SqlioResult2ExcelReader.ReadRows(File.ReadAllText(path));

            var again = SqlioResult2ExcelReader.ReadRows(WriteText(ResultReader.ReadFile(path).ToArray()));

            Assert.NotEmpty(original);
            Assert.Equal(original, again);
        }
    }

    [Fact]
    public void SQLIOResult2Excel_reads_a_measured_result() =>
        Assert.Equal(
            new SqlioResult2ExcelReader.ScriptRow("1", "8", "/t/iobench.dat", "1024 MB", "30", "8KBsequentialread", 224.95, 28794.08, 1),
            Assert.Single(SqlioResult2ExcelReader.ReadRows(WriteText(CreateMeasuredResult(r => r.ThreadCount = 1))))
        );

    [Fact]
    public void Real_outputs_survive_a_round_trip()
    {
        var files = Directory
            .GetFiles(SampleFiles.GetPath("documents"), "*-8k-*.txt")
            .Concat(SampleFiles.FindPublished("sqlio-published") is { } folder ? Directory.GetFiles(folder, "*.txt") : []);
        foreach (var file in files)
        {
            var results = ResultReader.ReadFile(file).ToList();
            var again = SqlioTestText.ReadAll(WriteText(results.ToArray()));

            Assert.Equal(results.Count, again.Count);
            for (var i = 0; i < results.Count; i++)
                Assert.Equal(ToComparable(results[i]), ToComparable(again[i]));
        }
    }

    /// <summary>Returns everything except the source position. A fragment of a run gets the first line of SQLIO.</summary>
    private static string ToComparable(IoTestResult result)
    {
        result.SourceFile = null;
        result.SourceLine = null;
        result.ToolVersion = null;
        result.Warnings.Clear();
        if (result.Specification is { } specification)
            (
                specification.GetOrAddOrigin().CommandLine,
                specification.GetOrAddOrigin().SourceFile,
                specification.GetOrAddOrigin().SourceLine,
                specification.GetOrAddOrigin().Sqlio!.Note
            ) = (null, null, null, null);
        var writer = new StringWriter();
        ResultWriter.Write(writer, [result], ResultFormat.Json);
        return writer.ToString();
    }

    [Fact]
    public void Lines_that_were_not_requested_are_not_written()
    {
        var text = WriteText(
            CreateMeasuredResult(r => r.Specification = SqlioCommandLine.Parse(["-kR", "-frandom", "-o8", "-b8", "/t/iobench.dat"]))
        );

        Assert.DoesNotContain("Latency", text, StringComparison.Ordinal);
        Assert.DoesNotContain("latency", text, StringComparison.Ordinal);
        Assert.DoesNotContain("histogram", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Processor", text, StringComparison.Ordinal);
        Assert.DoesNotContain("buffering", text, StringComparison.Ordinal);
        Assert.Contains("with 8 outstanding", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Lines_that_were_requested_are_written()
    {
        var text = WriteText(
            CreateMeasuredResult(r =>
            {
                r.Specification = SqlioCommandLine.Parse([
                    "-kR",
                    "-f64",
                    "-t4",
                    "-i32",
                    "-o1",
                    "-b8",
                    "-BH",
                    "-LP",
                    "-Up",
                    "/t/iobench.dat",
                ]);
                (r.AccessPattern, r.Buffering, r.OutstandingIO) = (IoAccessPattern.Stride, IoBuffering.Hardware, 1);
            })
        );

        Assert.Contains("using processor counter for latency timings", text, StringComparison.Ordinal);
        Assert.Contains("using 8KB IOs over 512KB stripes with 32 IOs per run", text, StringComparison.Ordinal);
        Assert.Contains("enabling multiple I/Os per thread with 1 outstanding", text, StringComparison.Ordinal);
        Assert.Contains("buffering set to use hardware disk cache (but not file cache)", text, StringComparison.Ordinal);
        Assert.Contains("ProcessorNumber:         ALL        0", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Canceled_drop_in_run_shows_the_requested_duration() =>
        Assert.Contains(
            "for 360 secs",
            WriteText(
                CreateMeasuredResult(r =>
                {
                    (r.Status, r.DurationSeconds) = (IoResultStatus.Cancelled, 12.3);
                    r.Specification = SqlioCommandLine.Parse(["-kR", "-s360", "-frandom", "-o8", "-b8", "-LS", "/t/iobench.dat"]);
                })
            ),
            StringComparison.Ordinal
        );

    [Fact]
    public void Parameter_file_is_written_with_its_threads()
    {
        var text = WriteText(
            CreateMeasuredResult(r =>
            {
                r.Specification = SqlioCommandLine.Parse(
                    ["-kR", "-frandom", "-o8", "-b8", "-LS", "-Fp.txt"],
                    _ => [new("/t/a.dat", 3, 5, 100, 1), new("/t/b.dat", 1, 0, 200, 2)]
                );
                r.Targets.Clear();
                r.Targets.Add(
                    new()
                    {
                        Path = "/t/a.dat",
                        ThreadCount = 3,
                        FileSizeMB = 100,
                    }
                );
                r.Targets.Add(
                    new()
                    {
                        Path = "/t/b.dat",
                        ThreadCount = 1,
                        FileSizeMB = 200,
                    }
                );
            })
        );

        Assert.Contains(
            "parameter file used: p.txt\r\n\tfile /t/a.dat with 3 threads (0-2) using mask 0x5 (5)\r\n\tfile /t/b.dat with 1 threads (3-3) using mask 0x0 (0)\r\n"
                + "4 threads reading for 30 secs from files /t/a.dat and /t/b.dat\r\n",
            text,
            StringComparison.Ordinal
        );
        var again = SqlioTestText.ReadSingle(text);
        Assert.Equal(32, again.TotalOutstanding);
        Assert.Equal([0, 2], again.Specification!.Targets[0].Pattern!.Processors);
    }

    [Fact]
    public void Result_that_SQLIO_cannot_express_throws()
    {
        void Refused(Action<IoTestResult> change) =>
            Assert.Equal(
                "IoBench.NotRepresentable",
                Assert.Throws<IoBenchException>(() => WriteText(CreateMeasuredResult(change))).ErrorId
            );

        Refused(r => r.Operation = IoOperation.Mixed);
        Refused(r => r.AccessPattern = IoAccessPattern.PartRandom);
        Refused(r => r.BlockSizeKB = 0.5);
    }
}
