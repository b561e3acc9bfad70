using System.Diagnostics;

namespace IoBench.Cli.Tests;

public class JournalTests
{
    private static CliOutcome Run(TestFolder folder, params string[] args)
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
        process.StartInfo.Environment["IOBENCH_JOURNAL"] = folder.File("state");
        process.Start();
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new CliOutcome(process.ExitCode, output, error.Result);
    }

    [Fact]
    public void What_was_not_asked_to_be_kept_is_there_and_a_run_goes_on_with_it()
    {
        using var folder = new TestFolder();
        string[] run = ["run", "null", "--backend", "null", "--duration", "20ms", "--warm-up", "0", "--quiet"];
        Assert.Equal(0, Run(folder, [.. run, "--outstanding", "1,2"]).ExitCode);
        var last = Run(folder, "import", "--last", "--format", "csv");
        Assert.True(last.ExitCode == 0, last.Error);
        Assert.Equal(3, last.OutputLines.Length);

        var more = Run(folder, [.. run, "--outstanding", "1,2,4", "--resume", "--format", "csv"]);
        Assert.True(more.ExitCode == 0, more.Error);
        Assert.Equal(2, more.OutputLines.Length);
        Assert.Equal(4, Run(folder, "import", "--last", "--format", "csv").OutputLines.Length);

        var other = Run(folder, [.. run, "--outstanding", "9", "--resume"]);
        Assert.Equal(2, other.ExitCode);
        Assert.Contains("was of other tests", Assert.Single(other.ErrorLines));
    }
}
