using IoBench.Engine;
using IoBench.Formats;
using IoBench.Tests;

namespace IoBench.Cli.Tests.Commands;

/// <summary>DiskSpd's arguments give DiskSpd's output.</summary>
public class DiskSpdDropInTests
{
    /// <summary>Every published diskspd command, for a second, on files of ours.</summary>
    [Fact]
    public void TheEightDiskSpdCommandsRun()
    {
        using var folder = new TestFolder();
        var commands = File.ReadAllLines(Samples.Path("documents", "diskspd-commands.txt")).Where(l => l.StartsWith("diskspd", StringComparison.Ordinal)).ToList();
        Assert.Equal(8, commands.Count);
        foreach (var command in commands)
        {
            string[] args = ["diskspd", "-W0", "-c64M", .. command.Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).SkipLast(1).Select(a => a == "-d15" ? "-d1" : a), folder.File("iotest.dat")];
            var outcome = Cli.Run(args);
            Assert.True(outcome.ExitCode == 0, command + outcome.Error);
            var read = ResultReader.ReadFile(folder.Write("out.txt", outcome.Output)).Single();
            Assert.Equal(IoResultSource.DiskSpd, read.Source);
            Assert.True(read.IOPS > 0);
            Assert.NotNull(read.AverageLatencyMs);
        }
    }

    [Fact]
    public void DiskSpdAsXml()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("diskspd", "-b8K", "-d1", "-W0", "-o2", "-t2", "-r", "-w50", "-L", "-Rxml", "-c8M", folder.File("t.dat"));
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        var read = ResultReader.ReadFile(folder.Write("out.xml", outcome.Output)).Single();
        Assert.Equal((IoResultSource.DiskSpdXml, 2, 50), (read.Source, read.ThreadCount!.Value, read.WritePercent!.Value));
    }

    [Fact]
    public void WithoutASizeTheFileMustBeThere()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("diskspd", "-d1", folder.File("t.dat"));
        Assert.Equal(1, outcome.ExitCode);
        Assert.Contains("-c1G", Assert.Single(outcome.ErrorLines));
        Assert.False(File.Exists(folder.File("t.dat")));
    }

    [Theory]
    [InlineData("-Rptext", "timespan:")]
    [InlineData("-Rpxml", "<Profile>")]
    public void AProfileIsShownAndNothingIsRun(string option, string part)
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("diskspd", option, "-b8K", "-r", "-c8M", folder.File("t.dat"));
        Assert.Equal(0, outcome.ExitCode);
        Assert.Contains(part, outcome.Output);
        Assert.False(File.Exists(folder.File("t.dat")));
    }
}
