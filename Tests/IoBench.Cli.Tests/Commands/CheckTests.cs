using System.Text.Json;

namespace IoBench.Cli.Tests;

public class HostCheckTests
{
    [LinuxFact]
    public void Check_fails_with_exit_code_3_at_low_process_priority()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcessWith("nice", ["-n", "5"], folder.Path, "check", ".", "--output", "check.json");
        Assert.True(outcome.ExitCode == 3, outcome.Error);
        Assert.All(outcome.OutputLines[..^1], line => Assert.Matches(@"^(PASS|WARNING|FAIL|NOT RATED) |^$|^\.$", line));
        Assert.Contains(
            outcome.OutputLines,
            line => line.StartsWith("FAIL       Priority", StringComparison.Ordinal) && line.Contains("nice 5", StringComparison.Ordinal)
        );
        Assert.Matches(@"^16 checks: \d+ passed( \(\d+ with a warning\))?, \d+ failed, \d+ not rated\.$", outcome.OutputLines[^1]);
        Assert.StartsWith("Checks in ", outcome.ErrorLines[0], StringComparison.Ordinal);
        Assert.Equal(["check.json"], Directory.EnumerateFileSystemEntries(folder.Path).Select(Path.GetFileName));
        Assert.Equal(
            16,
            JsonDocument.Parse(File.ReadAllText(folder.GetPath("check.json"))).RootElement.GetProperty("checks").GetArrayLength()
        );
    }

    [Fact]
    public void Check_exits_with_2_when_the_folder_does_not_exist()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("check", folder.GetPath("none"));
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("folder does not exist", outcome.ErrorLines[^1], StringComparison.Ordinal);
        Assert.Empty(outcome.Output);
    }

    [Fact]
    public void Check_refuses_an_existing_output_before_running()
    {
        using var folder = new TestFolder();
        const string Earlier = """{ "version": "1.0.0", "cannotTell": 1, "checks": [] }""";
        var file = folder.WriteFile("check.json", Earlier);
        var outcome = Cli.Run("check", folder.Path, "--output", file);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("--force", outcome.ErrorLines[^1], StringComparison.Ordinal);
        Assert.Equal(Earlier, File.ReadAllText(file));
        Assert.Empty(outcome.Output);
    }
}
