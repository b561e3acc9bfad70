namespace IoBench.Cli.Tests;

public class RefusalTests
{
    private static CliOutcome AssertRefused(TestFolder folder, params string[] args)
    {
        var before = folder.ListContents();
        var outcome = Cli.Run(args);
        Assert.Equal(2, outcome.ExitCode);
        Assert.StartsWith("iobench: ", Assert.Single(outcome.ErrorLines));
        Assert.Empty(outcome.Output);
        Assert.Equal(before, folder.ListContents());
        return outcome;
    }

    [Fact]
    public void Run_refuses_to_write_a_file_that_IoBench_did_not_create()
    {
        using var folder = new TestFolder();
        var path = folder.WriteFile("big.dat", new string('x', 1 << 20));
        var outcome = AssertRefused(folder, "run", path, "--write", "100", "--duration", "1");
        Assert.Contains("IoBench did not create", outcome.Error);
        Assert.Contains("--overwrite big.dat", outcome.Error);
    }

    [Fact]
    public void Run_refuses_a_file_that_was_copied_over_the_test_file()
    {
        using var folder = new TestFolder();
        var ours = folder.GetPath("t.dat");
        Assert.Equal(0, Cli.Run("run", ours, "--size", "4MB", "--duration", "100ms", "--warm-up", "0", "--quiet").ExitCode);
        var other = folder.WriteFile("other.dat", new string('y', 4 << 20));
        // Copies attributes too, as cp --preserve=all does.
        using (var copy = System.Diagnostics.Process.Start("cp", ["--preserve=all", other, ours]))
            copy.WaitForExit();
        Assert.Contains("--overwrite t.dat", AssertRefused(folder, "run", ours, "--write", "100", "--duration", "1").Error);
    }

    [Theory]
    [InlineData("x.mdf")]
    [InlineData("x.LDF")]
    [InlineData("x.bak")]
    public void Run_refuses_SQL_Server_file_extensions(string name)
    {
        using var folder = new TestFolder();
        Assert.Contains("SQL Server", AssertRefused(folder, "run", folder.GetPath(name), "--size", "8MB").Error);
        folder.WriteFile(name, new string('z', 1 << 16));
        Assert.Contains(
            "never writes to SQL Server files",
            AssertRefused(folder, "run", folder.GetPath(name), "--write", "50", "--overwrite", name).Error
        );
    }

    [Fact]
    public void Run_refuses_a_file_size_that_fills_the_volume()
    {
        using var folder = new TestFolder();
        var free = new DriveInfo(folder.Path).AvailableFreeSpace;
        Assert.Contains("must remain free", AssertRefused(folder, "run", folder.GetPath("t.dat"), "--size", $"{free - (1 << 20)}").Error);
        Assert.Contains(" free. ", AssertRefused(folder, "run", folder.GetPath("t.dat"), "--size", $"{free + (1L << 40)}").Error);
    }

    [Fact]
    public void Run_refuses_an_unusable_report_path_before_the_test()
    {
        using var folder = new TestFolder();
        Assert.Contains(
            "Create the folder first",
            AssertRefused(folder, "run", folder.GetPath("t.dat"), "--size", "8MB", "--report", folder.GetPath("no/r.xlsx")).Error
        );
        folder.WriteFile("r.html", "<html><head><meta name=\"generator\" content=\"IoBench 1.0\">");
        Assert.Contains(
            "--force to replace it",
            AssertRefused(folder, "run", folder.GetPath("t.dat"), "--size", "8MB", "--report", folder.GetPath("r.html")).Error
        );
    }

    [Fact]
    public void Remove_deletes_only_test_files()
    {
        using var folder = new TestFolder();
        var foreign = folder.WriteFile("mine.dat", "mine");
        Assert.Contains("a command of the operating system", AssertRefused(folder, "remove", foreign).Error);
        Assert.Contains("has no --force", AssertRefused(folder, "remove", foreign, "--force").Error);
        AssertRefused(folder, "remove", folder.GetPath("nothing.dat"));

        var ours = folder.GetPath("t.dat");
        Assert.Equal(0, Cli.Run("run", ours, "--size", "4MB", "--duration", "100ms", "--warm-up", "0", "--quiet").ExitCode);
        Assert.Equal(0, Cli.Run("remove", ours).ExitCode);
        Assert.False(File.Exists(ours));
        Assert.True(File.Exists(foreign));
    }

    [Fact]
    public void Force_replaces_the_output_but_does_not_allow_to_overwrite_the_target()
    {
        using var folder = new TestFolder();
        var path = folder.WriteFile("f.dat", new string('x', 1 << 20));
        var output = folder.WriteFile("r.json", "[]");
        Assert.Contains(
            "--overwrite f.dat",
            AssertRefused(folder, "run", path, "-w", "50", "--duration", "100ms", "--output", output, "--force").Error
        );
        AssertRefused(folder, "run", path, folder.GetPath("own.dat"), "-w", "50", "--size", "1MB", "--force");
    }

    [Fact]
    public void Permission_for_the_free_space_does_not_allow_to_overwrite_the_file()
    {
        using var folder = new TestFolder();
        var path = folder.WriteFile("iotest.dat", new string('x', 1 << 20));
        var outcome = AssertRefused(folder, "run", path, "-w", "50", "--duration", "100ms", "--fill-volume", "--read-database");
        Assert.Contains("--overwrite iotest.dat", outcome.Error);
    }

    [Theory]
    [InlineData("hist.json", "{\"mine\": [1, 2, 3]}")]
    [InlineData("list.csv", "Name,Value\na,1\n")]
    [InlineData("budget.xlsx", "PK of another program")]
    [InlineData("page.html", "<html><head><title>mine</title></head></html>")]
    public void Output_that_IoBench_did_not_write_is_not_replaced_by_force(string name, string content)
    {
        using var folder = new TestFolder();
        var output = folder.WriteFile(name, content);
        var option = Path.GetExtension(name) is ".xlsx" or ".html" ? "--report" : "--output";
        var outcome = AssertRefused(folder, "run", folder.GetPath("t.dat"), "--size", "1MB", option, output, "--force");
        Assert.Contains("IoBench does not replace it", outcome.Error);
    }

    [Fact]
    public void Refusal_lists_every_output_and_target_with_its_own_switch()
    {
        using var folder = new TestFolder();
        var path = folder.WriteFile("f.dat", new string('x', 1 << 20));
        var results = folder.WriteFile("r.json", "[]");
        var report = folder.WriteFile("r.html", "<html><head><meta name=\"generator\" content=\"IoBench 1.0\">");
        var before = folder.ListContents();
        var outcome = Cli.Run("run", path, "-w", "50", "--output", results, "--report", report);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Equal(before, folder.ListContents());
        Assert.Collection(
            outcome.ErrorLines,
            line => Assert.Contains("r.json exists. Add --force to replace it", line),
            line => Assert.Contains("r.html exists. Add --force to replace it", line),
            line => Assert.Contains("add --overwrite f.dat to overwrite this one", line)
        );
    }

    [Fact]
    public void Reading_a_database_needs_its_own_switch_and_allows_nothing_else()
    {
        using var folder = new TestFolder();
        var path = folder.WriteFile("prod.mdf", new string('x', 1 << 20));
        var output = folder.WriteFile("base.json", "{\"mine\": 1}");
        string[] read = ["run", path, "--duration", "100ms", "--warm-up", "0"];
        Assert.Contains("--read-database", AssertRefused(folder, [.. read, "--force"]).Error);
        Assert.Contains("does not replace it", AssertRefused(folder, [.. read, "--read-database", "--output", output]).Error);
        Assert.Equal(0, Cli.Run([.. read, "--read-database"]).ExitCode);
    }

    [Fact]
    public void Run_reports_the_file_that_it_overwrote()
    {
        using var folder = new TestFolder();
        var path = folder.WriteFile("f.dat", new string('x', 1 << 20));
        string[] run = ["run", path, "-w", "50", "--duration", "200ms", "--warm-up", "0", "--overwrite", "f.dat"];
        var outcome = Cli.Run(run);
        Assert.Equal(0, outcome.ExitCode);
        Assert.Contains($"IoBench overwrote {path} (1 MB), which IoBench did not create.", outcome.Error);
        Assert.Contains("IoBench.TargetOverwritten", Cli.Run([.. run, "--format", "json"]).Output);
    }

    [LinuxFact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public void Write_protected_output_is_refused()
    {
        using var folder = new TestFolder();
        var output = folder.WriteFile("r.json", "[]");
        File.SetUnixFileMode(output, UnixFileMode.UserRead);
        var outcome = AssertRefused(folder, "run", folder.GetPath("t.dat"), "--size", "1MB", "--output", output, "--force");
        Assert.Contains("is write-protected. Remove the write protection first", outcome.Error);
    }

    [Fact]
    public void Fleet_says_that_it_does_not_overwrite_files()
    {
        using var folder = new TestFolder();
        var path = folder.WriteFile("f.dat", new string('x', 1 << 20));
        var outcome = Cli.Run("fleet", "localhost", path, "-w", "50", "--duration", "100ms", "--yes", "--force");
        Assert.Equal(1, outcome.ExitCode);
        Assert.Contains("or overwrites files that IoBench did not create", outcome.Output + outcome.Error);
        Assert.DoesNotContain("--overwrite", outcome.Output + outcome.Error);
        Assert.Equal(new string('x', 1 << 20), File.ReadAllText(path));
    }

    [RequiresFact("getfattr", "setfattr")]
    public void Remove_asks_before_it_removes_a_file_kept_as_evidence()
    {
        using var folder = new TestFolder();
        var ours = folder.GetPath("t.dat");
        Assert.Equal(0, Cli.Run("run", ours, "--size", "4MB", "--duration", "100ms", "--warm-up", "0", "--quiet").ExitCode);
        const string AddEvidence =
            "mark=$(getfattr -n user.iobench --only-values \"$0\")\nsetfattr -n user.iobench -v \"${mark%end*}evidence=lost writes.\nend\n\" \"$0\"";
        using (var shell = System.Diagnostics.Process.Start("sh", ["-c", AddEvidence, ours]))
            shell.WaitForExit();
        var outcome = AssertRefused(folder, "remove", ours);
        Assert.Contains("is kept as evidence: lost writes. Add --yes to remove the file.", outcome.Error);
        Assert.DoesNotContain("kept as evidence", Cli.Run("remove", ours, "--yes").Error);
    }
}
