using System.Diagnostics;
using System.Globalization;

namespace IoBench.Cli.Tests;

public class NameTests
{
    private static readonly string[] s_short = ["--size", "8MB", "--duration", "100ms", "--warm-up", "0", "--quiet"];

    [LinuxFact]
    public void Arguments_after_two_dashes_are_paths()
    {
        using var folder = new TestFolder();
        foreach (var name in (string[])["-dash", "--block", "-d"])
        {
            var outcome = Cli.RunProcess(folder.Path, ["run", .. s_short, "--", name]);
            Assert.True(outcome.ExitCode == 0, outcome.Error);
            Assert.True(File.Exists(folder.GetPath(name)));
            Assert.Equal(0, Cli.RunProcess(folder.Path, "remove", "--", name).ExitCode);
            Assert.False(File.Exists(folder.GetPath(name)));
        }
        Assert.Contains("'--' is not an option of DiskSpd", Cli.Run("diskspd", "-d1", "--", "t.dat").Error, StringComparison.Ordinal);
        Assert.Contains("-- is not an option of SQLIO", Cli.Run("sqlio", "--", "t.dat").Error, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Long_file_name_works_and_a_too_long_name_is_refused()
    {
        using var folder = new TestFolder();
        var name = new string('a', 250);
        Assert.Equal(0, Cli.RunProcess(folder.Path, ["run", name, .. s_short]).ExitCode);
        Assert.Equal(0, Cli.RunProcess(folder.Path, "remove", name).ExitCode);
        var outcome = Cli.RunProcess(folder.Path, ["run", name + name, .. s_short]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains(
            "aaaa: the name is too long for this file system. Choose a shorter name.",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.Empty(folder.ListContents());
    }

    /// <summary>
    /// Invalid bytes arrive as U+FFFD. The program must neither create a file of that name nor use an existing one instead.
    /// </summary>
    [LinuxTheory]
    [InlineData("run $'a\\xff.dat' --size 8MB --duration 100ms --warm-up 0")]
    [InlineData("import good.txt $'a\\xff.dat' ''")]
    [InlineData("remove $'a\\xff.dat'")]
    [InlineData("diskspd -c8M -d1 $'a\\xff.dat'")]
    public void File_name_with_invalid_UTF_8_is_refused(string command)
    {
        using var folder = new TestFolder();
        folder.WriteFile("a\uFFFD.dat", "the wrong one");
        var before = folder.ListContents();
        var outcome = RunInShell(folder.Path, $"exec {Cli.ShellCommand} {command}");
        Assert.Equal(2, outcome.ExitCode);
        Assert.EndsWith(
            ".dat: this argument is not valid UTF-8, so IoBench cannot determine the file name. Rename the file, or specify a link to it. [IoBench.InvalidPath]",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.Equal(before, folder.ListContents());
    }

    [LinuxFact]
    public void File_name_with_a_replacement_character_is_refused()
    {
        using var folder = new TestFolder();
        var outcome = Cli.RunProcess(folder.Path, ["run", "a\uFFFD.dat", .. s_short]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("not valid UTF-8", outcome.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(folder.GetPath("a\uFFFD.dat")));
    }

    [LinuxTheory]
    [InlineData(
        "run x.dat",
        2,
        "the current folder no longer exists, because it was removed or moved. Change to another folder, or use full paths."
    )]
    [InlineData("diskspd -c1M x.dat", 2, "the current folder no longer exists")]
    [InlineData("cap x.dat", 2, "the current folder no longer exists")]
    [InlineData("remove x.dat", 2, "the current folder no longer exists")]
    [InlineData("import x.txt", 2, "x.txt does not exist. Check the name and the folder.")]
    public void Removed_working_folder_is_reported(string command, int exitCode, string message)
    {
        using var folder = new TestFolder();
        // Not with dotnet, because it does not start in a removed folder.
        var outcome = RunInShell(folder.Path, $"mkdir gone && cd gone && rmdir ../gone && exec '{Cli.ProgramPath}' {command}");
        Assert.Equal(exitCode, outcome.ExitCode);
        Assert.Contains(message, Assert.Single(outcome.ErrorLines), StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Full_paths_work_when_the_working_folder_was_removed()
    {
        using var folder = new TestFolder();
        var outcome = RunInShell(
            folder.Path,
            $"mkdir gone && cd gone && rmdir ../gone && exec '{Cli.ProgramPath}' run '{folder.GetPath("t.dat")}' {string.Join(' ', s_short)}"
        );
        Assert.True(outcome.ExitCode == 0, outcome.Error);
    }

    /// <summary>Limits below the needs of the .NET runtime cannot be reported by a .NET program.</summary>
    [LinuxTheory]
    [InlineData(30)]
    [InlineData(60)]
    [InlineData(99)]
    public void File_handle_limit_below_100_is_reported_at_startup(int handles)
    {
        using var folder = new TestFolder();
        var count = handles.ToString(CultureInfo.InvariantCulture);
        var outcome = RunInShell(folder.Path, $"ulimit -n {count}; exec '{Cli.ProgramPath}' run t.dat {string.Join(' ', s_short)}");
        Assert.Equal(2, outcome.ExitCode);
        Assert.Equal(
            $"iobench: only {count} files can be open at the same time, but IoBench needs 100 or more. Raise the limit, for example: ulimit -n 1024",
            Assert.Single(outcome.ErrorLines)
        );
        Assert.Empty(folder.ListContents());
    }

    /// <summary>The limit does not apply to root, so the test runs as another user.</summary>
    [SetPrivFact]
    public void Thread_limit_below_24_is_reported_at_startup()
    {
        foreach (var count in new[] { 12, 16, 23 })
        {
            var outcome = RunInShell(
                Path.GetTempPath(),
                $"setpriv --reuid 65533 --clear-groups bash -c \"ulimit -u {count}; exec {string.Join(' ', Cli.Command)} rules\""
            );
            Assert.Equal(2, outcome.ExitCode);
            Assert.Equal(
                $"iobench: only {count} threads can run at the same time, but IoBench needs 24 or more. Raise the process limit, for example: ulimit -u 1024",
                Assert.Single(outcome.ErrorLines)
            );
        }
    }

    [Fact]
    public void Refused_thread_is_no_bug_of_IoBench()
    {
        Assert.StartsWith(
            "iobench: The system cannot create a thread. Raise the process limit (ulimit -u",
            Startup.DescribeUnexpected(new TracedError("   at System.Threading.Thread.StartCore()")),
            StringComparison.Ordinal
        );
        Assert.StartsWith(
            "iobench: There is not enough memory.",
            Startup.DescribeUnexpected(new TracedError("   at A.B()\n   at System.Threading.Thread.StartCallback()")),
            StringComparison.Ordinal
        );
    }

    [AttributeUsage(AttributeTargets.Method)]
    private sealed class SetPrivFactAttribute : FactAttribute
    {
        public SetPrivFactAttribute() =>
            Skip =
                !OperatingSystem.IsLinux() || TestedProgram.UsesWine ? "needs Linux"
                : !Environment.IsPrivilegedProcess ? "needs root to run as another user"
                : ProgramFinder.FindOnPath("setpriv") is null ? "needs setpriv, which is not on the PATH"
                : null;
    }

    private sealed class TracedError(string trace) : OutOfMemoryException
    {
        public override string StackTrace => trace;
    }

    [LinuxFact]
    public void Small_test_runs_with_128_file_handles()
    {
        using var folder = new TestFolder();
        var outcome = RunInShell(
            folder.Path,
            $"ulimit -n 128; exec '{Cli.ProgramPath}' run t.dat --report r.xlsx --output r.json {string.Join(' ', s_short)}"
        );
        Assert.True(outcome.ExitCode == 0, outcome.Error);
    }

    [LinuxFact]
    public void File_size_limit_of_the_process_is_reported_and_no_file_remains()
    {
        using var folder = new TestFolder();
        // Without this setting the runtime creates a large memory file.
        var outcome = RunInShell(
            folder.Path,
            $"ulimit -f 2048; export DOTNET_EnableWriteXorExecute=0; exec '{Cli.ProgramPath}' run t.dat --size 8MB --duration 50ms --warm-up 0 --quiet"
        );
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("t.dat", Assert.Single(outcome.ErrorLines), StringComparison.Ordinal);
        Assert.Empty(folder.ListContents());
    }

    [Fact]
    public void Unexpected_error_is_one_line_that_names_the_trace_variable()
    {
        var line = Startup.DescribeUnexpected(new InvalidOperationException("first\nsecond"));
        Assert.Equal(
            "iobench: InvalidOperationException: first second This is a bug in IoBench. Please report it. Set the environment variable IOBENCH_TRACE=1 to show its location.",
            line
        );
    }

    private static CliOutcome RunInShell(string folder, string command)
    {
        using var process = Process.Start(
            new ProcessStartInfo("/bin/bash", ["-c", command])
            {
                WorkingDirectory = folder,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new CliOutcome(process.ExitCode, output, error.Result);
    }
}
