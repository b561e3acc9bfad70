using System.Text.Json;

namespace IoBench.Cli.Tests;

public class ImportTests
{
    private static readonly string s_threeFiles = SampleFiles.GetPath("documents", "reads-8k-random-3-files.txt");

    [Fact]
    public void Import_prints_SQLIO_results_as_a_table()
    {
        var outcome = Cli.Run("import", s_threeFiles);
        Assert.Equal(0, outcome.ExitCode);
        Assert.Equal(5, outcome.OutputLines.Length);
        Assert.Matches(
            @"^O:\\SQLIOMP\\Disk1\\testfile\.dat +8KB random read +48 +8 +90 GB +121\.1 +15,504 +24 +4,887$",
            outcome.OutputLines[2]
        );
    }

    [Fact]
    public void Import_of_several_files_prints_one_table_with_their_names()
    {
        var outcome = Cli.Run("import", s_threeFiles, SampleFiles.GetPath("documents", "write-8k-sequential-BN.txt"));
        Assert.Equal(0, outcome.ExitCode);
        Assert.Equal(6, outcome.OutputLines.Length);
        Assert.StartsWith("File ", outcome.OutputLines[0], StringComparison.Ordinal);
        Assert.StartsWith("reads-8k-", outcome.OutputLines[2], StringComparison.Ordinal);
        Assert.StartsWith("write-8k-", outcome.OutputLines[5], StringComparison.Ordinal);
    }

    [Fact]
    public void Import_prints_SQLIO_results_as_JSON()
    {
        using var json = JsonDocument.Parse(Cli.Run("import", s_threeFiles, "--format", "json").Output);
        double[] Values(string name) => [.. json.RootElement.EnumerateArray().Select(r => r.GetProperty(name).GetDouble())];
        Assert.Equal([15504.09, 18325.52, 191786.53], Values("iops"));
        Assert.Equal([121.12, 143.16, 1498.33], Values("bandwidthMBps"));
        Assert.Equal([24, 20, 1], Values("averageLatencyMs"));
        Assert.Equal([48, 48, 40], Values("threadCount"));
    }

    [Fact]
    public void Import_of_a_folder_writes_a_report_with_file_name_labels()
    {
        using var folder = new TestFolder();
        Directory.CreateDirectory(folder.GetPath("old/2014"));
        File.Copy(s_threeFiles, folder.GetPath("old/2014/Reads.txt"));
        Assert.Contains("--recurse", Assert.Single(Cli.Run("import", folder.GetPath("old")).ErrorLines));
        var outcome = Cli.Run(
            "import",
            folder.GetPath("old"),
            "--recurse",
            "--label-from",
            "FileName",
            "--report",
            folder.GetPath("r.xlsx"),
            "--output",
            folder.GetPath("r.csv")
        );
        Assert.Equal(0, outcome.ExitCode);
        Assert.Equal(5, outcome.OutputLines.Length);
        Assert.Contains("Reads", outcome.OutputLines[2]);
        Assert.True(new FileInfo(folder.GetPath("r.xlsx")).Length > 1000);
        Assert.Equal(4, File.ReadAllLines(folder.GetPath("r.csv")).Length);
    }

    [Fact]
    public void Import_takes_labels_from_folder_names()
    {
        using var folder = new TestFolder();
        Directory.CreateDirectory(folder.GetPath("old/2014"));
        File.Copy(s_threeFiles, folder.GetPath("old/2014/Reads.txt"));
        Cli.Run("import", folder.GetPath("old"), "--recurse", "--label-from", "folder", "--output", folder.GetPath("r.csv"));
        Assert.All(File.ReadAllLines(folder.GetPath("r.csv")).Skip(1), line => Assert.Contains(",2014,", line));
    }

    [Fact]
    public void Report_writes_an_SVG_image_for_the_svg_extension()
    {
        using var folder = new TestFolder();

        Assert.Equal(0, Cli.Run("report", s_threeFiles, "--output", folder.GetPath("card.svg")).ExitCode);

        Assert.StartsWith("<svg", File.ReadAllText(folder.GetPath("card.svg")), StringComparison.Ordinal);
    }

    [Fact]
    public void Report_replaces_an_existing_workbook_only_with_force()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("report", s_threeFiles, "--output", folder.GetPath("r.xlsx"), "--title", "SAN 2014");
        Assert.Equal(0, outcome.ExitCode);
        Assert.Empty(outcome.Output);
        Assert.True(new FileInfo(folder.GetPath("r.xlsx")).Length > 1000);
        Assert.Equal(2, Cli.Run("report", s_threeFiles, "--output", folder.GetPath("r.xlsx")).ExitCode);
        Assert.Equal(0, Cli.Run("report", s_threeFiles, "--output", folder.GetPath("r.xlsx"), "--force").ExitCode);
    }

    [Fact]
    public void Import_reports_unreadable_files_and_reads_the_others()
    {
        using var folder = new TestFolder();
        File.WriteAllBytes(folder.GetPath("binary.txt"), [.. Enumerable.Range(0, 4096).Select(i => (byte)(i * 7))]);
        var outcome = Cli.Run(
            "import",
            folder.GetPath("missing.txt"),
            folder.WriteFile("empty.txt", ""),
            folder.GetPath("binary.txt"),
            folder.WriteFile("prose.txt", "Dear diary,\ntoday\n"),
            s_threeFiles
        );
        Assert.NotEqual(0, outcome.ExitCode);
        Assert.Equal(4, outcome.ErrorLines.Length);
        Assert.All(outcome.ErrorLines, line => Assert.StartsWith("iobench: ", line));
        Assert.Equal(5, outcome.OutputLines.Length);
    }

    [Theory]
    [InlineData("missing.txt", null)]
    [InlineData("empty.txt", "")]
    [InlineData("prose.txt", "Dear diary,\ntoday it rained.\n")]
    public void Import_reports_a_single_unreadable_file_in_one_line(string name, string? content)
    {
        using var folder = new TestFolder();
        if (content is not null)
            folder.WriteFile(name, content);
        var outcome = Cli.Run("import", folder.GetPath(name));
        Assert.NotEqual(0, outcome.ExitCode);
        Assert.Contains(name, Assert.Single(outcome.ErrorLines));
        Assert.Empty(outcome.Output);
    }

    [Fact]
    public void Import_marks_a_truncated_run_as_incomplete()
    {
        using var folder = new TestFolder();
        var lines = File.ReadAllLines(s_threeFiles);
        var outcome = Cli.Run("import", folder.WriteFile("cut.txt", string.Join('\n', lines.Take(30))));
        Assert.Equal(4, outcome.OutputLines.Length);
        Assert.EndsWith("incomplete", outcome.OutputLines[3]);
        Assert.Equal(1, outcome.ExitCode);
        var error = Assert.Single(outcome.ErrorLines);
        Assert.Contains("cut.txt: line 30: the output of the run ends before its results", error);
        Assert.Contains("Run the test again", error);
    }

    [Fact]
    public void Import_reports_why_a_run_was_interrupted()
    {
        var outcome = Cli.Run("import", SampleFiles.GetPath("diskspd-runs", "v22-err-toobig.out"));
        Assert.Contains(
            "v22-err-toobig.out: The test was interrupted before the measurements began.",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.Equal(1, outcome.ExitCode);
    }

    [Fact]
    public void Import_of_a_folder_without_results_names_supported_tools()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("import", folder.Path);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains(
            "contains no output of SQLIO, DiskSpd, fio, CrystalDiskMark, KDiskMark, or VMFleet",
            Assert.Single(outcome.ErrorLines)
        );
    }

    [Fact]
    public void Compare_uses_a_label_or_a_file_as_baseline()
    {
        using var folder = new TestFolder();
        // Three times the same runs: single runs do not tell a change from chance.
        Cli.Run("import", s_threeFiles, s_threeFiles, s_threeFiles, "--label", "old", "--output", folder.GetPath("old.json"));
        var slower = File.ReadAllText(folder.GetPath("old.json"))
            .Replace("15504.09", "9504.09", StringComparison.Ordinal)
            .Replace("\"old\"", "\"new\"", StringComparison.Ordinal);
        var outcome = Cli.Run("compare", folder.GetPath("old.json"), folder.WriteFile("new.json", slower), "--baseline", "old");
        Assert.Equal(0, outcome.ExitCode);
        Assert.Contains("new compared with old", outcome.Output);
        var asBaseline = Cli.Run("compare", folder.GetPath("new.json"), "--baseline", folder.GetPath("old.json"));
        Assert.Equal(3, asBaseline.ExitCode);
        Assert.Contains("\nworse ", asBaseline.Output);
        Assert.Equal(2, Cli.Run("compare", folder.GetPath("old.json")).ExitCode);
    }
}
