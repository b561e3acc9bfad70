using System.Diagnostics;

namespace IoBench.Cli.Tests;

/// <summary>Paths, batch files, and concurrent runs of the Windows program under Wine.</summary>
[Collection(WindowsProgramTestGroup.Name)]
public class WindowsNamesTests(WindowsProgram windows)
{
    private static readonly string[] s_short = ["--size", "1MB", "--duration", "100ms", "--warm-up", "0", "--quiet"];

    [RequiresTheory("wine")]
    [InlineData(@"\\?\T:\SQLData\prod.mdf:s", "is a stream within a file")]
    [InlineData(@"T:\prod.dat:s", "is a stream within a file")]
    [InlineData(@"T:\prod.mdf", "has the extension of a SQL Server file")]
    [InlineData(@"\\.\pipe\sql\query", "is neither a file nor a disk")]
    [InlineData(@"\\host.invalid\pipe\x", "is a pipe or a mailslot")]
    [InlineData(@"\\.\COM1", "is neither a file nor a disk")]
    [InlineData(@"T:\CON", "is neither a file nor a disk")]
    [InlineData(@"T:\NUL.txt", "is neither a file nor a disk")]
    [InlineData(@"\\?\T:", @"Specify \\.\T:")]
    [InlineData(@"\\?\PhysicalDrive0", @"Specify \\.\PhysicalDrive0")]
    [InlineData(@"\\.\PhysicalDrive77", "does not exist")]
    [InlineData(@"\\?\UNC\host.invalid\share\x.dat", "the folder does not exist")]
    public void Invalid_test_file_path_is_refused_in_one_line(string path, string reason)
    {
        var before = Directory.GetFileSystemEntries(windows.Drive).Order().ToArray();
        var (code, output, error) = windows.Run(["run", path, .. s_short, "--write", "100"]);
        Assert.Equal((2, ""), (code, output));
        Assert.Contains(
            reason,
            Assert.Single(Wine.NormalizeOutput(error).Split('\n', StringSplitOptions.RemoveEmptyEntries)),
            StringComparison.Ordinal
        );
        Assert.Equal(before, Directory.GetFileSystemEntries(windows.Drive).Order());
    }

    [RequiresTheory("wine")]
    [InlineData(@"\\?\T:\verbatim.dat", "verbatim.dat")]
    [InlineData("T:relative.dat", "relative.dat")]
    [InlineData("T:/slashes.dat", "slashes.dat")]
    [InlineData(@"T:\dots.dat. ", "dots.dat")]
    public void All_path_forms_reach_the_same_file(string path, string name)
    {
        var (code, _, error) = windows.Run(["run", path, .. s_short, "--write", "100"]);
        Assert.True(code == 0, error);
        Assert.Equal(1 << 20, new FileInfo(Path.Combine(windows.Drive, name)).Length);
        Assert.Equal(0, windows.Run("remove", path).Code);
        Assert.False(File.Exists(Path.Combine(windows.Drive, name)));
    }

    [RequiresFact("wine")]
    public void Batch_file_gets_exit_codes_percent_signs_and_complete_files()
    {
        File.WriteAllText(
            Path.Combine(windows.Drive, "night.cmd"),
            """
            @echo off
            "%1" run t:\batch.dat --size 1MB --duration 100ms --warm-up 0 --quiet --label 50%% --output t:\batch.json > nul
            echo first %errorlevel%
            "%1" run t:\none\b.dat --quiet 2> t:\batch-error.txt
            echo second %errorlevel%
            "%1" workloads > t:\batch-all.txt 2>&1
            if errorlevel 1 exit /b 9
            "%1" remove t:\batch.dat
            exit /b 7
            """.ReplaceLineEndings("\r\n")
        );
        var (code, output, error) = windows.RunBatch(@"t:\night.cmd");
        Assert.True(code == 7, output + error);
        Assert.Equal(
            ["first 0", "second 2"],
            output
                .Split('\n')
                .Select(line => line.Trim())
                .Where(line => line.StartsWith("first", StringComparison.Ordinal) || line.StartsWith("second", StringComparison.Ordinal))
        );
        Assert.Contains("\"label\": \"50%\"", ReadText("batch.json"), StringComparison.Ordinal);
        Assert.Contains("folder does not exist", ReadText("batch-error.txt"), StringComparison.Ordinal);
        Assert.Contains("log-commit", ReadText("batch-all.txt"), StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(windows.Drive, "batch.dat")));
    }

    [RequiresFact("wine")]
    public void File_in_use_is_refused_and_reusable_after_a_kill()
    {
        string[] write = ["--write", "100", "--warm-up", "0", "--quiet"];
        Assert.Equal(0, windows.Run(["run", @"t:\two.dat", "--size", "8MB", "--duration", "100ms", .. write]).Code);
        using (var first = windows.StartProgram(["run", @"t:\two.dat", "--duration", "1000", .. write]))
        {
            // The file belongs to the first run only when it writes. Before that, either run can find the file in use.
            WaitUntilWritten(Path.Combine(windows.Drive, "two.dat"), first);
            var (second, _, refusal) = windows.Run(["run", @"t:\two.dat", "--duration", "50ms", .. write]);
            Assert.True(second == 2, $"exit code {second}: {refusal}");
            Assert.Contains("two.dat", refusal, StringComparison.Ordinal);
            Assert.False(first.HasExited);
            Assert.Equal(2, windows.Run("remove", @"t:\two.dat").Code);
            first.Kill(entireProcessTree: true);
            first.WaitForExit();
        }
        var (code, _, error) = windows.Run(["run", @"t:\two.dat", "--duration", "100ms", .. write]);
        Assert.True(code == 0, error);
        Assert.Equal(0, windows.Run("remove", @"t:\two.dat").Code);
    }

    private static void WaitUntilWritten(string path, Process writer)
    {
        var before = File.GetLastWriteTimeUtc(path);
        Assert.True(
            SpinWait.SpinUntil(
                () =>
                {
                    Thread.Sleep(20);
                    return writer.HasExited || File.GetLastWriteTimeUtc(path) != before;
                },
                TimeSpan.FromMinutes(1)
            ),
            "nothing was written within a minute"
        );
        Assert.False(writer.HasExited, "the first run ended normally");
    }

    private string ReadText(string name) => File.ReadAllText(Path.Combine(windows.Drive, name));
}
