using System.Diagnostics;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

/// <summary>
/// The program with streams that are full, closed, or not read: results in a file do not depend on them, and the program never aborts.
/// </summary>
public class ConsoleTests
{
    private const string Run = "run null.dat --backend null --duration 50ms --warm-up 0 --size 8MB --outstanding 1,2,3,4";

    public static TheoryData<string> Streams =>
        new(
            "2>/dev/full",
            "2>&-",
            ">/dev/full",
            ">&-",
            ">&- 2>&-",
            "<&- >&- 2>&-",
            ">/dev/full 2>/dev/full",
            "| head -n 1",
            "2>&1 | head -n 1",
            "| true"
        );

    [LinuxTheory]
    [MemberData(nameof(Streams))]
    public void Results_and_report_are_whole_and_the_run_ends_as_always(string streams)
    {
        using var folder = new TestFolder();
        var (code, _, _) = Shell(folder, $"{Run} --output r.json --report r.html", streams);
        Assert.Equal(0, code);
        Assert.Equal([1, 2, 3, 4], ResultReader.ReadFile(folder.File("r.json")).Select(r => r.OutstandingIO));
        Assert.True(new FileInfo(folder.File("r.html")).Length > 1000);
        Assert.Equal(["r.html", "r.json"], Directory.GetFiles(folder.Path).Select(Path.GetFileName).Order());
    }

    [LinuxTheory]
    [InlineData(">/dev/full", "iobench: standard output cannot be written: No space left on device.")]
    [InlineData(">&-", "iobench: standard output cannot be written: it is closed.")]
    [InlineData("| true", "iobench: standard output cannot be written: nobody reads it any more.")]
    public void Without_a_file_the_run_ends_with_one_line(string streams, string line)
    {
        using var folder = new TestFolder();
        var (code, output, error) = Shell(folder, Run, streams);
        Assert.Equal((1, ""), (code, output));
        Assert.Contains(line, error, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", error, StringComparison.Ordinal);
        Assert.Empty(folder.Listing());
    }

    [LinuxTheory]
    [InlineData(">/dev/full 2>/dev/full")]
    [InlineData(">&- 2>&-")]
    [InlineData("2>&1 >/dev/full | true")]
    public void Where_nothing_can_be_told_it_still_ends_by_itself(string streams)
    {
        using var folder = new TestFolder();
        Assert.Equal(1, Shell(folder, Run, streams).Code);
        Assert.Equal(1, Shell(folder, "workloads", streams).Code);
        Assert.Equal(2, Shell(folder, "run --no-such-option", streams).Code);
        Assert.Equal(1, Shell(folder, "diskspd -d1 -W0 -c1M t.dat", streams).Code);
    }

    [LinuxTheory]
    [InlineData("workloads")]
    [InlineData("--help")]
    public void Who_reads_only_the_beginning_of_a_listing_has_what_was_wanted(string command)
    {
        using var folder = new TestFolder();
        var (code, _, error) = Shell(folder, command, "| true");
        Assert.Equal((0, ""), (code, error));
    }

    [LinuxTheory]
    [InlineData("--output - --format json")]
    [InlineData("--format json")]
    public void Standard_output_has_a_name(string options)
    {
        using var folder = new TestFolder();
        var (code, output, _) = Shell(folder, $"{Run} {options}", "");
        Assert.Equal(0, code);
        Assert.Equal(4, ResultReader.ReadFile(folder.Write("out.json", output)).Count());
    }

    [LinuxTheory]
    [InlineData("/dev/stdout")]
    [InlineData("/dev/null")]
    [InlineData("/dev/fd/1")]
    public void A_device_as_output_is_refused_before_anything_runs(string device)
    {
        using var folder = new TestFolder();
        foreach (var option in new[] { "--output " + device, "--format json --output " + device })
        {
            var (code, output, error) = Shell(folder, $"{Run} {option}", "");
            Assert.Equal((2, ""), (code, output));
            Assert.Contains(
                "Name a file, or leave the output out",
                error.Replace("leave the output file out", "Name a file, or leave the output out", StringComparison.Ordinal),
                StringComparison.Ordinal
            );
        }
    }

    private static (int Code, string Output, string Error) Shell(TestFolder folder, string arguments, string streams)
    {
        // Writes the exit code of the program itself, not that of the pipeline.
        var command = $"{{ {Cli.ShellCommand} {arguments}; echo $? >&3; }} 3>code {streams}";
        var redirectsInside = streams.StartsWith('|') || streams.Contains(" |", StringComparison.Ordinal);
        if (!redirectsInside)
            command = $"{Cli.ShellCommand} {arguments} {streams}; echo $? >code";
        using var process = Process.Start(
            new ProcessStartInfo("/bin/sh", ["-c", command])
            {
                WorkingDirectory = folder.Path,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                RedirectStandardInput = true,
            }
        )!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        var code = int.Parse(File.ReadAllText(folder.File("code")), System.Globalization.CultureInfo.InvariantCulture);
        File.Delete(folder.File("code"));
        return (code, output, error.Result);
    }
}
