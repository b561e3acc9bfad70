using System.Diagnostics;

namespace IoBench.Cli.Tests;

public class JournalTests
{
    private static CliOutcome RunWithJournal(TestFolder folder, params string[] args)
    {
        using var process = new Process
        {
            StartInfo = new ProcessStartInfo(Cli.Command[0], [.. Cli.Command[1..], .. args])
            {
                WorkingDirectory = folder.Path,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                RedirectStandardInput = true,
            },
        };
        process.StartInfo.Environment["IOBENCH_JOURNAL"] = folder.GetPath("state");
        process.Start();
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new CliOutcome(process.ExitCode, output, error.Result);
    }

    [Fact]
    public void Journal_keeps_results_without_output_and_supports_resume()
    {
        using var folder = new TestFolder();
        string[] run = ["run", "null", "--backend", "null", "--duration", "20ms", "--warm-up", "0", "--quiet"];
        Assert.Equal(0, RunWithJournal(folder, [.. run, "--outstanding", "1,2"]).ExitCode);
        var last = RunWithJournal(folder, "import", "--last", "--format", "csv");
        Assert.True(last.ExitCode == 0, last.Error);
        Assert.Equal(3, last.OutputLines.Length);

        var more = RunWithJournal(folder, [.. run, "--outstanding", "1,2,4", "--resume", "--format", "csv"]);
        Assert.True(more.ExitCode == 0, more.Error);
        Assert.Equal(2, more.OutputLines.Length);
        Assert.Equal(4, RunWithJournal(folder, "import", "--last", "--format", "csv").OutputLines.Length);

        var other = RunWithJournal(folder, [.. run, "--outstanding", "9", "--resume"]);
        Assert.Equal(2, other.ExitCode);
        Assert.Contains("was of other tests", Assert.Single(other.ErrorLines));
    }

    [Fact]
    public void Fleet_and_run_keep_the_users_files_in_the_journal_folder()
    {
        using var folder = new TestFolder();
        var state = Directory.CreateDirectory(folder.GetPath("state")).FullName;
        string[] names = ["run-1-baseline.json", "fleet-1.json", "fleet-1.jsonl"];
        foreach (var name in names)
            File.WriteAllText(Path.Combine(state, name), "precious");
        string[] load = ["--backend", "null", "--duration", "20ms", "--warm-up", "0"];
        var run = RunWithJournal(folder, ["run", "null", .. load, "--quiet"]);
        Assert.True(run.ExitCode == 0, run.Error);
        var fleet = RunWithJournal(
            folder,
            ["fleet", "localhost", "t.dat", "--size", "1MB", "--duration", "20ms", "--warm-up", "0", "--yes"]
        );
        Assert.True(fleet.ExitCode == 0, fleet.Error);
        Assert.All(names, name => Assert.Equal("precious", File.ReadAllText(Path.Combine(state, name))));
    }
}
