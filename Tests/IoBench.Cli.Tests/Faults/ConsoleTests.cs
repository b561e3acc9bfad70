using System.Diagnostics;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

/// <summary>
/// The program with streams that are full, closed, or not read: results in a file do not depend on them, and the program never aborts.
/// </summary>
public class ConsoleTests
{
    private const string RunCommand = "run null.dat --backend null --duration 50ms --warm-up 0 --size 8MB --outstanding 1,2,3,4";

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
    public void Run_saves_results_and_report_with_broken_streams(string streams)
    {
        using var folder = new TestFolder();
        var (code, _, _) = RunInShell(folder, $"{RunCommand} --output r.json --report r.html", streams);
        Assert.Equal(0, code);
        Assert.Equal([1, 2, 3, 4], ResultReader.ReadFile(folder.GetPath("r.json")).Select(r => r.OutstandingIO));
        Assert.True(new FileInfo(folder.GetPath("r.html")).Length > 1000);
        Assert.Equal(["r.html", "r.json"], Directory.GetFiles(folder.Path).Select(Path.GetFileName).Order());
    }

    [LinuxTheory]
    [InlineData(">/dev/full", "iobench: IoBench cannot write to standard output: No space left on device.")]
    [InlineData(">&-", "iobench: IoBench cannot write to standard output: it is closed.")]
    [InlineData("| true", "iobench: IoBench cannot write to standard output: the reader closed it.")]
    public void Run_without_output_file_fails_when_standard_output_is_unusable(string streams, string line)
    {
        using var folder = new TestFolder();
        var (code, output, error) = RunInShell(folder, RunCommand, streams);
        Assert.Equal((1, ""), (code, output));
        Assert.Contains(line, error, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", error, StringComparison.Ordinal);
        Assert.Empty(folder.ListContents());
    }

    [LinuxTheory]
    [InlineData(">/dev/full 2>/dev/full")]
    [InlineData(">&- 2>&-")]
    [InlineData("2>&1 >/dev/full | true")]
    public void Commands_exit_normally_when_no_stream_is_usable(string streams)
    {
        using var folder = new TestFolder();
        Assert.Equal(1, RunInShell(folder, RunCommand, streams).Code);
        Assert.Equal(1, RunInShell(folder, "workloads", streams).Code);
        Assert.Equal(2, RunInShell(folder, "run --no-such-option", streams).Code);
        Assert.Equal(1, RunInShell(folder, "diskspd -d1 -W0 -c1M t.dat", streams).Code);
    }

    [LinuxTheory]
    [InlineData("workloads")]
    [InlineData("--help")]
    public void Listing_exits_with_0_when_the_reader_closes_the_pipe(string command)
    {
        using var folder = new TestFolder();
        var (code, _, error) = RunInShell(folder, command, "| true");
        Assert.Equal((0, ""), (code, error));
    }

    [LinuxTheory]
    [InlineData("--output - --format json")]
    [InlineData("--format json")]
    public void Json_can_be_written_to_standard_output(string options)
    {
        using var folder = new TestFolder();
        var (code, output, _) = RunInShell(folder, $"{RunCommand} {options}", "");
        Assert.Equal(0, code);
        Assert.Equal(4, ResultReader.ReadFile(folder.WriteFile("out.json", output)).Count());
    }

    [LinuxTheory]
    [InlineData("/dev/stdout")]
    [InlineData("/dev/null")]
    [InlineData("/dev/fd/1")]
    public void Device_as_output_is_refused_before_the_test(string device)
    {
        using var folder = new TestFolder();
        foreach (var option in new[] { "--output " + device, "--format json --output " + device })
        {
            var (code, output, error) = RunInShell(folder, $"{RunCommand} {option}", "");
            Assert.Equal((2, ""), (code, output));
            Assert.Matches("(R|r)emove the output", error);
        }
    }

    private static (int Code, string Output, string Error) RunInShell(TestFolder folder, string arguments, string streams)
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
        var code = int.Parse(File.ReadAllText(folder.GetPath("code")), System.Globalization.CultureInfo.InvariantCulture);
        File.Delete(folder.GetPath("code"));
        return (code, output, error.Result);
    }
}
