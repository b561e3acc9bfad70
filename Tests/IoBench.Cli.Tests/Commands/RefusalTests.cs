namespace IoBench.Cli.Tests;

public class RefusalTests
{
    private static CliOutcome Refused(TestFolder folder, params string[] args)
    {
        var before = folder.Listing();
        var outcome = Cli.Run(args);
        Assert.Equal(2, outcome.ExitCode);
        Assert.StartsWith("iobench: ", Assert.Single(outcome.ErrorLines));
        Assert.Empty(outcome.Output);
        Assert.Equal(before, folder.Listing());
        return outcome;
    }

    [Fact]
    public void A_foreign_file_is_not_written()
    {
        using var folder = new TestFolder();
        var path = folder.Write("big.dat", new string('x', 1 << 20));
        var outcome = Refused(folder, "run", path, "--write", "100", "--duration", "1");
        Assert.Contains("was not made by IoBench", outcome.Error);
        Assert.Contains("--force", outcome.Error);
    }

    [Fact]
    public void A_file_copied_over_ours_is_foreign()
    {
        using var folder = new TestFolder();
        var ours = folder.File("t.dat");
        Assert.Equal(0, Cli.Run("run", ours, "--size", "4MB", "--duration", "100ms", "--warm-up", "0", "--quiet").ExitCode);
        var other = folder.Write("other.dat", new string('y', 4 << 20));
        // Copies attributes too, as cp --preserve=all does.
        using (var copy = System.Diagnostics.Process.Start("cp", ["--preserve=all", other, ours]))
            copy.WaitForExit();
        Assert.Contains("--force", Refused(folder, "run", ours, "--write", "100", "--duration", "1").Error);
    }

    [Theory]
    [InlineData("x.mdf")]
    [InlineData("x.LDF")]
    [InlineData("x.bak")]
    public void A_name_of_SQL_Servers_is_never_made(string name)
    {
        using var folder = new TestFolder();
        Assert.Contains("SQL Server", Refused(folder, "run", folder.File(name), "--size", "8MB").Error);
        folder.Write(name, new string('z', 1 << 16));
        Assert.Contains("never writes to one", Refused(folder, "run", folder.File(name), "--write", "50", "--force").Error);
    }

    [Fact]
    public void A_volume_is_not_filled()
    {
        using var folder = new TestFolder();
        var free = new DriveInfo(folder.Path).AvailableFreeSpace;
        Assert.Contains("must stay free", Refused(folder, "run", folder.File("t.dat"), "--size", $"{free - (1 << 20)}").Error);
        Assert.Contains(" free. ", Refused(folder, "run", folder.File("t.dat"), "--size", $"{free + (1L << 40)}").Error);
    }

    [Fact]
    public void A_report_that_cannot_be_written_is_told_before_the_test()
    {
        using var folder = new TestFolder();
        Assert.Contains(
            "Make it first.",
            Refused(folder, "run", folder.File("t.dat"), "--size", "8MB", "--report", folder.File("no/r.xlsx")).Error
        );
        folder.Write("r.xlsx", "old");
        Assert.Contains(
            "--force to replace it",
            Refused(folder, "run", folder.File("t.dat"), "--size", "8MB", "--report", folder.File("r.xlsx")).Error
        );
    }

    [Fact]
    public void Remove_takes_test_files_only()
    {
        using var folder = new TestFolder();
        var foreign = folder.Write("mine.dat", "mine");
        Assert.Contains("--force", Refused(folder, "remove", foreign).Error);
        Refused(folder, "remove", folder.File("nothing.dat"));

        var ours = folder.File("t.dat");
        Assert.Equal(0, Cli.Run("run", ours, "--size", "4MB", "--duration", "100ms", "--warm-up", "0", "--quiet").ExitCode);
        Assert.Equal(0, Cli.Run("remove", ours).ExitCode);
        Assert.False(File.Exists(ours));
        Assert.True(File.Exists(foreign));
    }
}
