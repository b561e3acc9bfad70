using System.Text.Json;

namespace IoBench.Cli.Tests;

public class ImportTests
{
    private static readonly string s_threeFiles = Samples.Path("documents", "reads-8k-random-3-files.txt");

    [Fact]
    public void An_old_output_as_a_table()
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
    public void An_old_output_as_JSON()
    {
        using var json = JsonDocument.Parse(Cli.Run("import", s_threeFiles, "--format", "json").Output);
        double[] Values(string name) => [.. json.RootElement.EnumerateArray().Select(r => r.GetProperty(name).GetDouble())];
        Assert.Equal([15504.09, 18325.52, 191786.53], Values("iops"));
        Assert.Equal([121.12, 143.16, 1498.33], Values("bandwidthMBps"));
        Assert.Equal([24, 20, 1], Values("averageLatencyMs"));
        Assert.Equal([48, 48, 40], Values("threadCount"));
    }

    [Fact]
    public void A_folder_with_a_report_and_labels()
    {
        using var folder = new TestFolder();
        Directory.CreateDirectory(folder.File("old/2014"));
        File.Copy(s_threeFiles, folder.File("old/2014/Reads.txt"));
        Assert.Contains("--recurse", Assert.Single(Cli.Run("import", folder.File("old")).ErrorLines));
        var outcome = Cli.Run(
            "import",
            folder.File("old"),
            "--recurse",
            "--label-from",
            "FileName",
            "--report",
            folder.File("r.xlsx"),
            "--output",
            folder.File("r.csv")
        );
        Assert.Equal(0, outcome.ExitCode);
        Assert.Equal(5, outcome.OutputLines.Length);
        Assert.Contains("Reads", outcome.OutputLines[2]);
        Assert.True(new FileInfo(folder.File("r.xlsx")).Length > 1000);
        Assert.Equal(4, File.ReadAllLines(folder.File("r.csv")).Length);
    }

    [Fact]
    public void Labels_from_the_folders()
    {
        using var folder = new TestFolder();
        Directory.CreateDirectory(folder.File("old/2014"));
        File.Copy(s_threeFiles, folder.File("old/2014/Reads.txt"));
        Cli.Run("import", folder.File("old"), "--recurse", "--label-from", "folder", "--output", folder.File("r.csv"));
        Assert.All(File.ReadAllLines(folder.File("r.csv")).Skip(1), line => Assert.Contains(",2014,", line));
    }

    [Fact]
    public void Report_makes_one_picture_of_the_extension()
    {
        using var folder = new TestFolder();

        Assert.Equal(0, Cli.Run("report", s_threeFiles, "--output", folder.File("card.svg")).ExitCode);

        Assert.StartsWith("<svg", File.ReadAllText(folder.File("card.svg")), StringComparison.Ordinal);
    }

    [Fact]
    public void A_report_of_old_files()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("report", s_threeFiles, "--output", folder.File("r.xlsx"), "--title", "SAN 2014");
        Assert.Equal(0, outcome.ExitCode);
        Assert.Empty(outcome.Output);
        Assert.True(new FileInfo(folder.File("r.xlsx")).Length > 1000);
        Assert.Equal(2, Cli.Run("report", s_threeFiles, "--output", folder.File("r.xlsx")).ExitCode);
        Assert.Equal(0, Cli.Run("report", s_threeFiles, "--output", folder.File("r.xlsx"), "--force").ExitCode);
    }

    [Fact]
    public void A_bad_file_among_good_ones_stops_nothing()
    {
        using var folder = new TestFolder();
        File.WriteAllBytes(folder.File("binary.txt"), [.. Enumerable.Range(0, 4096).Select(i => (byte)(i * 7))]);
        var outcome = Cli.Run(
            "import",
            folder.File("missing.txt"),
            folder.Write("empty.txt", ""),
            folder.File("binary.txt"),
            folder.Write("prose.txt", "Dear diary,\ntoday\n"),
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
    public void A_bad_file_alone_is_one_line(string name, string? content)
    {
        using var folder = new TestFolder();
        if (content is not null)
            folder.Write(name, content);
        var outcome = Cli.Run("import", folder.File(name));
        Assert.NotEqual(0, outcome.ExitCode);
        Assert.Contains(name, Assert.Single(outcome.ErrorLines));
        Assert.Empty(outcome.Output);
    }

    [Fact]
    public void A_truncated_run_is_kept_and_says_so()
    {
        using var folder = new TestFolder();
        var lines = File.ReadAllLines(s_threeFiles);
        var outcome = Cli.Run("import", folder.Write("cut.txt", string.Join('\n', lines.Take(30))));
        Assert.Equal(4, outcome.OutputLines.Length);
        Assert.EndsWith("incomplete", outcome.OutputLines[3]);
        Assert.Equal(1, outcome.ExitCode);
        var error = Assert.Single(outcome.ErrorLines);
        Assert.Contains("cut.txt: line 30: the run ends before its results", error);
        Assert.Contains("Run that test again", error);
    }

    [Fact]
    public void An_interrupted_run_says_why()
    {
        var outcome = Cli.Run("import", Samples.Path("diskspd-runs", "v22-err-toobig.out"));
        Assert.Contains(
            "v22-err-toobig.out: The test was interrupted before the measurements began.",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.Equal(1, outcome.ExitCode);
    }

    [Fact]
    public void A_folder_without_results_says_what_is_missing()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("import", folder.Path);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("holds no output of SQLIO, DiskSpd, fio, CrystalDiskMark or VMFleet", Assert.Single(outcome.ErrorLines));
    }

    [Fact]
    public void Two_labels_are_compared()
    {
        using var folder = new TestFolder();
        Cli.Run("import", s_threeFiles, "--label", "old", "--output", folder.File("old.json"));
        var slower = File.ReadAllText(folder.File("old.json"))
            .Replace("15504.09", "9504.09", StringComparison.Ordinal)
            .Replace("\"old\"", "\"new\"", StringComparison.Ordinal);
        var outcome = Cli.Run("compare", folder.File("old.json"), folder.Write("new.json", slower), "--baseline", "old");
        Assert.Equal(0, outcome.ExitCode);
        Assert.Contains("new against old", outcome.Output);
        var asBaseline = Cli.Run("compare", folder.File("new.json"), "--baseline", folder.File("old.json"));
        Assert.Equal(3, asBaseline.ExitCode);
        Assert.Contains("WORSE", asBaseline.Output);
        Assert.Equal(2, Cli.Run("compare", folder.File("old.json")).ExitCode);
    }
}
