using System.Collections;
using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class CapturedBurstTests
{
    private static Hashtable CreateRow(int file, double second, long reads, long writes = 0, string type = "ROWS") =>
        new()
        {
            ["database_id"] = 5,
            ["file_id"] = file,
            ["sample_ms"] = (long)(1000 + second * 1000),
            ["num_of_reads"] = reads,
            ["num_of_bytes_read"] = reads * 8192,
            ["io_stall_read_ms"] = reads * 2,
            ["num_of_writes"] = writes,
            ["num_of_bytes_written"] = writes * 4096,
            ["io_stall_write_ms"] = writes,
            ["type_desc"] = type,
            ["physical_name"] = type == "LOG" ? "L:\\x.ldf" : $"D:\\x{file}.mdf",
        };

    private static FileStatsSnapshot CreateSnapshot(double second, long reads, long log, long other = 0) =>
        FileStatsSnapshot.FromRows(
            [CreateRow(1, second, reads), CreateRow(3, second, other), CreateRow(2, second, 0, log, "LOG")],
            $"at {second}"
        );

    // 10 s of low load, 5 s of 4,000 reads per second, 85 s of low load. The busiest window of the log is the last.
    private static FileStatsSnapshot[] CreateBurstSnapshots() =>
        [
            CreateSnapshot(0, 0, 0),
            CreateSnapshot(10, 100, 100, 100),
            CreateSnapshot(15, 20_100, 150, 150),
            CreateSnapshot(100, 20_950, 1850, 1000),
        ];

    [Fact]
    public void Captured_workload_has_mean_and_busiest_window_per_role_and_file()
    {
        var load = CapturedWorkload.FromSnapshots(CreateBurstSnapshots());
        Assert.Equal((100.0, 3, 2), (load.Seconds, load.Windows, load.BusiestWindow!.Value));
        var data = load.Loads[0];
        Assert.Equal(("data", 2, 219.5, 8.0, 2.0), (data.Role, data.Files, data.IOPS, data.BlockSizeKB, data.LatencyMs));
        Assert.Equal(new CapturedBurst(2, 5, 4010, 8, 2), data.Busiest);
        Assert.Equal(0.439, data.InFlight, 9);
        Assert.Equal(
            [("D:\\x1.mdf", 209.5, 4000.0), ("D:\\x3.mdf", 10.0, 10.0)],
            data.OfFiles.Select(f => (f.File!, f.IOPS, f.Busiest!.IOPS))
        );
        Assert.Equal((18.5, 20.0, 3), (load.Loads[1].IOPS, load.Loads[1].Busiest!.IOPS, load.Loads[1].Busiest!.Window));
        Assert.Equal(
            ["data read 4010", "log write 10"],
            load.BusiestLoads.Select(l => FormattableString.Invariant($"{l.Role} {l.Operation.ToString().ToLowerInvariant()} {l.IOPS}"))
        );
        Assert.Equal(
            [
                "Captured workload of 100 s in 3 windows. For all file roles together, window 2 is the busiest.",
                "data reads: 220 IOPS of 8 KB, average latency 2.00 ms, average outstanding I/Os 0.44; busiest window (2, 5 s): 4,010 IOPS of 8 KB, average latency 2.00 ms.",
                "  D:\\x1.mdf reads: 210 IOPS of 8 KB, average latency 2.00 ms, average outstanding I/Os 0.42; busiest window (2, 5 s): 4,000 IOPS of 8 KB, average latency 2.00 ms.",
                "  D:\\x3.mdf reads: 10 IOPS of 8 KB, average latency 2.00 ms, average outstanding I/Os 0.02; busiest window (1, 10 s): 10 IOPS of 8 KB, average latency 2.00 ms.",
                "log writes: 19 IOPS of 4 KB, average latency 1.00 ms, average outstanding I/Os 0.02; busiest window (3, 85 s): 20 IOPS of 4 KB, average latency 1.00 ms.",
            ],
            load.Lines
        );
    }

    [Fact]
    public void Captured_workload_creates_tests_of_the_mean_and_busiest_window()
    {
        var load = CapturedWorkload.FromSnapshots(CreateBurstSnapshots());
        Assert.Equal(
            [("own-data-read", 219.5), ("own-data-read-busiest", 4010), ("own-log-write", 18.5), ("own-log-write-busiest", 20)],
            load.CreateSpecifications().Select(t => (t.Workload!, t.TargetIops!.Value))
        );
        var together = load.CreateConcurrentSpecifications(new Dictionary<string, string> { ["data"] = "/d", ["log"] = "/l" });
        Assert.Equal(["own-load", "own-load-busiest"], together.Select(t => t.Workload));
        Assert.Equal([219.5, 18.5, 4010, 10], together.SelectMany(t => t.Targets).Select(t => t.Pattern!.TargetIops!.Value));
        // Two snapshots are a single window, so there is no busiest window.
        Assert.Single(
            CapturedWorkload
                .FromSnapshots(CreateBurstSnapshots()[0], CreateBurstSnapshots()[3])
                .CreateConcurrentSpecifications(new Dictionary<string, string> { ["data"] = "/d" })
        );
    }

    [Fact]
    public void Tests_contain_the_observed_load_of_each_file()
    {
        var load = CapturedWorkload.FromSnapshots(CreateBurstSnapshots());
        var tests = load.CreateSpecifications();
        Assert.Equal(
            [("D:\\x1.mdf", 209.5, 8.0, 2.0, 4000.0, 2.0), ("D:\\x3.mdf", 10.0, 8.0, 2.0, 10.0, 2.0)],
            tests[0]
                .ObservedFiles.Select(f => (f.File, f.IOPS, f.BlockSizeKB, f.LatencyMs, f.BusiestIOPS!.Value, f.BusiestLatencyMs!.Value))
        );
        // The files are listed only once, with the mean, and a clone has its own list.
        Assert.Empty(tests[1].ObservedFiles);
        Assert.NotSame(tests[0].ObservedFiles, tests[0].Clone().ObservedFiles);
        Assert.Equal(tests[0].ObservedFiles, tests[0].Clone().ObservedFiles);
        var together = load.CreateConcurrentSpecifications(new Dictionary<string, string> { ["data"] = "/d", ["log"] = "/l" });
        Assert.Equal([2, 1, 0, 0], together.SelectMany(test => test.Targets).Select(target => target.Pattern!.ObservedFiles.Count));
        // If the mean is too rare to test, the files are listed with the burst.
        Assert.Single(
            Assert
                .Single(
                    CapturedWorkload
                        .FromSnapshots([CreateSnapshot(0, 0, 0), CreateSnapshot(1, 200, 0), CreateSnapshot(1000, 210, 0)])
                        .CreateSpecifications()
                )
                .ObservedFiles
        );
    }

    [Fact]
    public void Rare_load_with_a_burst_is_tested_by_its_busiest_window_only()
    {
        var load = CapturedWorkload.FromSnapshots([CreateSnapshot(0, 0, 0), CreateSnapshot(1, 200, 0), CreateSnapshot(1000, 210, 0)]);
        Assert.Equal("own-data-read-busiest", Assert.Single(load.CreateSpecifications()).Workload);
        Assert.Equal(
            "data reads: 0.21 IOPS on average are too few for a test, so IoBench tests only the busiest window.",
            Assert.Single(load.Warnings)
        );
        // A long test has enough I/Os of this load.
        Assert.Equal(
            2,
            CapturedWorkload
                .FromSnapshots([CreateSnapshot(0, 0, 0), CreateSnapshot(1, 200, 0), CreateSnapshot(1000, 210, 0)], TimeSpan.FromMinutes(10))
                .CreateSpecifications()
                .Count
        );
        Assert.Equal(
            "own-data-read",
            Assert
                .Single(
                    CapturedWorkload
                        .FromSnapshots([CreateSnapshot(0, 0, 0), CreateSnapshot(1000, 210, 0)], TimeSpan.FromMinutes(10))
                        .CreateSpecifications()
                )
                .Workload
        );
    }

    [Fact]
    public void Server_restart_excludes_only_its_window()
    {
        var load = CapturedWorkload.FromSnapshots([
            CreateSnapshot(0, 1000, 0),
            CreateSnapshot(10, 2000, 0),
            CreateSnapshot(20, 5, 0),
            CreateSnapshot(30, 2005, 0),
        ]);
        Assert.Equal((2, 20.0, 150.0), (load.Windows, load.Seconds, load.Loads[0].IOPS));
        Assert.StartsWith(
            "The window from at 10 to at 20 is not usable, so IoBench ignores it. The counters of file 1 of database 5 decreased",
            Assert.Single(load.Warnings),
            StringComparison.Ordinal
        );
        Assert.Equal(
            "IoBench.CountersReset",
            Assert
                .Throws<IoBenchException>(() =>
                    CapturedWorkload.FromSnapshots([CreateSnapshot(0, 900, 0), CreateSnapshot(10, 600, 0), CreateSnapshot(20, 5, 0)])
                )
                .ErrorId
        );
        Assert.Equal(
            "IoBench.TwoSnapshots",
            Assert.Throws<IoBenchException>(() => CapturedWorkload.FromSnapshots([CreateSnapshot(0, 0, 0)])).ErrorId
        );
    }

    [Fact]
    public void File_with_many_snapshots_excludes_Resource_Governor_queue_time()
    {
        var path = Path.GetTempFileName();
        try
        {
            var header =
                "taken,sqlserver_start_time,database_id,file_id,type_desc,physical_name,sample_ms,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms,io_stall_queued_read_ms,io_stall_queued_write_ms\n";
            File.WriteAllText(
                path,
                header
                    + string.Concat(
                        Enumerable
                            .Range(0, 4)
                            .Select(i =>
                                $"2026-11-22 10:00:0{i},2026-11-01 08:00:00,5,1,ROWS,D:\\x.mdf,{1000 + i * 5000},{i * 1000},{i * 8192000},{i * 5000},0,0,0,{i * 3000},NULL\n"
                            )
                    )
            );
            Assert.Equal(
                ["snapshot 1", "snapshot 4"],
                FileStatsSnapshot.LoadFile(path).Select(s => s.Name.Split(", ")[^1]).Where((_, i) => i is 0 or 3)
            );
            var load = CapturedWorkload.FromSnapshots(FileStatsSnapshot.LoadFile(path));
            Assert.Equal((3, 200.0, 2.0), (load.Windows, load.Loads[0].IOPS, load.Loads[0].LatencyMs));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void Capture_query_has_every_column_and_is_documented()
    {
        foreach (
            var column in new[]
            {
                "sample_ms",
                "num_of_reads",
                "num_of_bytes_read",
                "io_stall_read_ms",
                "num_of_writes",
                "num_of_bytes_written",
                "io_stall_write_ms",
                "sqlserver_start_time",
                "type_desc",
                "physical_name",
                "io_stall_queued_read_ms",
                "size_on_disk_bytes",
            }
        )
            Assert.All([FileStatsSnapshot.QueryText, FileStatsSnapshot.AzureSqlDatabaseQueryText], query => Assert.Contains(column, query));
        Assert.DoesNotContain("master_files", FileStatsSnapshot.AzureSqlDatabaseQueryText);
        foreach (
            var page in new[] { Path.Combine("docs", "how-to", "captured-workload.md"), Path.Combine("docs", "en-US", "New-IoWorkload.md") }
        )
        foreach (var query in new[] { FileStatsSnapshot.QueryText, FileStatsSnapshot.AzureSqlDatabaseQueryText })
            Assert.Contains(
                "```sql\n" + query + "```",
                File.ReadAllText(Path.Combine(SampleFiles.RepositoryRoot, page)).ReplaceLineEndings("\n")
            );
    }

    [Fact]
    public void Random_arrivals_of_a_short_test_are_not_a_missed_rate()
    {
        IoTestResult Result(double iops, double? reached) =>
            new()
            {
                Workload = "own-data-read",
                IOPS = iops,
                DurationSeconds = 30,
                ResponseAverageMs = 3,
                RateReachedPercent = reached,
                IOCount = (long)(iops * 30),
                Specification = new()
                {
                    TargetIops = 10,
                    ObservedLatencyMs = 3,
                    Targets = [new("t")],
                },
            };
        Assert.Equal(ObservedLatencyVerdict.Storage, Assert.Single(ObservedLatencyComparison.Analyze([Result(9, null)])).Verdict);
        Assert.Equal(ObservedLatencyVerdict.Storage, Assert.Single(ObservedLatencyComparison.Analyze([Result(8.5, 100)])).Verdict);
        Assert.Equal(ObservedLatencyVerdict.CannotCarry, Assert.Single(ObservedLatencyComparison.Analyze([Result(5, null)])).Verdict);
        Assert.Equal(ObservedLatencyVerdict.CannotCarry, Assert.Single(ObservedLatencyComparison.Analyze([Result(9.5, 90)])).Verdict);
    }
}
