using System.Text.Json;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class AnalysisCommandTests
{
    private static readonly string[] s_null = ["--backend", "null", "--duration", "200ms", "--warm-up", "0"];

    /// <summary>Three equal runs, because single runs have no verdict.</summary>
    private static IoTestResult[] Repeat(int outstanding, double iops) =>
        [CreateResult(outstanding, iops, 1), CreateResult(outstanding, iops, 2), CreateResult(outstanding, iops, 3)];

    private static IoTestResult CreateResult(int outstanding, double iops, int? repeat = null) =>
        new()
        {
            IOPattern = "8KB random read",
            Path = "T:\\f",
            TotalOutstanding = outstanding,
            OutstandingIO = outstanding,
            ThreadCount = 1,
            LoadModel = IoLoadModel.Closed,
            IOPS = iops,
            BandwidthMBps = iops / 128,
            AverageLatencyMs = outstanding / iops * 1000,
            LittlesLawLatencyMs = outstanding / iops * 1000,
            Repeat = repeat,
            ComputerName = "SQL1",
            StartTime = new DateTimeOffset(2026, 1, 10, 2, 0, 0, TimeSpan.Zero),
        };

    private static string SaveResults(TestFolder folder, string name, params IoTestResult[] results)
    {
        using (var writer = new StreamWriter(folder.GetPath(name)))
            ResultWriter.Write(writer, results, ResultFormat.Json);
        return folder.GetPath(name);
    }

    [Fact]
    public void Commands_write_metrics_and_replace_only_their_own_file()
    {
        using var folder = new TestFolder();
        var metrics = folder.GetPath("iobench.prom");
        var results = SaveResults(folder, "results.json", Repeat(1, 1000));
        string[][] commands =
        [
            ["run", folder.GetPath("null.dat"), .. s_null, "--metrics", metrics],
            ["test", results, "--metrics", metrics],
            ["history", results, "--metrics", metrics],
            ["check", "--metrics", metrics],
        ];
        foreach (var command in commands)
        {
            Cli.Run(command);
            var text = File.ReadAllText(metrics);
            Assert.Contains($"command=\"{command[0]}\"", text, StringComparison.Ordinal);
            Assert.EndsWith("\n# EOF\n", text, StringComparison.Ordinal);
        }
        File.WriteAllText(metrics, "node_load1 1\n");
        foreach (var command in commands)
        {
            var outcome = Cli.Run(command);
            Assert.Equal(2, outcome.ExitCode);
            Assert.Contains("[IoBench.OutputNotRecognized]", outcome.Error, StringComparison.Ordinal);
        }
        Assert.Equal("node_load1 1\n", File.ReadAllText(metrics));
    }

    [Fact]
    public void Saturation_marks_the_knee_in_table_and_JSON()
    {
        using var folder = new TestFolder();
        var file = SaveResults(
            folder,
            "sweep.json",
            CreateResult(1, 1000),
            CreateResult(2, 2000),
            CreateResult(4, 3900),
            CreateResult(8, 4000),
            CreateResult(16, 4010)
        );
        var outcome = Cli.Run("saturation", file);
        Assert.Equal(0, outcome.ExitCode);
        Assert.StartsWith("8KB random read: saturation point between 4 and 8 outstanding I/Os. ", outcome.OutputLines[0]);
        Assert.EndsWith("<- knee", Assert.Single(outcome.OutputLines, line => line.Contains("knee", StringComparison.Ordinal)));
        Assert.Contains("3,900", outcome.OutputLines.Single(line => line.Contains("knee", StringComparison.Ordinal)));
        using var json = JsonDocument.Parse(Cli.Run("saturation", file, "--format", "json").Output);
        Assert.Equal(4, json.RootElement[0].GetProperty("kneeOutstanding").GetInt32());
        var none = Cli.Run("saturation", SaveResults(folder, "one.json", CreateResult(1, 1000)));
        Assert.Equal(2, none.ExitCode);
        Assert.Contains("contain no sweep", Assert.Single(none.ErrorLines));
    }

    [Fact]
    public void Compare_reports_changes_between_two_files()
    {
        using var folder = new TestFolder();
        var before = SaveResults(folder, "before.json", [.. Repeat(1, 1000), CreateResult(8, 4000)]);
        var outcome = Cli.Run("compare", before, SaveResults(folder, "after.json", [.. Repeat(1, 700), CreateResult(8, 4000)]));
        Assert.Equal(0, outcome.ExitCode);
        Assert.Equal("after.json compared with before.json", outcome.OutputLines[0]);
        Assert.Contains(outcome.OutputLines, line => line.Contains("worse than before.json: IOPS -30% (", StringComparison.Ordinal));
        Assert.Contains(outcome.OutputLines, line => line.StartsWith("Inconclusive: ", StringComparison.Ordinal));
        Assert.Equal(2, Cli.Run("compare", before).ExitCode);
    }

    [Fact]
    public void Compare_prefers_a_label_over_a_file_as_baseline()
    {
        using var folder = new TestFolder();
        IoTestResult Labelled(string label, double iops)
        {
            var run = CreateResult(8, iops);
            run.Label = label;
            return run;
        }
        var both = SaveResults(folder, "both.json", Labelled("old", 1000), Labelled("new", 700));
        SaveResults(folder, "old", CreateResult(8, 100));
        var outcome = Cli.RunProcess(folder.Path, "compare", both, "--baseline", "old");
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Equal("new compared with old", outcome.OutputLines[0]);
        // The command excludes a baseline file from the new results, and exits with 3 because the results are worse.
        var (before, after) = (SaveResults(folder, "before.json", Repeat(8, 1000)), SaveResults(folder, "after.json", Repeat(8, 700)));
        outcome = Cli.Run("compare", before, after, "--baseline", before);
        Assert.Equal(3, outcome.ExitCode);
        Assert.Equal("after.json compared with before.json", outcome.OutputLines[0]);
        // A loss of 30% is not worse if only 40% counts, but it is inconclusive.
        Assert.Equal(3, Cli.Run("compare", before, after, "--baseline", before, "--min-change", "40").ExitCode);
        Assert.Contains(
            "--alpha 0.9 is out of range. Use a value from 1E-06 to 0.5",
            Cli.Run("compare", before, after, "--alpha", "0.9").Error
        );
    }

    [Fact]
    public void Compare_fails_when_no_complete_repeats_exist()
    {
        using var folder = new TestFolder();
        var broken = CreateResult(8, 1000);
        broken.Status = IoResultStatus.Cancelled;
        var outcome = Cli.Run("compare", SaveResults(folder, "r.json", broken), "--repeat");
        Assert.Equal(2, outcome.ExitCode);
        Assert.Empty(outcome.Output);
        Assert.Contains("Repeat a test with --repeat 3,", Assert.Single(outcome.ErrorLines));
    }

    [Fact]
    public void JSON_analyses_contain_their_findings()
    {
        using var folder = new TestFolder();
        var before = SaveResults(folder, "before.json", [.. Repeat(1, 1000), CreateResult(8, 4000)]);
        var after = SaveResults(folder, "after.json", [.. Repeat(1, 500), CreateResult(8, 4000)]);
        using var compared = JsonDocument.Parse(Cli.Run("compare", after, "--baseline", before, "--format", "json").Output);
        var worse = compared
            .RootElement[0]
            .GetProperty("findings")
            .EnumerateArray()
            .Single(finding => finding.GetProperty("code").GetString() == "Comparison.Worse");
        Assert.Equal("Critical", worse.GetProperty("severity").GetString());
        Assert.Equal("Check what changed", worse.GetProperty("whatToDo").GetString());
        Assert.Contains(
            worse.GetProperty("evidence").EnumerateArray(),
            figure => figure.GetProperty("name").GetString() == "IOPS change" && figure.GetProperty("value").GetDouble() == -50
        );
        Assert.False(compared.RootElement[0].GetProperty("rows")[0].TryGetProperty("findings", out _));

        using var judged = JsonDocument.Parse(Cli.Run("test", after, "--require", "flash", "--format", "json").Output);
        Assert.All(
            judged.RootElement.GetProperty("rules").EnumerateArray(),
            verdict =>
                Assert.StartsWith("Rule.", Assert.Single(verdict.GetProperty("findings").EnumerateArray()).GetProperty("code").GetString())
        );
        using var sweep = JsonDocument.Parse(
            Cli.Run(
                "saturation",
                SaveResults(
                    folder,
                    "sweep.json",
                    CreateResult(1, 1000),
                    CreateResult(2, 2000),
                    CreateResult(4, 4000),
                    CreateResult(8, 4000)
                ),
                "--format",
                "json"
            ).Output
        );
        Assert.Equal("Saturation.Knee", sweep.RootElement[0].GetProperty("findings")[0].GetProperty("code").GetString());
    }

    [Fact]
    public void Limit_searches_with_open_loops_and_saves_all_probes()
    {
        using var folder = new TestFolder();
        // No computer completes an I/O within a microsecond of its intended start. The first rate gives the result in a second, and it is
        // so low that no lower rate is tried.
        string[] command = ["limit", folder.GetPath("t.dat"), "--max-latency-ms", "0.001", "--max-iops", "10000", .. s_null];
        var outcome = Cli.Run([.. command, "--output", folder.GetPath("probes.json")]);
        Assert.True(outcome.ExitCode == 3, outcome.Error);
        Assert.Contains("at most about ", outcome.Error);
        // Which of the sentences appears depends on how far the probes exceeded the limit, and on how long they waited for a CPU.
        Assert.Matches(
            @"8KB random read: (no rate meets the limit \(average latency at most 0\.001 ms\)\. At 250 IOPS, (the average latency is|half of the I/Os take) [0-9.]+ ms|the highest rate that meets the limit \(average latency at most 0\.001 ms\) is unknown)",
            outcome.Error
        );
        Assert.Matches("(exceeds the limit|not rated)$", outcome.OutputLines[^1]);
        Assert.All(ResultReader.ReadFile(folder.GetPath("probes.json")), r => Assert.Equal(IoLoadModel.Open, r.LoadModel));
        using var answer = JsonDocument.Parse(Cli.Run([.. command, "--format", "json"]).Output);
        Assert.Contains(answer.RootElement[0].GetProperty("outcome").GetString(), new[] { "NeverMet", "Unknown" });
        Assert.Equal("average latency at most 0.001 ms", answer.RootElement[0].GetProperty("limit").GetString());
        Assert.Equal(250, answer.RootElement[0].GetProperty("probes")[0].GetProperty("targetIops").GetDouble());
    }

    [Theory]
    [InlineData("limit requires --max-latency-ms", "limit", "t.dat")]
    [InlineData(
        "--outstanding: 2 values were specified. Specify only one value.",
        "limit",
        "t.dat",
        "--max-latency-ms",
        "5",
        "--outstanding",
        "1,2"
    )]
    [InlineData("8KB random read does not include such I/Os", "limit", "t.dat", "--max-latency-ms", "5", "--operation", "write")]
    [InlineData("Use a value from 0.001 to 60000", "limit", "t.dat", "--max-latency-ms", "0")]
    [InlineData("'fast' is not a number", "limit", "t.dat", "--max-latency-ms", "fast")]
    [InlineData("limit requires PATH", "limit", "--max-latency-ms", "5")]
    [InlineData("--max-rounds requires --steady-state", "run", "t.dat", "--max-rounds", "9")]
    [InlineData("--max-rounds 4 is out of range. Use a value from 5 to 1000.", "run", "t.dat", "--steady-state", "--max-rounds", "4")]
    [InlineData("--steady-state and --repeat cannot be combined", "run", "t.dat", "--steady-state", "--repeat", "3")]
    [InlineData("a.csv does not exist", "run", "t.dat", "--from-file-stats", "a.csv")]
    [InlineData("no-such.csv does not exist", "run", "t.dat", "--from-file-stats", "no-such.csv,b.csv")]
    [InlineData("Remove the options for workload, block size", "run", "t.dat", "--from-file-stats", "a.csv,b.csv", "--block", "8KB")]
    [InlineData("--add requires one FOLDER", "history", "a", "b", "--add", "x.json")]
    [InlineData("'yesterday' is not a date", "history", "a", "--since", "yesterday")]
    [InlineData("cannot be combined", "compare", "x.json", "--role", "--repeat")]
    public void Invalid_option_combination_is_a_one_line_error(string message, params string[] args)
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(folder.Path, args);
        Assert.Contains(message, Assert.Single(outcome.ErrorLines));
        Assert.InRange(outcome.ExitCode, 1, 2);
        Assert.Empty(folder.ListContents());
    }

    [Fact]
    public void History_adds_results_and_reports_the_trend()
    {
        using var folder = new TestFolder();
        IoTestResult Night(int day)
        {
            var run = CreateResult(1, 1000 - 10 * day);
            run.StartTime = run.StartTime!.Value.AddDays(day);
            return run;
        }
        var first = SaveResults(folder, "a.json", [.. Enumerable.Range(0, 10).Select(Night)]);
        var kept = Cli.Run("history", folder.GetPath("kept"), "--add", first, "--metric", "IOPS", "--report", folder.GetPath("trend.xlsx"));
        Assert.True(kept.ExitCode == 0, kept.Error);
        Assert.Contains("10 results added to ", kept.Error);
        Assert.Contains("8KB random read on SQL1: worse. Over 9 days, IOPS changed gradually by -9.4%", kept.Error);
        Assert.EndsWith("worse", kept.OutputLines[^1]);
        Assert.True(File.Exists(folder.GetPath("trend.xlsx")));
        var since = Cli.Run("history", folder.GetPath("kept"), "--metric", "iops", "--since", "2026-01-18", "--format", "json");
        using var json = JsonDocument.Parse(since.Output);
        Assert.Equal("TooFew", json.RootElement[0].GetProperty("direction").GetString());
        Assert.Equal(2, json.RootElement[0].GetProperty("runs").GetInt32());
        Assert.Contains("IoBench has no trend for 'Speed'", Cli.Run("history", folder.GetPath("kept"), "--metric", "Speed").Error);
        Assert.Contains("The history contains 10 runs", Cli.Run("history", folder.GetPath("kept"), "--computer", "SQL9").Error);
        Assert.Equal(0, Cli.Run("history", folder.GetPath("kept"), "--computer", "s?l[1-3]").ExitCode);
        Assert.Matches(@"Default:\s+IOPS,AverageLatencyMs;\s+for\s+open\s+loops,\s+ResponseAverageMs", Cli.Run("history", "--help").Output);
    }

    [Fact]
    public void Compare_shows_spread_of_repeats_in_a_table()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(
            "compare",
            SaveResults(folder, "r.json", CreateResult(8, 1000, 1), CreateResult(8, 1100, 2), CreateResult(8, 1020, 3)),
            "--repeat"
        );
        Assert.Equal(0, outcome.ExitCode);
        Assert.Matches(@"^8KB random read +3 +IOPS +1,040 +1,000 +1,100 +909 +1,171$", outcome.OutputLines[2]);
        Assert.Contains("3 runs; mean 1,040 IOPS", outcome.Error);
    }

    [Fact]
    public void Steady_state_run_stops_when_steady_and_can_be_resumed()
    {
        using var folder = new TestFolder();
        var output = folder.GetPath("r.json");
        // With a target rate, the rounds become steady soon; on a busy computer, some rounds later.
        string[] command = ["run", folder.GetPath("t.dat"), "--steady-state", "--target-iops", "500", "--output", output, .. s_null];
        var outcome = Cli.Run(command);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        AssertSteady(output);
        Assert.Contains("at most about 5 seconds", outcome.Error);
        using (var writer = new StreamWriter(output + ".part"))
            ResultWriter.Write(writer, ResultReader.ReadFile(output).Take(3), ResultFormat.Json);
        File.Move(output + ".part", output, overwrite: true);
        Assert.Equal(0, Cli.Run([.. command, "--resume"]).ExitCode);
        AssertSteady(output);

        static void AssertSteady(string path)
        {
            var rounds = ResultReader.ReadFile(path).ToList();
            Assert.InRange(rounds.Count, 5, 24);
            Assert.Equal(Enumerable.Range(1, rounds.Count), rounds.Select(r => r.Repeat!.Value));
            Assert.True(Assert.Single(RepeatSummary.Summarize(rounds)).IsSteady);
        }
    }

    [Fact]
    public void Run_exits_with_3_when_results_are_worse_than_the_baseline()
    {
        using var folder = new TestFolder();
        // One thread with one I/O, so that the tests hardly wait for a CPU.
        string[] test = ["--size", "1MB", "--buffering", "both", "--threads", "1", "--qd", "1", "--duration", "200ms", "--warm-up", "0"];
        string[] command = ["run", folder.GetPath("t.dat"), "--repeat", "3", .. test];
        Assert.Equal(0, Cli.Run([.. command, "--output", folder.GetPath("now.json")]).ExitCode);
        var better = ResultReader.ReadFile(folder.GetPath("now.json")).ToList();
        better.ForEach(r => (r.IOPS, r.BandwidthMBps) = (r.IOPS * 1e3, r.BandwidthMBps * 1e3));
        var baseline = SaveResults(folder, "base.json", [.. better]);
        var missed = Cli.Run([.. command, "--baseline", baseline]);
        Assert.Equal(3, missed.ExitCode);
        Assert.Contains("): 1 of 1 test is worse.", missed.Error);
        better.ForEach(r => (r.IOPS, r.BandwidthMBps, r.AverageLatencyMs, r.P99Ms) = (1e-6, 1e-6, null, null));
        Assert.Equal(0, Cli.Run([.. command, "--baseline", SaveResults(folder, "slow.json", [.. better])]).ExitCode);
    }

    [Fact]
    public void File_size_sweep_uses_the_beginning_of_the_largest_file()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(
            "run",
            folder.GetPath("t.dat"),
            "--size",
            "4MB,1MB,2MB",
            "--duration",
            "200ms",
            "--warm-up",
            "0",
            "--output",
            folder.GetPath("r.json"),
            "--write",
            "100",
            "--verbose"
        );
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Equal([4, 1, 2], ResultReader.ReadFile(folder.GetPath("r.json")).Select(r => (int)r.FileSizeMB!.Value));
        Assert.Equal(4 << 20, new FileInfo(folder.GetPath("t.dat")).Length);
    }

    // 100 I/Os at 50 IOPS: with fewer I/Os, IoBench reports no observed latency.
    private static readonly string[] s_long = ["--buffering", "both", "--size", "8MB", "--duration", "2s", "--warm-up", "0"];

    private const string Columns =
        "database_id,file_id,sample_ms,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms,type_desc\n";

    [Fact]
    public void Captured_workload_is_run_and_compared_with_observed_latency()
    {
        using var folder = new TestFolder();
        var before = folder.WriteFile("a.csv", Columns + "5,1,1000,0,0,0,0,0,0,ROWS\n5,2,1000,0,0,0,0,0,0,LOG\n");
        var after = folder.WriteFile(
            "b.csv",
            Columns + "5,1,101000,20000,163840000,240000,0,0,0,ROWS\n5,2,101000,0,0,0,5000,20480000,4000,LOG\n"
        );
        var outcome = Cli.Run(["run", folder.GetPath("t.dat"), "--from-file-stats", $"{before},{after}", .. s_long]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Contains("own-data-read: SQL Server observed a latency of 12 ms at 200 IOPS; ", outcome.Error);
        Assert.Contains("own-log-write: SQL Server observed a latency of 0.80 ms at 50 IOPS; ", outcome.Error);
        var together = Cli.Run(["run", "--data-path", folder.GetPath("d.dat"), "--from-file-stats", $"{before},{after}", .. s_long]);
        Assert.True(together.ExitCode == 0, together.Error);
        Assert.Contains("Note: log has no path, so IoBench ignores its load.", together.Error);
        Assert.Contains("data reads: SQL Server observed a latency of 12 ms at 200 IOPS", together.Error);
    }

    [Fact]
    public void Snapshots_in_one_file_give_the_mean_and_the_busiest_window()
    {
        using var folder = new TestFolder();
        var samples = folder.WriteFile(
            "samples.csv",
            Columns + "5,1,1000,0,0,0,0,0,0,ROWS\n5,1,6000,5000,40960000,5000,0,0,0,ROWS\n5,1,101000,20000,163840000,240000,0,0,0,ROWS\n"
        );
        var outcome = Cli.Run(["run", folder.GetPath("t.dat"), "--from-file-stats", samples, .. s_long]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Contains("Captured workload of 100 s in 2 windows. For all file roles together, window 1 is the busiest.", outcome.Error);
        Assert.Contains("own-data-read: SQL Server observed a latency of 12 ms at 200 IOPS; ", outcome.Error);
        Assert.Contains("own-data-read-busiest: SQL Server observed a latency of 1.00 ms at 1,000 IOPS; ", outcome.Error);
        var one = folder.WriteFile("one.csv", Columns + "5,1,1000,0,0,0,0,0,0,ROWS\n");
        var refused = Cli.Run("run", folder.GetPath("t.dat"), "--from-file-stats", one);
        Assert.Equal(2, refused.ExitCode);
        Assert.Contains("requires two snapshots", refused.Error);
    }

    [Fact]
    public void Extended_Events_are_run_with_their_sizes_and_order()
    {
        using var folder = new TestFolder();
        var events = folder.WriteFile(
            "events.csv",
            "name,timestamp,duration,offset,database_id,file_id,size,path\n"
                + string.Concat(
                    Enumerable
                        .Range(0, 2000)
                        .Select(i =>
                            FormattableString.Invariant(
                                $"file_read_completed,2026-11-28 10:00:{i / 100:00}.{i % 100:00},12,{i * 7919L % 1000 * 65536},5,1,{(i % 2 == 0 ? 8192 : 65536)},D:\\x.mdf\n"
                            )
                        )
                )
        );
        var outcome = Cli.Run(["run", folder.GetPath("t.dat"), "--from-xevents", events, .. s_long]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Contains("data reads: 100 IOPS of 36 KB, average latency 12 ms", outcome.Error);
        Assert.Contains("100% of the I/Os of the file role, 0% sequential, block sizes 8KB:50,64KB:50.", outcome.Error);
        Assert.Contains("own-data-read: SQL Server observed a latency of 12 ms at 100 IOPS; ", outcome.Error);
        Assert.Contains(
            "--from-file-stats and --from-xevents cannot be combined",
            Cli.Run("run", "t.dat", "--from-xevents", events, "--from-file-stats", events).Error
        );
        Assert.Contains(
            "--from-xevents already specifies block sizes",
            Cli.Run("run", "t.dat", "--from-xevents", events, "--block", "8KB").Error
        );
    }

    [Theory]
    [InlineData("run", "--from-file-stats", "--help")]
    [InlineData("run", "T:\\", "--from-file-stats", "a.csv", "-h")]
    public void Help_for_from_file_stats_shows_the_query(params string[] args)
    {
        var outcome = Cli.Run(args);
        Assert.Equal(0, outcome.ExitCode);
        Assert.Contains("FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS v", outcome.Output);
        Assert.Contains("WAITFOR DELAY", outcome.Output);
    }
}
