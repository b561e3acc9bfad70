using System.Runtime.InteropServices;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class HangTests
{
    // One Wine process opens the files of all its programs, so an open that hangs would block other tests.
    private const string WineSharesOpens = "Wine opens files in a process that all its programs share, which would hang";

    [FuseFact(notByWine: WineSharesOpens)]
    public void Ctrl_C_ends_a_run_while_opening_or_marking_a_file_hangs() =>
        AssertCtrlCEndsRun(("hang-open 1", true), ("hang-attributes 1", false));

    [FuseFact]
    public void Ctrl_C_ends_a_run_while_filling_the_file_hangs() => AssertCtrlCEndsRun(("hang 1", false));

    private static void AssertCtrlCEndsRun(params (string Rule, bool Exists)[] cases)
    {
        foreach (var (rule, exists) in cases)
        {
            using var disk = new FaultyDisk();
            var path = disk.GetPath("t.dat");
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
            disk.SetRules(rule);
            using var process = Cli.StartProcess(
                disk.BackingFolder,
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
            disk.WaitForHungCall();
            Assert.Equal(0, SendSignal(process.Id, 2));
            // The kernel releases the process only when the file system answers. The message comes before that.
            var line = Cli.ReadLine(process.StandardError);
            Assert.StartsWith("iobench: Canceled.", line, StringComparison.Ordinal);
            Assert.Contains($"{path} did not respond", line, StringComparison.Ordinal);
            disk.SetRules();
            Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
            Assert.Equal(130, process.ExitCode);
            Assert.Null(Cli.ReadLine(process.StandardError));
        }
    }

    [FuseFact(notByWine: WineSharesOpens)]
    public void Run_reports_a_pending_file_check_while_it_is_pending()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        string[] run = ["run", path, "--size", "8MB", "--duration", "50ms", "--warm-up", "0", "--buffering", "both"];
        Assert.Equal(0, Cli.Run(run).ExitCode);
        disk.SetRules("hang-open 1");
        using var process = Cli.StartProcess(disk.BackingFolder, run);
        Assert.Equal($"Warning: a check of {path} has been pending for 1 s. [IoBench.IoHangs]", Cli.ReadLine(process.StandardError));
        disk.SetRules();
        Assert.StartsWith(
            "Warning: The pending check completed after about ",
            Cli.ReadLine(process.StandardError),
            StringComparison.Ordinal
        );
        _ = process.StandardError.ReadToEnd();
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
        Assert.Equal(0, process.ExitCode);
    }

    [FuseFact]
    public void Run_reports_a_pending_fill_while_it_is_pending()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        disk.SetRules("hang 1");
        using var process = Cli.StartProcess(
            disk.BackingFolder,
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
        Assert.Equal($"Warning: the preparation of {path} has been pending for 1 s. [IoBench.IoHangs]", lines[^1]);
        disk.SetRules();
        Assert.Contains("The pending preparation completed after about ", process.StandardError.ReadToEnd(), StringComparison.Ordinal);
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
        Assert.Equal(0, process.ExitCode);
    }

    [FuseTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Drill_reports_a_hang_before_the_load_and_ends_on_Ctrl_C(bool isMade)
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        string[] drill = ["drill", path, "--file-size", "8MB", "--duration", "200ms"];
        if (isMade)
            Assert.Equal(0, Cli.Run([.. drill, "--limit", "60s"]).ExitCode);
        disk.SetRules("hang 1");
        using var process = Cli.StartProcess(disk.BackingFolder, drill);
        Assert.EndsWith(
            $" of {path} has been pending for 1 s. [IoBench.IoHangs]",
            ReadLineWith(process, "Warning: "),
            StringComparison.Ordinal
        );
        Assert.Equal(0, SendSignal(process.Id, 2));
        Assert.Contains($"{path} did not respond", ReadLineWith(process, "did not respond"), StringComparison.Ordinal);
        disk.SetRules();
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
        Assert.Equal(130, process.ExitCode);
    }

    private static string ReadLineWith(System.Diagnostics.Process process, string part)
    {
        var lines = new List<string>();
        while (lines.LastOrDefault()?.Contains(part, StringComparison.Ordinal) != true)
            lines.Add(Cli.ReadLine(process.StandardError) ?? throw new InvalidOperationException(string.Join('\n', lines)));
        return lines[^1];
    }

    [FuseTheory(notByWine: WineSharesOpens)]
    [InlineData("hang-open 1", "remove t.dat")]
    [InlineData("hang-open 1", "import r.json")]
    [InlineData("hang-open 1", "run own.dat --backend null --size 8MB --duration 50ms --output r.json --force")]
    [InlineData("hang-open 1", "run own.dat --backend null --size 8MB --duration 50ms --report r.html --force")]
    public void Ctrl_C_ends_commands_while_opening_a_file_hangs(string rule, string command) => AssertCtrlCKeepsFiles(rule, command);

    [FuseTheory]
    [InlineData("hang 1", "remove t.dat")]
    [InlineData("hang 1", "import r.json")]
    public void Ctrl_C_ends_remove_and_import_while_reading_hangs(string rule, string command) => AssertCtrlCKeepsFiles(rule, command);

    private static void AssertCtrlCKeepsFiles(string rule, string command)
    {
        using var disk = new FaultyDisk();
        Assert.Equal(
            0,
            Cli.Run(
                "run",
                disk.GetPath("t.dat"),
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
                disk.GetPath("r.json"),
                "--report",
                disk.GetPath("r.html")
            ).ExitCode
        );
        disk.SetRules(rule);
        var words = command.Split(' ');
        var name = disk.GetPath(words.Last(word => word.StartsWith("r.", StringComparison.Ordinal) || word == "t.dat"));
        using (var process = Cli.StartProcess(disk.BackingFolder, [.. words.Select(word => word == Path.GetFileName(name) ? name : word)]))
        {
            disk.WaitForHungCall();
            Assert.Equal(0, SendSignal(process.Id, 2));
            Assert.StartsWith(
                $"iobench: Canceled. {name} did not respond, ",
                Cli.ReadLine(process.StandardError),
                StringComparison.Ordinal
            );
            disk.SetRules();
            Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
            Assert.Equal(130, process.ExitCode);
        }
        // The canceled operation must not have happened.
        Assert.True(File.Exists(disk.GetPath("t.dat")));
        Assert.Equal(0, Cli.Run("import", disk.GetPath("r.json"), "--quiet").ExitCode);
    }

    [FuseFact]
    public void Ctrl_C_keeps_results_while_saving_them_hangs()
    {
        using var disk = new FaultyDisk();
        var output = disk.GetPath("r.json");
        using var process = Cli.StartProcess(
            disk.BackingFolder,
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
        disk.SetRules("hang 1");
        disk.WaitForHungCall();
        Assert.Equal(0, SendSignal(process.Id, 2));
        Assert.StartsWith($"iobench: Canceled. {output} did not respond. ", Cli.ReadLine(process.StandardError), StringComparison.Ordinal);
        disk.SetRules();
        Assert.True(process.WaitForExit(TimeSpan.FromSeconds(60)), "The program did not end.");
        Assert.Equal(2, ResultReader.ReadFile(output).Count());
    }

    [DllImport("libc", EntryPoint = "kill")]
    private static extern int SendSignal(int process, int signal);
}
