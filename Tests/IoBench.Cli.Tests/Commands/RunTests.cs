using System.Runtime.InteropServices;
using System.Text.Json;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class RunTests
{
    private static readonly string[] s_short = ["--size", "8MB", "--duration", "200ms", "--warm-up", "0"];

    [Fact]
    public void Suite_prints_one_row_per_test_and_writes_a_workbook()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(folder.Path, ["run", "./iotest.dat", "--workload", "sql-server", "--report", "r.xlsx", .. s_short]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Equal(11, outcome.OutputLines.Length);
        Assert.StartsWith("Workload ", outcome.OutputLines[0]);
        string[] names =
        [
            "page-read-qd1",
            "page-read",
            "oltp",
            "extent-read",
            "read-ahead",
            "checkpoint",
            "log-commit",
            "log-stream",
            "tempdb",
        ];
        Assert.Equal(names, outcome.OutputLines.Skip(2).Select(line => line.Split(' ')[0]));
        Assert.All(outcome.OutputLines, line => Assert.InRange(line.Length, 1, 120));
        Assert.True(new FileInfo(folder.GetPath("r.xlsx")).Length > 1000);
        Assert.Contains("iotest.dat  8 MB  ", outcome.Error);
        Assert.Contains("iotest.dat (8 MB) is kept for the next run. To delete it: iobench remove ", outcome.Error);
        Assert.Matches("(PRELIMINARY PASS|FAIL|NOT RATED)", outcome.Error);
        Assert.DoesNotContain('\u001b', outcome.Error);
    }

    [Fact]
    public void Run_without_results_prints_no_table_header()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(
            folder.Path,
            ["run", "./iotest.dat", "--backend", OperatingSystem.IsWindows() ? "iouring" : "overlapped", .. s_short]
        );
        Assert.Contains("cannot be used", outcome.Error);
        Assert.NotEqual(0, outcome.ExitCode);
        Assert.Empty(outcome.Output);
    }

    [Fact]
    public void Json_format_prints_only_one_array_to_standard_output()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(folder.Path, ["run", ".", "--outstanding", "1,2", "--format", "json", "--label", "x", .. s_short]);
        Assert.Equal(0, outcome.ExitCode);
        using var json = JsonDocument.Parse(outcome.Output);
        Assert.Equal([1, 2], json.RootElement.EnumerateArray().Select(r => r.GetProperty("outstandingIO").GetInt32()));
        Assert.All(
            json.RootElement.EnumerateArray(),
            r =>
            {
                Assert.Equal("x", r.GetProperty("label").GetString());
                Assert.True(r.GetProperty("iops").GetDouble() > 0);
                Assert.EndsWith("iobench.dat", r.GetProperty("path").GetString());
            }
        );
    }

    [Fact]
    public void Quiet_run_prints_nothing_to_standard_error()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(folder.Path, ["run", "t.dat", "--quiet", "--remove-test-file", .. s_short]);
        Assert.True(outcome.ExitCode == 0, $"{outcome.ExitCode}\n{outcome.Error}{outcome.Output}");
        Assert.Empty(outcome.Error);
        Assert.Empty(folder.ListContents());
    }

    [LinuxFact]
    public void Default_file_size_is_announced_even_with_quiet()
    {
        using var folder = new TestFolder();
        if (new DriveInfo(folder.Path).AvailableFreeSpace < 20L << 30)
            return;
        using var process = Cli.StartProcess(folder.Path, "run", "t.dat", "--quiet");
        var line = process.StandardError.ReadLine();
        using (
            var kill = System.Diagnostics.Process.Start(
                "kill",
                ["-INT", process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]
            )
        )
            kill.WaitForExit();
        Assert.True(process.WaitForExit(120_000));
        Assert.Matches(@"^Creating .*/t\.dat: [0-9.,]+ GB, [0-9.,]+ [GT]B are free\. For another size, use --file-size\.$", line);
        Assert.Equal(130, process.ExitCode);
        Assert.Empty(folder.ListContents());
    }

    [Fact]
    public void Resume_continues_the_output_file()
    {
        using var folder = new TestFolder();
        string[] command = ["run", "t.dat", "--outstanding", "1,2,3", "--output", "night.json", .. s_short];
        Assert.Equal(0, Cli.RunProcess(folder.Path, command).ExitCode);
        var path = folder.GetPath("night.json");
        var all = ResultReader.ReadFile(path).ToList();
        Assert.Equal(3, all.Count);

        // Simulates a run that ended after its second test.
        using (var writer = new StreamWriter(path))
            ResultWriter.Write(writer, all.Take(2), ResultFormat.Json);
        Assert.Equal(2, Cli.RunProcess(folder.Path, command).ExitCode);
        var resumed = Cli.RunProcess(folder.Path, [.. command, "--resume"]);
        Assert.Equal(0, resumed.ExitCode);
        Assert.Equal(3, resumed.OutputLines.Length);
        Assert.Equal([all[0].RunId, all[1].RunId], ResultReader.ReadFile(path).Take(2).Select(r => r.RunId));
        Assert.Equal([1, 2, 3], ResultReader.ReadFile(path).Select(r => r.OutstandingIO));

        var nothing = Cli.RunProcess(folder.Path, [.. command, "--resume"]);
        Assert.Equal(0, nothing.ExitCode);
        Assert.Contains("so there is nothing to run", nothing.Error);
    }

    [Theory]
    [InlineData("csv")]
    [InlineData("sqlio")]
    public void Output_formats_can_be_read_back(string format)
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(folder.Path, ["run", "t.dat", "--format", format, "--output", "r.json", .. s_short]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        var original = ResultReader.ReadFile(folder.GetPath("r.json")).Single();
        var read = ResultReader.ReadFile(folder.WriteFile("r.txt", outcome.Output)).Single();
        Assert.Equal(original.IOPS!.Value, read.IOPS!.Value, 0.01);
        Assert.Equal(original.IOPattern, read.IOPattern);
    }

    [Fact]
    public void Histogram_is_printed_below_the_result_row()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(folder.Path, ["run", "t.dat", "--histogram", .. s_short]);
        Assert.Contains("4 threads x 8 outstanding, 0.2 s", outcome.Output);
        Assert.Contains("latency (ms)   min ", outcome.Output);
        Assert.Contains(" | #", outcome.Output);
    }

    [Fact]
    public void Heat_map_is_printed_below_the_table()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(
            folder.Path,
            [
                "run",
                "t.dat",
                "--size",
                "8MB",
                "--duration",
                "500ms",
                "--warm-up",
                "0",
                "--heatmap",
                "--timeline-interval",
                "50ms",
                "--output",
                "r.json",
            ]
        );
        Assert.Contains("latency (ms) |0 s ", outcome.Output);
        Assert.Contains(" 0.5 s|", outcome.Output);
        // Import prints the same map; with JSON output it goes to standard error.
        var again = Cli.RunProcess(folder.Path, ["import", "r.json", "--heatmap", "--format", "json"]);
        Assert.Equal(0, again.ExitCode);
        Assert.Contains("latency (ms) |0 s ", again.Error);
        Assert.StartsWith("[", again.Output);
        Assert.DoesNotContain("latency (ms)", again.Output);
    }

    [Fact]
    public void Heat_map_requires_at_least_5_intervals()
    {
        using var folder = new TestFolder();
        Assert.Contains(
            "A heat map requires an IoBench test with at least 5 intervals",
            Cli.RunProcess(folder.Path, ["run", "t.dat", "--heatmap", .. s_short]).Output
        );
    }

    [Fact]
    public void Run_and_test_exit_with_3_when_a_rule_fails()
    {
        using var folder = new TestFolder();
        var impossible = folder.WriteFile(
            "rules.json",
            """{ "name": "impossible", "rules": [ { "workload": "log-commit", "minIOPS": 1000000000 } ] }"""
        );
        // Long enough for a commit on a busy device.
        string[] size = ["--size", "8MB", "--duration", "3s", "--warm-up", "0"];
        var missed = Cli.RunProcess(
            folder.Path,
            ["run", "t.dat", "--workload", "log-commit", "--require", impossible, "--output", "r.json", .. size]
        );
        Assert.Equal(3, missed.ExitCode);
        Assert.Matches(
            @"FAIL \(critical; rule set impossible\): log-commit: [0-9,.]+ IOPS; limit at least 1,000,000,000 IOPS\.",
            missed.Error
        );
        Assert.DoesNotContain("rule set flash", missed.Error);

        var easy = folder.WriteFile("easy.json", """{ "name": "easy", "rules": [ { "workload": "log-commit", "minIOPS": 1 } ] }""");
        Assert.Equal(0, Cli.Run("test", folder.GetPath("r.json"), "--require", easy).ExitCode);
        var judged = Cli.Run("test", folder.GetPath("r.json"), "--require", impossible);
        Assert.Equal(3, judged.ExitCode);
        Assert.Contains("fail (critical)", judged.Output);
    }

    [Fact]
    public void Run_refuses_an_unknown_rule_set_before_the_test()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(["run", folder.GetPath("t.dat"), "--require", "ms-1999", .. s_short]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("neither a rule set nor a file", Assert.Single(outcome.ErrorLines));
        Assert.Empty(folder.ListContents());
    }

    [Fact]
    public async Task Canceled_run_saves_and_prints_finished_tests()
    {
        using var folder = new TestFolder();
        // The first test is over quickly. The second test runs until it is canceled.
        using var process = Cli.StartProcess(
            folder.Path,
            "run",
            "t.dat",
            "--workload",
            "log-commit,page-read",
            "--size",
            "8MB",
            "--duration",
            "2",
            "--warm-up",
            "0",
            "--repeat",
            "50",
            "--output",
            "r.json"
        );
        var error = process.StandardError.ReadToEndAsync();
        string? line;
        do
        {
            line = process.StandardOutput.ReadLine();
        } while (line is not null && !line.StartsWith("log-commit", StringComparison.Ordinal));
        Assert.NotNull(line);
        Assert.Equal(0, SendSignal(process.Id, 2));
        await process.WaitForExitAsync();
        Assert.Equal(130, process.ExitCode);
        Assert.Contains("iobench: Canceled.", await error);
        Assert.Contains("saved in r.json", await error);
        var saved = ResultReader.ReadFile(folder.GetPath("r.json")).ToList();
        Assert.Equal(IoResultStatus.Complete, saved[0].Status);
        Assert.Empty(Directory.GetFiles(folder.Path, "*.tmp"));
    }

    [DllImport("libc", EntryPoint = "kill")]
    private static extern int SendSignal(int process, int signal);
}
