using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class WordsTests
{
    private static readonly string s_threeFiles = Samples.Path("documents", "reads-8k-random-3-files.txt");
    private static readonly string[] s_short = ["--size", "8MB", "--duration", "300ms", "--warm-up", "0"];

    private static string Write(TestFolder folder, string name, params IoTestResult[] results)
    {
        using (var writer = new StreamWriter(folder.File(name)))
            ResultWriter.Write(writer, results, ResultFormat.Json);
        return folder.File(name);
    }

    private static IoTestResult LogCommit(double ms, double sizeMB = 20480) =>
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
    public void A_size_without_a_unit_gets_the_advice_that_was_meant(string size, string meant)
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("run", folder.File("t.dat"), "--size", size);
        Assert.Equal(2, outcome.ExitCode);
        Assert.EndsWith(
            $"size {size}: {size} bytes: did you mean {meant}? A bare number is bytes.",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.Empty(folder.Listing());
    }

    [Fact]
    public void Notes_of_imported_files_keep_their_file_and_are_one_line_per_kind()
    {
        using var folder = new TestFolder();
        foreach (var name in new[] { "a", "b", "c", "d", "e" })
        {
            var run = LogCommit(1);
            run.SourceFile = folder.File(name + ".txt");
            run.Warnings.Add($"line {name[0] - 90}: the block size is not known.");
            Write(folder, name + ".json", run);
        }
        var outcome = Cli.Run("import", folder.Path);
        Assert.Equal(
            "Note (5 times): a.txt, b.txt, c.txt and 2 more files: line 7: the block size is not known.",
            Assert.Single(outcome.ErrorLines)
        );
        Assert.Empty(Cli.Run("import", folder.Path, "--quiet").Error);
        Assert.Equal(
            "Note: a.txt: line 7: the block size is not known.",
            Assert.Single(Cli.Run("import", folder.File("a.json")).ErrorLines)
        );
    }

    [Fact]
    public void Notes_of_imported_results_name_options_as_the_program_spells_them()
    {
        using var folder = new TestFolder();
        var run = LogCommit(1);
        run.AddWarning(new IoWarning(WarningCodes.StorageCache, $"the cache may answer; give {Opt.StorageCacheSize}."));
        Assert.EndsWith(
            "the cache may answer; give --storage-cache-size.",
            Assert.Single(Cli.Run("import", Write(folder, "a.json", run)).ErrorLines),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("sqlio", "-?")]
    [InlineData("diskspd", "-?")]
    public void A_help_text_among_results_is_a_note_and_no_failure(params string[] help)
    {
        using var folder = new TestFolder();
        File.Copy(s_threeFiles, folder.File("results.txt"));
        var text = Cli.Run(help);
        folder.Write("help.txt", help[0] == "sqlio" ? "sqlio v1.5.SG\n" + text.Output : text.Output);
        var outcome = Cli.Run("import", folder.Path);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Equal(5, outcome.OutputLines.Length);
        Assert.All(outcome.ErrorLines, line => Assert.StartsWith("Note: ", line));
    }

    [Fact]
    public void Several_help_texts_are_one_note()
    {
        using var folder = new TestFolder();
        File.Copy(s_threeFiles, folder.File("results.txt"));
        var help = "sqlio v1.5.SG\n" + Cli.Run("sqlio", "-?").Output;
        foreach (var name in new[] { "a.txt", "b.txt", "c.txt", "d.txt" })
            folder.Write(name, help);
        var outcome = Cli.Run("import", folder.Path);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Matches(
            @"^Note: 4 files are left out, tools' output that holds no run: \S+a\.txt, \S+b\.txt, \S+c\.txt and 1 more\.$",
            Assert.Single(outcome.ErrorLines)
        );
    }

    [Fact]
    public void A_latency_in_a_sentence_has_no_more_digits_than_it_is_worth()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("test", Write(folder, "r.json", LogCommit(1157.924)), "--require", "flash");
        Assert.Contains("1,158 ms", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("1157.9", outcome.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_sentence_names_a_figure_as_people_do()
    {
        using var folder = new TestFolder();
        var run = LogCommit(0.5);
        run.P99Ms = null;
        var file = Write(folder, "r.json", run);
        Assert.Contains(
            "the result has no 99th percentile",
            Cli.Run("test", file, "--require", "flash", "--format", "json").Output,
            StringComparison.Ordinal
        );
        var table = Cli.Run("test", file, "--require", "flash");
        Assert.DoesNotContain("P99Ms", table.Output + table.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Throughput_is_MiB_and_MB_where_pictures_of_other_tools_are_compared()
    {
        using var folder = new TestFolder();
        var file = Write(
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
        var si = Cli.Run("import", file, "--units", "si", "--report", folder.File("r.html"));
        Assert.Contains(" MB/s ", si.OutputLines[0], StringComparison.Ordinal);
        Assert.Contains(" 1,048.6 ", si.OutputLines[2], StringComparison.Ordinal);
        Assert.Contains("1,049 MB/s", File.ReadAllText(folder.File("r.html")), StringComparison.Ordinal);
        // Machine-readable formats do not change, and the option does not affect the next call.
        Assert.Contains(
            "\"bandwidthMBps\": 1000",
            Cli.Run("import", file, "--units", "si", "--format", "json").Output,
            StringComparison.Ordinal
        );
        Assert.Contains(" MiB/s ", Cli.Run("import", file).OutputLines[0], StringComparison.Ordinal);
    }

    [Fact]
    public void A_sweeps_knee_is_told_in_the_units_that_were_asked_for()
    {
        using var folder = new TestFolder();
        var file = Write(
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
    public void Several_rule_sets_judge_together()
    {
        using var folder = new TestFolder();
        var file = Write(folder, "r.json", LogCommit(2.05));
        var both = Cli.Run("test", file, "--require", "flash,hard-limits");
        Assert.Contains("Rule set flash, hard-limits", both.Error, StringComparison.Ordinal);
        var (one, other) = (Cli.Run("test", file, "--require", "flash"), Cli.Run("test", file, "--require", "hard-limits"));
        Assert.Equal(one.OutputLines.Length + other.OutputLines.Length - 2, both.OutputLines.Length);
        Assert.Equal(2, Cli.Run("test", file, "--require", "flash,none-such").ExitCode);
    }

    [Fact]
    public void The_kind_of_storage_judges_and_is_said_on_every_surface()
    {
        using var folder = new TestFolder();
        var file = Write(folder, "r.json", LogCommit(2.05));
        Assert.Contains("storage: flash, assumed", Cli.Run("test", file).Error, StringComparison.Ordinal);
        Assert.Contains("Rule set hdd (storage: hdd)", Cli.Run("test", file, "--storage", "hdd").Error, StringComparison.Ordinal);
        foreach (var (command, name) in new[] { ("report", "a.html"), ("import", "b.html") })
        {
            Assert.Equal(0, Cli.Run(command, file, "--storage", "cloud", "--report", folder.File(name)).ExitCode);
            Assert.Contains("Storage: cloud.", File.ReadAllText(folder.File(name)), StringComparison.Ordinal);
        }
        var wrong = Cli.Run("test", file, "--storage", "tape");
        Assert.Equal("iobench: --storage: 'tape' is not one of flash, hdd, cloud.", Assert.Single(wrong.ErrorLines));
    }

    [Fact]
    public void A_run_says_what_was_there_already_and_nothing_when_it_is_quiet()
    {
        using var folder = new TestFolder();
        string[] run = ["run", "t.dat", "--outstanding", "1,2", "--output", "r.json", .. s_short];
        Assert.Equal(0, Cli.Execute(folder.Path, [.. run[..2], "--outstanding", "1", "--output", "r.json", .. s_short]).ExitCode);
        var more = Cli.Execute(folder.Path, [.. run, "--resume"]);
        Assert.Contains("1 of 2 tests is there already; 1 is left to run.", more.ErrorLines);
        var mixed = Cli.Execute(folder.Path, [.. run, "--outstanding", "4", "--duration", "400ms", "--resume"]);
        Assert.Equal(2, mixed.ExitCode);
        var quiet = Cli.Execute(folder.Path, ["run", "t.dat", "--require", "flash", "--quiet", .. s_short]);
        Assert.DoesNotContain(quiet.ErrorLines, line => line.StartsWith("Note", StringComparison.Ordinal));
    }

    [Fact]
    public void The_same_note_of_several_tests_is_one_line_with_a_count()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Execute(
            folder.Path,
            ["run", "t.dat", "--outstanding", "1,2,4", "--duration", "300ms", "--size", "8MB", "--warm-up", "0"]
        );
        Assert.Equal(0, outcome.ExitCode);
        Assert.Single(outcome.ErrorLines, line => line.Contains("cache may answer", StringComparison.Ordinal));
        Assert.Contains(outcome.ErrorLines, line => line.StartsWith("Note (all 3 tests): With 8 MB", StringComparison.Ordinal));
    }

    [Fact]
    public void An_offer_that_was_bought_is_the_headline_of_the_report()
    {
        using var folder = new TestFolder();
        var runs = (from size in new[] { 8, 64, 256 } from load in new[] { 32, 128 } select CapRun(size, load, 4998)).ToArray();
        var file = Write(folder, "cap.json", runs);
        var outcome = Cli.Run("report", file, "--specification", "azure:P30", "--output", folder.File("r.html"));
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        var page = System.Net.WebUtility.HtmlDecode(File.ReadAllText(folder.File("r.html")));
        Assert.Contains("That is the IOPS limit of azure:P30 (5,000 IOPS).", page, StringComparison.Ordinal);
        Assert.Contains("more than a year old", page, StringComparison.Ordinal);
        Assert.Equal(2, Cli.Run("report", file, "--specification", "azure:P31", "--output", folder.File("s.html")).ExitCode);
    }

    private static IoTestResult CapRun(int kilobytes, int load, double iops) =>
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
