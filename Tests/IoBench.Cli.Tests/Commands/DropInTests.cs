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

    /// <summary>Options that change the I/O, run: what the output says is what was asked for.</summary>
    [Theory]
    [InlineData("-kR -t2 -o4 -frandom -b4 -BH -LS", "4KB random read", 2, 4)]
    [InlineData("-kW -fsequential -b64 -BN -LP", "64KB interlocked write", 1, 1)]
    [InlineData("-kR -f16 -i8 -b8 -t4 -BY -S2", "8KB stride read", 4, 1)]
    [InlineData("-kW -f16 -i8 -b8 -v1.1.1 -BS -p0 -U", "8KB stride write", 1, 1)]
    [InlineData("-kR -frandom -b8 -o2 -a0x1 -Up -LSi", "8KB random read", 1, 2)]
    public void OptionsThatChangeTheIoRun(string options, string pattern, int threads, int outstanding)
    {
        using var folder = new TestFolder();
        Assert.Equal(0, Cli.Run("run", folder.File("t.dat"), "--size", "8MB", "--duration", "100ms", "--warm-up", "0", "--quiet").ExitCode);
        var outcome = Cli.Run(["sqlio", "-s1", .. options.Split(' '), folder.File("t.dat")]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        var read = ResultReader.ReadFile(folder.Write("out.txt", outcome.Output)).Single();
        Assert.Equal((pattern, threads, outstanding, IoResultStatus.Complete), (PatternText.Of(read.Specification!), read.ThreadCount!.Value, read.OutstandingIO!.Value, read.Status));
        Assert.True(read.IOPS > 0);
        Assert.Equal(options.Contains("-L", StringComparison.Ordinal), read.AverageLatencyMs is not null);
    }

    /// <summary>Ctrl+C: the normal output for the time that passed, as SQLIO's.</summary>
    [Fact]
    public void CtrlCGivesSqliosOutputForTheTimeThatPassed()
    {
        if (OperatingSystem.IsWindows())
            return;
        using var folder = new TestFolder();
        Assert.Equal(0, Cli.Run("run", folder.File("t.dat"), "--size", "8MB", "--duration", "100ms", "--warm-up", "0", "--quiet").ExitCode);
        // The busier the computer is, the longer until there is something to tell.
        var seconds = 2;
        var read = Patience.Until(r => r.IOPS > 0, () =>
        {
            using var process = Cli.Start(folder.Path, "sqlio", "-kR", "-s60", "-frandom", "-b8", "-o2", "-LS", "t.dat");
            Thread.Sleep(TimeSpan.FromSeconds(seconds++));
            System.Diagnostics.Process.Start("kill", ["-INT", process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)]).WaitForExit();
            var output = process.StandardOutput.ReadToEnd();
            Assert.True(process.WaitForExit(60_000));
            return ResultReader.ReadFile(folder.Write("out.txt", output)).SingleOrDefault() ?? new();
        }, attempts: 10);
        Assert.True(read.IOPS > 0);
        Assert.NotNull(read.Histogram);
        // SQLIO says how long it would run before it runs.
        Assert.Equal((60, IoResultStatus.Complete), (read.DurationSeconds!.Value, read.Status));
    }
}
