using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class CliMessageTests
{
    private static readonly string s_threeFiles = SampleFiles.GetPath("documents", "reads-8k-random-3-files.txt");
    private static readonly string[] s_short = ["--size", "8MB", "--duration", "300ms", "--warm-up", "0"];

    private static string SaveResults(TestFolder folder, string name, params IoTestResult[] results)
    {
        using (var writer = new StreamWriter(folder.GetPath(name)))
            ResultWriter.Write(writer, results, ResultFormat.Json);
        return folder.GetPath(name);
    }

    private static IoTestResult CreateLogCommitResult(double ms, double sizeMB = 20480) =>
        new()
        {
            Status = IoResultStatus.Complete,
            Workload = "log-commit",
            IOPattern = "4KB interlocked write",
            Operation = IoOperation.Write,
            AccessPattern = IoAccessPattern.Interlocked,
            BlockSizeKB = 4,
            ThreadCount = 1,
            OutstandingIO = 1,
            TotalOutstanding = 1,
            WritePercent = 100,
            LoadModel = IoLoadModel.Closed,
            Path = "L:\\iobench.dat",
            FileSizeMB = sizeMB,
            DurationSeconds = 30,
            IOPS = 1000 / ms,
            BandwidthMBps = 1000 / ms * 4 / 1024,
            AverageLatencyMs = ms,
            P99Ms = ms * 2,
            MaxLatencyMs = ms * 10,
        };

    [Theory]
    [InlineData("256", "256MB")]
    [InlineData("1024", "1024MB")]
    public void Size_without_a_unit_suggests_MB(string size, string meant)
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("run", folder.GetPath("t.dat"), "--size", size);
        Assert.Equal(2, outcome.ExitCode);
        Assert.EndsWith(
            $"size {size}: a number without a unit is in bytes. Did you mean {meant}? [IoBench.InvalidSize]",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.Empty(folder.ListContents());
    }

    [Fact]
    public void Import_groups_equal_warnings_and_names_their_files()
    {
        using var folder = new TestFolder();
        foreach (var name in new[] { "a", "b", "c", "d", "e" })
        {
            var run = CreateLogCommitResult(1);
            run.SourceFile = folder.GetPath(name + ".txt");
            run.Warnings.Add($"line {name[0] - 90}: the block size is not known.");
            SaveResults(folder, name + ".json", run);
        }
        var outcome = Cli.Run("import", folder.Path);
        Assert.Equal(
            "Note (5 times): a.txt, b.txt, c.txt and 2 more files: line 7: the block size is not known.",
            Assert.Single(outcome.ErrorLines)
        );
        Assert.Empty(Cli.Run("import", folder.Path, "--quiet").Error);
        Assert.Equal(
            "Note: a.txt: line 7: the block size is not known.",
            Assert.Single(Cli.Run("import", folder.GetPath("a.json")).ErrorLines)
        );
    }

    [Fact]
    public void Import_warnings_use_the_CLI_spelling_of_options()
    {
        using var folder = new TestFolder();
        var run = CreateLogCommitResult(1);
        run.AddWarning(new IoWarning(WarningCodes.StorageCache, $"the cache may answer; give {OptionNames.StorageCacheSize}."));
        Assert.EndsWith(
            "the cache may answer; give --storage-cache-size.",
            Assert.Single(Cli.Run("import", SaveResults(folder, "a.json", run)).ErrorLines),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("sqlio", "-?")]
    [InlineData("diskspd", "-?")]
    public void Import_skips_help_output_with_a_warning(params string[] help)
    {
        using var folder = new TestFolder();
        File.Copy(s_threeFiles, folder.GetPath("results.txt"));
        var text = Cli.Run(help);
        folder.WriteFile("help.txt", help[0] == "sqlio" ? "sqlio v1.5.SG\n" + text.Output : text.Output);
        var outcome = Cli.Run("import", folder.Path);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Equal(5, outcome.OutputLines.Length);
        Assert.All(outcome.ErrorLines, line => Assert.StartsWith("Note: ", line));
    }

    [Fact]
    public void Import_reports_several_skipped_files_in_one_line()
    {
        using var folder = new TestFolder();
        File.Copy(s_threeFiles, folder.GetPath("results.txt"));
        var help = "sqlio v1.5.SG\n" + Cli.Run("sqlio", "-?").Output;
        foreach (var name in new[] { "a.txt", "b.txt", "c.txt", "d.txt" })
            folder.WriteFile(name, help);
        var outcome = Cli.Run("import", folder.Path);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Matches(
            @"^Note: \S+: 3 results from 1 file\. Skipped: 4 with only help text or command lines \(a\.txt, b\.txt, c\.txt and 1 more\)\.$",
            Assert.Single(outcome.ErrorLines)
        );
    }

    [Fact]
    public void Large_latency_in_a_message_is_rounded_to_whole_milliseconds()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("test", SaveResults(folder, "r.json", CreateLogCommitResult(1157.924)), "--require", "flash");
        Assert.Contains("1,158 ms", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("1157.9", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Messages_use_display_names_of_metrics()
    {
        using var folder = new TestFolder();
        var run = CreateLogCommitResult(0.5);
        run.P99Ms = null;
        var file = SaveResults(folder, "r.json", run);
        Assert.Contains(
            "the result has no p99 latency",
            Cli.Run("test", file, "--require", "flash", "--format", "json").Output,
            StringComparison.Ordinal
        );
        var table = Cli.Run("test", file, "--require", "flash");
        Assert.DoesNotContain("P99Ms", table.Output + table.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Units_option_switches_throughput_from_MiB_to_MB()
    {
        using var folder = new TestFolder();
        var file = SaveResults(
            folder,
            "r.json",
            new IoTestResult
            {
                Status = IoResultStatus.Complete,
                Workload = "read-ahead",
                IOPattern = "512KB interlocked read",
                Operation = IoOperation.Read,
                AccessPattern = IoAccessPattern.Interlocked,
                BlockSizeKB = 512,
                ThreadCount = 2,
                OutstandingIO = 8,
                TotalOutstanding = 16,
                WritePercent = 0,
                LoadModel = IoLoadModel.Closed,
                Path = "D:\\iobench.dat",
                FileSizeMB = 20480,
                DurationSeconds = 30,
                IOPS = 2000,
                BandwidthMBps = 1000,
                AverageLatencyMs = 8,
                MaxLatencyMs = 40,
            }
        );
        var binary = Cli.Run("import", file);
        Assert.Contains(" MiB/s ", binary.OutputLines[0], StringComparison.Ordinal);
        Assert.Contains(" 1,000.0 ", binary.OutputLines[2], StringComparison.Ordinal);
        var si = Cli.Run("import", file, "--units", "si", "--report", folder.GetPath("r.html"));
        Assert.Contains(" MB/s ", si.OutputLines[0], StringComparison.Ordinal);
        Assert.Contains(" 1,048.6 ", si.OutputLines[2], StringComparison.Ordinal);
        Assert.Contains("1,049 MB/s", File.ReadAllText(folder.GetPath("r.html")), StringComparison.Ordinal);
        // Machine-readable formats do not change, and the option does not affect the next call.
        Assert.Contains(
            "\"bandwidthMBps\": 1000",
            Cli.Run("import", file, "--units", "si", "--format", "json").Output,
            StringComparison.Ordinal
        );
        Assert.Contains(" MiB/s ", Cli.Run("import", file).OutputLines[0], StringComparison.Ordinal);
    }

    [Fact]
    public void Saturation_shows_throughput_in_the_selected_units()
    {
        using var folder = new TestFolder();
        var file = SaveResults(
            folder,
            "sweep.json",
            [
                .. new[] { 1, 2, 4, 8 }.Select(load => new IoTestResult
                {
                    Status = IoResultStatus.Complete,
                    IOPattern = "8KB random read",
                    Operation = IoOperation.Read,
                    AccessPattern = IoAccessPattern.Random,
                    BlockSizeKB = 8,
                    ThreadCount = 1,
                    OutstandingIO = load,
                    TotalOutstanding = load,
                    LoadModel = IoLoadModel.Closed,
                    Path = "D:\\iobench.dat",
                    DurationSeconds = 30,
                    IOPS = Math.Min(load, 2) * 64000,
                    BandwidthMBps = Math.Min(load, 2) * 500,
                    AverageLatencyMs = load / (Math.Min(load, 2) * 64.0),
                }),
            ]
        );
        Assert.Contains("MiB/s", Cli.Run("saturation", file).Output, StringComparison.Ordinal);
        var si = Cli.Run("saturation", file, "--units", "si").Output;
        Assert.Contains(" MB/s ", si, StringComparison.Ordinal);
        Assert.Contains(" 1,048.6 ", si, StringComparison.Ordinal);
    }

    [Fact]
    public void Test_combines_several_rule_sets()
    {
        using var folder = new TestFolder();
        var file = SaveResults(folder, "r.json", CreateLogCommitResult(2.05));
        var both = Cli.Run("test", file, "--require", "flash,hard-limits");
        Assert.Contains("Rule set flash, hard-limits", both.Error, StringComparison.Ordinal);
        var (one, other) = (Cli.Run("test", file, "--require", "flash"), Cli.Run("test", file, "--require", "hard-limits"));
        Assert.Equal(one.OutputLines.Length + other.OutputLines.Length - 2, both.OutputLines.Length);
        Assert.Equal(2, Cli.Run("test", file, "--require", "flash,none-such").ExitCode);
    }

    [Fact]
    public void Storage_option_selects_the_rule_set_and_is_shown_everywhere()
    {
        using var folder = new TestFolder();
        var file = SaveResults(folder, "r.json", CreateLogCommitResult(2.05));
        Assert.Contains("storage type: flash, assumed", Cli.Run("test", file).Error, StringComparison.Ordinal);
        Assert.Contains("Rule set hdd (storage type: hdd)", Cli.Run("test", file, "--storage", "hdd").Error, StringComparison.Ordinal);
        foreach (var (command, name) in new[] { ("report", "a.html"), ("import", "b.html") })
        {
            Assert.Equal(0, Cli.Run(command, file, "--storage", "cloud", "--report", folder.GetPath(name)).ExitCode);
            Assert.Contains("Storage type: cloud.", File.ReadAllText(folder.GetPath(name)), StringComparison.Ordinal);
        }
        var wrong = Cli.Run("test", file, "--storage", "tape");
        Assert.Equal("iobench: --storage: 'tape' is not one of flash, hdd, cloud. [IoBench.InvalidName]", Assert.Single(wrong.ErrorLines));
    }

    [Fact]
    public void Resume_reports_existing_tests_and_quiet_hides_warnings()
    {
        using var folder = new TestFolder();
        string[] run = ["run", "t.dat", "--outstanding", "1,2", "--output", "r.json", .. s_short];
        Assert.Equal(0, Cli.RunProcess(folder.Path, [.. run[..2], "--outstanding", "1", "--output", "r.json", .. s_short]).ExitCode);
        var more = Cli.RunProcess(folder.Path, [.. run, "--resume"]);
        Assert.Contains("The output contains the results of 1 of 2 tests. IoBench runs the other one.", more.ErrorLines);
        var mixed = Cli.RunProcess(folder.Path, [.. run, "--outstanding", "4", "--duration", "400ms", "--resume"]);
        Assert.Equal(2, mixed.ExitCode);
        var quiet = Cli.RunProcess(folder.Path, ["run", "t.dat", "--require", "flash", "--quiet", .. s_short]);
        Assert.DoesNotContain(
            quiet.ErrorLines,
            line => line.StartsWith("Note", StringComparison.Ordinal) || line.StartsWith("Warning", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Equal_warnings_of_several_tests_are_one_line_with_a_count()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(
            folder.Path,
            ["run", "t.dat", "--outstanding", "1,2,4", "--duration", "300ms", "--size", "8MB", "--warm-up", "0"]
        );
        Assert.Equal(0, outcome.ExitCode);
        Assert.Single(outcome.ErrorLines, line => line.Contains("might fit into a cache", StringComparison.Ordinal));
        Assert.Contains(outcome.ErrorLines, line => line.StartsWith("Warning (all 3 tests): The 8 MB test file", StringComparison.Ordinal));
    }

    [Fact]
    public void Report_headline_names_the_provisioned_storage_limit()
    {
        using var folder = new TestFolder();
        var runs = (from size in new[] { 8, 64, 256 } from load in new[] { 32, 128 } select CreateCapResult(size, load, 4998)).ToArray();
        var file = SaveResults(folder, "cap.json", runs);
        var outcome = Cli.Run("report", file, "--provisioned", "azure:P30", "--output", folder.GetPath("r.html"));
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        var page = System.Net.WebUtility.HtmlDecode(File.ReadAllText(folder.GetPath("r.html")));
        Assert.Contains("The rate matches the IOPS limit of azure:P30 (5,000 IOPS).", page, StringComparison.Ordinal);
        Assert.Contains("more than one year ago", page, StringComparison.Ordinal);
        Assert.Equal(2, Cli.Run("report", file, "--specification", "azure:P31", "--output", folder.GetPath("s.html")).ExitCode);
    }

    private static IoTestResult CreateCapResult(int kilobytes, int load, double iops) =>
        new()
        {
            Status = IoResultStatus.Complete,
            Workload = "find-cap",
            IOPattern = $"{kilobytes}KB random read",
            Operation = IoOperation.Read,
            AccessPattern = IoAccessPattern.Random,
            BlockSizeKB = kilobytes,
            ThreadCount = 4,
            OutstandingIO = load / 4,
            TotalOutstanding = load,
            WritePercent = 0,
            LoadModel = IoLoadModel.Closed,
            Path = "D:\\iobench.dat",
            FileSizeMB = 20480,
            DurationSeconds = 20,
            IOPS = iops,
            BandwidthMBps = iops * kilobytes / 1024,
            AverageLatencyMs = load / iops * 1000,
            IopsStdDev = 2,
            Timeline =
            [
                .. Enumerable
                    .Range(1, 20)
                    .Select(second => new IoTimelinePoint
                    {
                        Seconds = second,
                        IOPS = iops + second % 3,
                        MBps = iops * kilobytes / 1024,
                    }),
            ],
        };
}
