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
    public void Error_for_a_file_not_created_by_IoBench_names_existing_options(string command, params string[] args)
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run([command, folder.WriteFile("theirs.dat", new string('x', 2 << 20)), .. args]);
        Assert.Matches("did not create|was not created by IoBench", outcome.Error);
        AssertOptionsExist(command, outcome.Error);
    }

    [Theory]
    [InlineData("run")]
    [InlineData("verify")]
    [InlineData("cap", "--block-size", "8KB,64KB", "--outstanding-io", "4,16")]
    public void Warning_for_a_small_file_names_existing_options(string command, params string[] args)
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run([command, folder.GetPath("new.dat"), "--file-size", "2MB", .. s_short, .. args]);
        Assert.Contains("Use a larger file, or set --storage-cache", outcome.Error, StringComparison.Ordinal);
        AssertOptionsExist(command, outcome.Error);
    }

    [Theory]
    [InlineData("run")]
    [InlineData("limit", "--max-latency", "5")]
    [InlineData("cap")]
    [InlineData("drill")]
    public void Error_for_a_file_that_fills_the_volume_names_existing_options(string command, params string[] args)
    {
        using var folder = new TestFolder();
        var size = new DriveInfo(folder.GetPath("")).AvailableFreeSpace - (64 << 20);
        var outcome = Cli.Run([command, folder.GetPath("large.dat"), "--file-size", $"{size}", .. args]);
        Assert.Equal(2, outcome.ExitCode);
        AssertOptionsExist(command, outcome.Error);
    }

    private static void AssertOptionsExist(string command, string text)
    {
        // --help-all lists all options; only commands with two help levels have it.
        var help = Cli.Run(command, "--help").Output + Cli.Run(command, "--help-all").Output;
        foreach (var option in OptionRegex().Matches(text).Select(match => match.Value))
            Assert.True(Regex.IsMatch(help, $@"(?<![\w-]){option}(?![\w-])"), $"{command} has no {option}: {text}");
    }

    [GeneratedRegex(@"(?<![\w-])--[a-z][a-z-]+")]
    private static partial Regex OptionRegex();
}
