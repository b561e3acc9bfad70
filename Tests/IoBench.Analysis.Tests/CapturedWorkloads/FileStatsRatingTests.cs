using System.Collections;
using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class FileStatsRatingTests
{
    private const string Header =
        "taken,sqlserver_start_time,database_id,file_id,type_desc,physical_name,sample_ms,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms";

    private static readonly IoRuleSet s_limit10 = new() { Name = "ten", Rules = [new() { MaxAverageLatencyMs = 10, WarnFrom = 5 }] };

    private static Hashtable CreateRow(
        int database,
        int file,
        long sample,
        (long Count, long Bytes, long StallMs) reads = default,
        (long Count, long Bytes, long StallMs) writes = default,
        string? type = null,
        DateTime? taken = null
    ) =>
        new()
        {
            ["database_id"] = database,
            ["file_id"] = file,
            ["sample_ms"] = sample,
            ["num_of_reads"] = reads.Count,
            ["num_of_bytes_read"] = reads.Bytes,
            ["io_stall_read_ms"] = reads.StallMs,
            ["num_of_writes"] = writes.Count,
            ["num_of_bytes_written"] = writes.Bytes,
            ["io_stall_write_ms"] = writes.StallMs,
            ["type_desc"] = type ?? (file == 2 ? "LOG" : "ROWS"),
            ["taken"] = taken,
        };

    private static FileStatsSnapshot CreateSnapshot(params Hashtable[] rows) =>
        FileStatsSnapshot.FromRows(rows, $"at {rows[0]["sample_ms"]}");

    private static IReadOnlyList<FileStatsSnapshot> Load(params string[] lines)
    {
        var path = Path.GetTempFileName();
        try
        {
            File.WriteAllLines(path, lines);
            return FileStatsSnapshot.LoadFile(path);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void Rates_and_latencies_are_those_between_the_snapshots()
    {
        // The values before the first snapshot would double each latency.
        var rating = FileStatsRating.Create(
            Load(
                Header,
                @"2026-11-20 14:00:00,2026-11-01,5,1,ROWS,D:\x.mdf,1000,1000,8192000,100000,500,4096000,50000",
                @"2026-11-20 14:00:00,2026-11-01,5,2,LOG,L:\x.ldf,1000,0,0,0,10,40960,1000",
                @"2026-11-20 14:00:00,2026-11-01,2,1,ROWS,T:\t.mdf,1000,0,0,0,0,0,0",
                @"2026-11-20 14:01:40,2026-11-01,5,1,ROWS,D:\x.mdf,101000,21000,663552000,180000,1500,69632000,53000",
                @"2026-11-20 14:01:40,2026-11-01,5,2,LOG,L:\x.ldf,101000,0,0,0,5010,102440960,5000",
                @"2026-11-20 14:01:40,2026-11-01,2,1,ROWS,T:\t.mdf,101000,400,26214400,4400,99,6488064,99000"
            ),
            s_limit10
        );
        Assert.Equal((100.0, 1, false), (rating.Seconds, rating.Windows, rating.IsSinceStart));
        Assert.Equal([("data", @"D:\x.mdf"), ("log", @"L:\x.ldf"), ("tempdb", @"T:\t.mdf")], rating.Files.Select(f => (f.Role, f.File)));
        var (data, log, tempdb) = (rating.Files[0], rating.Files[1], rating.Files[2]);
        Assert.Equal((20_000L, 200.0, 32.0, 4.0), (data.Reads, data.ReadIOPS, data.ReadBlockSizeKB, data.ReadLatencyMs));
        Assert.Equal((1000L, 10.0, 64.0, 3.0), (data.Writes, data.WriteIOPS, data.WriteBlockSizeKB, data.WriteLatencyMs));
        Assert.Equal((0L, 0.0, null, null), (log.Reads, log.ReadIOPS, log.ReadBlockSizeKB, log.ReadLatencyMs));
        Assert.Equal((5000L, 50.0, 20.0, 0.8), (log.Writes, log.WriteIOPS, log.WriteBlockSizeKB, log.WriteLatencyMs));
        Assert.Equal([VerdictOutcome.Pass, VerdictOutcome.Pass, VerdictOutcome.Fail], [data.Outcome, log.Outcome, tempdb.Outcome]);
        // 99 writes of 1 s each do not fail: they are too few.
        Assert.Equal([VerdictOutcome.Fail, VerdictOutcome.NotRated], tempdb.Rules.Select(rule => rule.Outcome));
        Assert.Equal(
            @"FAIL (critical; rule set ten): tempdb reads of T:\t.mdf: average latency 11 ms exceeds the limit of 10 ms.",
            rating.Sentence
        );
        Assert.Equal(
            ("FAIL", @"tempdb reads of T:\t.mdf", 11.0),
            (rating.Summary.Verdict, rating.Summary.WorstTest, rating.Summary.Measured)
        );
        Assert.Contains(rating.Findings, finding => finding.Code == FindingCodes.RuleFailed);
        Assert.Empty(rating.Warnings);
    }

    [Theory]
    [InlineData(99, 1, "NOT RATED: too few I/Os: each file has fewer than 100 reads and fewer than 100 writes that rule set ten rates.")]
    [InlineData(99, 1000, "NOT RATED: too few I/Os: each file has fewer than 100 reads and fewer than 100 writes that rule set ten rates.")]
    [InlineData(100, 4, "PASS (rule set ten): average latency of data reads 4 ms; limit 10 ms.")]
    [InlineData(
        100,
        5,
        "PASS with a warning (rule set ten): average latency of data reads 5 ms; limit 10 ms. data reads of database 5, file 1: average latency 5 ms reaches the warning threshold of 5 ms (limit 10 ms)."
    )]
    [InlineData(
        100,
        11,
        "FAIL (critical; rule set ten): data reads of database 5, file 1: average latency 11 ms exceeds the limit of 10 ms."
    )]
    [InlineData(0, 0, "NOT RATED: there was no I/O on the files between the snapshots.")]
    public void Average_is_rated_from_100_IOs_on(int count, int milliseconds, string sentence)
    {
        var rating = FileStatsRating.Create(
            [CreateSnapshot(CreateRow(5, 1, 0)), CreateSnapshot(CreateRow(5, 1, 60_000, (count, count * 8192, count * milliseconds)))],
            s_limit10
        );
        Assert.Equal(sentence, rating.Sentence);
        Assert.Equal(!sentence.StartsWith("PASS", StringComparison.Ordinal), rating.FailsRequirement);
    }

    [Fact]
    public void Single_snapshot_is_since_the_start_and_passes_only_preliminarily()
    {
        var passed = FileStatsRating.Create([CreateSnapshot(CreateRow(5, 1, 1000, (1000, 8_192_000, 4000)))], s_limit10);
        Assert.True(passed.IsSinceStart);
        Assert.Equal(VerdictOutcome.PreliminaryPass, passed.Outcome);
        Assert.StartsWith(
            "PRELIMINARY PASS (rule set ten): average latency of data reads 4 ms; limit 10 ms. The averages of one snapshot cover",
            passed.Sentence,
            StringComparison.Ordinal
        );
        // sample_ms counts from the start of the computer, so that the rate since the start of SQL Server is unknown.
        Assert.Null(passed.Files[0].ReadIOPS);
        Assert.Null(passed.Seconds);
        var failed = FileStatsRating.Create([CreateSnapshot(CreateRow(5, 1, 1000, (1000, 8_192_000, 40_000)))], s_limit10);
        Assert.Equal(VerdictOutcome.Fail, failed.Outcome);
        Assert.Contains("This failure is based on one snapshot.", failed.Sentence, StringComparison.Ordinal);
        Assert.DoesNotContain("For a rating", failed.Sentence, StringComparison.Ordinal);
        var idle = FileStatsRating.Create([CreateSnapshot(CreateRow(5, 1, 1000))], s_limit10);
        Assert.StartsWith("NOT RATED: there was no I/O on the files since SQL Server started.", idle.Sentence, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1, 1900, "PASS (rule set ms-file-stats): average latency of data writes 1.9 ms (excellent); limit 15 ms.", "Info")]
    [InlineData(2, 5000, "PASS (rule set ms-file-stats): average latency of log writes 5 ms (very good); limit 15 ms.", "Info")]
    [InlineData(
        2,
        14_900,
        "PASS with a warning (rule set ms-file-stats): average latency of log writes 14.9 ms (good); limit 15 ms. log writes of database 5, file 2: average latency 14.9 ms meets the limit of 15 ms, but exceeds Microsoft's 5 ms for logs.",
        "Warning"
    )]
    [InlineData(
        1,
        16_000,
        "FAIL (warning; rule set ms-file-stats): data writes of database 5, file 1: average latency 16 ms exceeds the limit of 15 ms (poor).",
        "Warning"
    )]
    [InlineData(
        1,
        101_000,
        "FAIL (critical; rule set ms-file-stats): data writes of database 5, file 1: average latency 101 ms exceeds the limit of 15 ms (bad).",
        "Critical"
    )]
    public void Verdict_names_the_band_of_Microsoft_and_the_limit(int file, int stallMs, string sentence, string severity)
    {
        var rating = FileStatsRating.Create(
            [CreateSnapshot(CreateRow(5, file, 0)), CreateSnapshot(CreateRow(5, file, 60_000, default, (1000, 8_192_000, stallMs)))],
            IoRuleSet.Find("ms-file-stats")
        );
        Assert.Equal(sentence, rating.Sentence);
        Assert.Equal(severity, rating.Severity.ToString());
    }

    [Fact]
    public void Verdict_names_why_each_file_is_not_rated()
    {
        var rating = FileStatsRating.Create(
            [
                CreateSnapshot(CreateRow(5, 1, 0), CreateRow(6, 1, 0), CreateRow(7, 1, 0)),
                CreateSnapshot(
                    CreateRow(5, 1, 60_000, (1000, 8_192_000, 1000)),
                    CreateRow(6, 1, 60_000),
                    CreateRow(7, 1, 60_000, (5, 40_960, 1))
                ),
            ],
            s_limit10
        );
        Assert.EndsWith(
            "Rated 1 of 3 files. Not rated: database 6, file 1 (no I/O); database 7, file 1 (reads: too few I/Os: 5 I/Os; a rating of the average latency requires at least 100).",
            rating.Sentence,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Files_without_type_and_name_get_a_warning()
    {
        FileStatsSnapshot Create(long sample, string? type) =>
            CreateSnapshot(CreateRow(5, 1, sample, (sample, sample * 8192, sample), type: type));
        Assert.Equal(
            WarningCodes.NoFileTypes,
            Assert.Single(FileStatsRating.Create([Create(0, ""), Create(60_000, "")], s_limit10).Warnings).Code
        );
        Assert.Empty(FileStatsRating.Create([Create(0, null), Create(60_000, null)], s_limit10).Warnings);
    }

    [Fact]
    public void Snapshots_less_than_10_s_apart_pass_only_preliminarily()
    {
        var rating = FileStatsRating.Create(
            [CreateSnapshot(CreateRow(5, 1, 0)), CreateSnapshot(CreateRow(5, 1, 9000, (1000, 8_192_000, 1000)))],
            s_limit10
        );
        Assert.Equal(VerdictOutcome.PreliminaryPass, rating.Outcome);
        Assert.EndsWith("For a rating, take snapshots at least 10 s apart.", rating.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Window_with_a_restart_is_ignored_with_a_warning()
    {
        var rating = FileStatsRating.Create(
            [
                CreateSnapshot(CreateRow(5, 1, 0)),
                CreateSnapshot(CreateRow(5, 1, 100_000, (1000, 8_192_000, 1000))),
                CreateSnapshot(CreateRow(5, 1, 200_000, (10, 81_920, 90_000))),
                CreateSnapshot(CreateRow(5, 1, 400_000, (1010, 8_273_920, 93_000))),
            ],
            s_limit10
        );
        Assert.Equal((300.0, 2), (rating.Seconds, rating.Windows));
        Assert.Equal((2000L, 2000 / 300.0, 2.0), (rating.Files[0].Reads, rating.Files[0].ReadIOPS, rating.Files[0].ReadLatencyMs));
        Assert.Equal(3.0, rating.Files[0].HighestReadLatencyMs);
        Assert.Equal(WarningCodes.WindowIgnored, Assert.Single(rating.Warnings).Code);
    }

    [Fact]
    public void Clock_that_was_set_back_does_not_change_the_rate()
    {
        var noon = new DateTime(2026, 11, 20, 12, 0, 0, DateTimeKind.Unspecified);
        var rating = FileStatsRating.Create(
            [
                CreateSnapshot(CreateRow(5, 1, 0, taken: noon)),
                CreateSnapshot(CreateRow(5, 1, 100_000, (1000, 8_192_000, 1000), taken: noon.AddHours(-1))),
            ],
            s_limit10
        );
        Assert.Equal(10.0, rating.Files[0].ReadIOPS);
        Assert.Equal(WarningCodes.ServerClock, Assert.Single(rating.Warnings).Code);
    }

    [Fact]
    public void Wrapped_sample_clock_gives_the_true_rate()
    {
        // An int that becomes negative after 24.9 days, and 0 after 49.7 days.
        foreach (var (first, second) in new[] { (int.MaxValue - 49_999L, int.MinValue + 50_000L), (-50_000L, 50_000L) })
        {
            var rating = FileStatsRating.Create(
                Load(
                    "database_id,file_id,sample_ms,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms",
                    FormattableString.Invariant($"5,1,{first},0,0,0,0,0,0"),
                    FormattableString.Invariant($"5,1,{second},1000,8192000,2000,0,0,0")
                ),
                s_limit10
            );
            Assert.Equal(100, rating.Seconds!.Value, 0.001);
            Assert.Equal(10, rating.Files[0].ReadIOPS!.Value, 0.001);
        }
    }

    [Theory]
    [InlineData("IoBench.CountersReset", "sample_ms falls", "5,1,9000,10,81920,10,0,0,0", "5,1,5000,20,163840,20,0,0,0")]
    [InlineData("IoBench.CountersReset", "reads fall", "5,1,5000,100,819200,10,0,0,0", "5,1,9000,20,819200,20,0,0,0")]
    [InlineData("IoBench.CountersReset", "bytes fall", "5,1,5000,10,819200,10,0,0,0", "5,1,9000,20,163840,20,0,0,0")]
    [InlineData("IoBench.CountersReset", "stall falls", "5,1,5000,10,81920,100,0,0,0", "5,1,9000,20,163840,20,0,0,0")]
    [InlineData("IoBench.CountersReset", "writes fall", "5,1,5000,0,0,0,100,819200,0", "5,1,9000,0,0,0,20,819200,0")]
    [InlineData("IoBench.SameSnapshot", "no time between", "5,1,5000,10,81920,10,0,0,0", "5,1,5000,20,163840,20,0,0,0")]
    [InlineData("IoBench.InvalidFileStats", "NULL", "5,1,5000,NULL,81920,10,0,0,0", "5,1,9000,20,163840,20,0,0,0")]
    [InlineData("IoBench.InvalidFileStats", "negative", "5,1,5000,-10,81920,10,0,0,0", "5,1,9000,20,163840,20,0,0,0")]
    [InlineData("IoBench.InvalidFileStats", "empty", "5,1,5000,,81920,10,0,0,0", "5,1,9000,20,163840,20,0,0,0")]
    [InlineData("IoBench.InvalidFileStats", "text", "5,1,5000,x,81920,10,0,0,0", "5,1,9000,20,163840,20,0,0,0")]
    public void Snapshots_that_give_no_rate_are_errors_with_an_id(string id, string what, string first, string second)
    {
        Assert.NotEmpty(what);
        var error = Assert.Throws<IoBenchException>(() =>
            FileStatsRating.Create(
                Load(
                    "database_id,file_id,sample_ms,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms",
                    first,
                    second
                ),
                s_limit10
            )
        );
        Assert.Equal(id, error.ErrorId);
    }

    [Fact]
    public void Missing_column_and_null_of_a_query_are_errors_that_name_the_column()
    {
        var missing = CreateRow(5, 1, 0);
        missing.Remove("io_stall_write_ms");
        var error = Assert.Throws<IoBenchException>(() => CreateSnapshot(missing));
        Assert.Equal("IoBench.InvalidFileStats", error.ErrorId);
        Assert.Contains("io_stall_write_ms", error.Message, StringComparison.Ordinal);
        var unknown = CreateRow(5, 1, 0);
        unknown["num_of_writes"] = DBNull.Value;
        Assert.Contains("num_of_writes", Assert.Throws<IoBenchException>(() => CreateSnapshot(unknown)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Restart_by_the_start_time_is_an_error()
    {
        var (first, second) = (CreateRow(5, 1, 0), CreateRow(5, 1, 100_000, (1000, 8_192_000, 1000)));
        (first["sqlserver_start_time"], second["sqlserver_start_time"]) = ("2026-11-01 00:00:00", "2026-11-20 13:00:00");
        Assert.Equal(
            ErrorIds.CountersReset,
            Assert
                .Throws<IoBenchException>(() => FileStatsRating.Create([CreateSnapshot(first), CreateSnapshot(second)], s_limit10))
                .ErrorId
        );
    }

    [Theory]
    [InlineData(1, 8, 0, "flash", true)]
    [InlineData(1, 64, 0, "flash", true)]
    [InlineData(1, 128, 0, "flash", false)]
    [InlineData(1, 0, 8, "flash", false)]
    [InlineData(2, 0, 8, "flash", true)]
    [InlineData(2, 0, 61, "flash", false)]
    [InlineData(2, 8, 0, "flash", false)]
    [InlineData(1, 512, 0, "ms-2005", true)]
    [InlineData(1, 0, 64, "hard-limits", true)]
    [InlineData(2, 0, 8, "hard-limits", false)]
    [InlineData(1, 0, 8, "ms-file-stats", true)]
    [InlineData(2, 8, 0, "ms-file-stats", true)]
    [InlineData(1, 8, 0, "steady", false)]
    public void Rules_apply_to_files_by_their_kind(int file, int readKB, int writeKB, string set, bool isRated)
    {
        var rating = FileStatsRating.Create(
            [
                CreateSnapshot(CreateRow(5, file, 0)),
                CreateSnapshot(
                    CreateRow(
                        5,
                        file,
                        60_000,
                        readKB > 0 ? (1000, readKB * 1024_000L, 100) : default,
                        writeKB > 0 ? (1000, writeKB * 1024_000L, 100) : default
                    )
                ),
            ],
            IoRuleSet.Find(set)
        );
        Assert.Equal(isRated ? VerdictOutcome.Pass : VerdictOutcome.NotRated, rating.Outcome);
        Assert.StartsWith(isRated ? "PASS" : $"NOT RATED: rule set {set} has no limit", rating.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Default_rules_are_those_of_the_view_or_of_the_storage_type()
    {
        Assert.Equal("ms-file-stats", FileStatsRating.ChooseRules(null).Name);
        Assert.Equal("hdd", FileStatsRating.ChooseRules(StorageClass.Hdd).Name);
    }

    /// <summary>Three snapshots, 60 s apart: 20 and 40 data reads and 10 and 20 log reads per second.</summary>
    private static readonly string[] s_threeSnapshots =
    [
        @"2026-11-20 14:00:00,2026-11-01,5,1,ROWS,D:\x.mdf,1000,0,0,0,0,0,0",
        @"2026-11-20 14:00:00,2026-11-01,5,2,LOG,L:\x.ldf,1000,0,0,0,0,0,0",
        @"2026-11-20 14:01:00,2026-11-01,5,1,ROWS,D:\x.mdf,61000,1200,9830400,2400,0,0,0",
        @"2026-11-20 14:01:00,2026-11-01,5,2,LOG,L:\x.ldf,61000,600,4915200,1200,0,0,0",
        @"2026-11-20 14:02:00,2026-11-01,5,1,ROWS,D:\x.mdf,121000,3600,29491200,7200,0,0,0",
        @"2026-11-20 14:02:00,2026-11-01,5,2,LOG,L:\x.ldf,121000,1800,14745600,3600,0,0,0",
    ];

    [Theory]
    [InlineData(0, 1, 2, 3, 4, 5)]
    [InlineData(4, 5, 2, 3, 0, 1)]
    [InlineData(2, 3, 0, 1, 4, 5)]
    // Sorted by file.
    [InlineData(0, 2, 4, 1, 3, 5)]
    [InlineData(1, 3, 5, 0, 2, 4)]
    public void Order_of_the_rows_does_not_change_the_values(params int[] order)
    {
        var snapshots = Load([Header, .. order.Select(row => s_threeSnapshots[row])]);
        var rating = FileStatsRating.Create(snapshots, s_limit10);
        Assert.Equal((120.0, 2, 0), (rating.Seconds, rating.Windows, rating.Warnings.Count));
        Assert.Equal([30.0, 15.0], rating.Files.Select(file => file.ReadIOPS!.Value));
        var total = StorageAdvisor.Advise(snapshots).Total;
        Assert.Equal((60.0, 2, 2), (total.IOPS, total.Window, total.Files));
    }

    [Fact]
    public void Rows_sorted_by_file_across_a_restart_are_an_error()
    {
        string[] lines = [.. s_threeSnapshots];
        for (var row = 4; row < 6; row++)
            lines[row] = lines[row].Replace("121000", "500", StringComparison.Ordinal);
        Assert.Equal(
            "IoBench.InvalidFileStats",
            Assert.Throws<IoBenchException>(() => Load([Header, .. new[] { 0, 2, 4, 1, 3, 5 }.Select(row => lines[row])])).ErrorId
        );
    }

    [Fact]
    public void New_file_with_the_ids_of_a_deleted_file_is_another_file()
    {
        string[] lines =
        [
            .. s_threeSnapshots,
            @"2026-11-20 14:03:00,2026-11-01,5,1,ROWS,E:\new.mdf,181000,900000,7372800000,9000000,0,0,0",
            @"2026-11-20 14:04:00,2026-11-01,5,1,ROWS,e:\NEW.mdf,241000,900600,7377715200,9003000,0,0,0",
        ];
        var rating = FileStatsRating.Create(Load([Header, .. lines]), s_limit10);
        Assert.Equal(
            [(@"D:\x.mdf", 30.0, 2.0), (@"e:\NEW.mdf", 10.0, 5.0), (@"L:\x.ldf", 15.0, 2.0)],
            rating.Files.Select(file => (file.File, file.ReadIOPS!.Value, file.ReadLatencyMs!.Value))
        );
        Assert.Contains(rating.Warnings, warning => warning.Code == WarningCodes.FilesDiffer);
        Assert.Equal(60.0, StorageAdvisor.Advise(Load([Header, .. lines])).Total.IOPS);
    }

    [Fact]
    public void Start_of_SQL_Server_is_compared_as_a_time()
    {
        string[] lines = [.. s_threeSnapshots];
        lines[0] = lines[0].Replace("2026-11-01", "2026-11-01 03:00:00.123", StringComparison.Ordinal);
        lines[2] = lines[2].Replace("2026-11-01", "11/01/2026 03:00:00", StringComparison.Ordinal);
        Assert.Equal(20.0, FileStatsRating.Create(Load(Header, lines[0], lines[2]), s_limit10).Files[0].ReadIOPS);
    }

    [Theory]
    [InlineData("SqlInstance")]
    [InlineData("server_name")]
    [InlineData("ServerName")]
    public void Rows_of_several_servers_are_an_error(string column)
    {
        var error = Assert.Throws<IoBenchException>(() =>
            Load(column + "," + Header, "SQL1," + s_threeSnapshots[0], "SQL2," + s_threeSnapshots[2])
        );
        Assert.Contains("SQL1, SQL2", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Combined_rule_sets_rate_each_file()
    {
        var rating = FileStatsRating.Create(
            [CreateSnapshot(CreateRow(5, 1, 0)), CreateSnapshot(CreateRow(5, 1, 60_000, (1000, 8_192_000, 12_000)))],
            IoRuleSet.Find("ms-css,sqlskills")
        );
        Assert.Equal(["ms-css", "sqlskills"], rating.Files[0].Rules.Select(rule => rule.RuleSet));
        Assert.Equal([VerdictOutcome.Pass, VerdictOutcome.Fail], rating.Files[0].Rules.Select(rule => rule.Outcome));
        Assert.Equal(VerdictOutcome.Fail, rating.Outcome);
    }

    [Fact]
    public void Random_snapshots_have_the_values_of_an_independent_calculation()
    {
        var random = new Random(20261120);
        for (var round = 0; round < 300; round++)
        {
            var times = new List<long> { random.Next(1_000_000) };
            var files = Enumerable.Range(1, random.Next(1, 6)).ToList();
            var counters = files.ToDictionary(file => file, _ => new long[6]);
            List<FileStatsSnapshot> snapshots = [];
            List<Dictionary<int, long[]>> seen = [];
            for (var i = random.Next(2, 6); i > 0; i--)
            {
                foreach (var values in counters.Values)
                {
                    for (var operation = 0; operation < 6; operation += 3)
                    {
                        var count = random.Next(4) == 0 ? 0 : random.Next(300);
                        values[operation] += count;
                        values[operation + 1] += count * 512L * random.Next(1, 2048);
                        values[operation + 2] += count * (long)random.Next(0, 21);
                    }
                }
                times.Add(times[^1] + random.Next(20_000, 900_000));
                seen.Add(counters.ToDictionary(pair => pair.Key, pair => (long[])pair.Value.Clone()));
                snapshots.Add(
                    CreateSnapshot([
                        .. files.Select(file =>
                            CreateRow(
                                7,
                                file,
                                times[^1],
                                (counters[file][0], counters[file][1], counters[file][2]),
                                (counters[file][3], counters[file][4], counters[file][5])
                            )
                        ),
                    ])
                );
            }
            var rating = FileStatsRating.Create(snapshots, s_limit10);
            var (anyFails, anyPasses) = (false, false);
            foreach (var file in files)
            {
                var difference = seen[^1][file].Zip(seen[0][file], (last, first) => last - first).ToArray();
                var seconds = (times[^1] - times[1]) / 1000m;
                var actual = rating.Files.Single(f => f.File == $"database 7, file {file}");
                Assert.Equal(difference[0], actual.Reads);
                Assert.Equal((double)(difference[0] / seconds), actual.ReadIOPS!.Value, 1e-9 * (1 + difference[0]));
                Assert.Equal((double)(difference[3] / seconds), actual.WriteIOPS!.Value, 1e-9 * (1 + difference[3]));
                foreach (var (at, latency) in new[] { (0, actual.ReadLatencyMs), (3, actual.WriteLatencyMs) })
                {
                    Assert.Equal(difference[at] == 0, latency is null);
                    if (difference[at] == 0)
                        continue;
                    var expected = (decimal)difference[at + 2] / difference[at];
                    Assert.Equal((double)expected, latency!.Value, 1e-9);
                    anyFails |= difference[at] >= 100 && expected > 10;
                    anyPasses |= difference[at] >= 100 && expected <= 10;
                }
            }
            Assert.Equal(
                anyFails ? VerdictOutcome.Fail
                    : anyPasses ? VerdictOutcome.Pass
                    : VerdictOutcome.NotRated,
                rating.Outcome
            );
        }
    }
}
