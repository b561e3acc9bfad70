using System.Text.Json;

namespace IoBench.Cli.Tests;

public class SelfTestTests
{
    [LinuxFact]
    public void Self_test_fails_with_exit_code_1_at_low_process_priority()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcessWith("nice", ["-n", "5"], folder.Path, "self-test", ".", "--output", "self-test.json");
        Assert.True(outcome.ExitCode == 1, outcome.Error);
        Assert.All(outcome.OutputLines[..^1], line => Assert.Matches("^(PASS|FAIL|NOT RATED) ", line));
        Assert.Contains(
            outcome.OutputLines,
            line => line.StartsWith("FAIL         Priority", StringComparison.Ordinal) && line.Contains("nice 5", StringComparison.Ordinal)
        );
        Assert.Matches(@"^12 checks: \d+ passed, \d+ failed, \d+ not rated\.$", outcome.OutputLines[^1]);
        Assert.StartsWith("Self-test in ", outcome.ErrorLines[0], StringComparison.Ordinal);
        Assert.Equal(["self-test.json"], Directory.EnumerateFileSystemEntries(folder.Path).Select(Path.GetFileName));
        Assert.Equal(
            12,
            JsonDocument.Parse(File.ReadAllText(folder.GetPath("self-test.json"))).RootElement.GetProperty("checks").GetArrayLength()
        );
    }

    [Fact]
    public void Self_test_exits_with_2_when_the_folder_does_not_exist()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("self-test", folder.GetPath("none"));
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("folder does not exist", outcome.ErrorLines[^1], StringComparison.Ordinal);
        Assert.Empty(outcome.Output);
    }

    [Fact]
    public void Self_test_refuses_an_existing_output_before_running()
    {
        using var folder = new TestFolder();
        const string Earlier = """{ "version": "1.0.0", "cannotTell": 1, "checks": [] }""";
        var file = folder.WriteFile("self-test.json", Earlier);
        var outcome = Cli.Run("self-test", folder.Path, "--output", file);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("--force", outcome.ErrorLines[^1], StringComparison.Ordinal);
        Assert.Equal(Earlier, File.ReadAllText(file));
        Assert.Empty(outcome.Output);
    }
}
