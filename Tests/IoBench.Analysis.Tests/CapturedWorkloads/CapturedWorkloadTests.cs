using System.Collections;
using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class CapturedWorkloadTests
{
    private static Hashtable CreateRow(
        int database,
        int file,
        long sample,
        long reads = 0,
        long readBytes = 0,
        long readStall = 0,
        long writes = 0,
        long writeBytes = 0,
        long writeStall = 0,
        string? type = null
    ) =>
        new()
        {
            ["database_id"] = database,
            ["file_id"] = file,
            ["sample_ms"] = sample,
            ["num_of_reads"] = reads,
            ["num_of_bytes_read"] = readBytes,
            ["io_stall_read_ms"] = readStall,
            ["num_of_writes"] = writes,
            ["num_of_bytes_written"] = writeBytes,
            ["io_stall_write_ms"] = writeStall,
            ["io_stall"] = readStall + writeStall,
            ["type_desc"] = type,
        };

    private static FileStatsSnapshot CreateFirstSnapshot() =>
        FileStatsSnapshot.FromRows(
            [CreateRow(5, 1, 1000, 100, 819200, 500, type: "ROWS"), CreateRow(5, 2, 1000, type: "LOG"), CreateRow(2, 1, 1000)],
            "first.csv"
        );

    // 100 s later: 81,200 data reads of 24 KB at 12.5 ms, 5,000 log writes of 20 KB at 0.8 ms, 1,000 tempdb writes of 64 KB at 2 ms.
    private static FileStatsSnapshot CreateSecondSnapshot() =>
        FileStatsSnapshot.FromRows(
            [
                CreateRow(5, 1, 101_000, 100 + 81_200, 819200 + 81_200L * 24576, 500 + 1_015_000, type: "ROWS"),
                CreateRow(5, 2, 101_000, writes: 5000, writeBytes: 5000L * 20480, writeStall: 4000, type: "LOG"),
                CreateRow(2, 1, 101_000, writes: 1000, writeBytes: 65_536_000, writeStall: 2000),
            ],
            "second.csv"
        );

    [Fact]
    public void Loads_are_computed_from_two_snapshots()
    {
        var load = CapturedWorkload.FromSnapshots(CreateFirstSnapshot(), CreateSecondSnapshot());
        Assert.Equal(100, load.Seconds);
        Assert.Equal(
            [
                new("data", IoOperation.Read, 1, 812, 24, 12.5),
                new("log", IoOperation.Write, 1, 50, 20, 0.8),
                new("tempdb", IoOperation.Write, 1, 10, 64, 2),
            ],
            load.Loads
        );
        Assert.Empty(load.Warnings);
    }

    [Fact]
    public void Tests_are_open_loops_with_the_observed_size_and_rate()
    {
        var tests = CapturedWorkload.FromSnapshots(CreateFirstSnapshot(), CreateSecondSnapshot()).CreateSpecifications();
        Assert.Equal(["own-data-read", "own-log-write", "own-tempdb-write"], tests.Select(t => t.Workload));
        Assert.Equal([24576, 20480, 65536], tests.Select(t => t.BlockSize));
        Assert.Equal([812, 50, 10], tests.Select(t => t.TargetIops!.Value));
        Assert.Equal([0, 100, 100], tests.Select(t => t.WritePercent));
        Assert.Equal([IoAccessPattern.Random, IoAccessPattern.Interlocked, IoAccessPattern.Random], tests.Select(t => t.AccessPattern));
        Assert.Equal([IoBuffering.None, IoBuffering.None, IoBuffering.Hardware], tests.Select(t => t.Buffering));
        Assert.Equal([12.5, 0.8, 2], tests.Select(t => t.ObservedLatencyMs!.Value));
    }

    [Fact]
    public void Concurrent_test_uses_the_path_of_each_file_role()
    {
        var load = CapturedWorkload.FromSnapshots(CreateFirstSnapshot(), CreateSecondSnapshot());
        var test = load.CreateConcurrentSpecification(new Dictionary<string, string> { ["Data"] = "D:\\", ["log"] = "L:\\" });
        Assert.Equal(
            [("data", "D:\\", 812.0), ("log", "L:\\", 50.0)],
            test.Targets.Select(t => (t.Role, t.Path, t.Pattern!.TargetIops!.Value))
        );
        Assert.Equal(
            "IoBench.NoRolePath",
            Assert.Throws<IoBenchException>(() => load.CreateConcurrentSpecification(new Dictionary<string, string>())).ErrorId
        );
    }

    [Theory]
    [InlineData(',')]
    [InlineData(';')]
    [InlineData('\t')]
    public void Snapshot_files_saved_by_SSMS_are_read(char separator)
    {
        var path = Path.GetTempFileName();
        try
        {
            var text =
                "database_id,file_id,sample_ms,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms,name,physical_name\n"
                + "7,1,5000,10,81920,5,20,163840,6,\"a \"\"b\"\"\",\"D:\\x.mdf\"\n7,3,5000,0,0,0,1,512,0,NULL,L:\\x.ldf\n";
            File.WriteAllText(path, text.Replace(',', separator));
            var snapshot = Assert.Single(FileStatsSnapshot.LoadFile(path));
            Assert.Equal(["data", "log"], snapshot.Rows.Values.Select(r => r.Role));
            Assert.Equal((10, 163840), (snapshot.Rows[(7, 1)].Reads, snapshot.Rows[(7, 1)].BytesWritten));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void Invalid_snapshots_throw_with_an_action()
    {
        string Error(Action action, string id)
        {
            var error = Assert.Throws<IoBenchException>(action);
            Assert.Equal(id, error.ErrorId);
            return error.Message;
        }
        Assert.Contains(
            "they are in the wrong order",
            Error(() => CapturedWorkload.FromSnapshots(CreateSecondSnapshot(), CreateFirstSnapshot()), "IoBench.CountersReset")
        );
        Assert.Contains(
            "same time",
            Error(() => CapturedWorkload.FromSnapshots(CreateFirstSnapshot(), CreateFirstSnapshot()), "IoBench.SameSnapshot")
        );
        Assert.Contains(
            "file 1 of database 5 decreased",
            Error(
                () =>
                    CapturedWorkload.FromSnapshots(
                        CreateFirstSnapshot(),
                        FileStatsSnapshot.FromRows([CreateRow(5, 1, 2000, 50, 819200, 500)])
                    ),
                "IoBench.CountersReset"
            )
        );
        Assert.Contains(
            "fewer than 10 I/Os",
            Error(
                () =>
                    CapturedWorkload.FromSnapshots(
                        CreateFirstSnapshot(),
                        FileStatsSnapshot.FromRows([CreateRow(5, 1, 2000, 105, 819200 + 40960, 501)])
                    ),
                "IoBench.SameSnapshot"
            )
        );
        var row = CreateRow(5, 1, 1000);
        row.Remove("num_of_reads");
        row.Remove("sample_ms");
        Assert.Contains("row 1 has no sample_ms, num_of_reads", Error(() => FileStatsSnapshot.FromRows([row]), "IoBench.InvalidFileStats"));
        Assert.Contains(
            "'many' is not a whole number",
            Error(
                () => FileStatsSnapshot.FromRows([new Hashtable(CreateRow(5, 1, 1)) { ["num_of_reads"] = "many" }]),
                "IoBench.InvalidFileStats"
            )
        );
        Assert.Contains(
            "'1000000000000000001' is not a whole number",
            Error(
                () => FileStatsSnapshot.FromRows([new Hashtable(CreateRow(5, 1, 1)) { ["num_of_reads"] = 1_000_000_000_000_000_001 }]),
                "IoBench.InvalidFileStats"
            )
        );
        Assert.Contains(
            "twice",
            Error(() => FileStatsSnapshot.FromRows([CreateRow(5, 1, 1), CreateRow(5, 1, 2)]), "IoBench.InvalidFileStats")
        );
        Assert.Contains("contains no file", Error(() => FileStatsSnapshot.FromRows([]), "IoBench.InvalidFileStats"));
        Assert.Contains("does not exist", Error(() => FileStatsSnapshot.LoadFile("/no/such.csv"), "IoBench.FileNotFound"));
        Assert.Contains("is a folder", Error(() => FileStatsSnapshot.LoadFile(Path.GetTempPath()), "IoBench.NotAFile"));
    }

    [Fact]
    public void Files_in_only_one_snapshot_are_excluded_with_a_warning()
    {
        var load = CapturedWorkload.FromSnapshots(
            CreateFirstSnapshot(),
            FileStatsSnapshot.FromRows([CreateRow(5, 1, 11_000, 1100, 819200 + 8_192_000, 900), CreateRow(9, 1, 11_000, 99, 99)], "b.csv")
        );
        Assert.Equal("data", Assert.Single(load.Loads).Role);
        Assert.Contains("1 file(s) are only in b.csv, and 2 only in first.csv", load.Warnings[0]);
    }

    [Fact]
    public void Load_too_rare_to_test_is_excluded_with_a_warning()
    {
        var load = CapturedWorkload.FromSnapshots(
            CreateFirstSnapshot(),
            FileStatsSnapshot.FromRows(
                [
                    CreateRow(5, 1, 101_000, 117, 819200 + 17 * 8192, 600, type: "ROWS"),
                    CreateRow(5, 2, 101_000, writes: 5000, writeBytes: 5000L * 20480, writeStall: 4000, type: "LOG"),
                    CreateRow(2, 1, 101_000),
                ],
                "b.csv"
            )
        );
        Assert.Equal("log", Assert.Single(load.Loads).Role);
        Assert.Equal("data reads: 0.17 IOPS are too few for a test, so IoBench ignores them.", Assert.Single(load.Warnings));
        var test = CapturedWorkload.FromSnapshots(CreateFirstSnapshot(), CreateSecondSnapshot()).CreateSpecifications()[0];
        Assert.Equal(
            ["0.17", "0.004", "0.000012", "1.5", "812"],
            new[] { 0.17, 0.004, 0.000012, 1.5, 812 }.Select(CapturedWorkload.FormatRate)
        );
        test.TargetIops = 0.17;
        var answer = Assert.Single(
            ObservedLatencyComparison.Analyze([
                new IoTestResult
                {
                    Workload = test.Workload,
                    Specification = test,
                    IOPS = 0.03,
                    IOCount = 1,
                    ResponseAverageMs = 3,
                },
            ])
        );
        Assert.Equal(ObservedLatencyVerdict.Unknown, answer.Verdict);
        Assert.Equal(
            "own-data-read: SQL Server observed a latency of 12.5 ms at 0.17 IOPS; these I/Os are too rare to test, so IoBench does not rate the result (1 I/O).",
            answer.Summary
        );
    }

    [Fact]
    public void Wrapped_sample_clock_of_old_servers_is_handled()
    {
        Hashtable Data(long sample, long reads) => CreateRow(5, 1, sample, reads, reads * 8192, reads, type: "ROWS");
        // 10 s across the highest int, which is printed as a negative number, and 10 s across the end of its cycle.
        Assert.Equal(
            10,
            CapturedWorkload
                .FromSnapshots(
                    FileStatsSnapshot.FromRows([Data(int.MaxValue - 4999, 0)]),
                    FileStatsSnapshot.FromRows([Data(int.MinValue + 5000, 1000)])
                )
                .Seconds
        );
        Assert.Equal(
            10,
            CapturedWorkload
                .FromSnapshots(FileStatsSnapshot.FromRows([Data(-5000, 0)]), FileStatsSnapshot.FromRows([Data(5000, 1000)]))
                .Seconds
        );
    }

    [Fact]
    public void Server_restart_is_detected_by_the_start_time()
    {
        Hashtable Of(long sample, long reads, string start) =>
            new(CreateRow(5, 1, sample, reads, reads * 8192, reads, type: "ROWS")) { ["sqlserver_start_time"] = start };
        var error = Assert.Throws<IoBenchException>(() =>
            CapturedWorkload.FromSnapshots(
                FileStatsSnapshot.FromRows([Of(1000, 10, "2026-01-01")]),
                FileStatsSnapshot.FromRows([Of(9000, 9000, "2026-01-02")])
            )
        );
        Assert.Equal("IoBench.CountersReset", error.ErrorId);
        Assert.Contains("was restarted between", error.Message);
    }

    [Fact]
    public void FILESTREAM_containers_are_excluded_with_a_warning()
    {
        FileStatsSnapshot Of(long sample, long reads) =>
            FileStatsSnapshot.FromRows([
                CreateRow(5, 1, sample, reads, reads * 8192, reads, type: "ROWS"),
                CreateRow(5, 3, sample, reads, reads * 8192, reads, type: "FILESTREAM"),
            ]);
        var load = CapturedWorkload.FromSnapshots(Of(1000, 0), Of(11_000, 1000));
        Assert.Equal((1, 100.0), (load.Loads[0].Files, load.Loads[0].IOPS));
        Assert.StartsWith("IoBench ignores 1 FILESTREAM container", Assert.Single(load.Warnings), StringComparison.Ordinal);
    }

    [Fact]
    public void Observed_latency_is_not_rated_on_a_modeled_device_or_a_busy_host()
    {
        var test = CapturedWorkload.FromSnapshots(CreateFirstSnapshot(), CreateSecondSnapshot()).CreateSpecifications()[0];
        IoTestResult Run(double measured, double wait, string backend = "IoUring") =>
            new()
            {
                Workload = test.Workload,
                Specification = test,
                Backend = backend,
                IOPS = 812,
                IOCount = 8120,
                ResponseAverageMs = measured,
                ProcessorWaitPercent = wait,
            };
        Assert.Empty(ObservedLatencyComparison.Find([Run(40, 0, "Null")]));
        foreach (var measured in new[] { 11.0, 40.0 })
        {
            var answer = Assert.Single(ObservedLatencyComparison.Find([Run(measured, 30)]));
            Assert.Equal(ObservedLatencyVerdict.Unknown, answer.Verdict);
            Assert.Contains("worker threads waited 30% of the time for a CPU", answer.Summary, StringComparison.Ordinal);
            Assert.Null(answer.Findings[0].WhatToDo);
        }
        // A latency that is low although the CPUs were busy is the storage's.
        Assert.Equal(ObservedLatencyVerdict.WaitElsewhere, ObservedLatencyComparison.Find([Run(1.1, 30)])[0].Verdict);
        Assert.Equal(ObservedLatencyVerdict.Slower, ObservedLatencyComparison.Find([Run(40, 1)])[0].Verdict);
    }

    [Theory]
    [InlineData(812, 1.1, "At least half of the observed latency comes from bursts")]
    [InlineData(812, 11.0, "the storage explains the observed latency")]
    [InlineData(812, 40.0, "it is slower than the server's current storage")]
    [InlineData(300, 400.0, "this run reached only 300 IOPS")]
    public void Observed_latency_is_compared_with_measured_latency(double iops, double measured, string words)
    {
        var test = CapturedWorkload.FromSnapshots(CreateFirstSnapshot(), CreateSecondSnapshot()).CreateSpecifications()[0];
        test.Targets = [new("D:\\iobench.dat")];
        var answer = Assert.Single(
            ObservedLatencyComparison.Analyze([
                new IoTestResult
                {
                    Workload = test.Workload,
                    Specification = test,
                    IOPS = iops,
                    ResponseAverageMs = measured,
                },
            ])
        );
        Assert.StartsWith("own-data-read: SQL Server observed a latency of 12.5 ms at 812 IOPS; ", answer.Summary);
        Assert.Contains(words, answer.Summary);
        Assert.Equal(12.5 / measured, answer.Factor!.Value, 9);
    }

    [Fact]
    public void Observed_latency_requires_results_of_a_captured_workload() =>
        Assert.Equal(
            "IoBench.NoObservedLatency",
            Assert.Throws<IoBenchException>(() => ObservedLatencyComparison.Analyze([new IoTestResult { Specification = new() }])).ErrorId
        );
}
