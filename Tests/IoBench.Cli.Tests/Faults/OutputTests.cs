using System.Diagnostics;
using System.Runtime.InteropServices;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public partial class OutputTests
{
    private static readonly string[] s_run = ["run", "null.dat", "--backend", "null", "--warm-up", "0", "--size", "8MB"];

    [Fact]
    public async Task Second_run_with_the_same_output_is_refused()
    {
        using var folder = new TestFolder();
        // The first run must last while three other runs start; with Wine that takes seconds.
        var (rounds, duration) = TestedProgram.UsesWine ? (1, "6s") : (2, "400ms");
        for (var round = 0; round < rounds; round++)
        {
            var output = folder.GetPath($"r{round}.json");
            using var first = Cli.StartProcess(
                folder.Path,
                [.. s_run, "--outstanding", "1,2,3,4,5", "--duration", duration, "--output", output]
            );
            var said = first.StandardError.ReadToEndAsync();
            // The header is printed after the output files are locked.
            Assert.NotNull(first.StandardOutput.ReadLine());
            foreach (var options in new[] { new[] { "--force" }, ["--resume"], [] })
            {
                var second = Cli.Run([.. s_run, "--duration", "50ms", "--output", output, .. options]);
                Assert.True(second.ExitCode == 2 && !first.HasExited, second.Error);
                if (options.Length > 0)
                    Assert.Contains(
                        "is the output of another run that is still active",
                        Assert.Single(second.ErrorLines),
                        StringComparison.Ordinal
                    );
            }
            first.StandardOutput.ReadToEnd();
            await first.WaitForExitAsync();
            Assert.True(first.ExitCode == 0, await said);
            Assert.Equal([1, 2, 3, 4, 5], ResultReader.ReadFile(output).Select(r => r.OutstandingIO));
        }
        Assert.All(folder.ListContents(), name => Assert.StartsWith("r", name, StringComparison.Ordinal));
    }

    [LinuxFact]
    public void Killed_run_keeps_saved_results_and_can_be_resumed()
    {
        using var folder = new TestFolder();
        var random = new Random(11);
        var loads = string.Join(',', Enumerable.Range(1, 60));
        string[] run = [.. s_run, "--duration", "1ms", "--outstanding", loads, "--output", folder.GetPath("r.json"), "--resume"];
        var saved = new List<string>();
        for (var kill = 0; kill < 12; kill++)
        {
            using (var process = Cli.StartProcess(folder.Path, run))
            {
                process.StandardOutput.ReadLine();
                // A kill right after a save happens often enough on any machine; the other kills happen at a random time.
                if (kill % 2 == 0)
                    WaitForChange(process, folder.GetPath("r.json"), GetSavedLength(folder.GetPath("r.json")));
                Thread.Sleep(random.Next(120));
                process.Kill();
                process.WaitForExit();
            }
            if (GetSavedLength(folder.GetPath("r.json")) == 0)
                continue;
            var now = ResultReader.ReadFile(folder.GetPath("r.json")).Select(r => r.RunId!).ToList();
            Assert.Equal(saved, now.Take(saved.Count));
            saved = now;
        }
        Assert.NotEmpty(saved);
        var last = Cli.Run(run);
        Assert.True(last.ExitCode == 0, last.Error);
        Assert.Equal(saved, ResultReader.ReadFile(folder.GetPath("r.json")).Select(r => r.RunId).Take(saved.Count));
        Assert.Equal(Enumerable.Range(1, 60), ResultReader.ReadFile(folder.GetPath("r.json")).Select(r => r.OutstandingIO!.Value).Order());
        Assert.Equal(["r.json"], Directory.GetFiles(folder.Path).Select(Path.GetFileName));
    }

    private static long GetSavedLength(string path) => new FileInfo(path) is { Exists: true } file ? file.Length : 0;

    private static void WaitForChange(Process process, string path, long before) =>
        TestTimeouts.WaitUntil(() => process.HasExited || GetSavedLength(path) != before, "a result was saved");

    [Fact]
    public void Test_file_as_output_or_report_is_refused_before_the_test()
    {
        using var folder = new TestFolder();
        var test = folder.GetPath("t.json");
        string[] run = ["run", test, "--size", "8MB", "--duration", "100ms", "--warm-up", "0"];
        foreach (var option in new[] { "--output", "--report" })
        {
            var path = option == "--output" ? test : folder.GetPath("t.html");
            run[1] = path;
            Assert.Contains("cannot be both the test file and an output", Cli.Run([.. run, option, path]).Error, StringComparison.Ordinal);
            Assert.Empty(folder.ListContents());
            Assert.Equal(0, Cli.Run(run).ExitCode);
            var before = folder.ListContents();
            var outcome = Cli.Run([.. run, option, path, "--force"]);
            Assert.Equal(2, outcome.ExitCode);
            Assert.Equal(before, folder.ListContents());
            // Remove deletes only files that IoBench created.
            Assert.Equal(0, Cli.Run("remove", path).ExitCode);
            Assert.Empty(folder.ListContents());
        }
    }

    [Fact]
    public void Refused_test_creates_no_output()
    {
        using var folder = new TestFolder();
        folder.WriteFile("foreign.dat", "somebody's");
        var before = folder.ListContents();
        Assert.Equal(
            2,
            Cli.Run(
                "run",
                folder.GetPath("foreign.dat"),
                "--write",
                "100",
                "--output",
                folder.GetPath("r.json"),
                "--report",
                folder.GetPath("r.xlsx")
            ).ExitCode
        );
        Assert.Equal(before, folder.ListContents());
    }

    [FuseFact]
    public void Full_output_disk_does_not_stop_the_tests()
    {
        using var folder = new TestFolder();
        using var disk = new FaultyDisk();
        disk.SetRules("full-after 0");
        var outcome = Cli.Run([.. s_run, "--duration", "50ms", "--outstanding", "1,2,3", "--output", disk.GetPath("r.json")]);
        Assert.Equal(1, outcome.ExitCode);
        Assert.Equal(5, outcome.OutputLines.Length);
        Assert.Contains("r.json cannot be written: ", outcome.Error, StringComparison.Ordinal);
        disk.SetRules();
        Assert.DoesNotContain(Directory.GetFiles(disk.MountFolder), name => name.EndsWith(".tmp", StringComparison.Ordinal));
    }

    [LinuxFact]
    public void Pipe_is_refused_and_skipped_in_folders()
    {
        using var folder = new TestFolder();
        File.Copy(SampleFiles.GetPath("documents/write-8k-sequential-BN.txt"), folder.GetPath("a.txt"));
        Assert.Equal(0, MakePipe(folder.GetPath("pipe.txt"), 0x1B6));
        Directory.CreateSymbolicLink(folder.GetPath("loop"), ".");
        var read = Cli.Run("import", folder.Path, "-r");
        Assert.Equal(0, read.ExitCode);
        Assert.Equal(3, read.OutputLines.Length);
        Assert.Contains(
            "IoBench skipped 1 link (to read them, specify their targets), 1 pipe, socket, or device.",
            Assert.Single(read.ErrorLines, line => line.Contains("IoBench skipped", StringComparison.Ordinal)),
            StringComparison.Ordinal
        );
        foreach (
            var command in new string[][]
            {
                ["import"],
                ["report", "--output", folder.GetPath("r.xlsx")],
                ["compare"],
                ["convert"],
                ["test"],
                ["run", "t.dat", "--baseline"],
                ["run", "t.dat", "--require"],
                ["history"],
            }
        )
        {
            var refused = Cli.Run([.. command, folder.GetPath("pipe.txt")]);
            Assert.True(
                refused.ExitCode == 2 && refused.Error.Contains("is a pipe, not a file", StringComparison.Ordinal),
                string.Join(' ', command) + ": " + refused.Error
            );
        }
        Assert.Equal(
            2,
            Cli.Run("run", "t.dat", "--from-file-stats", $"{folder.GetPath("pipe.txt")},{folder.GetPath("pipe.txt")}").ExitCode
        );
        Assert.Equal(
            2,
            Cli.Run([.. s_run, "--duration", "50ms", "--output", folder.GetPath("pipe.txt"), "--format", "sqlio", "--resume"]).ExitCode
        );
    }

    [Fact]
    public void Control_characters_are_escaped_on_screen_and_kept_in_data()
    {
        const string nasty = "a\u001b]0;x\u0007b\u202ec\nd\u009b2J";
        using var folder = new TestFolder();
        Cli.Run(
            "import",
            SampleFiles.GetPath("documents/write-8k-sequential-BN.txt"),
            "--label",
            nasty,
            "--output",
            folder.GetPath("a.json")
        );
        Assert.Equal(nasty, ResultReader.ReadFile(folder.GetPath("a.json")).First().Label);
        File.Copy(folder.GetPath("a.json"), folder.GetPath("b.json"));
        string[][] commands =
        [
            ["import", folder.GetPath("a.json"), "--histogram"],
            ["compare", folder.GetPath("a.json"), folder.GetPath("b.json")],
            ["test", folder.GetPath("a.json")],
            ["history", folder.Path],
            ["import", folder.GetPath($"no{nasty}.json")],
            ["run", "x.dat", $"--{nasty}"],
            [nasty],
            ["run", folder.GetPath("x.dat"), "--workload", nasty],
            [.. s_run, "--duration", "50ms", "--label", nasty],
            ["workloads", nasty],
            ["import", folder.GetPath("a.json"), "--format", nasty],
        ];
        foreach (var command in commands)
        {
            var outcome = Cli.Run(command);
            Assert.True(
                SafeText.IsSafe(outcome.Output, keepLines: true) && SafeText.IsSafe(outcome.Error, keepLines: true),
                string.Join(' ', command) + "\n" + outcome.Output + outcome.Error
            );
        }
        var table = Cli.Run("import", folder.GetPath("a.json"));
        Assert.Equal(3, table.OutputLines.Length);
        Assert.Contains(@"a\e]0;x\ab\u", table.Output, StringComparison.Ordinal);

        // Data formats are for programs, so their text is escaped only on a terminal.
        Assert.Equal(
            nasty,
            ResultReader
                .ReadFile(folder.WriteFile("c.json", Cli.Run("import", folder.GetPath("a.json"), "--format", "json").Output))
                .First()
                .Label
        );
        using var output = new StringWriter();
        using var console = new CliConsole(output, new StringWriter(), errorIsTerminal: true, canAsk: false, outputIsTerminal: true);
        Assert.Equal(0, App.Run(["import", folder.GetPath("a.json"), "--format", "csv"], console));
        Assert.Contains(@"a\e]0;x\ab\u202ec", output.ToString(), StringComparison.Ordinal);
        Assert.True(SafeText.IsSafe(output.ToString(), keepLines: true));
    }

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);
}
