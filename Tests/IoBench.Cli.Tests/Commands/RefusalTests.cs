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
        Assert.Contains("was not made by IoBench", outcome.Error);
        Assert.Contains("--force", outcome.Error);
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
        Assert.Contains("--force", AssertRefused(folder, "run", ours, "--write", "100", "--duration", "1").Error);
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
        Assert.Contains("never writes to one", AssertRefused(folder, "run", folder.GetPath(name), "--write", "50", "--force").Error);
    }

    [Fact]
    public void Run_refuses_a_file_size_that_fills_the_volume()
    {
        using var folder = new TestFolder();
        var free = new DriveInfo(folder.Path).AvailableFreeSpace;
        Assert.Contains("must stay free", AssertRefused(folder, "run", folder.GetPath("t.dat"), "--size", $"{free - (1 << 20)}").Error);
        Assert.Contains(" free. ", AssertRefused(folder, "run", folder.GetPath("t.dat"), "--size", $"{free + (1L << 40)}").Error);
    }

    [Fact]
    public void Run_refuses_an_unusable_report_path_before_the_test()
    {
        using var folder = new TestFolder();
        Assert.Contains(
            "Make it first.",
            AssertRefused(folder, "run", folder.GetPath("t.dat"), "--size", "8MB", "--report", folder.GetPath("no/r.xlsx")).Error
        );
        folder.WriteFile("r.xlsx", "old");
        Assert.Contains(
            "--force to replace it",
            AssertRefused(folder, "run", folder.GetPath("t.dat"), "--size", "8MB", "--report", folder.GetPath("r.xlsx")).Error
        );
    }

    [Fact]
    public void Remove_deletes_only_test_files()
    {
        using var folder = new TestFolder();
        var foreign = folder.WriteFile("mine.dat", "mine");
        Assert.Contains("--force", AssertRefused(folder, "remove", foreign).Error);
        AssertRefused(folder, "remove", folder.GetPath("nothing.dat"));

        var ours = folder.GetPath("t.dat");
        Assert.Equal(0, Cli.Run("run", ours, "--size", "4MB", "--duration", "100ms", "--warm-up", "0", "--quiet").ExitCode);
        Assert.Equal(0, Cli.Run("remove", ours).ExitCode);
        Assert.False(File.Exists(ours));
        Assert.True(File.Exists(foreign));
    }
}
