using System.Text.Json;

namespace IoBench.Cli.Tests;

public class DrillTests
{
    private static readonly string[] s_small = ["--file-size", "8MB", "--block-size", "8KB"];

    [Fact]
    public void Drill_passes_and_keeps_its_test_file_without_a_fault()
    {
        using var folder = new TestFolder();
        var path = folder.GetPath("d.dat");
        var run = TestTimeouts.RetryUntil(
            answer => answer.ExitCode == 0,
            () => Cli.Run(["drill", path, "--duration", "1s", "--limit", "5s", .. s_small])
        );
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("The longest outage or I/O meets the limit of 5 s.", run.Output, StringComparison.Ordinal);
        Assert.Equal(0, Cli.Run("remove", path).ExitCode);
        Assert.False(File.Exists(path));
    }

    [LinuxTheory]
    [InlineData("rm")]
    [InlineData("mv")]
    public void Drill_is_not_rated_when_its_file_is_removed_or_replaced(string how)
    {
        using var folder = new TestFolder();
        var path = folder.GetPath("d.dat");
        folder.WriteFile("other.dat", "other");
        using var drill = Cli.StartProcess(
            folder.Path,
            ["drill", path, "--duration", "4s", "--limit", "5s", "--format", "jsonl", .. s_small]
        );
        while (Cli.ReadLine(drill.StandardOutput) is { } line && !line.Contains("\"Live\"", StringComparison.Ordinal)) { }
        if (how == "rm")
            File.Delete(path);
        else
            File.Move(folder.GetPath("other.dat"), path, overwrite: true);
        var rest = drill.StandardOutput.ReadToEnd();
        var error = drill.StandardError.ReadToEnd();
        Assert.True(drill.WaitForExit(TimeSpan.FromSeconds(60)));
        Assert.Equal(3, drill.ExitCode);
        Assert.Contains("[IoBench.FileGone]", error, StringComparison.Ordinal);
        Assert.Contains(how == "rm" ? "was removed" : "was replaced", error, StringComparison.Ordinal);
        Assert.Contains("\"Drill.FileChanged\"", rest, StringComparison.Ordinal);
        Assert.DoesNotContain("no errors", rest, StringComparison.Ordinal);
        if (how == "mv")
            Assert.Equal("other", File.ReadAllText(path));
    }

    [Fact]
    public void Drill_refuses_existing_files_and_invalid_options()
    {
        using var folder = new TestFolder();
        var path = folder.WriteFile("theirs.dat", new string('x', 1 << 20));
        var run = Cli.Run(["drill", path, "--duration", "1s", .. s_small]);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("this command requires a file that IoBench created", run.Error, StringComparison.Ordinal);
        Assert.Equal(new string('x', 1 << 20), File.ReadAllText(path));
        Assert.Equal(2, Cli.Run("drill", folder.GetPath("n.dat"), "--format", "xml").ExitCode);
        Assert.Equal(2, Cli.Run("drill", folder.GetPath("n.dat"), "--block-size", "512").ExitCode);
        Assert.Equal(2, Cli.Run("drill", folder.GetPath("n.dat"), "--until-key").ExitCode);
    }

    [RequiresFact("script")]
    public void Drill_ends_on_a_key_pressed_during_the_load_only()
    {
        using var folder = new TestFolder();
        // The program runs on a terminal. Keys that are typed before the load starts must not end it.
        using var process = Cli.StartOnTerminal(folder.Path, ["drill", "d.dat", "--until-key", .. s_small]);
        // The Wine console starts reading only when the program asks for a key, so an early key would arrive later.
        if (!TestedProgram.UsesWine)
        {
            process.StandardInput.Write('q');
            process.StandardInput.Flush();
        }
        var text = "";
        for (var next = new char[1]; !text.Contains(" IOPS  ", StringComparison.Ordinal) && process.StandardOutput.Read(next, 0, 1) == 1; )
            text += next[0];
        Assert.Contains("Start the failover now.", text, StringComparison.Ordinal);
        Assert.False(process.WaitForExit(TimeSpan.FromSeconds(1)));
        process.StandardInput.Write('x');
        process.StandardInput.Flush();
        var rest = process.StandardOutput.ReadToEnd();
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The key did not end it.");
        Assert.Contains("the longest I/O took", rest, StringComparison.Ordinal);
        Assert.Contains("all reads returned the expected data.", rest, StringComparison.Ordinal);
        Assert.DoesNotContain("left", text + rest, StringComparison.Ordinal);
    }

    [FuseTheory]
    [InlineData("stall-for-ms 1500", "Stall", false)]
    [InlineData("error-for-ms 1500", "Errors", false)]
    [InlineData("vanish-for-ms 1500", "Errors", true)]
    public void Drill_reports_the_length_of_an_outage_and_fails_the_limit(string rule, string kind, bool isReopened)
    {
        using var disk = new FaultyDisk();
        // A busy computer causes outages too. At least one outage must be the one of the disk.
        TestTimeouts.RetryUntil(
            isRight => isRight,
            () =>
            {
                var lines = RunDrill(disk, disk.GetPath("d.dat"), rule, "--limit", "1s").Lines;
                var outages = lines[^1].GetProperty("result").GetProperty("outages").EnumerateArray().ToList();
                Assert.Equal(0, lines[^1].GetProperty("result").GetProperty("integrity").GetProperty("errorCount").GetInt64());
                Assert.Equal("End", lines[^1].GetProperty("event").GetString());
                Assert.True(lines[^1].GetProperty("result").GetProperty("isLimitExceeded").GetBoolean());
                if (isReopened)
                    Assert.Contains(
                        lines,
                        line =>
                            line.GetProperty("text")
                                .GetString()!
                                .EndsWith(
                                    "is available again. IoBench verified the contents and reopened the file",
                                    StringComparison.Ordinal
                                )
                    );
                return outages.Exists(outage =>
                    outage.GetProperty("kind").GetString() == kind && outage.GetProperty("seconds").GetDouble() is > 1.4 and < 1.9
                );
            }
        );
    }

    [FuseFact]
    public void Drill_never_writes_to_a_replaced_file()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("d.dat");
        var (behind, foreign) = (Path.Combine(disk.BackingFolder, "d.dat"), new string('x', 8 << 20));
        var (exitCode, lines) = RunDrill(
            disk,
            path,
            "vanish-for-ms 1000",
            ["--limit", "1s"],
            whileGone: () =>
            {
                File.Move(behind, behind + ".away");
                File.WriteAllText(behind, foreign);
            }
        );
        Assert.Equal(3, exitCode);
        Assert.Contains(
            lines,
            line => line.GetProperty("text").GetString()!.EndsWith("IoBench does not write to this file", StringComparison.Ordinal)
        );
        Assert.False(lines[^1].GetProperty("result").GetProperty("outages").EnumerateArray().Last().GetProperty("isOver").GetBoolean());
        Assert.Equal(foreign, File.ReadAllText(behind));
    }

    [FuseFact]
    public void Run_reports_a_pending_IO_while_it_is_pending()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        using var process = Cli.StartProcess(
            disk.BackingFolder,
            "run",
            path,
            "--size",
            "8MB",
            "--duration",
            "3",
            "--outstanding",
            "1,2",
            "--warm-up",
            "0",
            "--buffering",
            "both"
        );
        // After the row of the first test, the second test starts soon. This test is about an I/O that hangs during the load.
        while (process.StandardOutput.ReadLine() is { } row && !row.StartsWith("8KB", StringComparison.Ordinal)) { }
        Thread.Sleep(1000);
        disk.SetRules("hang 1");
        var said = "";
        while (Cli.ReadLine(process.StandardError) is { } line && !(said = line).StartsWith("Warning: ", StringComparison.Ordinal)) { }
        Assert.Contains($" of {path} has been pending for ", said, StringComparison.Ordinal);
        Assert.False(process.HasExited);
        disk.SetRules();
        var rest = process.StandardError.ReadToEnd();
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)));
        Assert.Contains("almost no I/O completed", rest, StringComparison.Ordinal);
        Assert.Contains("the slowest I/O", rest, StringComparison.Ordinal);
    }

    private static (int ExitCode, List<JsonElement> Lines) RunDrill(FaultyDisk disk, string path, string rule, params string[] options) =>
        RunDrill(disk, path, rule, options, () => { });

    private static (int ExitCode, List<JsonElement> Lines) RunDrill(
        FaultyDisk disk,
        string path,
        string rule,
        string[] options,
        Action whileGone
    )
    {
        disk.SetRules();
        using var process = Cli.StartProcess(
            disk.BackingFolder,
            ["drill", path, "--duration", "4s", "--format", "jsonl", .. s_small, .. options]
        );
        var lines = new List<JsonElement>();
        var begun = false;
        while (process.StandardOutput.ReadLine() is { } line)
        {
            lines.Add(JsonDocument.Parse(line).RootElement.Clone());
            // Let the load run for a second before the fault starts.
            if (begun || lines[^1].GetProperty("event").GetString() != "Live")
                continue;
            begun = true;
            disk.SetRules(rule);
            if (rule.StartsWith("vanish", StringComparison.Ordinal))
                whileGone();
        }
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
        return (process.ExitCode, lines);
    }
}
