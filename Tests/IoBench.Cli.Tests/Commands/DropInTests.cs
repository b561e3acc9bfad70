using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class DropInTests
{
    [Fact]
    public void Sqlio_runs_with_a_parameter_file()
    {
        using var folder = new TestFolder();
        folder.WriteFile("param.txt", $"{folder.GetPath("testfile.dat")} 2 0x0 8\n#comment\n");
        var outcome = Cli.RunProcess(folder.Path, "sqlio", "-kR", "-s1", "-frandom", "-o4", "-b8", "-LS", "-Fparam.txt");
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.StartsWith("sqlio v1.5.SG", outcome.Output);
        Assert.Contains("2 threads reading for 1 secs from file", outcome.Output);
        Assert.Contains("using 8KB random IOs", outcome.Output);
        Assert.Contains("Avg_Latency(ms):", outcome.Output);
        var read = ResultReader.ReadFile(folder.WriteFile("out.txt", outcome.Output)).Single();
        Assert.Equal((2, 4, 8d), (read.ThreadCount!.Value, read.OutstandingIO!.Value, read.FileSizeMB!.Value));
    }

    [Fact]
    public void Sqlio_names_the_option_when_IoBench_did_not_create_the_file()
    {
        using var folder = new TestFolder();
        var path = folder.WriteFile("old.dat", new string('x', 1 << 20));
        string[] sqlio = ["sqlio", "-kW", "-s1", "-frandom", "-b8", path];
        var outcome = Cli.Run(sqlio);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("add --overwrite old.dat", Assert.Single(outcome.ErrorLines));
        Assert.Contains("iobench --overwrite … sqlio", outcome.Error);
        var forced = Cli.Run(["--force", .. sqlio]);
        Assert.Equal(2, forced.ExitCode);
        Assert.Contains("--overwrite NAME, --erase-device NAME, --fill-volume, or --read-database", Assert.Single(forced.ErrorLines));
        Assert.Equal(2, Cli.Run(["--overwrite", "other.dat", .. sqlio]).ExitCode);
        Assert.Equal(0, Cli.Run(["--overwrite", "old.dat", .. sqlio]).ExitCode);
    }

    [Theory]
    [InlineData("-kX")]
    [InlineData("-mC4")]
    [InlineData("-t300")]
    public void Sqlio_refuses_unknown_or_unsupported_options_in_one_line(string option)
    {
        var outcome = Cli.Run("sqlio", option, "t.dat");
        Assert.Equal(2, outcome.ExitCode);
        Assert.StartsWith("iobench: sqlio: ", Assert.Single(outcome.ErrorLines));
    }

    /// <summary>Runs every published SQLIO command for 1 second with parameter files of the test.</summary>
    [Fact]
    public void Twelve_published_Sqlio_commands_run()
    {
        var commands = File.ReadAllLines(SampleFiles.GetPath("documents", "sqlio-commands.txt"))
            .Where(l => l.StartsWith("sqlio ", StringComparison.Ordinal))
            .ToList();
        Assert.Equal(12, commands.Count);
        // Each takes a second at least, so four run at the same time.
        Parallel.ForEach(commands, new ParallelOptions { MaxDegreeOfParallelism = 4 }, RunCommand);

        static void RunCommand(string command)
        {
            using var folder = new TestFolder();
            folder.WriteFile("paramMT.txt", $"{folder.GetPath("testfile.dat")} 2 0x0 64");
            folder.WriteFile("paramST.txt", $"{folder.GetPath("testfile.dat")} 1 0x0 64");
            var args = command
                .Split('>')[0]
                .TrimEnd()
                .Replace("-s7200", "-s1", StringComparison.Ordinal)
                .Replace("-Fparam", "-F" + folder.GetPath("param"), StringComparison.Ordinal)
                .Split(' ');
            var outcome = Cli.Run(args);
            Assert.True(outcome.ExitCode == 0, $"{command}: {outcome.ExitCode}\n{outcome.Error}{outcome.Output}");
            var read = ResultReader.ReadFile(folder.WriteFile("out.txt", outcome.Output)).Single();
            Assert.Equal(command.Contains("-kW", StringComparison.Ordinal) ? IoOperation.Write : IoOperation.Read, read.Operation);
            Assert.True(read.IOPS > 0);
        }
    }

    [Theory]
    [InlineData(3)]
    [InlineData(0, "-?")]
    [InlineData(3, "-w101", "t.dat")]
    [InlineData(3, "-F2", "-t2", "t.dat")]
    [InlineData(3, "-eq", "t.dat")]
    [InlineData(1, "-d1", "/nowhere/at/all/t.dat")]
    public void DiskSpd_returns_the_exit_codes_of_the_original(int exitCode, params string[] args)
    {
        var outcome = Cli.Run(["diskspd", .. args]);
        Assert.Equal(exitCode, outcome.ExitCode);
        Assert.True(outcome.ErrorLines.Length <= 1, outcome.Error);
    }

    [Fact]
    public void Convert_lists_the_tests_of_DiskSpd_command_lines()
    {
        var outcome = Cli.Run("convert", SampleFiles.GetPath("documents", "diskspd-commands.txt"));
        Assert.Equal(0, outcome.ExitCode);
        Assert.Equal(10, outcome.OutputLines.Length);
        Assert.Contains("60KB sequential write", outcome.Output);
        using var json = System.Text.Json.JsonDocument.Parse(
            Cli.Run("convert", SampleFiles.GetPath("documents", "diskspd-commands.txt"), "--format", "json").Output
        );
        Assert.Equal(8, json.RootElement.GetArrayLength());
    }

    [Fact]
    public void Convert_reports_invalid_lines_and_converts_the_others()
    {
        using var folder = new TestFolder();
        var file = folder.WriteFile("t.bat", "diskspd -d1 a.dat\ndiskspd -Q a.dat\ndiskspd -d%1 -b%2K b.dat\n");
        var outcome = Cli.Run("convert", file);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Equal(2, outcome.ErrorLines.Length);
        Assert.StartsWith($"iobench: {file} line 2: diskspd: '-Q' is not an option", outcome.ErrorLines[0], StringComparison.Ordinal);
        Assert.Contains(
            "line 3: the value of %1 is unknown. Specify the arguments of the batch file",
            outcome.ErrorLines[1],
            StringComparison.Ordinal
        );
        Assert.Contains("a.dat", outcome.OutputLines[^1], StringComparison.Ordinal);

        outcome = Cli.Run("convert", file, "--arguments", "7 16");
        Assert.Single(outcome.ErrorLines);
        Assert.Contains("16KB", outcome.OutputLines[^1], StringComparison.Ordinal);
    }

    /// <summary>Runs each option; the output must show the requested pattern.</summary>
    [Theory]
    [InlineData("-kR -t2 -o4 -frandom -b4 -BH -LS", "4KB random read", 2, 4)]
    [InlineData("-kW -fsequential -b64 -BN -LP", "64KB interlocked write", 1, 1)]
    [InlineData("-kR -f16 -i8 -b8 -t4 -BY -S2", "8KB stride read", 4, 1)]
    [InlineData("-kW -f16 -i8 -b8 -v1.1.1 -BS -p0 -U", "8KB stride write", 1, 1)]
    [InlineData("-kR -frandom -b8 -o2 -a0x1 -Up -LSi", "8KB random read", 1, 2)]
    public void Sqlio_IO_options_are_applied_and_read_back_from_the_output(string options, string pattern, int threads, int outstanding)
    {
        using var folder = new TestFolder();
        Assert.Equal(
            0,
            Cli.Run("run", folder.GetPath("t.dat"), "--size", "8MB", "--duration", "100ms", "--warm-up", "0", "--quiet").ExitCode
        );
        var outcome = Cli.Run(["sqlio", "-s1", .. options.Split(' '), folder.GetPath("t.dat")]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        var read = ResultReader.ReadFile(folder.WriteFile("out.txt", outcome.Output)).Single();
        Assert.Equal(
            (pattern, threads, outstanding, IoResultStatus.Complete),
            (PatternText.Describe(read.Specification!), read.ThreadCount!.Value, read.OutstandingIO!.Value, read.Status)
        );
        Assert.True(read.IOPS > 0);
        Assert.Equal(options.Contains("-L", StringComparison.Ordinal), read.AverageLatencyMs is not null);
    }

    /// <summary>A user who only wants to see the usage must not get a file.</summary>
    [Theory]
    [InlineData(2, "sqlio")]
    [InlineData(0, "sqlio", "-?")]
    [InlineData(0, "sqlio", "/?")]
    [InlineData(0, "sqlio", "-h")]
    [InlineData(0, "sqlio", "-kR", "--help")]
    [InlineData(3, "diskspd")]
    [InlineData(0, "diskspd", "-?")]
    [InlineData(0, "diskspd", "/?")]
    [InlineData(0, "diskspd", "-h")]
    [InlineData(0, "diskspd", "--help", "t.dat")]
    public void Usage_is_printed_and_no_file_is_created(int exitCode, params string[] args)
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(folder.Path, args);
        Assert.Equal(exitCode, outcome.ExitCode);
        Assert.StartsWith($"iobench {args[0]} [options] ", outcome.Output, StringComparison.Ordinal);
        Assert.Empty(outcome.Error);
        Assert.Empty(folder.ListContents());
    }

    /// <summary>SQLIO needs a size to create a file. Errors in a parameter file name its line.</summary>
    [Theory]
    [InlineData("-Fp.txt", "junk", "p.txt line 1: the number of threads after 'junk' is missing", 1)]
    [InlineData(
        "-Fp.txt",
        "# a comment\njunk.txt",
        "p.txt line 2: junk.txt does not exist, and its line in the parameter file has no size",
        2
    )]
    [InlineData("-Fp.txt", "junk 5", "p.txt line 1: junk does not exist, and its line in the parameter file has no size", 2)]
    [InlineData(
        "-Fp.txt",
        "t.dat 2 0x0 8\n\u0001\u0002x 1 0x0 8",
        "p.txt line 2: the line contains characters that are invalid in file names",
        1
    )]
    [InlineData("-Fp.txt", ". 1 0x0 8", "p.txt line 1: . is a folder. Specify a file in the folder.", 2)]
    [InlineData(
        "-t2 t.dat",
        "",
        "t.dat does not exist, and SQLIO has no option for the size of a new file. Use a parameter file (-Fparam.txt) with the line  t.dat 2 0x0 1024  for 1 GB",
        2
    )]
    [InlineData("-s1", "", "testfile.dat does not exist, and SQLIO has no option for the size", 2)]
    public void Sqlio_creates_no_file_without_a_size(string option, string parameters, string message, int exitCode)
    {
        using var folder = new TestFolder();
        folder.WriteFile("p.txt", parameters);
        var before = folder.ListContents();
        var outcome = Cli.RunProcess(folder.Path, ["sqlio", "-kR", "-frandom", .. option.Split(' ')]);
        Assert.Equal(exitCode, outcome.ExitCode);
        Assert.StartsWith("iobench: ", Assert.Single(outcome.ErrorLines), StringComparison.Ordinal);
        Assert.Contains(message, outcome.Error, StringComparison.Ordinal);
        Assert.Equal(before, folder.ListContents());
    }

    /// <summary>Otherwise Linux would create a file with that name.</summary>
    [LinuxTheory]
    [InlineData("physical drive 0 is a Windows disk. Specify the device, for example /dev/sdb", "diskspd", "-d1", "#0")]
    [InlineData("E: is a Windows volume. Specify the device", "diskspd", "-d1", "E:")]
    [InlineData("E:\\x.dat is a Windows path.", "diskspd", "-c8M", "-d1", "E:\\x.dat")]
    [InlineData("sub\\x.dat is a Windows path.", "diskspd", "-c8M", "-d1", "sub\\x.dat")]
    [InlineData("physical drive 9 is a Windows disk.", "sqlio", "-R9")]
    [InlineData("E:x.dat is a Windows path.", "sqlio", "-dE", "x.dat")]
    [InlineData("p.txt line 1: c:\\testfile.dat is a Windows path.", "sqlio", "-frandom", "-Fp.txt")]
    public void Windows_paths_are_refused_on_Linux(string message, params string[] args)
    {
        using var folder = new TestFolder();
        folder.WriteFile("p.txt", "c:\\testfile.dat 2 0x0 100");
        var before = folder.ListContents();
        var outcome = Cli.RunProcess(folder.Path, args);
        Assert.Equal(args[0] == "diskspd" ? 1 : 2, outcome.ExitCode);
        Assert.Contains(message, Assert.Single(outcome.ErrorLines), StringComparison.Ordinal);
        Assert.Equal(before, folder.ListContents());
    }

    [Fact]
    public void Folder_is_refused_as_a_target()
    {
        using var folder = new TestFolder();
        foreach (
            var args in (string[][])
                [
                    ["diskspd", "-d1", folder.Path],
                    ["diskspd", "-c8M", "-d1", folder.Path],
                    ["sqlio", "-s1", folder.Path],
                ]
        )
            Assert.Contains(
                $"{folder.Path} is a folder. Specify a file in the folder.",
                Assert.Single(Cli.Run(args).ErrorLines),
                StringComparison.Ordinal
            );
        Assert.Empty(folder.ListContents());
    }

    [LinuxFact]
    public void Sqlio_prints_results_so_far_after_Ctrl_C()
    {
        using var folder = new TestFolder();
        Assert.Equal(
            0,
            Cli.Run("run", folder.GetPath("t.dat"), "--size", "8MB", "--duration", "100ms", "--warm-up", "0", "--quiet").ExitCode
        );
        // The busier the computer is, the longer it takes until there are results.
        var seconds = 2;
        var read = TestTimeouts.RetryUntil(
            r => r.IOPS > 0,
            () =>
            {
                using var process = Cli.StartProcess(folder.Path, "sqlio", "-kR", "-s60", "-frandom", "-b8", "-o2", "-LS", "t.dat");
                Thread.Sleep(TimeSpan.FromSeconds(seconds++));
                System
                    .Diagnostics.Process.Start("kill", ["-INT", process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture)])
                    .WaitForExit();
                var output = process.StandardOutput.ReadToEnd();
                Assert.True(process.WaitForExit(60_000));
                // Ctrl+C can arrive before the first line.
                return output.Length == 0 ? new() : ResultReader.ReadFile(folder.WriteFile("out.txt", output)).SingleOrDefault() ?? new();
            },
            attempts: 10
        );
        Assert.True(read.IOPS > 0);
        Assert.NotNull(read.Histogram);
        // SQLIO prints the planned duration before it runs.
        Assert.Equal((60, IoResultStatus.Complete), (read.DurationSeconds!.Value, read.Status));
    }
}
