using System.Text.RegularExpressions;

namespace IoBench.Cli.Tests;

public partial class AdviceTests
{
    private static readonly string[] s_short = ["--duration", "100ms", "--warm-up", "0"];

    [Theory]
    [InlineData("run", "--write", "100")]
    [InlineData("limit", "--max-latency", "5", "--write", "100")]
    [InlineData("verify")]
    [InlineData("drill")]
    public void To_a_file_of_others(string command, params string[] args)
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run([command, folder.Write("theirs.dat", new string('x', 2 << 20)), .. args]);
        Assert.Contains("was not made by IoBench", outcome.Error, StringComparison.Ordinal);
        AllAreOptions(command, outcome.Error);
    }

    [Theory]
    [InlineData("run")]
    [InlineData("verify")]
    [InlineData("cap", "--block-size", "8KB,64KB", "--outstanding-io", "4,16")]
    public void To_a_small_file(string command, params string[] args)
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run([command, folder.File("new.dat"), "--file-size", "2MB", .. s_short, .. args]);
        Assert.Contains("cache may answer; give --storage-cache", outcome.Error, StringComparison.Ordinal);
        AllAreOptions(command, outcome.Error);
    }

    [Theory]
    [InlineData("run")]
    [InlineData("limit", "--max-latency", "5")]
    [InlineData("cap")]
    [InlineData("drill")]
    public void To_a_file_that_would_fill_the_volume(string command, params string[] args)
    {
        using var folder = new TestFolder();
        var size = new DriveInfo(folder.File("")).AvailableFreeSpace - (64 << 20);
        var outcome = Cli.Run([command, folder.File("large.dat"), "--file-size", $"{size}", .. args]);
        Assert.Equal(2, outcome.ExitCode);
        AllAreOptions(command, outcome.Error);
    }

    private static void AllAreOptions(string command, string text)
    {
        // --help-all lists all options; only commands with two help levels have it.
        var help = Cli.Run(command, "--help").Output + Cli.Run(command, "--help-all").Output;
        foreach (var option in Option().Matches(text).Select(match => match.Value))
            Assert.True(Regex.IsMatch(help, $@"(?<![\w-]){option}(?![\w-])"), $"{command} has no {option}: {text}");
    }

    [GeneratedRegex(@"(?<![\w-])--[a-z][a-z-]+")]
    private static partial Regex Option();
}
