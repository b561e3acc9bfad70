using IoBench.Engine;
using IoBench.Formats;
using IoBench.Tests;

namespace IoBench.Cli.Tests.Commands;

/// <summary>The old tools' arguments give the old tools' output.</summary>
public class DropInTests
{
    [Fact]
    public void SqlioWithAParameterFile()
    {
        using var folder = new TestFolder();
        folder.Write("param.txt", $"{folder.File("testfile.dat")} 2 0x0 8\n#comment\n");
        var outcome = Cli.Execute(folder.Path, "sqlio", "-kR", "-s1", "-frandom", "-o4", "-b8", "-LS", "-Fparam.txt");
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.StartsWith("sqlio v1.5.SG", outcome.Output);
        Assert.Contains("2 threads reading for 1 secs from file", outcome.Output);
        Assert.Contains("using 8KB random IOs", outcome.Output);
        Assert.Contains("Avg_Latency(ms):", outcome.Output);
        var read = ResultReader.ReadFile(folder.Write("out.txt", outcome.Output)).Single();
        Assert.Equal((2, 4, 8d), (read.ThreadCount!.Value, read.OutstandingIO!.Value, read.FileSizeMB!.Value));
    }

    [Fact]
    public void AFileThatTheOldToolMadeNamesTheWayOut()
    {
        using var folder = new TestFolder();
        var path = folder.Write("old.dat", new string('x', 1 << 20));
        var outcome = Cli.Run("sqlio", "-kW", "-s1", "-frandom", "-b8", path);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("iobench --force sqlio", Assert.Single(outcome.ErrorLines));
        Assert.Contains("IOBENCH_FORCE=1", outcome.Error);
        Assert.Equal(0, Cli.Run("--force", "sqlio", "-kW", "-s1", "-frandom", "-b8", path).ExitCode);
    }

    [Theory]
    [InlineData("-kX")]
    [InlineData("-mC4")]
    [InlineData("-t300")]
    public void WhatSqlioDoesNotKnowOrWeDoNotOfferIsOneLine(string option)
    {
        var outcome = Cli.Run("sqlio", option, "t.dat");
        Assert.Equal(2, outcome.ExitCode);
        Assert.StartsWith("iobench: sqlio: ", Assert.Single(outcome.ErrorLines));
    }

    /// <summary>Every published sqlio command, for a second, with parameter files of ours.</summary>
    [Fact]
    public void TheTwelveSqlioCommandsRun()
    {
        using var folder = new TestFolder();
        folder.Write("paramMT.txt", $"{folder.File("testfile.dat")} 2 0x0 64");
        folder.Write("paramST.txt", $"{folder.File("testfile.dat")} 1 0x0 64");
        var commands = File.ReadAllLines(Samples.Path("documents", "sqlio-commands.txt")).Where(l => l.StartsWith("sqlio ", StringComparison.Ordinal)).ToList();
        Assert.Equal(12, commands.Count);
        foreach (var command in commands)
        {
            var args = command.Split('>')[0].TrimEnd().Replace("-s7200", "-s1", StringComparison.Ordinal).Replace("-Fparam", "-F" + folder.File("param"), StringComparison.Ordinal).Split(' ');
            var outcome = Cli.Run(args);
            Assert.True(outcome.ExitCode == 0, command + outcome.Error);
            var read = ResultReader.ReadFile(folder.Write("out.txt", outcome.Output)).Single();
            Assert.Equal(command.Contains("-kW", StringComparison.Ordinal) ? IoOperation.Write : IoOperation.Read, read.Operation);
            Assert.True(read.IOPS > 0);
        }
    }

    [Theory]
    [InlineData(3)]
    [InlineData(0, "-?")]
    [InlineData(3, "-w101", "t.dat")]
    [InlineData(3, "-F2", "-t2", "t.dat")]
    [InlineData(3, "-eq", "t.dat")]
    [InlineData(1, "-d1", "/nowhere/at/all/t.dat")]
    public void DiskSpdsExitCodes(int exitCode, params string[] args)
    {
        var outcome = Cli.Run(["diskspd", .. args]);
        Assert.Equal(exitCode, outcome.ExitCode);
        Assert.True(outcome.ErrorLines.Length <= 1, outcome.Error);
    }

    [Fact]
    public void OldCommandsAreConverted()
    {
        var outcome = Cli.Run("convert", Samples.Path("documents", "diskspd-commands.txt"));
        Assert.Equal(0, outcome.ExitCode);
        Assert.Equal(10, outcome.OutputLines.Length);
        Assert.Contains("60KB sequential write", outcome.Output);
        using var json = System.Text.Json.JsonDocument.Parse(Cli.Run("convert", Samples.Path("documents", "diskspd-commands.txt"), "--format", "json").Output);
        Assert.Equal(8, json.RootElement.GetArrayLength());
    }
}
