using System.Diagnostics;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class JournalTests
{
    private static CliOutcome RunWithJournal(TestFolder folder, params string[] args)
    {
        using var process = CreateProcess(folder, args);
        process.Start();
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new CliOutcome(process.ExitCode, output, error.Result);
    }

    private static Process CreateProcess(TestFolder folder, params string[] args)
    {
        var process = new Process
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
        return process;
    }

    [LinuxFact]
    public void Canceled_run_names_the_command_that_reads_the_journal()
    {
        using var folder = new TestFolder();
        InterruptSignal.RestoreDefault();
        var plan = JsonResultSerializer.SerializePlan([CreateTest(TimeSpan.FromMilliseconds(50)), CreateTest(TimeSpan.FromHours(1))]);
        using var process = CreateProcess(folder, "run", "--specification", folder.WriteFile("plan.json", plan));
        process.Start();
        // A header of two lines, and the row of the first test.
        for (var line = 0; line < 3; line++)
            process.StandardOutput.ReadLine();
        using (var kill = Process.Start("kill", ["-INT", $"{process.Id}"]))
            kill.WaitForExit();
        var error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        Assert.Equal(130, process.ExitCode);
        Assert.Contains("1 of 2 tests is complete. To read the results: iobench import --last.", error, StringComparison.Ordinal);
    }

    private static IoTestSpecification CreateTest(TimeSpan duration) =>
        new()
        {
            Backend = "Null",
            ThreadCount = 1,
            OutstandingIO = 1,
            NullDevice = new NullDeviceModel(1, 1),
            Duration = duration,
            WarmUp = TimeSpan.Zero,
            Targets = [new IoTargetSpecification("null")],
        };

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
        Assert.Contains("had different tests", Assert.Single(other.ErrorLines));
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
