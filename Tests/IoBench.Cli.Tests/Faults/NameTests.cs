using System.Diagnostics;
using System.Globalization;

namespace IoBench.Cli.Tests;

public class NameTests
{
    private static readonly string[] s_short = ["--size", "8MB", "--duration", "100ms", "--warm-up", "0", "--quiet"];

    [LinuxFact]
    public void Behind_two_dashes_all_are_names()
    {
        using var folder = new TestFolder();
        foreach (var name in (string[])["-dash", "--block", "-d"])
        {
            var outcome = Cli.Execute(folder.Path, ["run", .. s_short, "--", name]);
            Assert.True(outcome.ExitCode == 0, outcome.Error);
            Assert.True(File.Exists(folder.File(name)));
            Assert.Equal(0, Cli.Execute(folder.Path, "remove", "--", name).ExitCode);
            Assert.False(File.Exists(folder.File(name)));
        }
        Assert.Contains("'--' is not an option of DiskSpd", Cli.Run("diskspd", "-d1", "--", "t.dat").Error, StringComparison.Ordinal);
        Assert.Contains("-- is not an option of SQLIO", Cli.Run("sqlio", "--", "t.dat").Error, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void A_long_name_is_as_good_as_a_short_one_and_one_that_is_too_long_is_told_with_its_beginning()
    {
        using var folder = new TestFolder();
        var name = new string('a', 250);
        Assert.Equal(0, Cli.Execute(folder.Path, ["run", name, .. s_short]).ExitCode);
        Assert.Equal(0, Cli.Execute(folder.Path, "remove", name).ExitCode);
        var outcome = Cli.Execute(folder.Path, ["run", name + name, .. s_short]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains(
            "aaaa: the name is too long for this file system. Choose a shorter one.",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.Empty(folder.Listing());
    }

    /// <summary>
    /// Invalid bytes arrive as U+FFFD. The program must neither create a file of that name nor use an existing one instead.
    /// </summary>
    [LinuxTheory]
    [InlineData("run $'a\\xff.dat' --size 8MB --duration 100ms --warm-up 0")]
    [InlineData("import good.txt $'a\\xff.dat' ''")]
    [InlineData("remove $'a\\xff.dat'")]
    [InlineData("diskspd -c8M -d1 $'a\\xff.dat'")]
    public void A_name_that_is_no_text_is_refused(string command)
    {
        using var folder = new TestFolder();
        folder.Write("a\uFFFD.dat", "the wrong one");
        var before = folder.Listing();
        var outcome = Shell(folder.Path, $"exec {Cli.ShellCommand} {command}");
        Assert.Equal(2, outcome.ExitCode);
        Assert.EndsWith(
            ".dat: this argument is not valid UTF-8, so it is unclear which file it means. Rename the file, or name a link to it.",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.Equal(before, folder.Listing());
    }

    [LinuxFact]
    public void A_name_that_cannot_be_told_from_one_that_is_no_text_is_refused()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Execute(folder.Path, ["run", "a\uFFFD.dat", .. s_short]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("not valid UTF-8", outcome.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(folder.File("a\uFFFD.dat")));
    }

    [LinuxTheory]
    [InlineData(
        "run x.dat",
        2,
        "the current folder does not exist any more (it was removed or moved): change to another folder, or give full paths."
    )]
    [InlineData("diskspd -c1M x.dat", 2, "the current folder does not exist any more")]
    [InlineData("cap x.dat", 2, "the current folder does not exist any more")]
    [InlineData("remove x.dat", 2, "the current folder does not exist any more")]
    [InlineData("import x.txt", 2, "x.txt does not exist: check the name and the folder.")]
    public void A_folder_that_is_gone_is_told(string command, int exitCode, string message)
    {
        using var folder = new TestFolder();
        // Not with dotnet, because it does not start in a removed folder.
        var outcome = Shell(folder.Path, $"mkdir gone && cd gone && rmdir ../gone && exec '{Cli.Program}' {command}");
        Assert.Equal(exitCode, outcome.ExitCode);
        Assert.Contains(message, Assert.Single(outcome.ErrorLines), StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Full_paths_go_on_where_the_folder_is_gone()
    {
        using var folder = new TestFolder();
        var outcome = Shell(
            folder.Path,
            $"mkdir gone && cd gone && rmdir ../gone && exec '{Cli.Program}' run '{folder.File("t.dat")}' {string.Join(' ', s_short)}"
        );
        Assert.True(outcome.ExitCode == 0, outcome.Error);
    }

    /// <summary>Limits below the needs of the .NET runtime cannot be reported by a .NET program.</summary>
    [LinuxTheory]
    [InlineData(30)]
    [InlineData(60)]
    [InlineData(99)]
    public void Too_few_file_handles_are_told_before_anything_is_loaded(int handles)
    {
        using var folder = new TestFolder();
        var count = handles.ToString(CultureInfo.InvariantCulture);
        var outcome = Shell(folder.Path, $"ulimit -n {count}; exec '{Cli.Program}' run t.dat {string.Join(' ', s_short)}");
        Assert.Equal(2, outcome.ExitCode);
        Assert.Equal(
            $"iobench: only {count} files may be open here, but IoBench needs 100 or more. Raise the limit, for example: ulimit -n 1024",
            Assert.Single(outcome.ErrorLines)
        );
        Assert.Empty(folder.Listing());
    }

    [LinuxFact]
    public void A_small_test_needs_few_file_handles_beyond_those_of_the_program()
    {
        using var folder = new TestFolder();
        var outcome = Shell(
            folder.Path,
            $"ulimit -n 128; exec '{Cli.Program}' run t.dat --report r.xlsx --output r.json {string.Join(' ', s_short)}"
        );
        Assert.True(outcome.ExitCode == 0, outcome.Error);
    }

    [LinuxFact]
    public void A_file_that_may_not_grow_so_large_is_told_and_nothing_of_it_stays()
    {
        using var folder = new TestFolder();
        // Without this setting the runtime creates a large memory file.
        var outcome = Shell(
            folder.Path,
            $"ulimit -f 2048; export DOTNET_EnableWriteXorExecute=0; exec '{Cli.Program}' run t.dat --size 8MB --duration 50ms --warm-up 0 --quiet"
        );
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains("t.dat", Assert.Single(outcome.ErrorLines), StringComparison.Ordinal);
        Assert.Empty(folder.Listing());
    }

    [Fact]
    public void An_error_that_nobody_expected_is_one_line_and_the_way_to_its_stack()
    {
        var line = Startup.Unexpected(new InvalidOperationException("first\nsecond"));
        Assert.Equal(
            "iobench: InvalidOperationException: first second This is a bug of IoBench, please report it: IOBENCH_TRACE=1 in the environment shows where it is.",
            line
        );
    }

    private static CliOutcome Shell(string folder, string command)
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
