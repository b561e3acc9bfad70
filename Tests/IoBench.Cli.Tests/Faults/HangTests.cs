using System.Runtime.InteropServices;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class HangTests
{
    // One Wine process opens the files of all its programs, so an open that hangs would block other tests.
    private const string OpensElsewhere = "Wine opens files in a process that all its programs share, which would hang";

    [FuseFact(notByWine: OpensElsewhere)]
    public void Ctrl_C_is_heard_while_a_file_is_opened_or_marked() => CtrlCIsHeard(("hang-open 1", true), ("hang-attributes 1", false));

    [FuseFact]
    public void Ctrl_C_is_heard_while_a_file_is_filled() => CtrlCIsHeard(("hang 1", false));

    private static void CtrlCIsHeard(params (string Rule, bool Exists)[] cases)
    {
        foreach (var (rule, exists) in cases)
        {
            using var disk = new FaultyDisk();
            var path = disk.Path("t.dat");
            if (exists)
                Assert.Equal(
                    0,
                    Cli.Run(
                        "run",
                        path,
                        "--size",
                        "8MB",
                        "--write",
                        "100",
                        "--duration",
                        "50ms",
                        "--warm-up",
                        "0",
                        "--quiet",
                        "--buffering",
                        "both"
                    ).ExitCode
                );
            disk.Rules(rule);
            using var process = Cli.Start(
                disk.Behind,
                "run",
                path,
                "--size",
                "8MB",
                "--write",
                "100",
                "--duration",
                "60",
                "--warm-up",
                "0",
                "--quiet",
                "--buffering",
                "both"
            );
            disk.WaitUntilSomethingHangs();
            Assert.Equal(0, SendSignal(process.Id, 2));
            // The kernel releases the process only when the file system answers. The message comes before that.
            var line = Cli.ReadLine(process.StandardError);
            Assert.StartsWith("iobench: cancelled.", line, StringComparison.Ordinal);
            Assert.Contains($"{path} did not answer: ", line, StringComparison.Ordinal);
            disk.Rules();
            Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
            Assert.Equal(130, process.ExitCode);
            Assert.Null(Cli.ReadLine(process.StandardError));
        }
    }

    [FuseFact(notByWine: OpensElsewhere)]
    public void A_look_before_a_run_that_hangs_is_reported_while_it_hangs()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        string[] run = ["run", path, "--size", "8MB", "--duration", "50ms", "--warm-up", "0", "--buffering", "both"];
        Assert.Equal(0, Cli.Run(run).ExitCode);
        disk.Rules("hang-open 1");
        using var process = Cli.Start(disk.Behind, run);
        Assert.Equal($"Warning: a check of {path} has not come back for 1 s.", Cli.ReadLine(process.StandardError));
        disk.Rules();
        Assert.StartsWith("Warning: the check that hung is back, after ", Cli.ReadLine(process.StandardError), StringComparison.Ordinal);
        _ = process.StandardError.ReadToEnd();
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
        Assert.Equal(0, process.ExitCode);
    }

    [FuseFact]
    public void A_fill_that_hangs_is_reported_while_it_hangs()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        disk.Rules("hang 1");
        using var process = Cli.Start(
            disk.Behind,
            "run",
            path,
            "--size",
            "8MB",
            "--duration",
            "50ms",
            "--warm-up",
            "0",
            "--buffering",
            "both"
        );
        var lines = new List<string?>();
        while (lines.LastOrDefault()?.StartsWith("Warning: ", StringComparison.Ordinal) != true)
            lines.Add(Cli.ReadLine(process.StandardError) ?? throw new InvalidOperationException(string.Join('\n', lines)));
        Assert.Equal($"Warning: the preparation of {path} has not come back for 1 s.", lines[^1]);
        disk.Rules();
        Assert.Contains("the preparation that hung is back, after ", process.StandardError.ReadToEnd(), StringComparison.Ordinal);
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
        Assert.Equal(0, process.ExitCode);
    }

    [FuseTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_drill_whose_file_hangs_before_the_load_says_so_and_hears_CtrlC(bool isMade)
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("t.dat");
        string[] drill = ["drill", path, "--file-size", "8MB", "--duration", "200ms"];
        if (isMade)
            Assert.Equal(0, Cli.Run([.. drill, "--limit", "60s"]).ExitCode);
        disk.Rules("hang 1");
        using var process = Cli.Start(disk.Behind, drill);
        Assert.EndsWith($" of {path} has not come back for 1 s.", LineWith(process, "Warning: "), StringComparison.Ordinal);
        Assert.Equal(0, SendSignal(process.Id, 2));
        Assert.Contains($"{path} did not answer: ", LineWith(process, "did not answer"), StringComparison.Ordinal);
        disk.Rules();
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
        Assert.Equal(130, process.ExitCode);
    }

    private static string LineWith(System.Diagnostics.Process process, string part)
    {
        var lines = new List<string>();
        while (lines.LastOrDefault()?.Contains(part, StringComparison.Ordinal) != true)
            lines.Add(Cli.ReadLine(process.StandardError) ?? throw new InvalidOperationException(string.Join('\n', lines)));
        return lines[^1];
    }

    [FuseTheory(notByWine: OpensElsewhere)]
    [InlineData("hang-open 1", "remove t.dat")]
    [InlineData("hang-open 1", "import r.json")]
    [InlineData("hang-open 1", "run own.dat --backend null --size 8MB --duration 50ms --output r.json --force")]
    [InlineData("hang-open 1", "run own.dat --backend null --size 8MB --duration 50ms --report r.html --force")]
    public void Ctrl_C_is_heard_while_a_file_is_opened_to_be_removed_read_or_taken(string rule, string command) =>
        CtrlCIsHeardAndTheFilesStay(rule, command);

    [FuseTheory]
    [InlineData("hang 1", "remove t.dat")]
    [InlineData("hang 1", "import r.json")]
    public void Ctrl_C_is_heard_while_a_file_is_removed_or_read(string rule, string command) => CtrlCIsHeardAndTheFilesStay(rule, command);

    private static void CtrlCIsHeardAndTheFilesStay(string rule, string command)
    {
        using var disk = new FaultyDisk();
        Assert.Equal(
            0,
            Cli.Run(
                "run",
                disk.Path("t.dat"),
                "--size",
                "8MB",
                "--duration",
                "50ms",
                "--warm-up",
                "0",
                "--quiet",
                "--buffering",
                "both",
                "--output",
                disk.Path("r.json"),
                "--report",
                disk.Path("r.html")
            ).ExitCode
        );
        disk.Rules(rule);
        var words = command.Split(' ');
        var name = disk.Path(words.Last(word => word.StartsWith("r.", StringComparison.Ordinal) || word == "t.dat"));
        using (var process = Cli.Start(disk.Behind, [.. words.Select(word => word == Path.GetFileName(name) ? name : word)]))
        {
            disk.WaitUntilSomethingHangs();
            Assert.Equal(0, SendSignal(process.Id, 2));
            Assert.StartsWith(
                $"iobench: cancelled. {name} did not answer: ",
                Cli.ReadLine(process.StandardError),
                StringComparison.Ordinal
            );
            disk.Rules();
            Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
            Assert.Equal(130, process.ExitCode);
        }
        // The canceled operation must not have happened.
        Assert.True(File.Exists(disk.Path("t.dat")));
        Assert.Equal(0, Cli.Run("import", disk.Path("r.json"), "--quiet").ExitCode);
    }

    [FuseFact]
    public void Ctrl_C_is_heard_while_results_are_saved_and_they_are_kept()
    {
        using var disk = new FaultyDisk();
        var output = disk.Path("r.json");
        using var process = Cli.Start(
            disk.Behind,
            "run",
            "own.dat",
            "--backend",
            "null",
            "--size",
            "8MB",
            "--duration",
            "1",
            "--warm-up",
            "0",
            "--repeat",
            "2",
            "--quiet",
            "--output",
            output
        );
        // The first table row means that its result is saved and the second test runs.
        Assert.NotNull(process.StandardOutput.ReadLine());
        disk.Rules("hang 1");
        disk.WaitUntilSomethingHangs();
        Assert.Equal(0, SendSignal(process.Id, 2));
        Assert.StartsWith($"iobench: cancelled. {output} did not answer: ", Cli.ReadLine(process.StandardError), StringComparison.Ordinal);
        disk.Rules();
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
        Assert.Equal(2, ResultReader.ReadFile(output).Count());
    }

    [DllImport("libc", EntryPoint = "kill")]
    private static extern int SendSignal(int process, int signal);
}
